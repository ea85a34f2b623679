package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"tabuleiro/internal/rpc"
	"tabuleiro/internal/seeded"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// Events brings copies of game events. They may be lost, doubled or late: the
// database behind play is the truth.
type Events interface {
	// WatchGame hands over the copies of one game's events, one at a time, until
	// stop is called. lost is called where copies may be missing.
	WatchGame(game string, event func(*busv1.GameEvent), lost func()) (stop func(), err error)
	// WatchAll does so for all games.
	WatchAll(event func(*busv1.GameEvent), lost func()) (stop func(), err error)
}

// Reader is what the hub asks play.
type Reader interface {
	gameReader
	eventReader
}

// HubConfig is what an operator chooses.
type HubConfig struct {
	// Check is the time between two comparisons of a topic with play.
	Check time.Duration
}

// queueSize bounds the frames that wait for one stream. A stream whose queue is
// full ends, and its client comes back with its cursor: a stalled reader delays
// nobody.
const queueSize = 64

// maxSessionStreams bounds the streams of one session: a page has one, and an app
// that watches a whole class some dozens.
const maxSessionStreams = 256

// inboxSize bounds the copies that wait for one topic; what does not fit is
// fetched from play.
const inboxSize = 256

// lookTime bounds a question that many wait for.
const lookTime = 10 * time.Second

// fetchLimit is how many events one question to play returns.
const fetchLimit = 100

// errEnded is why a subscriber gets no more frames.
var errEnded = errors.New("the stream was ended")

// Hub spreads the events of games to streams. A topic lives while a stream
// watches it.
type Hub struct {
	cfg    HubConfig
	play   Reader
	events Events
	log    *slog.Logger
	// presence is who is at the games that are watched.
	presence *presence
	// competitions is play for tournaments, changes word of theirs; nil brings none.
	competitions tournamentReader
	changes      TournamentEvents

	// looks are the questions about a game that visitors wait for.
	looks singleflight.Group

	ctx  context.Context // of Run; topics end with it
	stop context.CancelFunc

	// mu guards what follows. It is never held during a call.
	mu     sync.Mutex
	closed bool
	topics map[string]*topic
	// tournaments are those that streams watch, by id.
	tournaments map[string]*tournamentTopic

	streams map[*subscriber]struct{}
	// sessions counts the streams of each session, visitors those without account.
	sessions map[string]int
	visitors int
	people   map[string]map[*subscriber]struct{} // account -> streams with topic "me"
	stopAll  func()                              // ends WatchAll; nil while nobody needs it
	running  sync.WaitGroup
}

// frame is one event of a topic as it goes over the wire.
type frame struct {
	topic   string // "game:ID", "tournament:ID" or "me"
	name    string // of the SSE event
	version int32  // 0 for "me"
	// players are the accounts in a tournament, who may see it.
	players []string
	// passing says that whoever may see the game now may lose that right: its
	// seat is open, and it is not public.
	passing bool
	// seated says that a seat was taken, maybe by whoever watches.
	seated bool
	data   []byte
	// alone is the whole text for a stream that watches this game and no other, as
	// most do; all those share it.
	alone []byte
}

// text is the frame on the wire, for a stream with this cursor.
func (f *frame) text(c cursor) []byte {
	return fmt.Appendf(nil, "event: %s\nid: %s\ndata: %s\n\n", f.name, c, f.data)
}

// presenceFrame tells which sides of a game are here. It is no event of the game
// and has no version.
func presenceFrame(game string, sides []string) frame {
	if sides == nil {
		sides = []string{}
	}
	return frame{topic: "presence:" + game, name: "presence", data: mustJSON(map[string]any{
		"topic": "game:" + game, "kind": "presence", "present": sides,
	})}
}

// passes tells whether the right to see a game may end while one watches it.
func passes(game *playv1.Game) bool {
	return game.GetStatus() == "open" && game.GetVisibility() != "public"
}

// subscriber is one stream as the hub sees it.
type subscriber struct {
	session string
	account string
	// frames wait to be written; all streams share each.
	frames chan *frame
	// look has an element when the stream shall ask whether its session still holds.
	look  chan struct{}
	ended chan struct{}
	once  sync.Once
}

func newSubscriber(session, account string) *subscriber {
	return &subscriber{session: session, account: account, frames: make(chan *frame, queueSize), look: make(chan struct{}, 1), ended: make(chan struct{})}
}

func (s *subscriber) end() { s.once.Do(func() { close(s.ended) }) }

