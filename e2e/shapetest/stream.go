package shapetest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Frame is one message of an event stream.
type Frame struct {
	// Name and ID are those of the message, Data its JSON.
	Name, ID string
	Data     []byte

	Topic   string `json:"topic"`
	Kind    string `json:"kind"`
	Version int32  `json:"version"`
	// Event is there for an event, Game for a snapshot.
	Event json.RawMessage `json:"event"`
	Game  json.RawMessage `json:"game"`
	// Present are the sides that are here, in a word on that.
	Present []string `json:"present"`
}

// Stream reads /v1/events as a page does: it comes back by itself with the cursor
// that it saw last, and journals what it got.
type Stream struct {
	cancel context.CancelFunc
	done   chan struct{}

	mu      sync.Mutex
	frames  []Frame
	present []string // what was said last of who is here
	returns int
	refused *Answer
	cursor  string
	news    chan struct{}
}

// Stream opens a stream on topics ("game:ID", "me"); since ("game:ID:VERSION")
// may be empty, and cursor too. Close it.
func (c *Client) Stream(topics []string, since, cursor string) *Stream {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Stream{cancel: cancel, done: make(chan struct{}), news: make(chan struct{}), cursor: cursor}
	query := "?topic=" + strings.Join(topics, "&topic=")
	if since != "" {
		query += "&since=" + since
	}
	go func() {
		defer close(s.done)
		for s.once(ctx, c, "/v1/events"+query) {
			timer := time.NewTimer(50 * time.Millisecond)
			select {
			case <-ctx.Done():
			case <-timer.C:
			}
			timer.Stop()
		}
	}()
	return s
}

// silence is after how long a stream without a heartbeat counts as dead; beats
// come within 7 s.
const silence = 15 * time.Second

var errSilent = errors.New("no heartbeat")

// once reads one connection to its end; false where there is nothing to return
// to.
func (s *Stream) once(ctx context.Context, c *Client, path string) bool {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer alive.Stop()
	req, err := c.request(ctx, http.MethodGet, path, "", nil)
	if err != nil {
		return false
	}
	s.mu.Lock()
	if s.cursor != "" {
		req.Header.Set("Last-Event-ID", s.cursor)
	}
	s.mu.Unlock()
	response, err := c.HTTP.Do(req)
	if err != nil {
		return !closed(ctx)
	}
	defer response.Body.Close()
	if response.StatusCode >= 500 {
		return true
	}
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body) // what came is shown
		s.mu.Lock()
		defer s.mu.Unlock()
		s.refused = &Answer{response.StatusCode, response.Header, text}
		s.tell()
		return false
	}
	lines := bufio.NewReader(response.Body)
	var f Frame
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			if closed(ctx) {
				return false
			}
			s.mu.Lock()
			s.returns++
			s.mu.Unlock()
			return true
		}
		alive.Reset(silence)
		field, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		switch field {
		case "event":
			f.Name = value
		case "id":
			f.ID = value
		case "data":
			f.Data = []byte(value)
		case "":
			if f.Name != "" && f.Name != "beat" {
				s.keep(f)
			}
			f = Frame{}
		}
	}
}

// closed tells Close from a silence.
func closed(ctx context.Context) bool {
	return ctx.Err() != nil && !errors.Is(context.Cause(ctx), errSilent)
}

func (s *Stream) keep(f Frame) {
	if err := json.Unmarshal(f.Data, &f); err != nil {
		f.Kind = "unreadable: " + err.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Name == "presence" { // no event: it may come at any time
		s.present = f.Present
		s.tell()
		return
	}
	s.frames = append(s.frames, f)
	if f.ID != "" {
		s.cursor = f.ID
	}
	s.tell()
}

// tell wakes who waits; call it with mu held.
func (s *Stream) tell() {
	close(s.news)
	s.news = make(chan struct{})
}

// Close ends the stream and waits for its end.
func (s *Stream) Close() {
	s.cancel()
	<-s.done
}

// Frames are all that came so far.
func (s *Stream) Frames() []Frame {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Frame(nil), s.frames...)
}

// Present are the sides that are here, as was said last.
func (s *Stream) Present() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.present...)
}

// Returns is how often the stream came back after its connection had ended.
func (s *Stream) Returns() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.returns
}

// Cursor is where another stream could go on.
func (s *Stream) Cursor() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cursor
}

// Refused is why the stream was not opened; nil where it was.
func (s *Stream) Refused() *Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused
}

// Await waits until the frames are as wanted, or the stream is refused.
func (s *Stream) Await(ctx context.Context, is func([]Frame) bool) error {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	for {
		s.mu.Lock()
		frames, refused, news := append([]Frame(nil), s.frames...), s.refused, s.news
		s.mu.Unlock()
		switch {
		case is(frames):
			return nil
		case refused != nil:
			return fmt.Errorf("the stream is refused: %d %s", refused.Status, refused.Body)
		}
		select {
		case <-news:
		case <-ctx.Done():
			return fmt.Errorf("the stream is not as wanted after %d frames: %w", len(frames), ctx.Err())
		}
	}
}

// AwaitVersion waits for a version of the one game of the stream.
func (s *Stream) AwaitVersion(ctx context.Context, version int32) error {
	return s.Await(ctx, func(frames []Frame) bool {
		return len(frames) > 0 && frames[len(frames)-1].Version >= version
	})
}

// Plain is an event or game as it is for everybody: without the field that says
// which side the reader plays.
func Plain(text json.RawMessage) (any, error) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	if m, ok := v.(map[string]any); ok {
		delete(m, "your_side")
		if game, ok := m["game"].(map[string]any); ok {
			delete(game, "your_side")
		}
	}
	return v, nil
}
