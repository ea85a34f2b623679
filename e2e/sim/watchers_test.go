package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play"
)

// watcher is a page: a player's stream, with reconnects.
type watcher struct {
	w      *world
	name   string
	player *player
	games  []string
	// last is the version seen of each game; seen is all that came.
	last   map[string]int32
	seen   []seen
	cursor string
	gone   map[string]bool

	lives int
	conn  *connection
}

// connection is one life of a stream.
type connection struct {
	cancel context.CancelFunc
	*recorder
	parsed int // bytes
	// at is the version that this life has brought last, by game.
	at map[string]int32
}

// seen is an event as a stream brought it.
type seen struct {
	watcher *watcher
	frame
}

// frame is the data of one event of a stream.
type frame struct {
	Topic   string     `json:"topic"`
	Kind    string     `json:"kind"`
	Version int32      `json:"version"`
	Event   *eventJSON `json:"event"`
	Game    *gameJSON  `json:"game"`
}

type eventJSON struct {
	GameID  string    `json:"game_id"`
	Version int32     `json:"version"`
	Kind    string    `json:"kind"`
	At      time.Time `json:"at"`
	Side    string    `json:"side"`
	Game    gameJSON  `json:"game"`
}

type gameJSON struct {
	ID         string `json:"id"`
	Status     string `json:"status"`
	Version    int32  `json:"version"`
	Turn       int32  `json:"turn"`
	Result     string `json:"result"`
	Visibility string `json:"visibility"`
	YourSide   string `json:"your_side"`
	Position   struct {
		Text string `json:"text"`
	} `json:"position"`
}

func shown(e *playv1.Event) eventJSON {
	g := e.GetGame()
	out := eventJSON{
		GameID: e.GetGameId(), Version: e.GetVersion(), Kind: e.GetKind(), At: e.GetAt().AsTime(), Side: e.GetSide(),
		Game: gameJSON{
			ID: g.GetId(), Status: g.GetStatus(), Version: g.GetVersion(), Turn: g.GetTurn(), Result: g.GetResult(), Visibility: g.GetVisibility(),
		},
	}
	out.Game.Position.Text = g.GetPosition().GetText()
	return out
}

