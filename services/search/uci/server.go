// Package uci lets chess programs drive our engine: it speaks UCI, the universal
// chess interface, as of 2006 with the extension for Chess960.
//
// What cannot be understood is passed over or answered with an info string;
// nothing that comes in ends the session but quit and the end of the input.
package uci

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/lines"
	"tabuleiro/services/search/think"
)

// Server is the engine at one pair of streams.
type Server struct {
	// Version is told to the other side.
	Version string
	// Book is what OwnBook plays from; nil knows nothing. Seed draws among its moves,
	// one more for each new game.
	Book Book
	Seed int32
	// Pace is how often a search says how far it is between its iterations; nothing is
	// the standard one.
	Pace think.Pace
}

// Book knows moves of openings; books.Set is one.
type Book interface {
	Pick(p games.Position, legal []string, seed int32) (move string, known bool)
}

// session is one conversation.
type session struct {
	Server
	out   *lines.Writer
	set   settings
	table *engine.Table
	fresh bool // the table was never used

	// base and moves are the last position, at what came of it.
	base  string
	moves []string
	at    games.Ruling

	running *think.Held
}

// Run answers until quit or the end of the input. The exit code is 0, or 1 where
// the streams failed.
func (s Server) Run(stdin io.Reader, stdout, stderr io.Writer) int {
	c := &session{Server: s, out: lines.NewWriter(stdout), set: defaults()}
	c.at, _ = chess.New().Rule(games.Position{Rules: "chess", Text: chess.StartFEN}) // it is sound
	c.base = chess.StartFEN
	defer c.halt()
	return lines.Serve(stdin, c.out, stderr, func(line string, tooLong bool) bool {
		if tooLong {
			c.out.Say("info string a line of more than %d bytes is passed over", lines.Most)
			return true
		}
		return c.command(line)
	})
}

// command does what a line says; it is false at the end. Words before the first
// known one are passed over, as the protocol asks.
func (c *session) command(line string) bool {
	words := strings.Fields(line)
	for i, word := range words {
		rest := words[i+1:]
		switch word {
		case "uci":
			c.greet()
		case "isready":
			c.memory()
			c.out.Say("readyok")
		case "setoption":
			c.setOption(rest)
		case "ucinewgame":
			c.halt()
			c.Seed++
			if c.table != nil && !c.fresh {
				c.table.Clear()
				c.fresh = true
			}
		case "position":
			if err := c.position(rest); err != nil {
				c.out.Say("info string the position is refused: %v", err)
			}
		case "go":
			c.halt()
			c.search(rest)
		case "stop":
			c.halt()
		case "ponderhit":
			if c.running != nil {
				c.running.Hit()
			}
		case "bench":
			c.halt()
			c.bench(rest)
		case "d":
			c.show()
		case "eval":
			c.halt()
			c.eval()
		case "quit":
			return false
		case "debug", "register":
		default:
			continue
		}
		return true
	}
	if len(words) > 0 {
		c.out.Say("info string unknown command: %.80q", words[0])
	}
	return true
}

func (c *session) greet() {
	c.out.Say("id name Tabuleiro %s", c.Version)
	c.out.Say("id author the authors of Tabuleiro")
	for _, o := range options() {
		c.out.Say("option name %s %s", o.name, o.about)
	}
	c.out.Say("option name Clear Hash type button")
	c.out.Say("uciok")
}

// setOption reads "name N value V"; both may have blanks in them.
func (c *session) setOption(words []string) {
	if len(words) == 0 || words[0] != "name" {
		c.out.Say("info string setoption needs a name")
		return
	}
	words = words[1:]
	at := slices.Index(words, "value")
	name, value := strings.Join(words, " "), ""
	if at >= 0 {
		name, value = strings.Join(words[:at], " "), strings.Join(words[at+1:], " ")
	}
	c.halt()
	if strings.EqualFold(name, "Clear Hash") {
		if c.table != nil {
			c.table.Clear()
		}
		return
	}
	before := c.set
	search, err := c.set.setOption(name, value)
	if err != nil {
		c.out.Say("info string option %.80q: %v", name, err)
		return
	}
	if search && c.table != nil {
		c.table.Clear()
	}
	if c.set.hash != before.hash {
		c.table = nil
	}
	if c.set.chess960 != before.chess960 {
		c.base = "" // what was read may mean something else now
	}
}

// memory makes the table, which takes time where it is large.
func (c *session) memory() {
	if c.table == nil {
		c.halt()
		size := 0
		c.table, size = think.NewTable(c.set.hash)
		c.fresh = true
		if size < c.set.hash {
			c.out.Say("info string Hash: %d MiB, no more fits this machine", size)
			c.set.hash = size
		}
	}
}

func (c *session) game() chess.Game { return chess.Game{Chess960: c.set.chess960} }

