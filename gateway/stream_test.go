package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// message is one event of a stream as a client reads it.
type message struct {
	name, id string
	Kind     string `json:"kind"`
	Version  int32  `json:"version"`
	// Present are the sides that are here, in a word on that.
	Present []string `json:"present"`
	Topic   string   `json:"topic"`
}

// reader reads a stream in the test's goroutine.
type reader struct {
	t    *testing.T
	stop context.CancelFunc
	scan *bufio.Scanner
}

func (w *world) stream(t *testing.T, query string, headers ...string) *reader {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	req, err := http.NewRequestWithContext(ctx, "GET", w.url+"/v1/events?"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := w.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); resp.Body.Close() })
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("stream: %s", resp.Status)
	}
	scan := bufio.NewScanner(resp.Body)
	scan.Buffer(nil, 1<<20)
	return &reader{t: t, stop: stop, scan: scan}
}

// next returns the next event that is no heartbeat and no word on who is here; ok
// is false at the end.
func (r *reader) next() (message, bool) {
	r.t.Helper()
	m, ok := r.any()
	for ok && m.name == "presence" {
		m, ok = r.any()
	}
	return m, ok
}

func (r *reader) any() (message, bool) {
	r.t.Helper()
	var m message
	for r.scan.Scan() {
		line := r.scan.Text()
		switch {
		case line == "" && m.name != "" && m.name != "beat":
			return m, true
		case line == "":
			m = message{}
		case strings.HasPrefix(line, "event: "):
			m.name = line[7:]
		case strings.HasPrefix(line, "id: "):
			m.id = line[4:]
		case strings.HasPrefix(line, "data: "):
			if err := json.Unmarshal([]byte(line[6:]), &m); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	return m, false
}

func (r *reader) want(kind string, version int32) message {
	r.t.Helper()
	m, ok := r.next()
	if !ok || m.Kind != kind || m.Version != version {
		r.t.Fatalf("got %+v %v, want %s %d", m, ok, kind, version)
	}
	return m
}

func TestAStreamBeginsWithTheStateAndGoesOn(t *testing.T) {
	w := newWorld(t, nil)
	s := w.stream(t, "topic=game:"+gameID)
	s.want("snapshot", 1)
	w.play.happen("moved")
	s.want("moved", 2)
	w.play.happen("finished")
	s.want("finished", 3)
}

func TestAClientThatComesBackGetsWhatItMissed(t *testing.T) {
	w := newWorld(t, nil)
	s := w.stream(t, "topic=game:"+gameID)
	s.want("snapshot", 1)
	w.play.happen("moved")
	cursor := s.want("moved", 2).id
	s.stop()
	w.play.happen("moved")
	w.play.happen("moved")
	again := w.stream(t, "topic=game:"+gameID, "Last-Event-ID", cursor)
	again.want("moved", 3)
	again.want("moved", 4)
	since := w.stream(t, fmt.Sprintf("topic=game:%s&since=game:%s:3", gameID, gameID))
	since.want("moved", 4)
	w.play.happen("moved")
	again.want("moved", 5)
	since.want("moved", 5)
	// A client that claims to have seen the future gets the whole state.
	future := w.stream(t, fmt.Sprintf("topic=game:%s&since=game:%s:99", gameID, gameID))
	future.want("snapshot", 5)
}

func TestAGapOnTheBusIsFilledFromPlay(t *testing.T) {
	w := newWorld(t, nil)
	s := w.stream(t, "topic=game:"+gameID)
	s.want("snapshot", 1)
	w.bus.setSilent(true)
	w.play.happen("moved")
	w.play.happen("moved")
	w.bus.setSilent(false)
	w.play.happen("moved")
	s.want("moved", 2)
	s.want("moved", 3)
	s.want("moved", 4)
}

func TestAReconnectedBusMakesTheHubLook(t *testing.T) {
	w := newWorld(t, nil)
	s := w.stream(t, "topic=game:"+gameID)
	s.want("snapshot", 1)
	w.bus.setSilent(true)
	w.play.happen("moved")
	w.bus.reconnect()
	s.want("moved", 2)
}

func TestASilentLossIsFoundByTheRegularCheck(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Check = 10 * time.Millisecond })
	s := w.stream(t, "topic=game:"+gameID)
	s.want("snapshot", 1)
	w.bus.setSilent(true)
	w.play.happen("moved")
	s.want("moved", 2)
}

func TestDoubledAndLateCopiesAreDropped(t *testing.T) {
	w := newWorld(t, nil)
	s := w.stream(t, "topic=game:"+gameID)
	s.want("snapshot", 1)
	second := w.play.add("moved")
	third := w.play.add("moved")
	w.bus.publish(third)
	w.bus.publish(second)
	w.bus.publish(third)
	s.want("moved", 2)
	s.want("moved", 3)
	w.play.happen("finished")
	s.want("finished", 4)
}

func TestAPersonsStreamTellsOfTheirGames(t *testing.T) {
	w := newWorld(t, nil)
	s := w.stream(t, "topic=me&topic=game:"+privateID, "Authorization", "Bearer "+token)
	if m := s.want("snapshot", 1); m.Topic != "game:"+privateID {
		t.Errorf("topic %s", m.Topic)
	}
	if m := s.want("snapshot", 0); m.Topic != "me" {
		t.Errorf("topic %s", m.Topic)
	}
	w.play.happen("moved")
	if m := s.want("moved", 2); m.Topic != "me" {
		t.Errorf("topic %s", m.Topic)
	}
}

