package hub

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/endings"
	"tabuleiro/services/search/think"
)

const startPosition = "Wwwwwwwwwwwwweeeeeeeebbbbbbbbbbbb"

// answers runs a whole conversation.
func answers(t *testing.T, in ...string) []string {
	t.Helper()
	var out bytes.Buffer
	text := "set-param name=hash value=1\n" + strings.Join(in, "\n") + "\n"
	if code := (Server{Version: "test"}).Run(strings.NewReader(text), &out, io.Discard); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func TestGreeting(t *testing.T) {
	text := strings.Join(answers(t, "hub", "init", "ping", "quit", "ping"), "\n")
	for _, want := range []string{
		`id name=Tabuleiro version="test" author=`, `param name=variant value=brazilian type=enum values="brazilian"`,
		"param name=hash value=64 type=int min=1", "\nwait\nready\npong",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "pong") != 1 {
		t.Error("it goes on after quit")
	}
}

// TestSearches: a capture that wins, in the protocol's numbers, with the taken
// pieces; what stops a search; the level that was set counts for it.
func TestSearches(t *testing.T) {
	// White a1, black b2 and e5: a1xc3 is compulsory.
	capture := "pos pos=W" + "weee" + "beee" + strings.Repeat("e", 24)
	for _, tt := range []struct {
		commands []string
		want     string
	}{
		{[]string{capture, "level depth=3", "go think"}, "done move=1x10x5"},
		{[]string{"pos pos=" + startPosition, "level nodes=500", "go think", "ping"}, "done move="},
		{[]string{"pos pos=" + startPosition, "level move-time=0.02", "go think"}, "done move="},
		{[]string{"pos pos=" + startPosition, "level moves=10 time=1.5 inc=0.1", "go think"}, "done move="},
		{[]string{"pos pos=" + startPosition, "level infinite", "go analyze", "stop"}, "done move="},
		{[]string{"pos pos=" + startPosition, "level depth=2", "go ponder", "ponder-hit"}, "done move="},
		{[]string{"pos pos=" + startPosition + ` moves="10-14 21-17"`, "level depth=1", "go think"}, "done move="},
	} {
		got := answers(t, tt.commands...)
		done := 0
		for _, line := range got {
			if strings.HasPrefix(line, "error") {
				t.Errorf("%v: %s", tt.commands, line)
			}
			if strings.HasPrefix(line, tt.want) {
				done++
			}
		}
		if done != 1 {
			t.Errorf("%v: %q", tt.commands, got)
		}
	}
}

// patientAnswers runs a conversation that waits for the move of each go.
func patientAnswers(t *testing.T, s Server, in ...string) string {
	t.Helper()
	stdin, write := io.Pipe()
	read, stdout := io.Pipe()
	go func() {
		s.Run(stdin, stdout, io.Discard)
		_ = stdout.Close() // a pipe's Close cannot fail
	}()
	var text strings.Builder
	scanner := bufio.NewScanner(read)
	for _, line := range append([]string{"set-param name=hash value=1"}, in...) {
		if _, err := fmt.Fprintln(write, line); err != nil {
			t.Fatal(err)
		}
		for strings.HasPrefix(line, "go") && scanner.Scan() {
			fmt.Fprintln(&text, scanner.Text())
			if strings.HasPrefix(scanner.Text(), "done") {
				break
			}
		}
	}
	_ = write.Close()
	return text.String()
}

// TestInfoBetweenIterations: how far the search is, and how often the tables of
// endings knew.
func TestInfoBetweenIterations(t *testing.T) {
	tables := new(endings.Tables)
	for n := endings.MinPieces; n <= 3; n++ {
		data := make([]byte, endings.Size(n))
		if err := errors.Join(tables.Build(n, data, nil), tables.Add(n, data)); err != nil {
			t.Fatal(err)
		}
	}
	s := Server{Pace: think.Pace{Every: time.Nanosecond}, Open: func(p games.Position) (engine.Problem, error) {
		return engine.Open(p, engine.WithEndings(tables))
	}}
	text := patientAnswers(t, s, "pos pos=BWeeeewww"+strings.Repeat("e", 17)+"bB"+strings.Repeat("e", 5), "level depth=9", "go think")
	var between, known bool
	for line := range strings.SplitSeq(text, "\n") {
		c := Parse(line)
		_, deep := c.Args["depth"]
		between = between || c.Name == "info" && !deep && c.Args["nodes"] != "" && c.Args["time"] != "" && c.Args["nps"] != ""
		known = known || deep && c.Args["tb-hits"] > "0"
	}
	if !between || !known {
		t.Errorf("between iterations %v, tables %v:\n%s", between, known, text)
	}
}

// TestEveryGoHasItsDone: also where the game is over, and where go does not say how.
func TestEveryGoHasItsDone(t *testing.T) {
	lost := "pos pos=W" + strings.Repeat("e", 31) + "b"
	if got := answers(t, lost, "go think"); len(got) != 2 || !strings.HasPrefix(got[0], "error ") || got[1] != "done" {
		t.Errorf("the game is over: %q", got)
	}
	for _, goes := range []string{"go", "go fly", "go think"} {
		got := patientAnswers(t, Server{}, "level depth=1", goes)
		if strings.Contains(got, "error") || !strings.Contains(got, "\ndone move=") {
			t.Errorf("%s: %s", goes, got)
		}
	}
}

// TestLevels: a level is what its line says, without anything of the one before;
// where that cannot be read or bounds nothing, a move takes a second.
func TestLevels(t *testing.T) {
	for text, want := range map[string]level{
		"depth=3":                  {depth: 3},
		"infinite":                 {},
		"moves=9 time=291.5":       {clocked: true, left: 291500 * time.Millisecond, moves: 9},
		"time=5 inc=0.1 colour=up": {clocked: true, left: 5 * time.Second, inc: 100 * time.Millisecond},
		"moves=9":                  {moveTime: time.Second},
		"inc=1":                    {moveTime: time.Second},
	} {
		if got, err := parseLevel(Parse("level " + text).Args); err != nil || got != want {
			t.Errorf("level %s: %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "time=x", "time=1,5 inc=2", "depth=3 time=x", "depth=", "nodes=-1", "colour=up", "move-time=NaN", "time=-1"} {
		if got, err := parseLevel(Parse("level " + text).Args); err == nil || got != (level{moveTime: time.Second}) {
			t.Errorf("level %s: %+v, %v", text, got, err)
		}
	}
}

// TestTablesAreReadyBeforeTheFirstSearch: whether init was said or not, and once.
func TestTablesAreReadyBeforeTheFirstSearch(t *testing.T) {
	for _, in := range [][]string{{"init"}, {"level depth=1", "go think"}, {"init", "level depth=1", "go think", "init", "go think"}} {
		waited, opened := 0, 0
		s := Server{Ready: func() { waited++ }, Open: func(p games.Position) (engine.Problem, error) {
			if opened++; waited != 1 {
				t.Errorf("%v: a position is opened after %d waits", in, waited)
			}
			return engine.Open(p)
		}}
		s.Run(strings.NewReader("set-param name=hash value=1\n"+strings.Join(in, "\n")), io.Discard, io.Discard)
		if waited != 1 {
			t.Errorf("%v: %d waits", in, waited)
		}
	}
}

// TestParametersMakeAnotherSearch: what the table knows of the one before does not
// come into it.
func TestParametersMakeAnotherSearch(t *testing.T) {
	level, exact := "level depth=6", "set-param name=exact value=true"
	want := scores(patientAnswers(t, Server{}, exact, level, "go think"))
	got := scores(patientAnswers(t, Server{}, "level depth=9", "go think", exact, level, "go think"))
	if len(want) != 6 || len(got) != 9+6 || !slices.Equal(got[9:], want) {
		t.Errorf("after another search %v, want %v", got, want)
	}
	f2 := scores(patientAnswers(t, Server{}, exact, "set-param name=evaluator value=f2", level, "go think"))
	if len(f2) != 6 || slices.Equal(f2, want) {
		t.Errorf("the evaluator does not hold under exact: %v", f2)
	}
}

// scores are those of the info lines, without what speed decides.
func scores(text string) (out []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if c := Parse(line); c.Name == "info" && c.Args["depth"] != "" {
			out = append(out, c.Args["depth"]+" "+c.Args["score"]+" "+c.Args["nodes"]+" "+c.Args["pv"])
		}
	}
	return out
}

func TestRubbish(t *testing.T) {
	for _, in := range []string{
		"what", "pos", "pos pos=W", "pos pos=X" + startPosition[1:], "pos pos=" + startPosition + ` moves="1-2"`, "level time=x", "level depth=",
		"set-param name=null-move value=false", "set-param name=variant value=killer", "set-param name=hash value=0", "set-param", "set-param name=nope value=1",
		"pos pos=W" + strings.Repeat("e", 32), "set-param name=evaluator value=best", strings.Repeat("x", 2<<20),
		"\x00\xff=\x01",
	} {
		got := answers(t, in, "ping", "quit")
		if len(got) < 1 || got[len(got)-1] != "pong" || len(got) < 2 && !strings.HasPrefix(in, "\x00") {
			t.Errorf("%.40q: %q", in, got)
		}
	}
}

func TestParse(t *testing.T) {
	got := Parse(`  info depth=3 pv="1-2 3x4" flag  x= y="" name="open`)
	want := map[string]string{"depth": "3", "pv": "1-2 3x4", "flag": "", "x": "", "y": "", "name": "open"}
	if got.Name != "info" || fmt.Sprint(got.Args) != fmt.Sprint(want) {
		t.Errorf("%+v", got)
	}
}

// TestRoundTrips: positions and moves of random games read as what was written.
func TestRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, err := draughts.Game{}.Rule(games.Position{Rules: "draughts", Text: draughts.Start().Text()})
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 60).Draw(t, "plies") {
			if len(at.Moves) == 0 {
				return
			}
			text, err := PositionText(at.Position.Text)
			if err != nil {
				t.Fatal(err)
			}
			if back, err := ReadPosition(text); err != nil || back != at.Position.Text {
				t.Fatalf("%s is %s, which is %s, %v", at.Position.Text, text, back, err)
			}
			m := at.Moves[rapid.IntRange(0, len(at.Moves)-1).Draw(t, "move")]
			found, err := FindMove(at.Moves, MoveText(m))
			if err != nil || found.From != m.From || found.To != m.To || fmt.Sprint(found.Captures) != fmt.Sprint(m.Captures) {
				t.Fatalf("%s is read as %+v, %v, want %+v", MoveText(m), found, err, m)
			}
			if _, at, err = (draughts.Game{}).Apply(at.Position, m.Text); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func lineAnswers(t *testing.T, in ...string) []string {
	t.Helper()
	var out bytes.Buffer
	code := Line{Hash: 1, Options: engine.Full()}.Run(strings.NewReader(strings.Join(in, "\n")+"\n"), &out, io.Discard)
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n")
}

func TestLine(t *testing.T) {
	const start = "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8"
	got := lineAnswers(t,
		start+" nodes 2000", start+" ms 20", "", start+" nodes 2000",
		"W:Wf4:Be5,c7 nodes 100", "W:Wa1: ms 5", "x nodes 5", start+" depth 5", start+" ms 0", start+" ms -3", start, "W:Wa1:Bb8 ms x",
		strings.Repeat("y", 2<<20), "\x00 \xff ms 3",
	)
	if len(got) != 13 {
		t.Fatalf("%d answers: %q", len(got), got)
	}
	for i, line := range got {
		var move string
		var score, depth, nodes int
		_, err := fmt.Sscanf(line, "bestmove %s score %d depth %d nodes %d", &move, &score, &depth, &nodes)
		if i < 4 != (err == nil) || i >= 4 && !strings.HasPrefix(line, "error ") {
			t.Errorf("answer %d: %q: %v", i+1, line, err)
		}
	}
	if got[0] != got[2] {
		t.Errorf("the same nodes give %q and %q", got[0], got[2])
	}
	if !strings.HasPrefix(got[3], "bestmove f4xd6xb8 ") {
		t.Errorf("%q, want both men taken", got[3])
	}
}

// TestLineKnowsTheGame: a position that follows from the last answer has its past.
func TestLineKnowsTheGame(t *testing.T) {
	var opened []games.Position
	l := Line{Hash: 1, Options: engine.Full(), Open: func(p games.Position) (engine.Problem, error) {
		opened = append(opened, p)
		return engine.Open(p)
	}}
	in := "W:WKa1:BKh4 ms 1\nW:WKa1:BKh6 ms 1\n"
	var out bytes.Buffer
	if code := l.Run(strings.NewReader(in), &out, io.Discard); code != 0 || len(opened) != 2 || opened[1].History != "" {
		t.Fatalf("%d %+v\n%s", code, opened, out.String())
	}
	words := strings.Fields(out.String())
	_, after, err := draughts.Game{}.Apply(opened[0], words[1])
	if err != nil {
		t.Fatal(err)
	}
	_, next, err := draughts.Game{}.Apply(after.Position, after.Moves[0].Text)
	if err != nil {
		t.Fatal(err)
	}
	opened, out = nil, bytes.Buffer{}
	l.Run(strings.NewReader("W:WKa1:BKh4 nodes 1\nW:WKa1:BKh4 ms 1\n"+next.Position.Text+" ms 1\n"), &out, io.Discard)
	if move := strings.Fields(out.String())[9]; len(opened) == 3 && move == words[1] && opened[2].History == "" {
		t.Errorf("the past is forgotten: %+v\n%s", opened, out.String())
	}
}

func FuzzServer(f *testing.F) {
	f.Add("hub\ninit\npos pos=" + startPosition + "\nlevel depth=2\ngo think\nstop")
	f.Add("level infinite\ngo ponder\nponder-hit\npos pos=\"W\" moves=\"1x2x3")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "hash") || strings.Contains(text, "threads") {
			return // what takes all memory of the machine when asked to
		}
		in := "set-param name=hash value=1\n" + text + "\nstop\nquit\n"
		if code := (Server{}).Run(strings.NewReader(in), io.Discard, io.Discard); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
}

func FuzzLine(f *testing.F) {
	f.Add("W:Wa1:Bh8 nodes 50")
	f.Add("B:WKa1:B1-4 nodes 3")
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "ms") || strings.Contains(text, "nodes") && !strings.HasSuffix(text, " nodes 50") {
			return // what takes long when asked to
		}
		if code := (Line{Hash: 1, Options: engine.Full()}).Run(strings.NewReader(text+"\n"), io.Discard, io.Discard); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
}
