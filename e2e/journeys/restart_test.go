package journeys

import (
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"tabuleiro/e2e/shapetest"
)

// What a start prints, and that nobody else gets the folder.
func TestStart(t *testing.T) {
	t.Parallel()
	s := shapetest.AllInOne(t, shapetest.Options{})
	code := s.OperatorCode(t)
	lines := s.Unit("up").Lines()
	want := regexp.MustCompile(`^ready http=127\.0\.0\.1:[0-9]+ data=` + regexp.QuoteMeta(s.Data) + `$`)
	if !want.MatchString(lines[0]) {
		t.Errorf("the first line is %q, want %s", lines[0], want)
	}
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "operator code: ") || len(code) < 12 {
		t.Errorf("stdout is %q", lines)
	}
	info, err := os.Stat(s.Data)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder's rights are %v, %v", info.Mode(), err)
	}

	exit, output := shapetest.Run(t, "up", "--http", "127.0.0.1:0", "--data", s.Data)
	if exit == 0 || !strings.Contains(output, "--data") || !strings.Contains(output, "in use") {
		t.Errorf("a second one on the same folder: exit code %d, %s", exit, output)
	}
	s.Guest(t).Create(m{"rules": "tictactoe", "opponent": "engine"})

	// A restart prints no other code.
	if exit, err := s.Unit("up").Stop(); err != nil || exit != 0 {
		t.Fatalf("stop: exit code %d, %v", exit, err)
	}
	if err := s.Unit("up").Start(); err != nil {
		t.Fatal(err)
	}
	s.Guest(t).Create(m{"rules": "tictactoe", "opponent": "engine"})
	if lines := s.Unit("up").Lines(); len(lines) != 1 {
		t.Errorf("stdout of the second start is %q", lines)
	}
}

