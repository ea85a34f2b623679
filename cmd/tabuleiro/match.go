package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"tabuleiro/content"
	"tabuleiro/services/search/engine/endings"
	"tabuleiro/services/search/match"
	"tabuleiro/services/search/match/stats"
	"tabuleiro/services/search/tables"
)

type matchCmd struct {
	dataFlag    `embed:""`
	Rules       string        `enum:"chess,draughts" default:"chess" help:"chess or draughts (${default})."`
	A           string        `name:"a" short:"a" required:"" placeholder:"ENGINE" help:"The first engine: name=A;limit=cpu 20;Hash=16, with cmd=PROGRAM for another one than ours and proto=uci, hub or line."`
	B           string        `name:"b" short:"b" required:"" placeholder:"ENGINE" help:"The second engine."`
	Limit       string        `placeholder:"LIMIT" help:"The limit of engines that name none: nodes N, depth N, movetime MS, cpu MS or tc SECONDS+SECONDS."`
	Games       int           `default:"100" help:"How many games at most, in pairs with colours changed (${default})."`
	Openings    string        `placeholder:"FILE" help:"Openings: .pgn, .pdn, .tsv or a FEN or EPD a line; our own table unless given; none for the start."`
	Plies       int           `default:"0" help:"Random moves behind each opening (${default})."`
	Seed        uint64        `default:"1" help:"Draws openings and random moves (${default})."`
	Concurrency int           `default:"1" help:"Games at once (${default})."`
	SPRT        []float64     `name:"sprt" placeholder:"ELO0,ELO1" help:"End early by a sequential test of two differences, error rates 5 percent."`
	Resign      []int         `placeholder:"SCORE,MOVES" help:"Adjudicate a win once both agree on so many centipawns for so many moves."`
	Draw        []int         `placeholder:"SCORE,MOVES,PLY" help:"Adjudicate a draw once both stay within so many centipawns for so many moves from a ply on."`
	Tables      bool          `help:"Give endings of draughts the result that the tables in --data know; those of up to 4 pieces are built where they are missing. Our own engine uses the tables that there are without it too."`
	MaxPlies    int           `name:"max-plies" default:"400" help:"Call longer games drawn (${default}); 0 never."`
	Margin      time.Duration `default:"50ms" help:"How much later than allowed an answer may come (${default})."`
	Patience    time.Duration `default:"1m" help:"How long a program may keep silent (${default})."`
	Journal     string        `placeholder:"FILE" help:"Keep results there, and go on where a match was broken off."`
	Record      string        `placeholder:"FILE" help:"Append the games, as PGN or PDN."`
	Every       int           `default:"10" help:"Pairs between lines on the progress (${default}); 0 for none."`
}

// ranges refuses numbers that mean nothing.
func (c matchCmd) ranges() error {
	for _, n := range append(append([]int{}, c.Resign...), c.Draw...) {
		if n < 0 {
			return fmt.Errorf("--resign and --draw take no negative numbers, not %d", n)
		}
	}
	return atLeast(
		bound{"--games", int64(c.Games), 1}, bound{"--plies", int64(c.Plies), 0}, bound{"--concurrency", int64(c.Concurrency), 1},
		bound{"--max-plies", int64(c.MaxPlies), 0}, bound{"--margin", c.Margin.Milliseconds(), 0}, bound{"--patience", c.Patience.Milliseconds(), 1},
		bound{"--every", int64(c.Every), 0},
	)
}

func (c matchCmd) Run(ctx context.Context, s streams) error {
	err := c.ranges()
	var m match.Match
	if err == nil {
		m, err = c.match()
	}
	if err == nil {
		err = c.endings(ctx, s, &m)
	}
	if err != nil {
		return refuse(s, err)
	}
	summary, err := m.Run(ctx, s.Err)
	if err == nil || summary.Wins+summary.Draws+summary.Losses > 0 {
		fmt.Fprint(s.Out, m.Text(summary))
	}
	return err
}

func (c matchCmd) match() (match.Match, error) {
	m := match.Match{
		Build: builtVersion(), Rules: c.Rules, Plies: c.Plies, Seed: c.Seed, Games: c.Games, Concurrency: c.Concurrency, Margin: c.Margin,
		Patience: c.Patience, Journal: c.Journal, Record: c.Record, Every: c.Every,
		Adjudication: match.Adjudication{MaxPlies: c.MaxPlies},
	}
	var common match.Limit
	var err error
	if c.Limit != "" {
		if common, err = match.ParseLimit(c.Limit); err != nil {
			return m, err
		}
	}
	for i, text := range []string{c.A, c.B} {
		if m.Engines[i], err = match.ParseEngine(text, c.Rules, common); err != nil {
			return m, err
		}
	}
	if m.Engines[0].Name == m.Engines[1].Name {
		return m, fmt.Errorf("both engines are called %q; say name= in one", m.Engines[0].Name)
	}
	switch {
	case len(c.SPRT) == 2 && c.SPRT[0] < c.SPRT[1]:
		m.Test = &stats.Test{Elo0: c.SPRT[0], Elo1: c.SPRT[1], Alpha: 0.05, Beta: 0.05}
	case len(c.SPRT) > 0:
		return m, fmt.Errorf("--sprt takes two rising numbers, not %v", c.SPRT)
	}
	switch len(c.Resign) {
	case 0:
	case 2:
		m.Adjudication.ResignScore, m.Adjudication.ResignMoves = c.Resign[0], c.Resign[1]
	default:
		return m, fmt.Errorf("--resign takes two numbers, not %v", c.Resign)
	}
	switch len(c.Draw) {
	case 0:
	case 3:
		m.Adjudication.DrawScore, m.Adjudication.DrawMoves, m.Adjudication.DrawFrom = c.Draw[0], c.Draw[1], c.Draw[2]
	default:
		return m, fmt.Errorf("--draw takes three numbers, not %v", c.Draw)
	}
	m.Openings, err = openings(c.Rules, c.Openings)
	return m, err
}

// endings gives a match of draughts the tables that there are: to our own engine, and
// with --tables, which builds them first, as the result of games.
func (c matchCmd) endings(ctx context.Context, s streams, m *match.Match) (err error) {
	if c.Rules != "draughts" {
		if c.Tables {
			return errors.New("--tables is for draughts")
		}
		return nil
	}
	store := tables.New(c.Data, slog.New(slog.NewTextHandler(s.Err, nil)))
	m.Endings = store.Probe()
	if !c.Tables {
		m.Pieces = store.Present()
		return nil
	}
	if m.Pieces, err = store.Prepare(ctx); err != nil {
		return fmt.Errorf("--tables: %w", err)
	}
	if n := m.Pieces + 1; n <= endings.MaxPieces {
		fmt.Fprintf(s.Err, "tabuleiro: endings of %d pieces are played on: no tables of them (tabuleiro tables build --pieces %d)\n", n, n)
	}
	m.Adjudication.Exact = match.ByTables(m.Endings)
	return nil
}

// openings reads a file of openings; without a name, the table that we ship.
func openings(rules, name string) ([]match.Opening, error) {
	var file io.ReadCloser
	var err error
	switch name {
	case "none":
		return nil, nil
	case "":
		name = rules + ".tsv"
		file, err = content.Openings().Open(name)
	default:
		file, err = os.Open(name)
	}
	if err != nil {
		return nil, fmt.Errorf("openings: %w", err)
	}
	defer func() { _ = file.Close() }()
	return match.ReadOpenings(rules, name, file)
}
