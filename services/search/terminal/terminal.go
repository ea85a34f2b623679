// Package terminal plays a game against the engine in a terminal or through a
// pipe: the code behind the command game.
package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/games/tictactoe"
	"tabuleiro/services/search/farm"
)

// The exit codes.
const (
	exitRight = 0
	exitInput = 2
)

// Searcher finds the engine's moves; *farm.Coordinator is one.
type Searcher interface {
	BestMove(ctx context.Context, req farm.Request) (farm.Answer, error)
}

// Config says which game is played.
type Config struct {
	// Rules is chess (also when empty), draughts or tictactoe.
	Rules string
	// Level is the engine's, one of farm.Levels; empty is the strongest.
	Level string
	// FEN is the position to begin with; nil is the start.
	FEN *string
	// Draws names the set of draw rules; empty is the game's default.
	Draws string
	// Chess960 reads the position as Chess960.
	Chess960 bool
	// Side is who the player is: first or second (to move from the start of the
	// game), or the name of a side; empty is first.
	Side string
	// Limit is the engine's time for a move; 0 is one second.
	Limit time.Duration
	// Seed draws among moves that the engine finds equal.
	Seed int32
	// Prompt asks for each move, for a person rather than a pipe.
	Prompt bool
}

// Game is one game in the terminal. It is used once.
type Game struct {
	cfg    Config
	search Searcher
	game   games.Game
	out    *bufio.Writer

	player  games.Side
	rulings []games.Ruling // all positions so far, the first one first
}

// New makes a game; search finds the engine's moves.
func New(cfg Config, search Searcher) *Game { return &Game{cfg: cfg, search: search} }