// SIGTERM in the middle of a game loses nothing, and what the engine owes comes
// after the restart.
func TestRestartInTheMiddle(t *testing.T) {
	t.Parallel()
	s := shapetest.AllInOne(t, shapetest.Options{})
	up := s.Unit("up")
	ana := s.Register(t, shapetest.Adult())
	game := ana.Create(m{"rules": "chess", "opponent": "engine", "side": "first", "level": "plies-2", "rated": true}).ID
	ana.Move(game, 0, "e4")
	g := ana.Turn(game)
	watch := ana.Stream([]string{"game:" + game}, "", "")
	defer watch.Close()
	if err := watch.AwaitVersion(t.Context(), g.Version); err != nil {
		t.Fatal(err)
	}
	stop := func() {
		t.Helper()
		if exit, err := up.Stop(); err != nil || exit != 0 {
			t.Fatalf("stop: exit code %d, %v", exit, err)
		}
	}
	start := func() {
		t.Helper()
		if err := up.Start(); err != nil {
			t.Fatal(err)
		}
		if err := s.AwaitReady(); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	start()
	if after := ana.Game(game); !reflect.DeepEqual(after, g) {
		t.Errorf("after the restart the game is\n%+v\nbefore it was\n%+v", after, g)
	}

	// The engine thinks for a second at this level: it is stopped at that. No book
	// knows the move that it answers.
	thinker := ana.Create(m{"rules": "chess", "opponent": "engine", "side": "first", "level": "full"}).ID
	key := shapetest.NewKey()
	answer := ana.PostKey("/v1/games/"+thinker+"/moves", key, m{"move": "Na3", "turn": 0})
	stop()
	start()
	if again := ana.PostKey("/v1/games/"+thinker+"/moves", key, m{"move": "Na3", "turn": 0}); string(again.Body) != string(answer.Body) {
		t.Errorf("after the restart the first answer is\n%s\nit was\n%s", again.Body, answer.Body)
	}
	if g := ana.Turn(thinker); g.Turn != 2 || len(g.Plies) != 2 {
		t.Errorf("the engine did not answer after the restart: %+v", g)
	}

	// A kill is no different; the page that watches comes back by itself.
	move := ana.Move(game, 2, g.Moves[0].Text)
	if err := up.Kill(); err != nil {
		t.Fatal(err)
	}
	start()
	g = ana.Turn(game)
	if g.Turn < 4 || !reflect.DeepEqual(g.Plies[2], move.Plies[2]) {
		t.Errorf("after the kill the game is %+v, the move was %+v", g.Plies, move.Plies[2])
	}
	if err := watch.AwaitVersion(t.Context(), g.Version); err != nil {
		t.Error(err)
	}
	_, events := seen(t, watch.Frames())
	want := plainEvents(t, ana, game)
	from := len(want) - len(events)
	if from < 0 || !reflect.DeepEqual(events, want[from:]) {
		t.Errorf("the page has seen\n%v\nof\n%v", events, want)
	}
}

// A worker that dies while it helps costs nothing but its help.
func TestWorkersDie(t *testing.T) {
	t.Parallel()
	s := shapetest.Cluster(t, shapetest.Options{})
	ana := s.Register(t, shapetest.Adult())
	var game string
	var g shapetest.Game
	begin := func() {
		game = ana.Create(m{"rules": "chess", "opponent": "engine", "side": "second", "level": "full"}).ID
		g = ana.Turn(game)
	}
	begin()
	// Drawn anew each time, so that no cache knows the positions.
	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	move := func() {
		t.Helper()
		ana.Move(game, g.Turn, shapetest.Pick(random, g))
	}
	answered := func(what string) {
		t.Helper()
		turn := g.Turn
		if g = ana.Turn(game); g.Turn != turn+2 {
			t.Fatalf("%s: the engine's answer is %+v", what, g)
		}
		if g.Status == "finished" {
			begin() // whoever moves at random may be mated at any move
		}
	}
	helped := func() float64 {
		t.Helper()
		n, err := s.Unit("search").Metric(t.Context(), "tabuleiro_search_helpers_total")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for tries := 0; helped() == 0; tries++ {
		if tries == 8 {
			t.Fatal("no worker helps: their death would prove nothing")
		}
		move()
		answered("with workers")
	}
	for _, worker := range []string{"worker-1", "worker-2"} {
		move()
		if err := s.Unit(worker).Kill(); err != nil { // the engine is thinking
			t.Fatal(err)
		}
		answered("after the death of " + worker)
	}
	move()
	answered("without workers")
	if err := s.Unit("worker-1").Start(); err != nil {
		t.Fatal(err)
	}
	// Paused, it still holds its connection, and what it was given.
	move()
	if err := s.Unit("worker-1").Pause(); err != nil {
		t.Fatal(err)
	}
	answered("beside a worker that hangs")
	if err := s.Unit("worker-1").Resume(); err != nil {
		t.Fatal(err)
	}
}

// Each process of a cluster stops in order, and the others go on once it is back.
func TestClusterRolesRestart(t *testing.T) {
	t.Parallel()
	s := shapetest.Cluster(t, shapetest.Options{})
	ana := s.Register(t, shapetest.Adult())
	game := ana.Create(m{"rules": "tictactoe", "opponent": "engine", "side": "first", "level": "plies-2", "rated": true}).ID
	for _, u := range s.Units[1:] {
		exit, err := u.Stop()
		if err != nil || exit != 0 {
			t.Errorf("%s: exit code %d, %v", u.Name, exit, err)
		}
		if err := u.Start(); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.AwaitReady(); err != nil {
		t.Fatal(err)
	}
	nats := s.Unit("nats")
	if err := nats.Kill(); err != nil {
		t.Fatal(err)
	}
	// Without the bus moves still count, and the engine still answers.
	g := ana.Turn(game)
	g = ana.Move(game, 0, g.Moves[4].Text)
	if g = ana.Turn(game); g.Turn != 2 {
		t.Errorf("without NATS the engine has not answered: %+v", g)
	}
	watch := ana.Stream([]string{"game:" + game}, "game:"+game+":0", "")
	defer watch.Close()
	g = playOut(ana, g, 3)
	g = ana.Rated(game)
	if err := watch.AwaitVersion(t.Context(), g.Version); err != nil {
		t.Errorf("without NATS a watcher does not catch up: %v", err)
	}
	if err := nats.Start(); err != nil {
		t.Fatal(err)
	}
}
