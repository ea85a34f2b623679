package cli

import (
	"fmt"
	"slices"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/games/tictactoe"
)

// position is a position of any game as the commands use it: by itself, without
// the counters and repetitions of the game that led to it.
type position interface {
	// text is the position, written strictly.
	text() string
	side() games.Side
	// moves are the legal moves, those of one capture set joined, sorted by the
	// text of their first path. As in perft, dead material takes none away.
	moves() []move
	// outcome is the automatic end that the position alone brings; nil for none.
	outcome() *games.Outcome
	// perft counts the ways to play depth plies. Neither draw rules nor claims
	// stop it.
	perft(depth int, paths, bulk bool) uint64
	// branches are the first moves with the positions after them, sorted by name.
	branches(paths bool) []branch
}

// move is a line's move in JSON, in the order of the contract.
type move struct {
	// From is nil where a piece is placed.
	From      *string    `json:"from"`
	To        string     `json:"to"`
	Captures  []string   `json:"captures"`
	Paths     [][]string `json:"paths"`
	Promotion *string    `json:"promotion"`
	Notation  string     `json:"notation"`
	// UCI is nil outside chess.
	UCI      *string `json:"uci"`
	FENAfter string  `json:"fen_after"`
}

type branch struct {
	name  string
	after position
}

// gameOf is the game at the edge; no name means chess.
func gameOf(rules string, chess960 bool) (games.Game, error) {
	switch rules {
	case "", "chess":
		return chess.Game{Chess960: chess960}, nil
	case "draughts":
		return draughts.Game{}, nil
	case "tictactoe":
		return tictactoe.Game{}, nil
	}
	return nil, fmt.Errorf("--rules is chess, draughts or tictactoe, not %q", rules)
}

// readOption reads the position of --fen; nil is the start. The error names the
// option.
func readOption(g games.Game, fen *string, chess960 bool) (position, error) {
	p, err := read(g, fen, chess960)
	if err != nil {
		return nil, &optionFault{"--fen", err}
	}
	return p, nil
}

// read reads a position of a game leniently; nil is the start. The error is
// *games.Invalid.
func read(g games.Game, fen *string, chess960 bool) (position, error) {
	if fen == nil {
		start, err := g.Start("")
		if err != nil {
			return nil, err
		}
		fen = &start.Text
	}
	switch g.(type) {
	case chess.Game:
		return readChess(*fen, chess960)
	case draughts.Game:
		p, err := draughts.Parse(*fen)
		return draughtsPosition{p}, err
	default:
		p, err := tictactoe.Parse(*fen)
		return tictactoePosition{p}, err
	}
}

type chessPosition struct{ p chess.Position }

func readChess(fen string, chess960 bool) (position, error) {
	setup, err := chess.ParseFEN(fen)
	if err != nil {
		return nil, err
	}
	setup.Chess960 = setup.Chess960 || chess960
	p, err := setup.Position()
	return chessPosition{p}, err
}

func (c chessPosition) text() string { return c.p.FEN() }

func (c chessPosition) side() games.Side { return c.p.SideToMove() }

// outcome leaves out the ends that counters and repetitions bring.
func (c chessPosition) outcome() *games.Outcome {
	switch {
	case !c.p.HasLegal() && c.p.InCheck():
		return &games.Outcome{Winner: c.p.SideToMove().Other(), Reason: "checkmate"}
	case !c.p.HasLegal():
		return &games.Outcome{Draw: true, Reason: "stalemate"}
	case !c.p.CanWin(chess.White) && !c.p.CanWin(chess.Black):
		return &games.Outcome{Draw: true, Reason: "insufficient_material"}
	}
	return nil
}

func (c chessPosition) moves() []move {
	var legal chess.MoveList
	c.p.Legal(&legal)
	out := make([]move, 0, legal.Len())
	for _, m := range legal.All() {
		uci := c.p.UCI(m)
		from, to := uci[:2], uci[2:4]
		after := c.p.Play(m)
		line := move{
			From: &from, To: to, Captures: []string{}, Paths: [][]string{{from, to}},
			Notation: c.p.SAN(m), UCI: &uci, FENAfter: after.FEN(),
		}
		switch {
		case m.IsEnPassant():
			line.Captures = []string{to[:1] + from[1:]}
		case !m.IsCastling() && c.p.PieceAt(m.To()) != 0:
			line.Captures = []string{to}
		}
		if promotion := uci[4:]; promotion != "" {
			line.Promotion = &promotion
		}
		out = append(out, line)
	}
	slices.SortFunc(out, func(a, b move) int { return strings.Compare(*a.UCI, *b.UCI) })
	return out
}

func (c chessPosition) perft(depth int, _, bulk bool) uint64 { return chess.Perft(c.p, depth, bulk) }

func (c chessPosition) branches(bool) []branch {
	var legal chess.MoveList
	c.p.Legal(&legal)
	out := make([]branch, 0, legal.Len())
	for _, m := range legal.All() {
		out = append(out, branch{c.p.UCI(m), chessPosition{c.p.Play(m)}})
	}
	slices.SortFunc(out, byName)
	return out
}

func byName(a, b branch) int { return strings.Compare(a.name, b.name) }

type tictactoePosition struct{ p tictactoe.Position }

func (t tictactoePosition) text() string { return t.p.Text() }

func (t tictactoePosition) side() games.Side { return t.p.Side() }

func (t tictactoePosition) outcome() *games.Outcome {
	if winner, won := t.p.Winner(); won {
		return &games.Outcome{Winner: winner, Reason: "three_in_a_row"}
	}
	if t.p.Over() {
		return &games.Outcome{Draw: true, Reason: "board_full"}
	}
	return nil
}

func (t tictactoePosition) moves() []move {
	var out []move
	for _, b := range t.branches(false) {
		out = append(out, move{
			To: b.name, Captures: []string{}, Paths: [][]string{{b.name}}, Notation: b.name, FENAfter: b.after.text(),
		})
	}
	return out
}

func (t tictactoePosition) perft(depth int, _, _ bool) uint64 { return tictactoe.Perft(t.p, depth) }

func (t tictactoePosition) branches(bool) []branch {
	var out []branch
	for m := t.p.Moves(); m != 0; m = m.Rest() {
		out = append(out, branch{m.First().String(), tictactoePosition{t.p.Play(m.First())}})
	}
	slices.SortFunc(out, byName)
	return out
}