// position reads "startpos" or "fen F", and "moves ...". Nothing changes where a
// part of it is refused.
func (c *session) position(words []string) error {
	if len(words) == 0 {
		return errors.New("it says neither startpos nor fen")
	}
	text := chess.StartFEN
	end := slices.Index(words, "moves")
	var moves []string
	if end >= 0 {
		moves = words[end+1:]
		words = words[:end]
	}
	switch words[0] {
	case "startpos":
	case "fen":
		text = strings.Join(words[1:], " ")
	default:
		return errors.New("it says neither startpos nor fen")
	}
	// A game grows by two moves at a time; what is known of it is kept.
	at, known := c.at, len(c.moves)
	if text != c.base || known > len(moves) || !slices.Equal(c.moves, moves[:known]) {
		var err error
		known = 0
		if at, err = c.game().Rule(games.Position{Rules: "chess", Text: text}); err != nil {
			return err
		}
	}
	for i, m := range moves[known:] {
		_, next, err := c.game().Apply(c.goingOn(at).Position, m)
		if err != nil {
			return fmt.Errorf("move %d, %.20q: %w", known+i+1, m, err)
		}
		at = next
	}
	c.base, c.moves, c.at = text, moves, at
	return nil
}

// goingOn is a position in which the game goes on: where it ended by itself, the
// same one without its past, which no repetition and no count of moves ends. Whoever
// runs the game decides when it is over.
func (c *session) goingOn(at games.Ruling) games.Ruling {
	fields := strings.Fields(at.Position.Text)
	if at.Outcome == nil || len(fields) != 6 {
		return at
	}
	fields[4] = "0"
	fresh, err := c.game().Rule(games.Position{Rules: "chess", Text: strings.Join(fields, " ")})
	if err != nil {
		return at
	}
	return fresh
}

// halt stops a search that runs and waits until its best move was said.
func (c *session) halt() {
	if c.running != nil {
		c.running.Halt()
		c.running = nil
	}
}

// search reads what follows go and starts.
func (c *session) search(words []string) {
	c.memory()
	g, bad := parseGo(words)
	for _, word := range bad {
		c.out.Say("info string go: %.80q is not understood", word)
	}
	at := c.goingOn(c.at)
	problem, err := engine.Open(at.Position)
	if err != nil {
		c.over()
		return
	}
	if c.set.ownBook && c.Book != nil && !g.infinite && !g.ponder && len(g.only) == 0 {
		if move, known := c.Book.Pick(at.Position, problem.Moves(), c.Seed); known {
			c.out.Say("info string book")
			c.out.Say("bestmove %s", move)
			return
		}
	}
	limits := think.Limits{Depth: g.depth, Nodes: g.nodes, Mate: g.mate, Ponder: g.ponder}
	overhead := time.Duration(c.set.overhead) * time.Millisecond
	limits.Budget = g.budget(at.Side, overhead)
	if c.set.limited {
		if most := nodesFor(c.set.elo); limits.Nodes == 0 || limits.Nodes > most {
			limits.Nodes = most
		}
	}
	for _, m := range g.only {
		if move, _, err := c.game().Apply(at.Position, m); err == nil {
			limits.Only = append(limits.Only, move.Text)
		} else {
			c.out.Say("info string searchmoves: %v", err)
		}
	}
	opts := c.set.engine
	opts.Lines = c.set.lines
	c.fresh = false
	c.table.Age()
	table := c.table
	var last think.Info // read after Wait
	cfg := think.Config{Threads: c.set.threads, Options: opts, Table: table, News: c.news(table), Pace: c.Pace}
	thought := think.Start(problem, limits, cfg, func(i think.Info) {
		if i.Index == 0 {
			last = i
		}
		c.out.Say("%s", info(i, "", table.Full()))
	})
	c.running = think.Hold(thought, func(result think.Result) {
		if len(last.Line) == 0 || last.Line[0] != result.Move { // found in an iteration that was not finished
			c.out.Say("%s", info(think.Info{Report: result.Report, Nodes: result.Nodes, Elapsed: result.Elapsed}, "", table.Full()))
		}
		if len(result.Line) > 1 && result.Line[0] == result.Move {
			c.out.Say("bestmove %s ponder %s", result.Move, result.Line[1])
			return
		}
		c.out.Say("bestmove %s", result.Move)
	})
	if !g.infinite && !g.ponder {
		c.running.Release()
	}
}

// news are the lines between those on finished iterations.
func (c *session) news(table *engine.Table) think.News {
	return think.News{
		Going: func(i think.Info) { c.out.Say("info %s", work(i, table.Full())) },
		Trying: func(i think.Info, move string, number int) {
			c.out.Say("info depth %d currmove %s currmovenumber %d", i.Depth, move, number)
		},
		Failed: func(i think.Info, bound engine.Bound) {
			c.out.Say("%s", info(i, map[engine.Bound]string{engine.Lower: " lowerbound", engine.Upper: " upperbound"}[bound], table.Full()))
		},
	}
}

// over answers go in a position in which the game has ended: by a legal move,
// where there is one all the same.
func (c *session) over() {
	p, err := chess.ReadFEN(c.at.Position.Text)
	if err != nil {
		return // what was ruled on is readable
	}
	var list chess.MoveList
	p.Legal(&list)
	if list.Len() > 0 {
		c.out.Say("info depth 0 score cp 0")
		c.out.Say("bestmove %s", p.UCI(list.At(0)))
		return
	}
	if p.InCheck() {
		c.out.Say("info depth 0 score mate 0")
	} else {
		c.out.Say("info depth 0 score cp 0")
	}
	c.out.Say("bestmove (none)")
}
