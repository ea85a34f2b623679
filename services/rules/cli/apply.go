package cli

import (
	"bufio"
	"errors"
	"io"

	"tabuleiro/games"
)

// Apply is the command that plays moves in a game, with its counters and
// repetitions.
type Apply struct {
	// Rules is chess (also when empty), draughts or tictactoe.
	Rules string
	// FEN is the position to begin with; nil is the start.
	FEN *string
	// Draws names the set of draw rules; empty is the game's default.
	Draws string
	// Chess960 reads the position as Chess960.
	Chess960 bool
	// Moves are in any notation of the game.
	Moves []string
}

// played is a line of output for a move, in the order of the contract.
type played struct {
	Ply        int      `json:"ply"`
	Move       string   `json:"move"`
	Notation   string   `json:"notation"`
	FEN        string   `json:"fen"`
	Repetition int      `json:"repetition"`
	Claims     []string `json:"claims"`
	Outcome    *outcome `json:"outcome"`
}

// stopped is the line of output for a refused move.
type stopped struct {
	Ply   int    `json:"ply"`
	Error *fault `json:"error"`
}

// Run plays the moves, a line each, until one is refused.
func (c Apply) Run(_ io.Reader, stdout, stderr io.Writer) int {
	g, err := gameOf(c.Rules, c.Chess960)
	if err != nil {
		return fail(stderr, "apply", err)
	}
	if len(c.Moves) == 0 {
		return fail(stderr, "apply", errors.New("name at least one move"))
	}
	if err := checkDraws(g, c.Draws); err != nil {
		return fail(stderr, "apply", err)
	}
	p, err := g.Start(c.Draws)
	if err != nil {
		return fail(stderr, "apply", err)
	}
	if c.FEN != nil {
		p.Text = *c.FEN
	}
	if _, err := g.Rule(p); err != nil {
		return fail(stderr, "apply", &optionFault{"--fen", err})
	}
	out := bufio.NewWriter(stdout)
	code, err := c.play(g, p, out, stderr)
	if err = errors.Join(err, out.Flush()); err != nil {
		return fail(stderr, "apply", err)
	}
	return code
}

func (c Apply) play(g games.Game, p games.Position, out io.Writer, stderr io.Writer) (int, error) {
	for i, text := range c.Moves {
		m, r, err := g.Apply(p, text)
		if err != nil {
			explain(stderr, "apply", err)
			return exitRefused, writeLine(out, stopped{i + 1, faultOf(err)})
		}
		line := played{
			Ply: i + 1, Move: m.Text, Notation: m.Notation, FEN: r.Position.Text,
			Repetition: r.Repetition, Claims: list(r.Claims), Outcome: outcomeOf(r.Outcome, g.Sides()),
		}
		if err := writeLine(out, line); err != nil {
			return exitRight, err
		}
		p = r.Position
	}
	return exitRight, nil
}