// Run plays until the game or the input ends, and returns the exit code: 0, or
// 2 for bad usage or input. What is said of the game goes to stdout.
func (g *Game) Run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) int {
	g.out = bufio.NewWriter(stdout)
	err := g.open()
	if err == nil {
		err = g.play(ctx, bufio.NewScanner(stdin))
	}
	if err = errors.Join(err, g.out.Flush()); err != nil {
		_, _ = fmt.Fprintf(stderr, "game: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		return exitInput
	}
	return exitRight
}

// open sets the game up.
func (g *Game) open() error {
	switch g.cfg.Rules {
	case "", "chess":
		g.game = chess.Game{Chess960: g.cfg.Chess960}
	case "draughts":
		g.game = draughts.Game{}
	case "tictactoe":
		g.game = tictactoe.Game{}
	default:
		return fmt.Errorf("--rules is chess, draughts or tictactoe, not %q", g.cfg.Rules)
	}
	var levels []string
	for _, l := range farm.Levels() {
		levels = append(levels, l.Name)
	}
	if g.cfg.Level == "" {
		g.cfg.Level = levels[len(levels)-1]
	}
	if !slices.Contains(levels, g.cfg.Level) {
		return fmt.Errorf("--level is one of %s, not %q", strings.Join(levels, ", "), g.cfg.Level)
	}
	if g.cfg.Limit <= 0 {
		g.cfg.Limit = time.Second
	}
	sides := g.game.Sides()
	switch g.cfg.Side {
	case "", "first", sides[games.First]:
		g.player = games.First
	case "second", sides[games.Second]:
		g.player = games.Second
	default:
		return fmt.Errorf("--side is first, second, %s or %s, not %q", sides[0], sides[1], g.cfg.Side)
	}
	p, err := g.game.Start(g.cfg.Draws)
	if err != nil {
		return err
	}
	if g.cfg.FEN != nil {
		p.Text = *g.cfg.FEN
	}
	ruling, err := g.game.Rule(p)
	if err != nil {
		return err
	}
	g.rulings = []games.Ruling{ruling}
	return nil
}

// now is the ruling on the position on the board.
func (g *Game) now() *games.Ruling { return &g.rulings[len(g.rulings)-1] }

func (g *Game) sideName(s games.Side) string { return g.game.Sides()[s] }

// say writes a line; what goes wrong with it shows when the output is flushed.
func (g *Game) say(format string, args ...any) { _, _ = fmt.Fprintf(g.out, format+"\n", args...) }

// play lets the engine and the player move in turn. The error is that of the
// engine or of reading.
func (g *Game) play(ctx context.Context, in *bufio.Scanner) error {
	g.say("You play %s against the engine, level %s. Type a move, or help.", g.sideName(g.player), g.cfg.Level)
	g.board()
	for {
		r := g.now()
		if r.Outcome != nil {
			g.result(*r.Outcome)
			return nil
		}
		if r.Side != g.player {
			if err := g.reply(ctx); err != nil {
				return err
			}
			continue
		}
		if g.cfg.Prompt {
			_, _ = fmt.Fprintf(g.out, "%s> ", g.sideName(g.player))
		}
		if err := g.out.Flush(); err != nil {
			return err
		}
		if !in.Scan() {
			if err := in.Err(); err != nil {
				return fmt.Errorf("read a line: %w", err)
			}
			g.say("The game is not finished.")
			return nil
		}
		if g.obey(strings.TrimSpace(in.Text())) {
			return nil
		}
	}
}

// reply plays the engine's move.
func (g *Game) reply(ctx context.Context) error {
	if err := g.out.Flush(); err != nil {
		return err
	}
	answer, err := g.search.BestMove(ctx, farm.Request{
		Position: g.now().Position, Level: g.cfg.Level, Limit: g.cfg.Limit, Seed: g.cfg.Seed,
	})
	if err != nil {
		return fmt.Errorf("the engine's move: %w", err)
	}
	m, ruling, err := g.game.Apply(g.now().Position, answer.Move)
	if err != nil {
		return fmt.Errorf("the engine's move %s: %w", answer.Move, err)
	}
	g.rulings = append(g.rulings, ruling)
	g.say("Engine: %s", m.Notation)
	g.board()
	return nil
}

// obey does what a line says; true ends the game.
func (g *Game) obey(line string) (done bool) {
	switch strings.ToLower(line) {
	case "":
	case "help", "?":
		g.help()
	case "board":
		g.board()
	case "moves":
		var list []string
		for _, m := range g.now().Moves {
			list = append(list, m.Notation)
		}
		g.say("%s", strings.Join(list, " "))
	case "undo":
		g.undo()
	case "draw":
		if claims := g.now().Claims; len(claims) > 0 {
			g.result(games.Outcome{Draw: true, Reason: claims[0]})
			return true
		}
		g.say("There is no draw to claim here.")
	case "resign":
		g.result(games.Outcome{Winner: g.player.Other(), Reason: "resignation"})
		return true
	case "quit", "exit":
		g.say("The game is not finished.")
		return true
	default:
		g.move(line)
	}
	return false
}

// move plays the player's move, or says why not.
func (g *Game) move(text string) {
	m, ruling, err := g.game.Apply(g.now().Position, text)
	if refusal, ok := errors.AsType[*games.Refusal](err); ok {
		g.refuse(refusal)
		return
	}
	if err != nil { // the position was ruled on before
		g.say("%s: %v", text, err)
		return
	}
	g.rulings = append(g.rulings, ruling)
	g.say("You: %s", m.Notation)
	if ruling.Outcome != nil {
		g.board()
	}
}

// refuse says why a move does not count and what would do.
func (g *Game) refuse(r *games.Refusal) {
	g.say("%s: %s", r.Code, r.Error())
	if len(r.Moves) > 0 {
		g.say("  these would do: %s", strings.Join(r.Moves, " "))
	}
	for _, way := range r.Ways {
		var list []string
		for _, m := range way.Moves {
			list = append(list, m.Notation)
		}
		g.say("  %s: %s", way.Kind, strings.Join(list, " "))
	}
}

// undo takes back the player's last move with the engine's answer.
func (g *Game) undo() {
	for n := len(g.rulings) - 2; n >= 0; n-- {
		if g.rulings[n].Side == g.player {
			g.rulings = g.rulings[:n+1]
			g.board()
			return
		}
	}
	g.say("There is nothing to take back.")
}

func (g *Game) help() {
	g.say("Moves are read in any notation of the game: %s.", map[string]string{
		"chess": "Nf3, g1f3, O-O", "draughts": "c3-d4, c3xe5", "tictactoe": "b2, or 1 to 9 from the top left",
	}[g.game.Name()])
	g.say("moves   list the legal moves")
	g.say("board   show the board again")
	g.say("undo    take back your last move and the engine's")
	g.say("draw    claim a draw where the rules give one")
	g.say("resign  give the game up")
	g.say("quit    leave it unfinished")
}

// result says how the game ended.
func (g *Game) result(o games.Outcome) {
	if o.Draw {
		g.say("Draw: %s. 1/2-1/2", o.Reason)
		return
	}
	score := "1-0"
	if o.Winner == games.Second {
		score = "0-1"
	}
	who := "The engine wins"
	if o.Winner == g.player {
		who = "You win"
	}
	g.say("%s: %s. %s", who, o.Reason, score)
}
