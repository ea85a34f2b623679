package torture

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"tabuleiro/e2e/shapetest"
)

// Config is one run.
type Config struct {
	Seed uint64
	// Games is how many are played at least, Tables how many at once.
	Games, Tables int
	// Cups are how many tournaments of a class are played meanwhile.
	Cups int
	// Kills, Pauses and Stops (in order, by SIGTERM) are how often each happens to
	// one of Victims.
	Kills, Pauses, Stops int
	Victims              []string
	// Cuts are how often all connections to one of Stores break.
	Cuts   int
	Stores []string
	// Harm is what else happens, each once.
	Harm []func(context.Context) error
	// Hears gets, before anything happens, what tells how often a client was told
	// that something does not work; nil where nobody asks.
	Hears func(told func() int)
	// Every is the longest time between two of them.
	Every time.Duration
	// Folder gets the journal.
	Folder string
	// Log hears of every kill and pause.
	Log func(format string, args ...any)
}

// Report is what came of a run.
type Report struct {
	Games, Commands, Retried, Events, Returns int
	// Kinds are how many events of each kind there are.
	Kinds map[string]int
	// Told is how often a client was told that something does not work just now.
	Told   int
	Faults *Faults
}

// Run plays, harms and checks. The error is that the run itself failed.
func Run(ctx context.Context, s *shapetest.Shape, cfg Config) (Report, error) {
	report := Report{Faults: &Faults{}, Kinds: map[string]int{}}
	journal, err := newJournal(filepath.Join(cfg.Folder, "journal.jsonl"))
	if err != nil {
		return report, err
	}
	defer journal.close()
	r := &run{Config: cfg, shape: s, journal: journal, faults: report.Faults}
	if cfg.Hears != nil {
		cfg.Hears(func() int { return int(r.told.Load()) })
	}
	if err := errors.Join(r.seat(ctx), r.teach(ctx)); err != nil {
		return report, err
	}
	harmed := make(chan error, 1)
	go func() {
		err := r.harm(ctx)
		r.calm.Store(true)
		harmed <- err
	}()
	played := r.playAll(ctx)
	if err := errors.Join(played, <-harmed); err != nil {
		return report, err
	}
	defer func() {
		for _, m := range r.matches {
			m.stream.Close()
		}
	}()
	if err := s.AwaitReady(); err != nil {
		return report, err
	}
	report.Games, report.Told = len(r.matches), int(r.told.Load())
	for _, e := range journal.all() {
		report.Commands++
		if e.Tries > 1 {
			report.Retried++
		}
	}
	c := &checker{run: r, report: &report}
	return report, c.check(ctx)
}

type run struct {
	Config
	shape   *shapetest.Shape
	journal *Journal
	faults  *Faults
	tables  []*table
	halls   []*hall
	people  []*player
	calm    atomic.Bool // no more harm comes
	told    atomic.Int64

	mu      sync.Mutex
	matches []*match
}

// seat registers two people a table, before any harm.
func (r *run) seat(ctx context.Context) error {
	for i := range r.Tables {
		t := &table{random: rand.New(rand.NewPCG(r.Seed, uint64(i))), add: r.add}
		for j := range t.players {
			var err error
			if t.players[j], err = r.register(ctx, uint64(1000+2*i+j)); err != nil {
				return err
			}
		}
		r.tables = append(r.tables, t)
	}
	return nil
}

// add takes in a game that has begun.
func (r *run) add(m *match) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.matches = append(r.matches, m)
}

// visitor is somebody without an account, who draws from a stream of the seed.
func (r *run) visitor(stream uint64) *player {
	return &player{
		Client: shapetest.NewClient(r.shape.URL()), journal: r.journal, faults: r.faults, told: &r.told,
		random: rand.New(rand.NewPCG(r.Seed, stream)),
	}
}

// register makes an account and logs in.
func (r *run) register(ctx context.Context, stream uint64) (*player, error) {
	p, fields := r.visitor(stream), shapetest.Adult()
	if err := p.settle(ctx, "/v1/accounts", fields, nil); err != nil {
		return nil, err
	}
	return p, r.logIn(ctx, p, fields["login"].(string))
}

