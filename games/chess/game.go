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
	var room Room
	return g.RuleIn(&room, position)
}

// Apply plays a move given as UCI or SAN.
func (g Game) Apply(position games.Position, move string) (games.Move, games.Ruling, error) {
	var room Room
	return g.ApplyIn(&room, position, move)
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

// read reads a position, and its past into room for it.
func (g Game) read(position games.Position, past []uint64) (state, error) {
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
	s.past, err = parseHistory(position.History, s.p.Halfmove(), past)
	return s, err
}

// play plays a legal move.
func (s *state) play(m Move) {
	before := s.p
	before.PlayTo(&s.p, m)
	s.passed = s.p.passing
	if s.p.halfmove != 0 && s.p.rights == before.rights {
		s.past = append(s.past, before.hash)
	} else {
		s.past = s.past[:0]
	}
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

// appendHistory writes keys as 16 hex digits each, joined by points.
func appendHistory(out []byte, past []uint64) []byte {
	for i, key := range past {
		if i > 0 {
			out = append(out, '.')
		}
		out = appendKey(out, key)
	}
	return out
}

// formatHistory is appendHistory as text.
func formatHistory(past []uint64) string { return string(appendHistory(nil, past)) }

// parseHistory adds what formatHistory wrote to a list. The halfmove clock
// bounds it: it counts the same moves, and the game ends before it passes 150.
func parseHistory(text string, halfmove int, past []uint64) ([]uint64, error) {
	if text == "" {
		return past, nil
	}
	bad := &games.Invalid{Syntax: true, Reasons: []string{"bad_history"}, Detail: "the history is not one that chess wrote"}
	most := min(halfmove, seventyFiveMoves)
	if len(text) > most*(keyDigits+1)-1 {
		return nil, bad
	}
	past = slices.Grow(past, len(text)/(keyDigits+1)+2)
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
