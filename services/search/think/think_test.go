package think

import (
	"testing"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/core"
)

func problem(t *testing.T) engine.Problem {
	t.Helper()
	p, err := engine.Open(games.Position{Rules: "chess", Text: chess.StartFEN})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func config() Config { return Config{Options: engine.Full(), Table: engine.NewTable(1 << 20)} }

func TestLimitsEndSearches(t *testing.T) {
	for name, limits := range map[string]Limits{
		"depth":  {Depth: 3},
		"nodes":  {Nodes: 2000},
		"budget": {Budget: core.Fixed(20*time.Millisecond, 0)},
		"clock":  {Budget: core.NewBudget(core.Clock{Remaining: time.Second})},
		"cpu":    {CPU: 5 * time.Millisecond},
	} {
		r := Search(problem(t), limits, config(), nil)
		if r.Move == "" || r.Nodes == 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if limits.CPU > 0 && (r.CPU < limits.CPU || r.CPU > time.Second) {
			t.Errorf("%s: used %v", name, r.CPU)
		}
	}
}

// TestPondering: no time counts before the hit, then it does.
func TestPondering(t *testing.T) {
	reports := make(chan Info, 1000)
	th := Start(problem(t), Limits{Budget: core.Fixed(time.Millisecond, 0), Ponder: true}, config(), func(i Info) { reports <- i })
	for i := range reports { // the third iteration takes longer than the budget
		if i.Elapsed > 2*time.Millisecond && i.Depth > 2 {
			break
		}
	}
	select {
	case <-th.Done():
		t.Fatal("it ended while pondering")
	default:
	}
	th.Hit()
	if r := th.Wait(); r.Depth < 3 {
		t.Errorf("%+v", r)
	}
}

func TestStop(t *testing.T) {
	th := Start(problem(t), Limits{}, Config{Threads: 3, Options: engine.Full(), Table: engine.NewTable(1 << 20)}, nil)
	th.Stop()
	if r := th.Wait(); r.Move == "" {
		t.Errorf("%+v", r)
	}
}

func TestThreadsShareTheNodes(t *testing.T) {
	cfg := config()
	cfg.Threads = 2
	r := Search(problem(t), Limits{Nodes: 4000}, cfg, nil)
	if r.Nodes > 4100 || r.Move == "" {
		t.Errorf("%+v", r)
	}
}

func TestOptions(t *testing.T) {
	opts := engine.Full()
	for _, o := range [][2]string{{"null-move", "false"}, {"exact", "true"}, {"seed", "7"}} {
		if err := SetOption(&opts, "chess", o[0], o[1]); err != nil {
			t.Error(err)
		}
	}
	if opts.NullMove || !opts.Exact || opts.Seed != 7 || !opts.Futility {
		t.Errorf("%+v", opts)
	}
	for _, o := range [][3]string{
		{"chess", "NullMove", "false"}, {"chess", "null-move", "x"}, {"chess", "seed", "x"}, {"chess", "", ""},
		{"draughts", "null-move", "false"}, {"chess", "history-pruning", "false"}, // each game has its own
		{"chess", "evaluator", "f2"}, {"draughts", "evaluator", "best"},
	} {
		if err := SetOption(&opts, o[0], o[1], o[2]); err == nil {
			t.Errorf("%v is taken", o)
		}
	}
}

// TestHeld: an answer waits for its release, however long the search is over.
func TestHeld(t *testing.T) {
	said := make(chan Result, 1)
	thought := Start(problem(t), Limits{Depth: 1}, config(), nil)
	h := Hold(thought, func(r Result) { said <- r })
	<-thought.Done()
	select {
	case r := <-said:
		t.Fatalf("%+v was said before it might", r)
	default:
	}
	h.Release()
	if r := <-said; r.Move == "" {
		t.Errorf("%+v", r)
	}
	h = Hold(Start(problem(t), Limits{Ponder: true, Nodes: 1 << 40}, config(), nil), func(r Result) { said <- r })
	h.Halt()
	if r := <-said; r.Move == "" {
		t.Errorf("stopped: %+v", r)
	}
	h.Hit() // too late, but no fault
}

// TestOneLegalMoveIsAnalysed: a search without a limit, or for a mate, is for what
// it finds out; with any other limit a single legal move is answered at once.
func TestOneLegalMoveIsAnalysed(t *testing.T) {
	p, err := engine.Open(games.Position{Rules: "chess", Text: "k7/8/1R6/8/8/8/8/K6R b - - 0 1"})
	if err != nil {
		t.Fatal(err)
	}
	deeper := make(chan struct{}, 1)
	endless := Start(p, Limits{}, config(), func(i Info) {
		if i.Depth > 1 {
			select {
			case deeper <- struct{}{}:
			default:
			}
		}
	})
	<-deeper
	endless.Stop()
	endless.Wait()
	if r := Search(p, Limits{Mate: 3}, config(), nil); !core.IsLoss(r.Score) {
		t.Errorf("mate in 3: %+v", r.Report)
	}
	for name, limits := range map[string]Limits{"depth": {Depth: 20}, "nodes": {Nodes: 1e6}, "clock": {Budget: core.NewBudget(core.Clock{Remaining: time.Hour})}} {
		if r := Search(p, limits, config(), nil); r.Depth > 1 || r.Move != "a8a7" {
			t.Errorf("%s: %+v", name, r.Report)
		}
	}
}

// TestATableFitsTheMachine: a size that no machine has is cut down, not asked for.
func TestATableFitsTheMachine(t *testing.T) {
	for _, c := range []struct {
		asked  int
		memory uint64
		want   int
	}{{16, 8 << 30, 16}, {32768, 8 << 30, 6144}, {32768, 0, 32768}, {64, 1 << 20, 1}} {
		if got := fitting(c.asked, c.memory); got != c.want {
			t.Errorf("%d MiB with %d bytes: %d, want %d", c.asked, c.memory, got, c.want)
		}
	}
	if table, size := NewTable(3); table == nil || size != 3 {
		t.Errorf("a small table has %d MiB, want 3", size)
	}
}
