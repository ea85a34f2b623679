// Package hub lets draughts programs drive our engine: it speaks the Hub protocol,
// version 2, with the variant brazilian, whose squares are numbered from a1 = 1,
// and a form of one line a question for tests from outside.
//
// What cannot be understood is answered with an error and passed over, as the protocol
// asks and the program of its author does; nothing that comes in ends the session but
// quit and the end of the input.
package hub

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/lines"
	"tabuleiro/services/search/think"
)

// Server is the engine at one pair of streams.
type Server struct {
	// Version is told to the other side.
	Version string
	// Book is what own-book plays from; nil knows nothing. Seed draws among its moves,
	// one more for each new game.
	Book Book
	Seed int32
	// Open opens positions; nil is engine.Open.
	Open func(games.Position) (engine.Problem, error)
	// Ready waits for tables of endings that are still being built, before the first
	// search; nil where there are none.
	Ready func()
	// Pace is how often a search says how far it is between its iterations; nothing is
	// the standard one.
	Pace think.Pace
}

// Book knows moves of openings; books.Set is one.
type Book interface {
	Pick(p games.Position, legal []string, seed int32) (move string, known bool)
}

const (
	defaultHash, mostHash = 64, 1 << 15 // MiB
	mostThreads           = 256
)

// level is what bounds the next searches.
type level struct {
	depth     int
	nodes     uint64
	moveTime  time.Duration
	clocked   bool
	left, inc time.Duration
	moves     int
}

// session is one conversation.
type session struct {
	Server
	out     *lines.Writer
	hash    int
	threads int
	ownBook bool
	opts    engine.Options
	table   *engine.Table
	at      games.Ruling
	level   level
	running *think.Held
}

// Run answers until quit or the end of the input. The exit code is 0, or 1 where
// the streams failed.
func (s Server) Run(stdin io.Reader, stdout, stderr io.Writer) int {
	if s.Open == nil {
		s.Open = func(p games.Position) (engine.Problem, error) { return engine.Open(p) }
	}
	c := &session{Server: s, out: lines.NewWriter(stdout), hash: defaultHash, threads: 1, opts: engine.Full()}
	c.at, _ = draughts.Game{}.Rule(games.Position{Rules: "draughts", Text: draughts.Start().Text()}) // it is sound
	defer c.halt()
	return lines.Serve(stdin, c.out, stderr, func(line string, tooLong bool) bool {
		if tooLong {
			c.fail("a line of more than %d bytes is passed over", lines.Most)
			return true
		}
		return c.command(Parse(line))
	})
}

func (c *session) fail(format string, args ...any) {
	c.out.Say(`error message="%s"`, strings.ReplaceAll(fmt.Sprintf(format, args...), `"`, `'`))
}

// command does what a line says; it is false at the end.
func (c *session) command(line Command) bool {
	switch line.Name {
	case "":
	case "hub":
		c.greet()
	case "set-param":
		c.halt()
		if err := c.setParam(line.Args["name"], line.Args["value"]); err != nil {
			c.fail("%v", err)
		}
	case "init":
		c.memory()
		c.out.Say("ready")
	case "new-game":
		c.halt()
		c.Seed++
		if c.table != nil {
			c.table.Clear()
		}
	case "pos":
		c.halt()
		if err := c.pos(line.Args); err != nil {
			c.fail("the position is refused: %v", err)
		}
	case "level":
		var err error
		if c.level, err = parseLevel(line.Args); err != nil {
			c.fail("%v; a move takes %v until another level is set", err, unread)
		}
	case "go":
		c.halt()
		c.search(line.Args)
	case "ponder-hit":
		if c.running != nil {
			c.running.Hit()
		}
	case "stop":
		c.halt()
	case "ping":
		c.out.Say("pong")
	case "quit":
		return false
	default:
		c.fail("unknown command %.40q", line.Name)
	}
	return true
}

func (c *session) greet() {
	c.out.Say(`id name=Tabuleiro version="%s" author="the authors of Tabuleiro" country=Brazil`, c.Version)
	c.out.Say(`param name=variant value=brazilian type=enum values="brazilian"`)
	c.out.Say("param name=hash value=%d type=int min=1 max=%d", defaultHash, mostHash)
	c.out.Say("param name=threads value=1 type=int min=1 max=%d", mostThreads)
	c.out.Say("param name=own-book value=false type=bool")
	c.out.Say(`param name=evaluator value=own type=enum values="own %s"`, core.EvaluatorF2)
	full := engine.Full()
	for _, s := range append(full.SwitchesOf("draughts"), engine.Switch{Name: "exact", On: &full.Exact}) {
		c.out.Say("param name=%s value=%v type=bool", s.Name, *s.On)
	}
	c.out.Say("wait")
}

func (c *session) setParam(name, value string) error {
	number := func(most int) (int, error) {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > most {
			return 0, fmt.Errorf("%s is a number from 1 to %d", name, most)
		}
		return n, nil
	}
	switch name {
	case "variant":
		if value != "brazilian" {
			return errors.New("the only variant is brazilian")
		}
		return nil
	case "own-book":
		on, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("own-book is true or false")
		}
		c.ownBook = on
		return nil
	case "hash":
		n, err := number(mostHash)
		if err == nil && n != c.hash {
			c.hash, c.table = n, nil
		}
		return err
	case "threads":
		n, err := number(mostThreads)
		if err == nil {
			c.threads = n
		}
		return err
	}
	if err := think.SetOption(&c.opts, "draughts", name, value); err != nil {
		return err
	}
	if c.table != nil {
		c.table.Clear() // its values are of another search
	}
	return nil
}

