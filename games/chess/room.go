package chess

import (
	"slices"

	"tabuleiro/games"
)

// Room is memory to make rulings in, again and again: what RuleIn and ApplyIn
// return lies in it and holds until its next use. The zero value is ready. It is
// no larger than its largest ruling needs, and not safe for concurrent use.
type Room struct {
	list    MoveList
	keys    []uint64
	played  [1]games.Move
	moves   []games.Move
	squares []string
	text    []byte
	ends    []int
	pieces  []games.Piece
	past    []uint64
}

// RuleIn is Rule with a ruling that lies in a room.
func (g Game) RuleIn(room *Room, position games.Position) (games.Ruling, error) {
	s, err := g.read(position, room.past[:0])
	if err != nil {
		return games.Ruling{}, err
	}
	room.squares = room.squares[:0]
	return room.rule(&s), nil
}

// ApplyIn is Apply with a move and a ruling that lie in a room.
func (g Game) ApplyIn(room *Room, position games.Position, move string) (games.Move, games.Ruling, error) {
	s, err := g.read(position, room.past[:0])
	if err != nil {
		return games.Move{}, games.Ruling{}, err
	}
	if s.p.outcome(s.p.Count(), s.occurrences()) != nil {
		return games.Move{}, games.Ruling{}, s.p.RefuseOver()
	}
	m, refusal := s.p.parseMove(move, s.passed)
	if refusal != nil {
		return games.Move{}, games.Ruling{}, refusal
	}
	room.squares = room.squares[:0]
	room.describeAll(&s.p, []Move{m}, room.played[:])
	s.play(m)
	return room.played[0], room.rule(&s), nil
}

func (r *Room) rule(s *state) games.Ruling {
	p := &s.p
	p.Legal(&r.list)
	r.past = s.past
	r.text = appendHistory(r.text[:0], s.past)
	r.pieces = p.appendPieces(r.pieces[:0])
	ruling := games.Ruling{
		Position: games.Position{Rules: name, Text: p.FEN(), Draws: drawsSet, History: string(r.text)},
		Side:     p.side,
		CanWin:   [2]bool{p.CanWin(White), p.CanWin(Black)},
		Key:      formatKey(p.hash),
		Check:    p.Checkers().Names(),
		Pieces:   r.pieces,
	}
	ruling.Repetition = s.occurrences()
	if ruling.Outcome = p.outcome(r.list.Len(), ruling.Repetition); ruling.Outcome != nil {
		return ruling
	}
	ruling.Claims = p.claims(ruling.Repetition)
	r.sortByText(p)
	r.moves = slices.Grow(r.moves[:0], r.list.Len())[:r.list.Len()]
	r.describeAll(p, r.list.All(), r.moves)
	ruling.Moves = r.moves
	return ruling
}

// sortByText puts the moves of the list in the order of their UCI texts.
func (r *Room) sortByText(p *Position) {
	r.keys = slices.Grow(r.keys[:0], r.list.Len())
	for _, m := range r.list.All() {
		from, to := m.From(), p.landing(m)
		key := uint64(from.File()<<9 | from.Rank()<<6 | to.File()<<3 | to.Rank())
		if role := m.Promotion(); role != NoRole {
			key = key<<8 | uint64(role.Letter())
		} else {
			key <<= 8
		}
		r.keys = append(r.keys, key<<16|uint64(m))
	}
	slices.Sort(r.keys)
	for i, key := range r.keys {
		r.list.moves[i] = Move(key)
	}
}

// describeAll describes moves that live and die together, so their notations
// are parts of one text, and their squares of one list.
func (r *Room) describeAll(p *Position, moves []Move, out []games.Move) {
	r.squares = slices.Grow(r.squares, 3*len(moves))
	r.text, r.ends = slices.Grow(r.text[:0], maxSAN*len(moves)), slices.Grow(r.ends[:0], len(moves))
	n := p.notator()
	for i, m := range moves {
		r.squares = p.describe(&out[i], r.squares, m)
		r.text = n.append(r.text, m)
		r.ends = append(r.ends, len(r.text))
	}
	notations, start := string(r.text), 0
	for i, end := range r.ends {
		out[i].Notation = notations[start:end]
		start = end
	}
}

// describeAll describes legal moves for people and clients.
func (p *Position) describeAll(moves []Move) []games.Move {
	out := make([]games.Move, len(moves))
	new(Room).describeAll(p, moves, out)
	return out
}

// describe is a legal move for people and clients, without its notation. The
// squares of its path and captures go to the end of a list, which it returns.
func (p *Position) describe(d *games.Move, squares []string, m Move) []string {
	from, to := m.From().String(), p.landing(m).String()
	// By field: to assign the whole costs the collector's barrier for all of it.
	d.From, d.To, d.Text = from, to, p.UCI(m)
	d.Captures, d.Promotion = nil, ""
	squares = append(squares, from, to)
	n := len(squares)
	d.Path = squares[n-2 : n : n]
	switch {
	case m.IsEnPassant():
		squares = append(squares, (m.To() ^ 8).String())
	case !m.IsCastling() && p.roleAt(m.To()) != NoRole:
		squares = append(squares, to)
	}
	if len(squares) > n {
		d.Captures = squares[n : n+1 : n+1]
	}
	if role := m.Promotion(); role != NoRole {
		d.Promotion = promotionTexts[role&7]
	}
	return squares
}

// promotionTexts are the letters of promotions as UCI has them.
var promotionTexts = [8]string{Knight: "n", Bishop: "b", Rook: "r", Queen: "q"}
