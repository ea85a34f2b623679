package gateway

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

type gameReader interface {
	GetGame(context.Context, *playv1.GetGameRequest, ...grpc.CallOption) (*playv1.GetGameResponse, error)
}

type eventReader interface {
	ListEvents(context.Context, *playv1.ListEventsRequest, ...grpc.CallOption) (*playv1.ListEventsResponse, error)
}

const (
	// maxTopics bounds the topics of one stream.
	maxTopics = 16
	// maxCursor bounds a cursor, in bytes.
	maxCursor = 2048
	// writeTime is how long one frame may take to leave.
	writeTime = 10 * time.Second
	// recheck is how often a stream's session is looked at again, for limits of time
	// and for ends of which word was lost.
	recheck = 30 * time.Second
	// maxReplay is how many missed events are sent one by one; a client that
	// missed more gets the whole state.
	maxReplay = 500
)

// request is what a client asks a stream for.
type request struct {
	games, tournaments []string
	me                 bool
	after              cursor // versions that the client has, by game or tournament
}

// cursor holds the version of each game and tournament that a client has seen. Clients see
// opaque text.
type cursor map[string]int32

func (c cursor) String() string {
	return base64.RawURLEncoding.EncodeToString(mustJSON(c))
}

func parseCursor(text string) (cursor, error) {
	if text == "" {
		return cursor{}, nil
	}
	if len(text) > maxCursor {
		return nil, errors.New("too long")
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	c := cursor{}
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, err
	}
	for game, version := range c {
		if version < 0 || uuid.Validate(game) != nil {
			return nil, fmt.Errorf("no version of anything: %q", game)
		}
	}
	return c, nil
}

func parseStream(r *http.Request) (request, error) {
	req := request{}
	query := r.URL.Query()
	topics := query["topic"]
	if len(topics) == 0 || len(topics) > maxTopics {
		return req, rpc.Fail("bad_topic", "a stream has 1 to 16 topics: game:ID, tournament:ID or me")
	}
	seen := map[string]bool{}
	for _, topic := range topics {
		kind, id, _ := strings.Cut(topic, ":")
		isID := len(id) == 36 && uuid.Validate(id) == nil
		switch {
		case seen[topic]:
		case topic == "me":
			req.me = true
		case kind == "game" && isID:
			req.games = append(req.games, strings.ToLower(id))
		case kind == "tournament" && isID:
			req.tournaments = append(req.tournaments, strings.ToLower(id))
		default:
			return req, rpc.Fail("bad_topic", "a topic is game:ID, tournament:ID or me")
		}
		seen[topic] = true
	}
	after, err := parseCursor(r.Header.Get("Last-Event-ID"))
	if err != nil {
		return req, rpc.Fail("bad_cursor", "Last-Event-ID is the id of an earlier event")
	}
	req.after = after
	if r.Header.Get("Last-Event-ID") != "" {
		return req, nil
	}
	for _, since := range query["since"] {
		kind, rest, _ := strings.Cut(since, ":")
		ok := kind == "game" || kind == "tournament"
		id, version, cut := strings.Cut(rest, ":")
		n, err := strconv.ParseInt(version, 10, 32)
		if !ok || !cut || err != nil || n < 0 || len(id) != 36 || uuid.Validate(id) != nil {
			return req, rpc.Fail("bad_cursor", "since is game:ID:VERSION or tournament:ID:VERSION")
		}
		req.after[strings.ToLower(id)] = int32(n)
	}
	return req, nil
}

// events serves the one stream of a page.
func (g *Gateway) events(w http.ResponseWriter, r *http.Request) {
	req, err := parseStream(r)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	// Nobody else's page shall hold one in a visitor's name.
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" {
		g.fail(w, r, rpc.Fail("bad_origin", ""))
		return
	}
	caller, known, err := g.caller(r)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	if !caller.Allows(identity.ScopeGamesRead) {
		g.fail(w, r, rpc.Fail("scope_missing", "the access token lacks the scope "+identity.ScopeGamesRead))
		return
	}
	if !g.mayAsk(caller, w, r) {
		return
	}
	if !known {
		if req.me {
			g.fail(w, r, rpc.Fail("not_logged_in", ""))
			return
		}
		caller = identity.Caller{Guest: true, Session: uuid.NewString()}
	}
	s := newSubscriber(caller.Session, caller.Account)
	ctx := identity.With(r.Context(), caller)
	gone, err := g.dropUnseen(ctx, &req)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	// Topics are joined with the gateway's own Caller; what this client may see
	// is asked with theirs before anything is sent.
	leave, err := g.hub.join(r.Context(), s, req, g.cfg.MaxStreams)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	defer leave()
	out := &stream{known: known, gateway: g, w: w, control: http.NewResponseController(w), subscriber: s, cursor: cursor{}, passing: map[string]bool{}, gone: map[string]bool{}}
	first, err := out.opening(ctx, req)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	// The stream outlives the server's time for a request; each write has its own.
	if out.raw("retry: 1000\n\n") != nil {
		return
	}
	for _, topic := range gone {
		if out.raw(goneText(topic)) != nil {
			return
		}
	}
	for _, f := range first {
		if out.send(ctx, f) != nil {
			return
		}
	}
	for _, game := range req.games {
		if out.send(ctx, presenceFrame(game, g.hub.presence.of(game))) != nil {
			return
		}
	}
	out.follow(ctx, r)
}

