// Package engine takes the figures of the engine of chess: its speed beside
// Stockfish without its network, how late it answers, and a suite of positions.
package engine

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tabuleiro/bench/measure"
	"tabuleiro/games"
	"tabuleiro/services/search/match"
)

// Config is what is measured.
type Config struct {
	Rounds int
	// Root is the folder of the project's sources, with the built binary in bin.
	Root string
	// Only are parts to take; none means all.
	Only []string
}

// Parts are the parts.
func Parts() []string { return []string{"speed", "overrun", "wac"} }

// positions are of all parts of a game.
var positions = []string{
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
	"r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
	"r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/1BN1BN2/PP2QPPP/R2R2K1 b - - 0 14",
	"2rr2k1/1p3ppp/p1n1b3/4p3/4P3/1PN1BP2/P5PP/2RR2K1 w - - 0 22",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
}

func chess() []games.Position {
	list := make([]games.Position, len(positions))
	for i, fen := range positions {
		list[i] = games.Position{Rules: "chess", Text: fen}
	}
	return list
}

// Measure takes the figures into a run.
func Measure(cfg Config, run *measure.Run) error {
	for name, part := range map[string]func(Config, *measure.Run) error{"speed": speed, "overrun": overrun, "wac": wac} {
		if len(cfg.Only) > 0 && !slices.Contains(cfg.Only, name) {
			continue
		}
		if err := part(cfg, run); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// speed compares nodes a second of processor time, 300 ms a position.
func speed(cfg Config, run *measure.Run) error {
	limit := match.Limit{CPU: 300 * time.Millisecond}
	ours, err := match.ParseEngine("Hash=64", "chess", limit)
	if err != nil {
		return err
	}
	theirs, err := match.ParseEngine("cmd=/usr/games/stockfish;Hash=64;Use NNUE=false", "chess", limit)
	if err != nil {
		return err
	}
	var ratios, own, other []float64
	for range cfg.Rounds {
		a, err := rate(ours)
		if err != nil {
			return err
		}
		b, err := rate(theirs)
		if err != nil {
			return err
		}
		ratios, own, other = append(ratios, a/b), append(own, a/1e6), append(other, b/1e6)
	}
	run.Figures = append(run.Figures,
		measure.NewFigure("chess nodes / Stockfish's without network", "ratio", ratios).Goals(0.6, 1),
		measure.NewFigure("chess search", "Mnodes/s", own),
		measure.NewFigure("Stockfish's search without network", "Mnodes/s", other))
	return nil
}

// rate is nodes a second over all positions.
func rate(e match.Engine) (float64, error) {
	answers, err := match.Ask(context.Background(), e, chess())
	if err != nil {
		return 0, err
	}
	var nodes uint64
	var cpu time.Duration
	for _, a := range answers {
		nodes += a.Nodes
		cpu += a.CPU
	}
	if cpu <= 0 {
		return 0, fmt.Errorf("%s used no time", e.Name)
	}
	return float64(nodes) / cpu.Seconds(), nil
}

// overrun is how much later than 100 ms an answer over UCI comes; the figure is
// what is left of 10 ms, so that higher is better.
func overrun(cfg Config, run *measure.Run) error {
	binary := filepath.Join(cfg.Root, "bin", "tabuleiro")
	e, err := match.ParseEngine(`name=tabuleiro;cmd="`+binary+`" uci`, "chess", match.Limit{MoveTime: 100 * time.Millisecond})
	if err != nil {
		return err
	}
	var late []float64
	for range cfg.Rounds {
		answers, err := match.Ask(context.Background(), e, chess())
		if err != nil {
			return err
		}
		worst := time.Duration(0)
		for _, a := range answers {
			worst = max(worst, a.Spent-100*time.Millisecond)
		}
		late = append(late, worst.Seconds()*1000)
	}
	f := measure.NewFigure("worst lateness of six answers at movetime 100", "ms", late)
	f.Noisy = false
	run.Figures = append(run.Figures, f)
	run.Notes = append(run.Notes, "Lateness: by the clock, over UCI, ours to reach is at most 10 ms; a busy machine adds to it.")
	return nil
}

// wac counts the right answers at a second of processor time.
func wac(cfg Config, run *measure.Run) error {
	file, err := os.Open(filepath.Join(cfg.Root, "services", "search", "match", "testdata", "wac.epd"))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	questions, err := match.ReadEPD(file)
	if err != nil {
		return err
	}
	e, err := match.ParseEngine("Hash=64", "chess", match.Limit{CPU: time.Second})
	if err != nil {
		return err
	}
	right, err := match.Exam(context.Background(), e, questions, io.Discard)
	if err != nil {
		return err
	}
	run.Figures = append(run.Figures, measure.NewFigure("Win at Chess, 50 positions, right at 1 s of processor time", "positions", []float64{float64(right)}).Goals(38, 46))
	return nil
}
