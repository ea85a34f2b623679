package uci

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tabuleiro/games"
	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/think"
)

// patience bounds waits that end at once unless something is broken.
const patience = time.Minute

// talk is a conversation with a server.
type talk struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan string
	code  chan int
}

// converse is with a server that says nothing between iterations, however slow the
// machine is.
func converse(t *testing.T) *talk {
	t.Helper()
	return converseWith(t, Server{Version: "test", Pace: think.Pace{Still: time.Hour, Every: time.Hour}})
}

func converseWith(t *testing.T, s Server) *talk {
	t.Helper()
	in, write := io.Pipe()
	read, out := io.Pipe()
	c := &talk{t: t, in: write, lines: make(chan string, 10_000), code: make(chan int, 1)}
	go func() {
		c.code <- s.Run(in, out, io.Discard)
		_ = out.Close() // a pipe's Close cannot fail
	}()
	go func() {
		defer close(c.lines)
		scanner := bufio.NewScanner(read)
		scanner.Buffer(nil, 1<<21)
		for scanner.Scan() {
			c.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() { _ = write.Close() })
	c.say("setoption name Hash value 1")
	return c
}

func (c *talk) say(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if _, err := fmt.Fprintln(c.in, line); err != nil {
			c.t.Fatal(err)
		}
	}
}

// until reads to a line that begins so and gives all that was read.
func (c *talk) until(start string) []string {
	c.t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	var read []string
	for {
		select {
		case line, more := <-c.lines:
			if !more {
				c.t.Fatalf("no %q in\n%s", start, strings.Join(read, "\n"))
			}
			read = append(read, line)
			if strings.HasPrefix(line, start) {
				return read
			}
		case <-timer.C:
			c.t.Fatalf("no %q in\n%s", start, strings.Join(read, "\n"))
		}
	}
}

// ends waits for the server's end.
func (c *talk) ends() int {
	c.t.Helper()
	select {
	case code := <-c.code:
		return code
	case <-time.After(patience):
		c.t.Fatal("it goes on")
		return -1
	}
}

func last(lines []string) string { return lines[len(lines)-1] }