// memory makes ready what a search needs.
func (c *session) memory() {
	if c.table == nil {
		size := 0
		if c.table, size = think.NewTable(c.hash); size < c.hash {
			c.fail("hash: %d MiB, no more fits this machine", size)
			c.hash = size
		}
	}
	if c.Ready != nil {
		c.Ready()
		c.Ready = nil
	}
}

// pos reads a position and the moves behind it. Nothing changes where a part of
// it is refused.
func (c *session) pos(args map[string]string) error {
	text, err := ReadPosition(args["pos"])
	if err != nil {
		return err
	}
	game := draughts.Game{}
	at, err := game.Rule(games.Position{Rules: "draughts", Text: text})
	if err != nil {
		return err
	}
	for i, word := range strings.Fields(args["moves"]) {
		move, err := FindMove(at.Moves, word)
		if err != nil {
			return fmt.Errorf("move %d, %.40q: %w", i+1, word, err)
		}
		if _, at, err = game.Apply(at.Position, move.Text); err != nil {
			return err
		}
	}
	c.at = at
	return nil
}

// unread is the time for a move where a level cannot be read or bounds nothing: what
// was set before would be for another move, and without a bound there is no answer.
const unread = time.Second

func parseLevel(args map[string]string) (l level, err error) {
	infinite, some := false, false
	seconds := func(name string) time.Duration {
		f, e := strconv.ParseFloat(args[name], 64)
		if e != nil || !(f >= 0 && f < 1e6) {
			err = fmt.Errorf("level: %s is a number of seconds", name)
		}
		return max(time.Duration(f*float64(time.Second)), time.Millisecond)
	}
	number := func(name string) uint64 {
		n, e := strconv.ParseUint(args[name], 10, 62)
		if e != nil {
			err = fmt.Errorf("level: %s is a number", name)
		}
		return n
	}
	for name := range args {
		switch name {
		case "depth":
			l.depth = int(min(max(number(name), 1), 1000))
		case "nodes":
			l.nodes = max(number(name), 1)
		case "move-time":
			l.moveTime = seconds(name)
		case "time":
			l.clocked, l.left = true, seconds(name)
		case "inc":
			l.inc = seconds(name)
		case "moves":
			l.moves = int(min(number(name), 1000))
		case "infinite":
			infinite = true
		default:
			continue
		}
		some = true
	}
	if !some {
		err = errors.New("level: it says none of depth, nodes, move-time, time, infinite")
	}
	bound := l.depth > 0 || l.nodes > 0 || l.moveTime > 0 || l.clocked || infinite
	if err != nil || !bound {
		l = level{moveTime: unread}
	}
	return l, err
}

func (c *session) halt() {
	if c.running != nil {
		c.running.Halt()
		c.running = nil
	}
}

// search starts what "go think", "go ponder" or "go analyze" asks for; go alone is
// the first, since words that are not understood are passed over. Every go has its
// done, without a move where there is none.
func (c *session) search(args map[string]string) {
	_, ponder := args["ponder"]
	_, analyse := args["analyze"]
	c.memory()
	problem, err := c.Open(c.at.Position)
	if err != nil {
		c.fail("nothing to search: %v", err)
		c.out.Say("done")
		return
	}
	if c.ownBook && c.Book != nil && !ponder && !analyse {
		if move, known := c.Book.Pick(c.at.Position, problem.Moves(), c.Seed); known {
			c.out.Say("done move=%s", numbered(c.at, []string{move})[0])
			return
		}
	}
	limits := think.Limits{Ponder: ponder, Depth: c.level.depth, Nodes: c.level.nodes}
	switch l := c.level; {
	case l.moveTime > 0:
		limits.Budget = core.Fixed(l.moveTime, time.Millisecond)
	case l.clocked:
		limits.Budget = core.NewBudget(core.Clock{Remaining: l.left, Increment: l.inc, MovesToGo: l.moves, Overhead: 10 * time.Millisecond})
	}
	c.table.Age()
	at := c.at
	cfg := think.Config{Threads: c.threads, Options: c.opts, Table: c.table, Pace: c.Pace}
	// The protocol's info has no bounds and no move that is looked at.
	cfg.News.Going = func(i think.Info) { c.out.Say("info %s", work(i)) }
	thought := think.Start(problem, limits, cfg, func(i think.Info) {
		c.out.Say(`info depth=%d score=%.2f %s pv="%s"`, i.Depth, float64(i.Score)/100, work(i), strings.Join(numbered(at, i.Line), " "))
	})
	c.running = think.Hold(thought, func(result think.Result) {
		line := result.Line
		if len(line) == 0 || line[0] != result.Move {
			line = []string{result.Move}
		}
		said := numbered(at, line[:min(len(line), 2)])
		if len(said) == 2 {
			c.out.Say("done move=%s ponder=%s", said[0], said[1])
			return
		}
		c.out.Say("done move=%s", said[0])
	})
	if !ponder { // the protocol lets infinite searches end by themselves
		c.running.Release()
	}
}

// work is how much a search has done, as the protocol's info has it; tb-hits, which is
// ours, where the tables of endings helped.
func work(i think.Info) string {
	text := fmt.Sprintf("nodes=%d time=%.3f nps=%.3f", i.Nodes, i.Elapsed.Seconds(), float64(i.Nodes)/max(float64(i.Elapsed.Microseconds()), 1))
	if i.Known > 0 {
		text += fmt.Sprintf(" tb-hits=%d", i.Known)
	}
	return text
}

// numbered writes a line of exact texts as the protocol does, as far as it can
// be played.
func numbered(at games.Ruling, line []string) []string {
	out := make([]string, 0, len(line))
	for _, text := range line {
		move, next, err := draughts.Game{}.Apply(at.Position, text)
		if err != nil {
			break
		}
		out, at = append(out, MoveText(move)), next
	}
	return out
}
