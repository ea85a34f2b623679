package chess

import (
	"slices"
	"strconv"
	"strings"

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
	var list MoveList
	s.p.Legal(&list)
	if s.p.outcome(list.Len(), s.occurrences()) != nil {
		return games.Move{}, games.Ruling{}, refuse(games.GameOver)
	}
	m, refusal := s.p.parseMove(move, s.passed)
	if refusal != nil {
		return games.Move{}, games.Ruling{}, refusal
	}
	next := s.play(m)
	return s.p.describe(m), next.rule(), nil
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
	r.Moves = make([]games.Move, 0, list.Len())
	for _, m := range list.All() {
		r.Moves = append(r.Moves, p.describe(m))
	}
	slices.SortFunc(r.Moves, func(a, b games.Move) int { return strings.Compare(a.Text, b.Text) })
	return r
}

// describe is a legal move for people and clients.
func (p *Position) describe(m Move) games.Move {
	from, to := m.From().String(), p.landing(m).String()
	d := games.Move{Text: p.UCI(m), Notation: p.SAN(m), From: from, To: to, Path: []string{from, to}}
	switch {
	case m.IsEnPassant():
		d.Captures = []string{(m.To() ^ 8).String()}
	case !m.IsCastling() && p.roleAt(m.To()) != NoRole:
		d.Captures = []string{to}
	}
	if role := m.Promotion(); role != NoRole {
		d.Promotion = string(role.Letter() + 'a' - 'A')
	}
	return d
}

// keyDigits is the length of a key as text.
const keyDigits = 16

func formatKey(key uint64) string {
	text := strconv.FormatUint(key, 16)
	return strings.Repeat("0", keyDigits-len(text)) + text
}

// formatHistory writes keys as 16 hex digits each, joined by points.
func formatHistory(past []uint64) string {
	texts := make([]string, len(past))
	for i, key := range past {
		texts[i] = formatKey(key)
	}
	return strings.Join(texts, ".")
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
	texts := strings.Split(text, ".")
	past := make([]uint64, len(texts))
	for i, digits := range texts {
		key, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || formatKey(key) != digits {
			return nil, bad
		}
		past[i] = key
	}
	return past, nil
}