func (r *run) logIn(ctx context.Context, p *player, login string) error {
	var body struct{ Account shapetest.Account }
	err := p.settle(ctx, "/v1/sessions", shapetest.M{"login": login, "password": shapetest.Password}, &body)
	p.account = body.Account
	r.people = append(r.people, p)
	return err
}

// settle carries out what has to be there before any harm.
func (p *player) settle(ctx context.Context, path string, body shapetest.M, into any) error {
	answer, err := p.Insist(ctx, http.MethodPost, path, shapetest.NewKey(), body)
	if err == nil && into == nil {
		into = &struct{}{}
	}
	if err == nil {
		err = answer.Into(into)
	}
	if err != nil {
		return fmt.Errorf("%s before any harm: %w", path, err)
	}
	return nil
}

// playAll plays until there are enough games, the tournaments are over and no more
// harm comes.
func (r *run) playAll(ctx context.Context) error {
	var all sync.WaitGroup
	failed := make([]error, len(r.tables)+len(r.halls))
	var begun atomic.Int32
	for i, t := range r.tables {
		all.Go(func() {
			for int(begun.Add(1)) <= r.Games || !r.calm.Load() {
				if err := ignoreAbandoned(t.play(ctx)); err != nil {
					failed[i] = err
					return
				}
				if r.faults.count() > 100 {
					return // enough is known
				}
			}
		})
	}
	for i, h := range r.halls {
		all.Go(func() { failed[len(r.tables)+i] = ignoreAbandoned(h.play(ctx)) })
	}
	all.Wait()
	return errors.Join(failed...)
}

// harm follows the schedule of the seed.
func (r *run) harm(ctx context.Context) error {
	random := rand.New(rand.NewPCG(r.Seed, 1<<32))
	var actions []func(context.Context, *rand.Rand) error
	for _, kind := range []struct {
		count int
		act   func(context.Context, *rand.Rand) error
	}{{r.Kills, r.kill}, {r.Pauses, r.pause}, {r.Stops, r.stop}, {r.Cuts, r.cut}} {
		for range kind.count {
			actions = append(actions, kind.act)
		}
	}
	for _, act := range r.Harm {
		actions = append(actions, func(ctx context.Context, _ *rand.Rand) error { return act(ctx) })
	}
	random.Shuffle(len(actions), func(i, j int) { actions[i], actions[j] = actions[j], actions[i] })
	for _, act := range actions {
		if err := sleep(ctx, r.Every/4+time.Duration(random.Int64N(int64(r.Every)*3/4))); err != nil {
			return err
		}
		if err := act(ctx, random); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) victim(random *rand.Rand) *shapetest.Unit {
	return r.shape.Unit(r.Victims[random.IntN(len(r.Victims))])
}

func (r *run) kill(_ context.Context, random *rand.Rand) error {
	victim := r.victim(random)
	r.Log("kill %s", victim.Name)
	if err := victim.Kill(); err != nil {
		return err
	}
	return victim.Start()
}

func (r *run) stop(_ context.Context, random *rand.Rand) error {
	victim := r.victim(random)
	r.Log("stop %s", victim.Name)
	exit, err := victim.Stop()
	if err != nil || exit != 0 {
		r.faults.add(faultStuck, "%s was asked to end: exit code %d, %v", victim.Name, exit, err)
	}
	return victim.Start()
}

func (r *run) pause(ctx context.Context, random *rand.Rand) error {
	victim, length := r.victim(random), time.Duration(random.Int64N(int64(3*time.Second)))
	r.Log("pause %s for %v", victim.Name, length)
	if err := victim.Pause(); err != nil {
		return err
	}
	err := sleep(ctx, length)
	return errors.Join(err, victim.Resume())
}

func (r *run) cut(_ context.Context, random *rand.Rand) error {
	store := r.Stores[random.IntN(len(r.Stores))]
	r.Log("cut all connections to %s", store)
	return r.shape.Cut(store)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