// offer never waits.
func (s *subscriber) offer(f *frame) {
	select {
	case s.frames <- f:
	default:
		s.end()
	}
}

// NewHub makes a hub. It starts nothing.
func NewHub(cfg HubConfig, play Reader, events Events, log *slog.Logger) *Hub {
	ctx, stop := context.WithCancel(context.Background())
	return &Hub{
		cfg: cfg, play: play, events: events, log: log, ctx: ctx, stop: stop,
		topics: map[string]*topic{}, tournaments: map[string]*tournamentTopic{}, streams: map[*subscriber]struct{}{}, sessions: map[string]int{}, people: map[string]map[*subscriber]struct{}{},
	}
}

// Run blocks until the context ends, then ends every stream and topic.
func (h *Hub) Run(ctx context.Context) error {
	<-ctx.Done()
	h.mu.Lock()
	h.closed = true
	for s := range h.streams {
		s.end()
	}
	stopAll := h.stopAll
	h.stopAll = nil
	h.mu.Unlock()
	if stopAll != nil {
		stopAll()
	}
	h.stop()
	h.running.Wait()
	return nil
}

// EndSession ends the streams of a session.
func (h *Hub) EndSession(session string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.streams {
		if s.session == session {
			s.end()
		}
	}
}

// Recheck makes the streams of an account ask at once whether their sessions still
// hold.
func (h *Hub) Recheck(account string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.streams {
		if s.account == account {
			select {
			case s.look <- struct{}{}:
			default: // it is about to
			}
		}
	}
}

// Streams counts the open streams.
func (h *Hub) Streams() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.streams)
}

// join registers a stream and its topics and returns what takes it out again.
// Frames may arrive before join returns.
func (h *Hub) join(ctx context.Context, s *subscriber, req request, most int) (func(), error) {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil, rpc.Fail("unavailable", "")
	}
	// Anyone may be any number of visitors, who therefore share half of the room.
	visitor := s.account == ""
	if len(h.streams) >= most || h.sessions[s.session] >= maxSessionStreams || visitor && h.visitors >= (most+1)/2 {
		h.mu.Unlock()
		return nil, rpc.Fail("too_many_streams", "")
	}
	h.sessions[s.session]++
	if visitor {
		h.visitors++
	}
	h.streams[s] = struct{}{}
	needsAll := req.me && s.account != ""
	if needsAll {
		if h.people[s.account] == nil {
			h.people[s.account] = map[*subscriber]struct{}{}
		}
		h.people[s.account][s] = struct{}{}
	}
	h.mu.Unlock()

	var joined []*topic
	var left []func()
	leave := func() {
		for _, f := range left {
			f()
		}
		for _, t := range joined {
			h.presence.leave(t.game, s)
			h.leaveTopic(t, s)
		}
		h.leavePeople(s)
	}
	if needsAll {
		h.watchPeople()
	}
	for _, id := range req.tournaments {
		left = append(left, h.joinTournament(id, s))
	}
	for _, game := range req.games {
		t, err := h.joinTopic(ctx, game, s)
		if err != nil {
			leave()
			return nil, err
		}
		joined = append(joined, t)
	}
	return leave, nil
}

