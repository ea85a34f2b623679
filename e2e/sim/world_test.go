package sim

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"

	"tabuleiro/gateway"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
	"tabuleiro/services/accounts"
	"tabuleiro/services/accounts/accountstest"
	"tabuleiro/services/play"
	"tabuleiro/services/play/collections"
	"tabuleiro/services/play/tournaments"
	"tabuleiro/services/rules"
	"tabuleiro/services/tutor"
)

var discard = slog.New(slog.DiscardHandler)

// short names a game, an account or a guest in traces: the end of its id.
func short(id string) string { return id[max(0, len(id)-4):] }

// world is everything of one history.
type world struct {
	*scheduler
	ctx    context.Context
	net    *network
	bus    *bus
	store  *play.Memory
	ledger *accounts.Memory
	course *tutor.Memory
	client playv1.PlayServiceClient
	pace   playv1.PaceServiceClient
	// Tournaments and collections.
	contests   playv1.TournamentsServiceClient
	shelves    playv1.CollectionsServiceClient
	privacy    accountsv1.PrivacyServiceClient
	cupStore   *tournaments.Memory
	shelfStore *collections.Memory
	// gate is the gateway that lives, stop ends it.
	gate  *gateway.Gateway
	stop  func()
	clock *clock

	replicas []*replica
	players  []*player
	games    []string // ids, as they became known
	cups     []string // tournaments, likewise
	watchers []*watcher
	// importers send files.
	importers []*importer
	commands  []*command
	reads     []*attempt
	// budget is how many games may still be asked for.
	budget int
	keys   int
	pulse  pulse
	// slow is who does nothing until a step, or until the others have been pushed on
	// so often.
	slow              string
	slowUntil, pushes int
	// overruled are games that were decided while their tournament was told.
	overruled map[string]bool
	// stays are who was said to be where, by game and side.
	stays map[[2]string][]stay
	// told is when a replica heard of a game last.
	told    map[[2]string]time.Time
	settled bool

	ids, lots counter

	done       sync.Mutex // guards finished
	finished   []*attempt
	violations []violation
}

// violation is a promise that was broken.
type violation struct{ kind, text string }

func (w *world) violate(kind, format string, args ...any) {
	v := violation{kind, fmt.Sprintf(format, args...)}
	w.note("VIOLATION %s: %s", v.kind, v.text)
	w.violations = append(w.violations, v)
}

// counter makes numbers that look drawn and are the same in every run.
type counter struct {
	mu   sync.Mutex
	seed uint64
	n    uint64
}

func (c *counter) next() (n, mixed uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n, rand.NewPCG(c.seed, c.n).Uint64()
}

// id is a UUIDv7 that ends in a number of its own.
func (c *counter) id() string {
	n, mixed := c.next()
	ms := time.Now().UnixMilli()
	return fmt.Sprintf("%08x-%04x-7%03x-8%03x-%08x%04x", ms>>16, ms&0xffff, mixed&0xfff, mixed>>12&0xfff, mixed>>24&0xffffffff, n&0xffff)
}

// clock is the database's time.
type clock struct {
	mu     sync.Mutex
	unsure bool
}

// reading is a replica's view of the clock: a bit ahead or behind.
type reading struct {
	*clock
	off time.Duration
}

func (r reading) Now() time.Time { return time.Now().Add(r.off) }

func (c *clock) Uncertainty() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unsure {
		return 80 * time.Millisecond
	}
	return time.Millisecond
}

func (c *clock) set(unsure bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsure = unsure
}

// replica is one life of one process of play.
type replica struct {
	name string
	*play.Service
	cups      *tournaments.Service
	shelves   *collections.Service
	forgetter play.Forgetter

	ctx  context.Context
	kill context.CancelFunc
	// steps counts its acts on obligations, acting those under way.
	steps, acting int
}

func (r *replica) alive() bool { return r.ctx.Err() == nil }

// result is what a history came to.
type result struct {
	seed       uint64
	games      int
	lines      []string
	violations []violation
	// tally counts how games ended and what was answered.
	tally map[string]int
}

// live plays one history of so many games.
func live(t *testing.T, seed uint64, games int) result {
	r := result{seed: seed, tally: map[string]int{}}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, seed, games)
		w.populate()
		w.chaos()
		w.calm()
		w.check()
		w.count(r.tally)
		w.close()
		r.games, r.lines, r.violations = len(w.games), w.lines, w.violations
	})
	return r
}

