package chess

import (
	"slices"
	"strconv"

	"tabuleiro/games"
)

const (
	name     = "chess"
	drawsSet = "fide"
)

// Game is chess at the edge of the system. A position is one of Chess960 where
// its castling rights need it or are written by file, which the writer does for
// every position of Chess960.
type Game struct {
	// Chess960 makes every position one of Chess960.
	Chess960 bool
}

var _ games.Game = Game{}

// New is the game that tells Chess960 by the text of each position.
func New() Game { return Game{} }

// Name is "chess".
func (Game) Name() string { return name }

// Sides are "white" and "black".
func (Game) Sides() [2]string { return [2]string{"white", "black"} }

// DrawSets is "fide" alone: threefold repetition and fifty moves are claimed;
// fivefold repetition, seventy-five moves and dead material end the game.
func (Game) DrawSets() []string { return []string{drawsSet} }

// Size is 8 by 8.
func (Game) Size() (rows, columns int) { return 8, 8 }

// Start is the starting position.
func (g Game) Start(draws string) (games.Position, error) {
	if draws != "" && draws != drawsSet {
		return games.Position{}, games.UnknownDraws(name, draws)
	}
	p := Start()
	p.chess960 = g.Chess960
	return games.Position{Rules: name, Text: p.FEN(), Draws: drawsSet}, nil
}

// Rule reads a position leniently and rules on it.
func (g Game) Rule(position games.Position) (games.Ruling, error) {
	s, err := g.read(position)
	if err != nil {
		return games.Ruling{}, err
	}
	return s.rule(), nil
}

// Apply plays a move given as UCI or SAN.
func (g Game) Apply(position games.Position, move string) (games.Move, games.Ruling, error) {
	s, err := g.read(position)
	if err != nil {
		return games.Move{}, games.Ruling{}, err
	}
	if s.p.outcome(s.p.Count(), s.occurrences()) != nil {
		return games.Move{}, games.Ruling{}, refuse(games.GameOver)
	}
	m, refusal := s.p.parseMove(move, s.passed)
	if refusal != nil {
		return games.Move{}, games.Ruling{}, refusal
	}
	next := s.play(m)
	return s.p.describeAll([]Move{m})[0], next.rule(), nil
}

// state is a position with its past.
type state struct {
	p Position
	// passed is the en passant square as it was read, legal or not.
	passed Square
	// past holds the keys of the positions since the last irreversible move,
	// this one left out.
	past []uint64
}

func (g Game) read(position games.Position) (state, error) {
	if position.Rules != "" && position.Rules != name {
		return state{}, &games.Invalid{Reasons: []string{"unknown_rules"},
			Detail: "not a position of chess but of " + strconv.Quote(position.Rules)}
	}
	if position.Draws != "" && position.Draws != drawsSet {
		return state{}, games.UnknownDraws(name, position.Draws)
	}
	setup, err := ParseFEN(position.Text)
	if err != nil {
		return state{}, err
	}
	setup.Chess960 = setup.Chess960 || g.Chess960
	s := state{passed: setup.EnPassant}
	if s.p, err = setup.Position(); err != nil {
		return state{}, err
	}
	s.past, err = parseHistory(position.History, s.p.Halfmove())
	return s, err
}

func (s *state) play(m Move) state {
	next := state{p: s.p.Play(m)}
	next.passed = next.p.passing
	if next.p.halfmove != 0 && next.p.rights == s.p.rights {
		next.past = append(slices.Clip(s.past), s.p.hash)
	}
	return next
}

func (s *state) occurrences() int {
	n := 1
	for _, key := range s.past {
		if key == s.p.hash {
			n++
		}
	}
	return n
}

func (s *state) rule() games.Ruling {
	p := &s.p
	var list MoveList
	p.Legal(&list)
	r := games.Ruling{
		Position: games.Position{Rules: name, Text: p.FEN(), Draws: drawsSet, History: formatHistory(s.past)},
		Side:     p.side,
		CanWin:   [2]bool{p.CanWin(White), p.CanWin(Black)},
		Key:      formatKey(p.hash),
		Check:    p.Checkers().Names(),
		Pieces:   p.pieces(),
	}
	r.Repetition = s.occurrences()
	if r.Outcome = p.outcome(list.Len(), r.Repetition); r.Outcome != nil {
		return r
	}
	r.Claims = p.claims(r.Repetition)
	p.sortByText(&list)
	r.Moves = p.describeAll(list.All())
	return r
}