func (h *Hub) leavePeople(s *subscriber) {
	h.mu.Lock()
	delete(h.streams, s)
	if s.account == "" {
		h.visitors--
	}
	if h.sessions[s.session]--; h.sessions[s.session] <= 0 {
		delete(h.sessions, s.session)
	}
	if set := h.people[s.account]; set != nil {
		delete(set, s)
		if len(set) == 0 {
			delete(h.people, s.account)
		}
	}
	var stop func()
	if len(h.people) == 0 {
		stop, h.stopAll = h.stopAll, nil
	}
	h.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// watchPeople makes sure that notices for people arrive. Where the bus is away
// they do not, and pages read their lists again by themselves.
func (h *Hub) watchPeople() {
	h.mu.Lock()
	have := h.stopAll != nil
	h.mu.Unlock()
	if have {
		return
	}
	stop, err := h.events.WatchAll(h.notice, func() {})
	if err != nil {
		h.log.Warn("cannot watch the games of people", slog.Any("error", err))
		return
	}
	h.mu.Lock()
	if h.stopAll == nil && len(h.people) > 0 && !h.closed {
		h.stopAll, stop = stop, nil
	}
	h.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// notice tells the players of a game that it changed.
func (h *Hub) notice(e *busv1.GameEvent) {
	var data []byte
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, player := range e.GetPlayers() {
		for s := range h.people[player] {
			if data == nil {
				data = mustJSON(map[string]any{
					"topic": "me", "kind": e.GetEvent().GetKind(), "game_id": e.GetEvent().GetGameId(),
					"version": e.GetEvent().GetVersion(),
				})
			}
			s.offer(&frame{topic: "me", name: "me", data: data})
		}
	}
}

// topic is one game that somebody here watches. Its pump brings the events into
// order, each once, without a gap.
type topic struct {
	game  string
	inbox chan *busv1.GameEvent // from the bus
	wake  chan struct{}         // something may be missing
	stop  context.CancelFunc
	ready chan struct{} // closed when version is known or err set
	err   error

	subscribers map[*subscriber]struct{} // guarded by the hub's mu
}

func (h *Hub) joinTopic(ctx context.Context, game string, s *subscriber) (*topic, error) {
	h.mu.Lock()
	t := h.topics[game]
	if t == nil {
		pumpCtx, stop := context.WithCancel(h.ctx)
		t = &topic{
			game: game, inbox: make(chan *busv1.GameEvent, inboxSize), wake: make(chan struct{}, 1), stop: stop,
			ready: make(chan struct{}), subscribers: map[*subscriber]struct{}{},
		}
		h.topics[game] = t
		h.running.Add(1)
		go func() {
			defer h.running.Done()
			h.pump(pumpCtx, t)
		}()
	}
	t.subscribers[s] = struct{}{}
	h.mu.Unlock()
	select {
	case <-t.ready:
		if t.err != nil {
			h.leaveTopic(t, s)
			return nil, t.err
		}
		return t, nil
	case <-ctx.Done():
		h.leaveTopic(t, s)
		return nil, ctx.Err()
	}
}

func (h *Hub) leaveTopic(t *topic, s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(t.subscribers, s)
	if len(t.subscribers) == 0 {
		t.stop()
		if h.topics[t.game] == t {
			delete(h.topics, t.game)
		}
	}
}

// pump subscribes first, then reads the version, then keeps up.
func (h *Hub) pump(ctx context.Context, t *topic) {
	defer t.stop()
	lost := func() {
		select {
		case t.wake <- struct{}{}:
		default:
		}
	}
	unwatch, err := h.events.WatchGame(t.game, func(e *busv1.GameEvent) {
		select {
		case t.inbox <- e:
		default:
			lost()
		}
	}, lost)
	if err != nil {
		// The bus is away: the regular check brings the events, later.
		unwatch = func() {}
	}
	defer unwatch()
	defer h.presence.watch(t.game, func(sides []string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		f := presenceFrame(t.game, sides)
		for s := range t.subscribers {
			s.offer(&f)
		}
	})()

	version, err := h.version(ctx, t.game)
	if err != nil {
		t.err = err
		close(t.ready)
		h.mu.Lock()
		if h.topics[t.game] == t {
			delete(h.topics, t.game)
		}
		h.mu.Unlock()
		return
	}
	close(t.ready)
	ticker := time.NewTicker(h.cfg.Check)
	defer ticker.Stop()
	for ctx.Err() == nil {
		// Copies that wait come before questions to play, which they may answer;
		// and what happens does not hang on a lot.
		select {
		case e := <-t.inbox:
			version = h.take(ctx, t, version, e.GetEvent())
			continue
		default:
		}
		select {
		case <-t.wake:
			version = h.catchUp(ctx, t, version)
			continue
		default:
		}
		select {
		case <-ctx.Done():
			return
		case e := <-t.inbox:
			version = h.take(ctx, t, version, e.GetEvent())
		case <-t.wake:
			version = h.catchUp(ctx, t, version)
		case <-ticker.C:
			version = h.catchUp(ctx, t, version)
		}
	}
}

// take passes one copy on, fetching what is missing before it.
func (h *Hub) take(ctx context.Context, t *topic, version int32, e *playv1.Event) int32 {
	if e.GetGameId() != t.game || e.GetVersion() <= version {
		return version
	}
	if seeded.On("version_skipped") && e.GetVersion()%4 == 0 {
		return e.GetVersion()
	}
	if e.GetVersion() > version+1 {
		return h.catchUp(ctx, t, version)
	}
	h.spread(t, e)
	return e.GetVersion()
}

// catchUp asks play for what came after a version. Where play is away the next
// check asks again.
func (h *Hub) catchUp(ctx context.Context, t *topic, version int32) int32 {
	for {
		answer, err := h.play.ListEvents(ctx, &playv1.ListEventsRequest{Game: t.game, After: version, Limit: fetchLimit})
		if err != nil {
			if ctx.Err() == nil {
				h.log.Debug("cannot catch up", slog.String("game", t.game), slog.Any("error", err))
			}
			return version
		}
		for _, e := range answer.GetEvents() {
			if e.GetVersion() != version+1 {
				return version
			}
			h.spread(t, e)
			version = e.GetVersion()
		}
		if len(answer.GetEvents()) == 0 || version >= answer.GetVersion() {
			return version
		}
	}
}

func (h *Hub) version(ctx context.Context, game string) (int32, error) {
	answer, err := h.play.ListEvents(ctx, &playv1.ListEventsRequest{Game: game, Limit: 1})
	if err != nil {
		return 0, err
	}
	return answer.GetVersion(), nil
}

// spread gives one event to all streams of the topic.
func (h *Hub) spread(t *topic, e *playv1.Event) {
	f, err := gameFrame(e)
	if err != nil {
		h.log.Error("an event cannot be written", slog.String("game", t.game), slog.Any("error", err))
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range t.subscribers {
		s.offer(&f)
	}
}

// look is the state of a game as a client begins with it.
type look struct {
	frame frame
	// yours is the side that the client has, if any.
	yours string
}

// look asks for the state of a game as the caller may see it.
func (h *Hub) look(ctx context.Context, game string, known bool) (look, error) {
	return shared(ctx, h, game, known, func(ctx context.Context) (look, error) { return h.ask(ctx, game) })
}

// missed are the events of a game after a version, as the caller may see them.
type missed struct {
	frames  []frame
	version int32 // of the game
}

func (h *Hub) missed(ctx context.Context, game string, after int32, known bool) (missed, error) {
	return shared(ctx, h, game+"/"+strconv.Itoa(int(after)), known, func(ctx context.Context) (missed, error) {
		answer, err := h.play.ListEvents(ctx, &playv1.ListEventsRequest{Game: game, After: after, Limit: maxReplay})
		if err != nil {
			return missed{}, err
		}
		out := missed{version: answer.GetVersion()}
		for _, e := range answer.GetEvents() {
			f, err := gameFrame(e)
			if err != nil {
				return missed{}, err
			}
			out.frames = append(out.frames, f)
		}
		return out, nil
	})
}

// shared asks a question for the caller, or together with others. What one client
// without credentials may see all may: those who come in a crowd, or come back in
// one, wait for one answer.
func shared[T any](ctx context.Context, h *Hub, key string, known bool, ask func(context.Context) (T, error)) (T, error) {
	if known {
		return ask(ctx)
	}
	answers := h.looks.DoChan(key, func() (any, error) {
		// It outlives the one who asked first.
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), lookTime)
		defer stop()
		return ask(ctx)
	})
	select {
	case a := <-answers:
		out, _ := a.Val.(T)
		return out, a.Err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

func (h *Hub) ask(ctx context.Context, game string) (look, error) {
	answer, err := h.play.GetGame(ctx, &playv1.GetGameRequest{Game: game})
	if err != nil {
		return look{}, err
	}
	text, err := marshal(answer.GetGame())
	if err != nil {
		return look{}, err
	}
	name, version := "game:"+game, answer.GetGame().GetVersion()
	return look{yours: answer.GetGame().GetYourSide(), frame: frame{topic: name, name: "game", version: version, passing: passes(answer.GetGame()), data: mustJSON(map[string]any{
		"topic": name, "kind": "snapshot", "version": version, "game": json.RawMessage(text),
	})}}, nil
}

// gameFrame writes an event once for all streams.
func gameFrame(e *playv1.Event) (frame, error) {
	text, err := marshal(e)
	if err != nil {
		return frame{}, err
	}
	name := "game:" + e.GetGameId()
	f := frame{topic: name, name: "game", version: e.GetVersion(), passing: passes(e.GetGame()), seated: e.GetKind() == "accepted", data: mustJSON(map[string]any{
		"topic": name, "kind": e.GetKind(), "version": e.GetVersion(), "event": json.RawMessage(text),
	})}
	f.alone = f.text(cursor{e.GetGameId(): e.GetVersion()})
	return f, nil
}

// mustJSON writes plain values and valid raw JSON, which cannot fail.
func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