func newWorld(t *testing.T, seed uint64, games int) *world {
	w := &world{
		scheduler: newScheduler(seed), ctx: t.Context(), store: play.NewMemory(), ledger: accounts.NewMemory(),
		cupStore: tournaments.NewMemory(), shelfStore: collections.NewMemory(),
		stays: map[[2]string][]stay{}, overruled: map[string]bool{}, told: map[[2]string]time.Time{}, course: tutor.NewMemory(), clock: &clock{}, budget: games, ids: counter{seed: seed}, lots: counter{seed: ^seed},
	}
	w.net, w.bus = newNetwork(w.scheduler), newBus(w.scheduler)

	who, err := accounts.New(accounts.Config{}, accounts.Deps{
		Store: people{w.ledger, w.scheduler}, Hasher: accountstest.Hasher{}, NewID: w.ids.id, Random: rand.NewChaCha8(seedBytes(seed)),
	})
	if err != nil {
		t.Fatal(err)
	}
	referee := rules.New()
	w.net.serve("accounts", &accountsv1.AccountsService_ServiceDesc, only(who))
	w.net.serve("accounts", &accountsv1.PrivacyService_ServiceDesc, only(who))
	w.net.serve("accounts", &accountsv1.ClassesService_ServiceDesc, only(who))
	w.net.serve("rules", &rulesv1.RulesService_ServiceDesc, only(referee))
	w.net.serve("rules", &rulesv1.RecordsService_ServiceDesc, only(referee))
	w.net.serve("search", &searchv1.SearchService_ServiceDesc, only(&search{referee: referee}))
	w.net.serve("tutor", &tutorv1.TutorService_ServiceDesc, only(tutor.New(tutor.Config{}, tutor.Deps{
		Store: lessons{w.course, w.scheduler}, Accounts: accountsv1.NewAccountsServiceClient(w.net.dial("tutor")),
	})))
	w.net.serve("play", &playv1.PlayService_ServiceDesc, w.picks(func(r *replica) any { return r.Service }))
	w.net.serve("play", &playv1.PaceService_ServiceDesc, w.picks(func(r *replica) any { return r.Pace() }))
	w.net.serve("play", &playv1.TournamentsService_ServiceDesc, w.picks(func(r *replica) any { return r.cups }))
	w.net.serve("play", &playv1.CollectionsService_ServiceDesc, w.picks(func(r *replica) any { return r.shelves }))
	for i := range 1 + w.rng.IntN(2) {
		w.replicas = append(w.replicas, w.start(fmt.Sprintf("r%d.0", i)))
	}

	w.client = playv1.NewPlayServiceClient(door{w.net.dial(identity.Gateway)})
	w.pace = playv1.NewPaceServiceClient(door{w.net.dial(identity.Gateway)})
	w.contests = playv1.NewTournamentsServiceClient(door{w.net.dial(identity.Gateway)})
	w.shelves = playv1.NewCollectionsServiceClient(door{w.net.dial(identity.Gateway)})
	w.privacy = accountsv1.NewPrivacyServiceClient(door{w.net.dial(identity.Gateway)})
	w.open()
	w.scheduler.faults = lot(w.scheduler, []int{0, 10, 40, 100})
	return w
}

// open begins the life of a gateway.
func (w *world) open() {
	signer, err := signers().Signer(identity.Gateway)
	if err != nil {
		panic(err)
	}
	conn := door{w.net.dial(identity.Gateway)}
	w.gate, err = gateway.New(gateway.Config{Hosts: []string{"*"}}, gateway.Deps{
		Rules: conn, Play: conn, Accounts: conn, Tutor: conn, Events: w.bus,
		Client: fstest.MapFS{}, Signer: signer, Keys: signers(), Now: time.Now, Log: discard,
	})
	if err != nil {
		panic(err)
	}
	ctx, cancel := context.WithCancel(w.ctx)
	gate, over := w.gate, make(chan struct{})
	go func() {
		defer close(over)
		_ = gate.Run(ctx) // it ends with ctx, and never fails
	}()
	w.stop = func() {
		cancel()
		<-over
	}
}

func seedBytes(seed uint64) (b [32]byte) {
	binary.LittleEndian.PutUint64(b[:], seed)
	return b
}

