package match

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/chess/pgn"
	"tabuleiro/games/draughts/pdn"
	"tabuleiro/services/search/match/stats"
)

func parsed(t *testing.T, text, rules string) Engine {
	t.Helper()
	e, err := ParseEngine(text, rules, Limit{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// ours is a match of our engine with itself that takes no time.
func ours(t *testing.T, rules string) Match {
	return Match{
		Rules: rules, Games: 6, Plies: 6, Seed: 3,
		Engines:      [2]Engine{parsed(t, "name=a;limit=nodes 60;Hash=1", rules), parsed(t, "name=b;limit=nodes 30;Hash=1;killers=false", rules)},
		Adjudication: Adjudication{MaxPlies: 30, ResignScore: 800, ResignMoves: 2},
	}
}

func play(t *testing.T, m Match) Summary {
	t.Helper()
	s, err := m.Run(t.Context(), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// timeless leaves out what the machine's speed decides.
func timeless(s Summary) Summary {
	for i := range s.Used {
		s.Used[i].CPU, s.Used[i].Spent = 0, 0
	}
	return s
}

func TestNodesMakeMatchesRepeatable(t *testing.T) {
	for _, rules := range []string{"chess", "draughts"} {
		m := ours(t, rules)
		m.Games = 4
		want := timeless(play(t, m))
		m.Concurrency = 3
		if got := timeless(play(t, m)); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: three tables give %+v, one %+v", rules, got, want)
		}
		if n := want.Wins + want.Draws + want.Losses; n != 4 || want.Pairs.Count() != 2 || want.Used[0].Nodes == 0 {
			t.Errorf("%s: %+v", rules, want)
		}
		m.Concurrency, m.Seed = 1, 4
		if got := timeless(play(t, m)); reflect.DeepEqual(got, want) {
			t.Errorf("%s: another seed gives the same", rules)
		}
	}
}

func TestBrokenOffMatchGoesOn(t *testing.T) {
	m := ours(t, "chess")
	want := timeless(play(t, m))
	m.Journal = filepath.Join(t.TempDir(), "journal")
	m.Games = 2
	play(t, m)
	text, err := os.ReadFile(m.Journal)
	if err != nil {
		t.Fatal(err)
	}
	// The second game is there only in part.
	text = text[:len(text)-5]
	if err := os.WriteFile(m.Journal, text, 0o600); err != nil {
		t.Fatal(err)
	}
	m.Games = 6
	if got := timeless(play(t, m)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	text, err = os.ReadFile(m.Journal)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n != 7 {
		t.Errorf("%d lines, want the match and 6 games:\n%s", n, text)
	}
}

// TestAJournalIsOfItsMatch: games under other settings, of other openings or of
// another build are not counted together; the message says what differs. What leaves
// games as they are may change.
func TestAJournalIsOfItsMatch(t *testing.T) {
	folder := t.TempDir()
	tool := filepath.Join(folder, "tool")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(tool, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	m := ours(t, "chess")
	m.Build, m.Margin, m.Patience, m.Games = "1.0", time.Second, time.Minute, 2
	m.Openings = []Opening{{Start: games.Position{Rules: "chess", Text: chess.StartFEN}, Moves: []string{"e2e4"}}}
	m.Journal = filepath.Join(folder, "journal")
	play(t, m)
	other := m
	other.Concurrency, other.Every = 2, 1
	play(t, other)
	for part, change := range map[string]func(*Match){
		"build was":    func(m *Match) { m.Build = "1.1" },
		"seed was":     func(m *Match) { m.Seed++ },
		"openings was": func(m *Match) { m.Openings = []Opening{{Start: m.Openings[0].Start, Moves: []string{"d2d4"}}} },
		"margin was":   func(m *Match) { m.Margin++ },
		"patience was": func(m *Match) { m.Patience++ },
		"draw was":     func(m *Match) { m.Adjudication.DrawMoves = 3 },
		"tables was":   func(m *Match) { m.Pieces = 4 },
		"engine b was": func(m *Match) { m.Engines[1].Limit.Nodes++ },
	} {
		other := m
		change(&other)
		_, err := other.Run(t.Context(), io.Discard)
		if err == nil || !strings.Contains(err.Error(), m.Journal) || !strings.Contains(err.Error(), part) {
			t.Errorf("want %s: %v", part, err)
		}
	}
	m.Engines[1].Command = []string{tool}
	before := m.settings()
	write("two")
	if text := differences(before, m.settings()); !strings.HasPrefix(text, "engine b was") {
		t.Errorf("another build of a program: %q", text)
	}
	for _, head := range []string{`"chess seed=3"`, "rubbish", `[{"Name":"rules","Value":"chess"},{"Name":"komi","Value":"7"}]`} {
		if err := os.WriteFile(m.Journal, []byte(head+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(t.Context(), io.Discard); err == nil {
			t.Errorf("%s is taken", head)
		}
	}
}

func TestFaultsLoseGames(t *testing.T) {
	for kind, want := range map[string]string{
		"crash": Crash, "hang": Hang, "deaf": Hang, "illegal": Illegal, "silent": Illegal, "slow": Late, "first": "", "rubbish": "",
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			limit := "movetime 5000"
			m := Match{Rules: "chess", Games: 2, Patience: 10 * time.Second, Adjudication: Adjudication{MaxPlies: 12}}
			switch kind {
			case "hang":
				limit, m.Patience = "nodes 10", 50*time.Millisecond
			case "deaf":
				limit, m.Patience = "cpu 1", 500*time.Millisecond
			case "slow":
				limit = "movetime 1"
			}
			m.Engines = [2]Engine{fake(t, kind, limit), parsed(t, "limit=nodes 50;Hash=1", "chess")}
			var out bytes.Buffer
			s, err := m.Run(t.Context(), &out)
			if err != nil {
				t.Fatal(err)
			}
			faults := 2
			if want == "" {
				faults = 0
			}
			if s.Faults[0][want] != faults || s.Losses < faults || len(s.Faults[1]) != 0 || strings.Count(out.String(), kind+": "+want+": ") != faults {
				t.Errorf("%+v\n%s", s, out.String())
			}
		})
	}
}

// TestIdleProgramsAreStopped: a program that has nothing to think about is not
// waited for until it has used its processor time.
func TestIdleProgramsAreStopped(t *testing.T) {
	m := Match{
		Rules: "chess", Games: 2, Adjudication: Adjudication{MaxPlies: 4},
		Engines: [2]Engine{fake(t, "first", "cpu 60000"), parsed(t, "limit=nodes 50;Hash=1", "chess")},
	}
	if s := play(t, m); s.Draws != 2 || s.Used[0].Moves != 4 {
		t.Errorf("%+v", s)
	}
}

// TestProcessorTime: our engine uses its processor time up, and no more than it
// must.
func TestProcessorTime(t *testing.T) {
	m := Match{
		Rules: "chess", Games: 2, Adjudication: Adjudication{MaxPlies: 6}, Patience: 2 * time.Second,
		Engines: [2]Engine{parsed(t, "name=a;limit=cpu 3;Hash=1", "chess"), parsed(t, "name=b;limit=cpu 3;Hash=1", "chess")},
	}
	s := play(t, m)
	for i, u := range s.Used {
		if u.Moves != 6 || u.CPU < 6*3*time.Millisecond {
			t.Errorf("engine %d: %+v", i, u)
		}
	}
}

func TestProgramsThatDoNotStart(t *testing.T) {
	e := fake(t, "first", "nodes 1")
	e.Command = []string{"/nonexistent"}
	m := Match{Rules: "chess", Games: 2, Engines: [2]Engine{parsed(t, "limit=nodes 50;Hash=1", "chess"), e}}
	if s, err := m.Run(t.Context(), io.Discard); err == nil || s.Pairs.Count() != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestRecords(t *testing.T) {
	m := ours(t, "chess")
	m.Record = filepath.Join(t.TempDir(), "games.pgn")
	s := play(t, m)
	file, err := os.Open(m.Record)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reader := pgn.NewReader(file, pgn.Config{})
	points, count := 0, 0
	for ; ; count++ {
		var g pgn.Game
		if err := reader.Next(&g); err == io.EOF {
			break
		} else if err != nil || len(g.Errors) > 0 {
			t.Fatalf("%v %v", err, g.Errors)
		}
		white, _ := g.Tag("White")
		if want := []string{"a", "b"}[count%2]; white != want {
			t.Errorf("game %d: %s has White, want %s", count+1, white, want)
		}
		half := map[pgn.Result]int{pgn.WhiteWins: 2, pgn.Drawn: 1, pgn.BlackWins: 0}[g.Result]
		if white == "b" {
			half = 2 - half
		}
		points += half
		if len(g.Notes) != len(g.Moves)-6 {
			t.Errorf("game %d: %d notes on %d moves", count+1, len(g.Notes), len(g.Moves))
		}
	}
	if count != 6 || points != 2*s.Wins+s.Draws {
		t.Errorf("%d games, %d half points, want %+v", count, points, s)
	}

	m = ours(t, "draughts")
	m.Record = filepath.Join(t.TempDir(), "games.pdn")
	play(t, m)
	draughts, err := os.Open(m.Record)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = draughts.Close() }()
	of, err := pdn.NewReader(draughts, pdn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for count = 0; ; count++ {
		var g pdn.Game
		if err := of.Next(&g); err == io.EOF {
			break
		} else if err != nil || len(g.Errors) > 0 {
			t.Fatalf("%v %v", err, g.Errors)
		}
	}
	if count != 6 {
		t.Errorf("%d games of draughts", count)
	}
}

func TestTestEndsMatch(t *testing.T) {
	m := ours(t, "chess")
	m.Engines[1] = fake(t, "illegal", "nodes 1")
	m.Games, m.Concurrency = 100, 2
	m.Test = &stats.Test{Elo0: -200, Elo1: 300, Alpha: 0.05, Beta: 0.05}
	s := play(t, m)
	if s.Verdict != 1 || s.Pairs.Count() > 20 {
		t.Errorf("%+v", s)
	}
	if text := m.Text(s); !strings.Contains(text, "Elo 300 accepted") || !strings.Contains(text, "illegal move") {
		t.Error(text)
	}
}

func TestJudge(t *testing.T) {
	rules := Adjudication{ResignScore: 500, ResignMoves: 2, DrawScore: 10, DrawMoves: 2, DrawFrom: 20}
	for name, tt := range map[string]struct {
		scores []int // from White's side
		ply    int
		points int
		reason string
	}{
		"both see White win": {[]int{500, 700, 501, 900}, 1, 2, "adjudication: score"},
		"Black wins":         {[]int{-500, -500, -600, -700}, 1, 0, "adjudication: score"},
		"one doubts":         {[]int{500, 499, 500, 500}, 1, 0, ""},
		"even":               {[]int{0, 10, -10, 3}, 30, 1, "adjudication: draw"},
		"even too early":     {[]int{0, 10, -10, 3}, 10, 0, ""},
	} {
		j, points, reason := judge{rules: rules}, 0, ""
		for i, score := range tt.scores {
			side := i % 2
			if side == 1 {
				score = -score
			}
			points, reason = j.hear(games.Side(side), reply{score: score, scored: true}, tt.ply+i)
		}
		if points != tt.points || reason != tt.reason {
			t.Errorf("%s: %d %q", name, points, reason)
		}
	}
}

func TestSpecs(t *testing.T) {
	e, err := ParseEngine(`name=X; cmd=/bin/"a b" -c ; limit=tc 10+0.1; Hash=16; Use NNUE=false`, "chess", Limit{})
	want := Engine{
		Name: "X", Command: []string{"/bin/a b", "-c"}, Protocol: "uci", Limit: Limit{Base: 10 * time.Second, Increment: 100 * time.Millisecond},
		Options: []Option{{"Hash", "16"}, {"Use NNUE", "false"}},
	}
	if err != nil || !reflect.DeepEqual(e, want) {
		t.Errorf("%+v, %v, want %+v", e, err, want)
	}
	for _, text := range []string{
		"", "name=x", "limit=nodes 0", "limit=nodes x", "limit=seconds 3", "limit=tc 0", "limit=tc 1+x", "limit=depth 1001", "x;limit=nodes 1",
		"limit=nodes 1;no-such=true", "limit=nodes 1;null-move=perhaps", "limit=nodes 1;Hash=0", "limit=nodes 1;proto=uci",
		"limit=nodes 1;cmd=a;proto=hub", `limit=nodes 1;cmd="a`, "limit=nodes 1;cmd=",
	} {
		if e, err := ParseEngine(text, "chess", Limit{}); err == nil && text != "limit=nodes 1;cmd=" {
			t.Errorf("%q: %+v", text, e)
		}
	}
	for _, text := range []string{"nodes 5000", "depth 8", "movetime 100", "cpu 20", "tc 10+0.1"} {
		if l, err := ParseLimit(text); err != nil || l.String() != text {
			t.Errorf("%q: %q, %v", text, l, err)
		}
	}
}

func TestOpenings(t *testing.T) {
	for name, tt := range map[string]struct {
		rules, text string
		want        int
	}{
		"a.tsv": {"chess", "hash\teco\tname\tmoves\nx\tA00\tOne\te2e4 e7e5\ny\tA01\tBad\te2e5\n", 1},
		"b.tsv": {"draughts", "table\tfen\nx\tW:W17,21,22,23,24,25,26,27,28,30,31,32:B1,2,3,4,6,7,8,9,11,12,13,14\n", 1},
		"c.epd": {"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"x\";\n# no\nR5k1/5ppp/8/8/8/8/8/6K1 b - -\n", 1},
		"d.fen": {"chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7\n", 1},
		"e.pgn": {"chess", "1. e4 e5 *\n\n1. d4 d5 2. c4 *\n", 2},
		"f.pdn": {"draughts", "1. c3-d4 b6-c5 2. d4xb6 *\n", 1},
		"g.tsv": {"chess", "", 0},
		"h.pgn": {"chess", "1. f3 e5 2. g4 Qh4# *\n", 0},
	} {
		list, err := ReadOpenings(tt.rules, name, strings.NewReader(tt.text))
		if len(list) != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("%s: %+v, %v", name, list, err)
		}
	}
	game, err := rulesOf("chess")
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadOpenings("chess", "x.pgn", strings.NewReader("1. e4 *\n\n1. d4 *\n\n1. c4 *\n"))
	if err != nil {
		t.Fatal(err)
	}
	var first []string
	for pair := range 3 {
		o := draw(game, list, 5, pair, 0)
		first = append(first, o.Moves[0])
		if again := draw(game, list, 5, pair, 0); !slices.Equal(again.Moves, o.Moves) {
			t.Errorf("pair %d is %v and %v", pair, o.Moves, again.Moves)
		}
		if longer := draw(game, list, 5, pair, 7); len(longer.Moves) != 8 {
			t.Errorf("pair %d with 7 plies: %v", pair, longer.Moves)
		}
	}
	slices.Sort(first)
	if !slices.Equal(first, []string{"c2c4", "d2d4", "e2e4"}) {
		t.Errorf("three pairs begin with %v", first)
	}
}