func TestGreeting(t *testing.T) {
	c := converse(t)
	c.say("uci")
	text := strings.Join(c.until("uciok"), "\n")
	for _, want := range []string{
		"id name Tabuleiro test", "option name Hash type spin", "option name Threads type spin", "option name MultiPV type spin",
		"option name Ponder type check", "option name UCI_Chess960 type check", "option name UCI_LimitStrength type check",
		"option name UCI_Elo type spin", "option name Clear Hash type button", "option name null-move type check default true",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	c.say("quit")
	if code := c.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestPositionsAndLimits(t *testing.T) {
	for _, tt := range []struct{ commands, want string }{ // commands joined by |
		{"position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1|go depth 3", "bestmove f7"},
		{"position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1|go mate 1", "bestmove f7"},
		{"position startpos moves f2f3 e7e5 g2g4|go nodes 500", "bestmove d8h4"},
		{"position startpos moves f2f3 e7e5 g2g4|go wtime 1000 btime 1000 winc 0 binc 0 movestogo 40", "bestmove d8h4"},
		{"position startpos moves f2f3 e7e5 g2g4|go movetime 30", "bestmove d8h4"},
		{"position startpos|go depth 2 searchmoves a2a3", "bestmove a2a3"},
		{"position startpos|go searchmoves h2h3 a2a3 depth 1", "bestmove "},
		{"position startpos moves e2e4|position startpos moves e2e5|go depth 1 searchmoves a7a6", "bestmove a7a6"},
		{"position startpos moves e2e4 e7e5|position startpos moves e2e4|go depth 1 searchmoves a7a6", "bestmove a7a6"},
		{"position fen 7k/5Q2/5K2/8/8/8/8/8 b - - 0 1|go depth 3", "bestmove (none)"},
		{"position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1|go depth 3", "bestmove (none)"},
		{"position fen 7k/8/6K1/8/8/8/8/8 b - - 0 1|go depth 3", "bestmove h8g8"},
		{"setoption name UCI_Chess960 value true|position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1 e8e7|go depth 1 searchmoves f1f7", "bestmove f1f7"},
		{"setoption name UCI_Chess960 value true|position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1|go depth 1 searchmoves e1h1", "bestmove e1h1"},
		{"position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1|go depth 1 searchmoves e1g1", "bestmove e1g1"},
		{"setoption name UCI_LimitStrength value true|setoption name UCI_Elo value 800|position startpos|go movetime 100000", "bestmove "},
		{"setoption name Threads value 3|position startpos|go depth 4", "bestmove "},
		{"setoption name null-move value false|setoption name exact value true|position startpos|go depth 2", "bestmove "},
		{"go wtime -5 btime -5", "bestmove "},
		{"joho go depth 1", "bestmove "},
	} {
		t.Run(tt.commands, func(t *testing.T) {
			c := converse(t)
			c.say(strings.Split(tt.commands, "|")...)
			if got := last(c.until("bestmove")); !strings.HasPrefix(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
			c.say("isready")
			c.until("readyok")
			_ = c.in.Close() // the end of the input ends it
			if code := c.ends(); code != 0 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

func TestInfoLines(t *testing.T) {
	c := converse(t)
	c.say("setoption name MultiPV value 2", "position startpos", "go depth 3")
	lines := c.until("bestmove")
	for _, line := range lines[:len(lines)-1] {
		var depth, farthest, index, score, nodes, speed, full, ms int
		if _, err := fmt.Sscanf(line, "info depth %d seldepth %d multipv %d score cp %d nodes %d nps %d hashfull %d time %d pv ",
			&depth, &farthest, &index, &score, &nodes, &speed, &full, &ms); err != nil || depth < 1 || farthest < depth || nodes < 1 || index < 1 {
			t.Errorf("%q: %v", line, err)
		}
	}
	c.say("position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "go depth 2")
	if text := strings.Join(c.until("bestmove"), "\n"); !strings.Contains(text, "score mate 1") {
		t.Error(text)
	}
	c.say("setoption name exact value true", "position fen k7/7p/1K6/8/8/8/8/5Q2 b - - 0 1", "go depth 4")
	if text := strings.Join(c.until("bestmove"), "\n"); !strings.Contains(text, "score mate -1") {
		t.Error(text)
	}
}

// TestNewsBetweenIterations: the move that is looked at, values outside their window
// and how far the search is, as often as the pace says.
func TestNewsBetweenIterations(t *testing.T) {
	c := converseWith(t, Server{Pace: think.Pace{Every: time.Nanosecond}})
	seen := map[string]bool{}
	// With one thread and a depth they are always the same: a win is found, a loss is seen.
	for _, fen := range []string{
		"2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
	} {
		c.say("position fen "+fen, "go depth 9")
		for _, line := range c.until("bestmove ") {
			var depth, number, nodes, speed, full, ms int
			var move string
			if _, err := fmt.Sscanf(line, "info depth %d currmove %s currmovenumber %d", &depth, &move, &number); err == nil && depth > 0 && len(move) == 4 && number > 0 {
				seen["move"] = true
			}
			if _, err := fmt.Sscanf(line, "info nodes %d nps %d hashfull %d time %d", &nodes, &speed, &full, &ms); err == nil && nodes > 0 {
				seen["work"] = true
			}
			for _, bound := range []string{"lowerbound", "upperbound"} {
				if strings.Contains(line, " "+bound+" nodes ") && strings.Contains(line, " score cp ") && strings.Contains(line, " pv ") {
					seen[bound] = true
				}
			}
		}
	}
	if len(seen) != 4 {
		t.Errorf("seen are only %v", seen)
	}
}

// TestQuickSearchesSayNothingMore: within the first seconds there are the lines of
// finished iterations alone.
func TestQuickSearchesSayNothingMore(t *testing.T) {
	c := converseWith(t, Server{Pace: think.Pace{Still: time.Hour, Every: time.Hour}})
	c.say("position startpos", "go depth 9")
	if lines := c.until("bestmove"); len(lines) != 10 {
		t.Errorf("%d lines: %q", len(lines), lines)
	}
}

// TestNoClockOfOnesOwn: where only the other side's clock is told, a move takes a
// second and no longer, unless something else bounds it.
func TestNoClockOfOnesOwn(t *testing.T) {
	for text, want := range map[string]*core.Budget{
		"btime 60000":           core.Fixed(clockless, 0),
		"winc 1000":             core.Fixed(clockless, 0),
		"movestogo 5":           core.Fixed(clockless, 0),
		"btime 60000 ponder":    core.Fixed(clockless, 0),
		"btime 60000 depth 3":   nil,
		"btime 60000 nodes 9":   nil,
		"btime 60000 mate 2":    nil,
		"btime 60000 infinite":  nil,
		"":                      nil,
		"movetime 7 btime 9":    core.Fixed(7*time.Millisecond, 0),
		"wtime 60000 btime 500": core.NewBudget(core.Clock{Remaining: time.Minute}),
	} {
		g, bad := parseGo(strings.Fields(text))
		if got := g.budget(games.First, 0); len(bad) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("go %s: %+v, want %+v", text, got, want)
		}
	}
}

// TestSwitchesMakeAnotherSearch: what the table knows of the one before does not come
// into it.
func TestSwitchesMakeAnotherSearch(t *testing.T) {
	exact := func(before ...string) (out []string) {
		c := converse(t)
		for _, line := range before {
			c.say(line)
			c.until("bestmove")
		}
		c.say("setoption name exact value true", "go depth 4")
		for _, line := range c.until("bestmove") {
			head, _, _ := strings.Cut(line, " nps ")
			out = append(out, head)
		}
		return out
	}
	if got, want := exact("go depth 9"), exact(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBestMoveWaits: an infinite search and one that ponders say nothing before
// they are asked to, even where nothing is left to search.
func TestBestMoveWaits(t *testing.T) {
	for _, tt := range []struct{ goes, ends string }{
		{"go infinite", "stop"},
		{"go depth 1 infinite", "stop"},
		{"go ponder depth 1", "ponderhit"},
		{"go ponder wtime 60000 btime 60000", "stop"},
		{"go ponder movetime 20", "ponderhit"},
	} {
		c := converse(t)
		c.say("position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", tt.goes)
		c.until("info depth 1")
		c.say("isready", "isready")
		for _, line := range append(c.until("readyok"), c.until("readyok")...) {
			if strings.HasPrefix(line, "bestmove") {
				t.Errorf("%s: %s before %s", tt.goes, line, tt.ends)
			}
		}
		c.say(tt.ends)
		c.until("bestmove f7")
		c.say("stop", "isready")
		if lines := c.until("readyok"); len(lines) != 1 {
			t.Errorf("%s: after the best move: %q", tt.goes, lines)
		}
	}
}

// TestOneThreadIsRepeatable: the same nodes, the same lines, but for the time.
// TestAGameGoesOnAfterItsEnd: whoever runs a game decides when it is over. Moves
// after a fifth repetition are played, and such a position is searched.
func TestAGameGoesOnAfterItsEnd(t *testing.T) {
	shuffle := strings.Repeat(" g1f3 g8f6 f3g1 f6g8", 4)
	for _, at := range []string{"startpos moves" + shuffle, "startpos moves" + shuffle + " e2e4", "fen 4k3/8/8/8/8/8/8/R3K3 w - - 150 120", "fen 4k3/8/8/8/8/8/8/R3K3 w - - 149 120 moves a1a2 e8d8"} {
		c := converse(t)
		c.say("position "+at, "go depth 4")
		for _, line := range c.until("bestmove") {
			if strings.Contains(line, "error") || strings.HasPrefix(line, "bestmove (none)") {
				t.Errorf("%s: %s", at, line)
			}
			if depth := " depth 4 "; strings.Contains(line, depth) {
				at = ""
			}
		}
		if at != "" {
			t.Errorf("%s was not searched", at)
		}
		c.say("quit")
		if n := c.ends(); n != 0 {
			t.Errorf("ends with %d", n)
		}
	}
}

// TestSearchMovesAfterAnEnd: the moves to choose from hold there too.
func TestSearchMovesAfterAnEnd(t *testing.T) {
	c := converse(t)
	c.say("position startpos moves"+strings.Repeat(" g1f3 g8f6 f3g1 f6g8", 4), "go depth 3 searchmoves a2a3")
	if got := last(c.until("bestmove")); !strings.HasPrefix(got, "bestmove a2a3 ") {
		t.Errorf("got %q", got)
	}
}

func TestOneThreadIsRepeatable(t *testing.T) {
	run := func() string {
		c := converse(t)
		c.say("position startpos moves e2e4", "go nodes 3000")
		return last(c.until("bestmove"))
	}
	if one, two := run(), run(); one != two {
		t.Errorf("%s and %s", one, two)
	}
}

func TestRubbish(t *testing.T) {
	c := converse(t)
	c.say(
		"", "   ", "\x00\xff\xfe", "rubbish", "position", "position fen", "position fen 8/8 w", "position startpos moves", "position startpos moves x",
		"position fen 8/8/8/8/8/8/8/8 w - - 0 1", "setoption", "setoption name", "setoption name Hash value", "setoption name Hash value -3",
		"setoption name Hash value 99999999999999999999", "setoption name nope value 3", "setoption name Ponder value maybe", "setoption value 3 name Hash",
		"go depth", "stop", "go nodes x wtime y", "stop", "go movetime 0", "ponderhit", "stop", "stop", "debug on", "register later", "bench x",
		strings.Repeat("x", 3<<20), "position fen "+strings.Repeat("8/", 100_000), "go depth 1 searchmoves z9z9",
		"d", "eval", "isready",
	)
	text := strings.Join(c.until("readyok"), "\n")
	for _, want := range []string{
		`info string unknown command: "rubbish"`, `info string unknown command: "\x00\xff\xfe"`, "info string the position is refused", "info string option \"nope\"", "info string a line of more than",
		"Fen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Evaluation: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%.3000s", want, text)
		}
	}
}

func TestBenchIsRepeatable(t *testing.T) {
	run := func() string {
		c := converse(t)
		c.say("bench 3")
		return last(c.until("nodes "))
	}
	if one, two := run(), run(); one != two || one == "nodes 0" {
		t.Errorf("%q and %q", one, two)
	}
}

func TestStrengthRises(t *testing.T) {
	for elo := leastElo; elo < mostElo; elo += 50 {
		if nodesFor(elo) >= nodesFor(elo+50) {
			t.Errorf("%d: %d nodes, %d: %d", elo, nodesFor(elo), elo+50, nodesFor(elo+50))
		}
	}
}

func FuzzSession(f *testing.F) {
	f.Add("uci\nposition startpos moves e2e4\ngo depth 1\nstop\n")
	f.Add("go ponder depth 1\nponderhit\nsetoption name MultiPV value 3\ngo infinite\nposition fen x\nquit")
	f.Add("position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2\ngo mate 3 nodes 5\nd\neval\nucinewgame")
	f.Fuzz(func(t *testing.T, text string) {
		lower := strings.ToLower(text)
		if strings.Contains(lower, "hash") || strings.Contains(lower, "bench") || strings.Contains(lower, "threads") {
			return // what takes all memory or time of the machine when asked to
		}
		var out bytes.Buffer
		in := "setoption name Hash value 1\n" + text + "\nstop\nquit\n"
		if code := (Server{}).Run(strings.NewReader(in), &out, io.Discard); code != 0 {
			t.Errorf("exit code %d\n%s", code, out.String())
		}
	})
}