// start begins the life of a replica.
func (w *world) start(name string) *replica {
	r := &replica{name: name}
	r.ctx, r.kill = context.WithCancel(w.ctx)
	conn := w.net.dial("play")
	clock := reading{w.clock, time.Duration(w.rng.IntN(81)-40) * time.Millisecond}
	store := games{w.store, w.scheduler, func() bool { return !r.alive() }, &w.pulse}
	random := func() uint64 {
		_, mixed := w.lots.next()
		return mixed
	}
	r.Service = play.New(play.Config{}, play.Deps{
		Store:    store,
		Rules:    rulesv1.NewRulesServiceClient(conn),
		Search:   searchv1.NewSearchServiceClient(conn),
		Accounts: accountsv1.NewAccountsServiceClient(conn),
		Tutor:    tutorv1.NewTutorServiceClient(conn),
		Audit:    accountsv1.NewPrivacyServiceClient(conn),
		Publish: func(e *busEvent) error {
			if !r.alive() {
				return context.Canceled
			}
			return w.bus.publish(e)
		},
		Time:   clock,
		NewID:  w.ids.id,
		Random: random,
	})
	contests := r.TournamentDeps(cups{w.cupStore, store}, accountsv1.NewClassesServiceClient(conn))
	contests.Random = random
	r.cups = tournaments.New(tournaments.Config{}, contests)
	r.CompeteIn(r.cups)
	r.shelves = collections.New(collections.Config{}, collections.Deps{
		Store: shelf{w.shelfStore, store}, Rules: rulesv1.NewRulesServiceClient(conn), Records: rulesv1.NewRecordsServiceClient(conn),
		Time: clock, NewID: w.ids.id,
	})
	r.forgetter = play.Forgetter{
		Service: r.Service, Deletions: accountsv1.NewPrivacyServiceClient(conn), Tournaments: r.cups.Forget, Collections: r.shelves.Forget,
	}
	return r
}

// picks finds the replica for a call to one of its services.
func (w *world) picks(service func(*replica) any) func() (any, func() bool) {
	return func() (any, func() bool) {
		r := lot(w.scheduler, w.replicas)
		if !r.alive() {
			return nil, nil
		}
		return service(r), r.alive
	}
}

// act lets a replica work on one obligation.
func (w *world) act(r *replica) {
	r.acting++
	r.steps++
	label := fmt.Sprintf("due.%s.%d", r.name, r.steps)
	w.note("%s", label)
	go func() {
		acted, err := r.DueStep(rpc.WithRequestID(r.ctx, label))
		w.finish(&attempt{label: label, ended: func() {
			r.acting--
			w.note("%s acted %v failed %v", label, acted, err != nil)
		}})
	}()
}

// crash kills a replica; a new life of it begins later.
func (w *world) crash(i int) {
	w.note("crash %s", w.replicas[i].name)
	w.replicas[i].kill()
}

func (w *world) restart(i int) {
	var n, life int
	if _, err := fmt.Sscanf(w.replicas[i].name, "r%d.%d", &n, &life); err != nil {
		panic(err)
	}
	w.replicas[i] = w.start(fmt.Sprintf("r%d.%d", n, life+1))
	w.note("restart %s", w.replicas[i].name)
}

// finish says that some work has ended. It is called by what worked.
func (w *world) finish(a *attempt) {
	w.done.Lock()
	defer w.done.Unlock()
	w.finished = append(w.finished, a)
}

// collect waits until everything waits, and takes in what has ended and what
// has arrived, in one order.
func (w *world) collect() {
	// No two steps share an instant, and so no two timers that they start: which
	// of two goes first at one instant would be a lot that no seed draws.
	time.Sleep(1009 * time.Nanosecond)
	w.settle()
	w.step++
	w.done.Lock()
	ended := w.finished
	w.finished = nil
	w.done.Unlock()
	sortBy(ended, func(a *attempt) string { return a.label })
	for _, a := range ended {
		a.ended()
	}
	for _, watcher := range w.watchers {
		watcher.collect()
	}
}

// search answers with a move that the seed and the position choose.
type search struct {
	searchv1.UnimplementedSearchServiceServer
	referee *rules.Service
}

func (s *search) BestMove(ctx context.Context, in *searchv1.BestMoveRequest) (*searchv1.BestMoveResponse, error) {
	out, err := s.referee.Inspect(ctx, &rulesv1.InspectRequest{Position: in.GetPosition()})
	if err != nil {
		return nil, err
	}
	moves := out.GetRuling().GetMoves()
	if len(moves) == 0 {
		return nil, rpc.Fail("game_over", "")
	}
	h := fnv.New64a()
	fmt.Fprint(h, in.GetSeed(), in.GetPosition().GetText())
	return &searchv1.BestMoveResponse{Move: moves[h.Sum64()%uint64(len(moves))].GetText()}, nil
}

var _ grpc.ClientConnInterface = door{}