func TestLoggingOutCutsTheStreams(t *testing.T) {
	w := newWorld(t, nil)
	s := w.stream(t, "topic=me", "Authorization", "Bearer "+token)
	s.want("snapshot", 0)
	w.call(t, "DELETE", "/v1/sessions/current", "", "Authorization", "Bearer "+token)
	if m, ok := s.next(); ok {
		t.Errorf("after logging out came %+v", m)
	}
	if n := w.gateway.hub.Streams(); n != 0 {
		// The handler leaves right after it wrote its last byte.
		t.Logf("%d streams are leaving", n)
	}
}

func TestStreamsAreBounded(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.MaxStreams = 1 })
	w.stream(t, "topic=game:"+gameID).want("snapshot", 1)
	resp, text := w.call(t, "GET", "/v1/events?topic=game:"+gameID, "")
	if resp.StatusCode != http.StatusTooManyRequests || !strings.Contains(text, "too_many_streams") {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
}

func TestVisitorsLeaveRoomForPeople(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.MaxStreams = 4 })
	for range 2 {
		w.stream(t, "topic=game:"+gameID).want("snapshot", 1)
	}
	resp, text := w.call(t, "GET", "/v1/events?topic=game:"+gameID, "")
	if resp.StatusCode != http.StatusTooManyRequests || !strings.Contains(text, "too_many_streams") {
		t.Errorf("a third visitor of four streams: %d %s", resp.StatusCode, text)
	}
	for range 2 {
		w.stream(t, "topic=me", "Authorization", "Bearer "+token).want("snapshot", 0)
	}
}

func TestOneSessionHasABoundedNumberOfStreams(t *testing.T) {
	w := newWorld(t, nil)
	for range maxSessionStreams {
		w.stream(t, "topic=me", "Authorization", "Bearer "+token).want("snapshot", 0)
	}
	resp, text := w.call(t, "GET", "/v1/events?topic=me", "", "Authorization", "Bearer "+token)
	if resp.StatusCode != http.StatusTooManyRequests || !strings.Contains(text, "too_many_streams") {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
	w.stream(t, "topic=game:"+gameID).want("snapshot", 1) // others are not touched
}

func TestAPageDoesNotLoseAllTopicsForOneThatIsGone(t *testing.T) {
	w := newWorld(t, nil)
	s := w.stream(t, "topic=game:"+privateID+"&topic=game:"+gameID)
	if m, ok := s.next(); !ok || m.name != "gone" || m.Topic != "game:"+privateID {
		t.Fatalf("got %+v %v, want gone", m, ok)
	}
	s.want("snapshot", 1)
	w.play.happen("moved")
	s.want("moved", 2)
}

func TestVisitorsFromOneAddressAreBounded(t *testing.T) {
	w := newWorld(t, nil)
	body := `{"rules":"tictactoe","opponent":"engine"}`
	first, _ := w.call(t, "POST", "/v1/games", body, "Idempotency-Key", "k")
	cookie := first.Cookies()[0].Name + "=" + first.Cookies()[0].Value
	refused := false
	for i := 0; i < 2*visitorRate.burst && !refused; i++ {
		resp, _ := w.call(t, "POST", "/v1/games", body, "Idempotency-Key", "k")
		refused = resp.StatusCode == http.StatusTooManyRequests && resp.Header.Get("Retry-After") != ""
	}
	if !refused {
		t.Error("visitors are not bounded")
	}
	if resp, text := w.call(t, "POST", "/v1/games", body, "Idempotency-Key", "k", "Cookie", cookie); resp.StatusCode != http.StatusCreated {
		t.Errorf("a visitor who is known: %d %s", resp.StatusCode, text)
	}
}

func TestAStalledReaderEndsAndDelaysNobody(t *testing.T) {
	s := newSubscriber("", "")
	for range queueSize {
		s.offer(&frame{})
	}
	select {
	case <-s.ended:
		t.Fatal("ended before its queue was full")
	default:
	}
	s.offer(&frame{})
	select {
	case <-s.ended:
	default:
		t.Error("goes on with a full queue")
	}
}

// A stream lives on though the server gives an answer much less time than that.
func TestHeartbeatsKeepAStreamAlive(t *testing.T) {
	const answerTime, want = 20 * time.Millisecond, 10
	w := newWorld(t, func(c *Config) { c.Beat = answerTime })
	server := httptest.NewUnstartedServer(w.gateway.Handler())
	server.Config.WriteTimeout = answerTime
	server.Start()
	t.Cleanup(server.Close)
	w.url = server.URL
	s := w.stream(t, "topic=game:"+gameID)
	s.want("snapshot", 1)
	beats := 0
	for beats < want && s.scan.Scan() {
		if s.scan.Text() == "event: beat" {
			beats++
		}
	}
	if beats != want {
		t.Errorf("%d beats, want %d", beats, want)
	}
	w.play.happen("moved")
	s.want("moved", 2)
}

func FuzzCursor(f *testing.F) {
	f.Add("")
	f.Add(cursor{gameID: 7}.String())
	f.Add("e30")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseCursor(text)
		if err != nil {
			return
		}
		again, err := parseCursor(c.String())
		if err != nil || len(again) != len(c) {
			t.Errorf("%q: %v %v", text, c, err)
		}
	})
}