// recorder is the client's end of a stream.
type recorder struct {
	mu     sync.Mutex
	header http.Header
	status int
	body   bytes.Buffer
	done   bool
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

func (r *recorder) Write(data []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.body.Write(data)
}

// Flush implements http.Flusher.
func (r *recorder) Flush() {}

// maxWatchers bounds the streams of a world.
const maxWatchers = 6

// watch opens a stream, or closes, cuts or resumes one.
func (w *world) watch() {
	if len(w.games) == 0 {
		return
	}
	if len(w.watchers) < maxWatchers && w.chance(400) {
		t := &watcher{
			w: w, name: fmt.Sprintf("s%d", len(w.watchers)), player: lot(w.scheduler, w.players),
			last: map[string]int32{}, gone: map[string]bool{},
		}
		for range 1 + w.rng.IntN(2) {
			if id := lot(w.scheduler, w.games[max(0, len(w.games)-3):]); !slices.Contains(t.games, id) {
				t.games = append(t.games, id)
			}
		}
		if own := w.seated(t.games[0]); len(own) > 0 && w.chance(600) {
			t.player = lot(w.scheduler, own)
		}
		w.watchers = append(w.watchers, t)
		t.connect()
		return
	}
	if len(w.watchers) == 0 {
		return
	}
	if t := lot(w.scheduler, w.watchers); !t.connect() && w.chance(300) {
		t.leave()
	}
}

// connect opens the stream where it is not open; false where it is, or where
// nothing is left to watch.
func (t *watcher) connect() bool {
	if t.conn != nil {
		return false
	}
	query := []string{}
	for _, id := range t.games {
		if !t.gone[id] {
			query = append(query, "topic=game:"+id)
		}
	}
	if len(query) == 0 {
		return false
	}
	if t.player.token != "" && t.w.chance(300) {
		query = append(query, "topic=me")
	}
	cursor := ""
	switch t.w.rng.IntN(4) {
	case 0: // as a page that was opened anew
	case 1:
		for _, id := range t.games {
			if !t.gone[id] {
				query = append(query, fmt.Sprintf("since=game:%s:%d", id, t.last[id]))
			}
		}
	default:
		cursor = t.cursor
	}
	t.lives++
	label := fmt.Sprintf("%s.%d", t.name, t.lives)
	ctx, cancel := context.WithCancel(labelled(t.w.ctx, label))
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/v1/events?"+strings.Join(query, "&"), nil)
	if cursor != "" {
		r.Header.Set("Last-Event-ID", cursor)
	}
	if t.player.token != "" {
		r.Header.Set("Authorization", "Bearer "+t.player.token)
	} else {
		r.AddCookie(&http.Cookie{Name: "tabuleiro_guest", Value: t.player.cookie})
	}
	t.conn = &connection{cancel: cancel, recorder: &recorder{header: http.Header{}}, at: map[string]int32{}}
	t.w.note("%s %s opens %d topics, cursor %v", label, t.player.name, len(query), cursor != "")
	rec := t.conn.recorder
	go func() {
		t.w.gate.Handler().ServeHTTP(rec, r)
		rec.mu.Lock()
		defer rec.mu.Unlock()
		rec.done = true
	}()
	return true
}

// leave closes the stream.
func (t *watcher) leave() {
	if t.conn != nil {
		t.w.note("%s leaves", t.name)
		t.conn.cancel() // what still comes is not read
		t.conn = nil
	}
}

// collect reads what has come.
func (t *watcher) collect() {
	c := t.conn
	if c == nil {
		return
	}
	c.mu.Lock()
	data := c.body.Bytes()[c.parsed:]
	status, done := c.status, c.done
	if status == 0 || status == http.StatusOK {
		for {
			block, _, whole := bytes.Cut(data, []byte("\n\n"))
			if !whole {
				break
			}
			c.parsed += len(block) + 2
			data = data[len(block)+2:]
			t.take(string(block))
		}
	}
	if done {
		t.over(status, data)
	}
	c.mu.Unlock()
}

// over takes in that the server has ended the stream.
func (t *watcher) over(status int, body []byte) {
	var problem struct{ Code string }
	if status != http.StatusOK {
		_ = json.Unmarshal(body, &problem)
	}
	t.w.note("%s over: %d %s", t.name, status, problem.Code)
	t.conn.cancel()
	t.conn = nil
	if problem.Code == "not_logged_in" && t.player.leaving {
		for _, id := range t.games {
			t.gone[id] = true
		}
	}
	if problem.Code == "game_not_found" {
		// One of the topics may not be read: watch them one by one.
		if len(t.games) == 1 {
			t.gone[t.games[0]] = true
		} else {
			t.games = t.games[:1]
		}
	}
}

// take reads one frame.
func (t *watcher) take(block string) {
	var data string
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		if text, ok := strings.CutPrefix(line, "data: "); ok {
			data = text
		}
		if text, ok := strings.CutPrefix(line, "id: "); ok {
			t.cursor = text
		}
	}
	id, name := "", ""
	if text, _, ok := strings.Cut(block, "\n"); ok {
		name = strings.TrimPrefix(text, "event: ")
	}
	if name != "game" && name != "gone" {
		return
	}
	var f frame
	if err := json.Unmarshal([]byte(data), &f); err != nil {
		t.w.violate("stream", "%s: unreadable frame %q: %v", t.name, data, err)
		return
	}
	id = strings.TrimPrefix(f.Topic, "game:")
	t.w.note("%s %s %s %s %d", t.name, name, short(id), f.Kind, f.Version)
	if name == "gone" {
		t.gone[id] = true
		return
	}
	at, last := t.conn.at[id], t.last[id]
	switch {
	case f.Kind == "snapshot":
		if at > 0 || f.Version < last {
			t.w.violate("stream", "%s: snapshot %d of %s after version %d", t.name, f.Version, short(id), last)
		}
	case at > 0 && f.Version != at+1:
		t.w.violate("stream", "%s: version %d of %s after version %d", t.name, f.Version, short(id), at)
	case f.Version > last+1: // below it is seen already, as an old cursor allows
		t.w.violate("stream", "%s: version %d of %s begins after version %d", t.name, f.Version, short(id), last)
	}
	t.conn.at[id] = f.Version
	t.last[id] = max(last, f.Version)
	t.seen = append(t.seen, seen{t, f})
	game := f.Game
	if f.Event != nil {
		game = &f.Event.Game
	}
	if game == nil {
		t.w.violate("stream", "%s: a frame of %s without a game", t.name, short(id))
		return
	}
	t.w.mayRead(t.player, game.ID, game.Status, game.Visibility, "stream "+t.name)
}

// behind tells which game the stream has not brought to its last version.
func (t *watcher) behind(log map[string][]*playv1.Event) {
	for _, id := range t.games {
		if len(log[id]) == 0 || t.gone[id] || t.player.leaving {
			continue
		}
		end := log[id][len(log[id])-1].GetGame()
		if end.GetStatus() != play.StatusOpen && !t.w.maySee(t.player, id, end.GetStatus(), end.GetVisibility()) {
			t.w.violate("foreign", "%s still watches the private game %s", t.name, short(id))
			continue
		}
		if t.conn == nil {
			t.w.violate("stream", "%s of %s could not be opened", t.name, short(id))
		} else if t.last[id] != end.GetVersion() {
			t.w.violate("stream", "%s has version %d of %s, which is at %d", t.name, t.last[id], short(id), end.GetVersion())
		}
	}
}