// usualMoves is how many moves are handled without allocating; positions with
// more are rare.
const usualMoves = 80

// sortByText puts moves in the order of their UCI texts.
func (p *Position) sortByText(list *MoveList) {
	var room [usualMoves]uint64
	keys := room[:0]
	for _, m := range list.All() {
		from, to := m.From(), p.landing(m)
		key := uint64(from.File()<<9 | from.Rank()<<6 | to.File()<<3 | to.Rank())
		if role := m.Promotion(); role != NoRole {
			key = key<<8 | uint64(role.Letter())
		} else {
			key <<= 8
		}
		keys = append(keys, key<<16|uint64(m))
	}
	slices.Sort(keys)
	for i, key := range keys {
		list.moves[i] = Move(key)
	}
}

// describeAll describes moves that live and die together, so their notations
// are parts of one text and their squares of one list.
func (p *Position) describeAll(moves []Move) []games.Move {
	out := make([]games.Move, len(moves))
	squares := make([]string, 0, 3*len(moves))
	var room [usualMoves * maxSAN]byte
	var roomForEnds [usualMoves]int
	text, ends := room[:0], roomForEnds[:0]
	for i, m := range moves {
		squares = p.describe(&out[i], squares, m)
		text = p.appendSAN(text, m)
		ends = append(ends, len(text))
	}
	notations, start := string(text), 0
	for i, end := range ends {
		out[i].Notation = notations[start:end]
		start = end
	}
	return out
}

// describe is a legal move for people and clients, without its notation. The
// squares of its path and captures go to the end of a list, which it returns.
func (p *Position) describe(d *games.Move, squares []string, m Move) []string {
	d.From, d.To = m.From().String(), p.landing(m).String()
	d.Text = p.UCI(m)
	squares = append(squares, d.From, d.To)
	n := len(squares)
	d.Path = squares[n-2 : n : n]
	switch {
	case m.IsEnPassant():
		squares = append(squares, (m.To() ^ 8).String())
	case !m.IsCastling() && p.roleAt(m.To()) != NoRole:
		squares = append(squares, d.To)
	}
	if len(squares) > n {
		d.Captures = squares[n : n+1 : n+1]
	}
	if role := m.Promotion(); role != NoRole {
		d.Promotion = string(role.Letter() + 'a' - 'A')
	}
	return squares
}

// keyDigits is the length of a key as text.
const keyDigits = 16

func formatKey(key uint64) string {
	var room [keyDigits]byte
	return string(appendKey(room[:0], key))
}

func appendKey(out []byte, key uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		out = append(out, "0123456789abcdef"[key>>shift&15])
	}
	return out
}

// formatHistory writes keys as 16 hex digits each, joined by points.
func formatHistory(past []uint64) string {
	if len(past) == 0 {
		return ""
	}
	out := make([]byte, 0, len(past)*(keyDigits+1))
	for i, key := range past {
		if i > 0 {
			out = append(out, '.')
		}
		out = appendKey(out, key)
	}
	return string(out)
}

// parseHistory reads what formatHistory wrote. The halfmove clock bounds it: it
// counts the same moves, and the game ends before it passes 150.
func parseHistory(text string, halfmove int) ([]uint64, error) {
	if text == "" {
		return nil, nil
	}
	bad := &games.Invalid{Syntax: true, Reasons: []string{"bad_history"}, Detail: "the history is not one that chess wrote"}
	most := min(halfmove, seventyFiveMoves)
	if len(text) > most*(keyDigits+1)-1 {
		return nil, bad
	}
	past := make([]uint64, 0, len(text)/(keyDigits+1)+1)
	for {
		key, ok := parseKey(text)
		if !ok {
			return nil, bad
		}
		past = append(past, key)
		if text = text[keyDigits:]; text == "" {
			return past, nil
		}
		if text[0] != '.' {
			return nil, bad
		}
		text = text[1:]
	}
}

// parseKey reads the key that a text begins with, in lower case.
func parseKey(text string) (key uint64, ok bool) {
	if len(text) < keyDigits {
		return 0, false
	}
	for _, c := range []byte(text[:keyDigits]) {
		switch {
		case c >= '0' && c <= '9':
			key = key<<4 | uint64(c-'0')
		case c >= 'a' && c <= 'f':
			key = key<<4 | uint64(c-'a'+10)
		default:
			return 0, false
		}
	}
	return key, true
}