// dropUnseen takes the games and tournaments out of a request of several topics
// that the client may not see, or not any more: a page that comes back does not
// lose all for one. A request for one topic is simply refused.
func (g *Gateway) dropUnseen(ctx context.Context, req *request) (gone []string, err error) {
	if n := len(req.games) + len(req.tournaments); n == 0 || n == 1 && !req.me {
		return nil, nil
	}
	seen := func(ids []string, prefix, missing string, ask func(id string) error) (left []string, err error) {
		for _, id := range ids {
			switch err := ask(id); {
			case err == nil:
				left = append(left, id)
			case rpc.ToProblem(err).Code == missing:
				gone = append(gone, prefix+id)
			default:
				return nil, err
			}
		}
		return left, nil
	}
	if req.games, err = seen(req.games, "game:", "game_not_found", func(id string) error {
		_, err := g.hub.play.GetGame(ctx, &playv1.GetGameRequest{Game: id})
		return err
	}); err != nil {
		return nil, err
	}
	req.tournaments, err = seen(req.tournaments, "tournament:", "tournament_not_found", func(id string) error {
		_, err := g.hub.competitions.GetTournament(ctx, &playv1.GetTournamentRequest{Tournament: id})
		return err
	})
	return gone, err
}

// goneText tells a client that what a topic is of may not be seen.
func goneText(topic string) string {
	return "event: gone\ndata: " + string(mustJSON(map[string]any{"topic": topic, "kind": "gone"})) + "\n\n"
}

// stream writes to one client.
type stream struct {
	gateway    *Gateway
	w          http.ResponseWriter
	control    *http.ResponseController
	subscriber *subscriber
	cursor     cursor
	// passing are the games whose seat was open when the client's right to see
	// them was asked for last. A game that may not be seen any more is "gone".
	passing map[string]bool
	gone    map[string]bool
	// known says that the client has credentials, and so may have a seat.
	known bool
	// plays says that the client has a seat in a game here, as far as is known.
	// Its round trip is measured; nonce is the word of its last heartbeat.
	plays bool
	nonce string
}

// opening is what a client gets first: of each game the events that it missed,
// or its whole state; of each tournament its whole state.
func (s *stream) opening(ctx context.Context, req request) ([]frame, error) {
	var frames []frame
	for _, game := range req.games {
		after, resumes := req.after[game]
		if resumes {
			missed, ok, err := s.missed(ctx, game, after)
			if err != nil {
				return nil, err
			}
			if ok {
				frames = append(frames, missed...)
				if s.known {
					s.asks(ctx, game) // whoever comes back may be a player
				}
				continue
			}
		}
		now, err := s.gateway.hub.look(ctx, game, s.known)
		if err != nil {
			return nil, err
		}
		frames = append(frames, now.frame)
		s.cursor[game] = 0
		s.passing[game] = now.frame.passing
		s.sits(game, now.yours)
	}
	for _, id := range req.tournaments {
		opened, err := s.openingTournament(ctx, id, req)
		if err != nil {
			return nil, err
		}
		frames = append(frames, opened...)
	}
	if req.me {
		frames = append(frames, frame{topic: "me", name: "me", data: mustJSON(map[string]any{"topic": "me", "kind": "snapshot"})})
	}
	return frames, nil
}

// sits takes in which side of a game the client plays.
func (s *stream) sits(game, side string) {
	if side == "" || !s.known {
		return
	}
	s.plays = true
	s.gateway.hub.presence.come(game, side, s.subscriber)
}

// asks finds out which side of a game the client plays. Where play does not answer
// the client is not known to be here; it comes back often enough.
func (s *stream) asks(ctx context.Context, game string) {
	answer, err := s.gateway.hub.play.GetGame(ctx, &playv1.GetGameRequest{Game: game})
	if err == nil {
		s.sits(game, answer.GetGame().GetYourSide())
	}
}

// missed reads the events after a version; false where there are too many, or
// where the client claims to have seen more than there is.
func (s *stream) missed(ctx context.Context, game string, after int32) ([]frame, bool, error) {
	missed, err := s.gateway.hub.missed(ctx, game, after, s.known)
	if err != nil {
		return nil, false, err
	}
	if after > missed.version || missed.version-after > maxReplay {
		return nil, false, nil
	}
	frames := missed.frames
	s.cursor[game] = after
	// Without an event nothing is known of the game; the next one is asked about.
	s.passing[game] = len(frames) == 0 || frames[len(frames)-1].passing
	return frames, true, nil
}

// follow sends what the hub brings until either side ends.
func (s *stream) follow(ctx context.Context, r *http.Request) {
	beat := time.NewTicker(s.gateway.cfg.Beat)
	defer beat.Stop()
	check := time.NewTicker(recheck)
	defer check.Stop()
	defer func() { s.gateway.lags.forget(s.nonce) }()
	// At once, so that the latency is known before the first move.
	if s.beat() != nil {
		return
	}
	for r.Context().Err() == nil {
		// An end comes before frames that wait, and these before all else: what
		// happens does not hang on a lot.
		select {
		case <-s.subscriber.ended:
			return
		default:
		}
		select {
		case f := <-s.subscriber.frames:
			if s.send(ctx, *f) != nil {
				return
			}
			continue
		default:
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.subscriber.ended:
			return
		case f := <-s.subscriber.frames:
			if s.send(ctx, *f) != nil {
				return
			}
		case <-beat.C:
			if s.beat() != nil {
				return
			}
		case <-check.C:
			if s.over(r) {
				return
			}
		case <-s.subscriber.look:
			if s.over(r) {
				return
			}
		}
	}
}

// beat writes a heartbeat; a player's carries a word that the client sends back.
func (s *stream) beat() error {
	data := "{}"
	if s.plays {
		s.nonce = s.gateway.lags.ping(s.subscriber.session, s.nonce)
		data = `{"nonce":"` + s.nonce + `"}`
	}
	return s.raw("event: beat\ndata: " + data + "\n\n")
}

// over says whether the session or token behind the stream has ended. Where accounts
// is away nobody knows, and the stream goes on until the next look.
func (s *stream) over(r *http.Request) bool {
	token := s.gateway.token(r)
	if token == "" {
		return false
	}
	_, err := s.gateway.authenticate(r.Context(), token)
	return err != nil && credentialsEnded(err)
}

// send writes one frame, if it is new. A gap ends the stream: the client comes
// back with its cursor and gets what is missing.
func (s *stream) send(ctx context.Context, f frame) error {
	if id, ok := strings.CutPrefix(f.topic, "tournament:"); ok {
		return s.sendTournament(ctx, id, f)
	}
	if game, ok := strings.CutPrefix(f.topic, "game:"); ok {
		seen := s.cursor[game]
		if f.version <= seen || s.gone[game] {
			return nil
		}
		if seen > 0 && f.version != seen+1 {
			return errEnded
		}
		if s.passing[game] && !f.passing {
			// The seat was taken or the game withdrawn: from here on it may be
			// none of this client's business.
			_, err := s.gateway.hub.play.GetGame(ctx, &playv1.GetGameRequest{Game: game})
			if err != nil && rpc.ToProblem(err).Code == "game_not_found" {
				s.gone[game] = true
				delete(s.cursor, game)
				return s.raw(goneText(f.topic))
			}
			if err != nil {
				return errEnded
			}
			s.passing[game] = false
		}
		s.cursor[game] = f.version
		if f.seated && s.known {
			s.asks(ctx, game)
		}
	}
	if game, ok := strings.CutPrefix(f.topic, "presence:"); ok {
		if s.gone[game] {
			return nil
		}
		return s.raw("event: presence\ndata: " + string(f.data) + "\n\n")
	}
	if f.alone != nil && len(s.cursor) == 1 {
		return s.write(f.alone)
	}
	return s.write(f.text(s.cursor))
}

func (s *stream) raw(text string) error { return s.write([]byte(text)) }

func (s *stream) write(text []byte) error {
	if err := s.control.SetWriteDeadline(s.gateway.deps.Now().Add(writeTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := s.w.Write(text); err != nil {
		return err
	}
	return s.control.Flush()
}
