package gateway

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"time"

	"google.golang.org/grpc"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// TournamentEvents says that tournaments have changed. Word may be lost, doubled or
// late: whoever watches looks again by themselves in the end.
type TournamentEvents interface {
	// WatchTournament calls changed after each change of a tournament that it hears
	// of, and where word may have been lost, until stop is called.
	WatchTournament(id string, changed func()) (stop func(), err error)
}

type tournamentReader interface {
	GetTournament(context.Context, *playv1.GetTournamentRequest, ...grpc.CallOption) (*playv1.GetTournamentResponse, error)
}

// settleTime is the least time between two looks at a tournament: at the end of a
// round many games end at once, and only the last state matters.
const settleTime = 250 * time.Millisecond

// tournamentTopic is one tournament that somebody here watches. Its events are the
// whole state: whoever missed some needs only the last.
type tournamentTopic struct {
	id   string
	wake chan struct{} // it may have changed
	stop context.CancelFunc

	subscribers map[*subscriber]struct{} // guarded by the hub's mu
}

func tournamentTopicName(id string) string { return "tournament:" + id }

// tournamentFrame is a state of a tournament.
func tournamentFrame(kind string, t *playv1.Tournament) (frame, error) {
	text, err := marshal(t)
	if err != nil {
		return frame{}, err
	}
	f := frame{topic: tournamentTopicName(t.GetId()), name: "tournament", version: t.GetVersion()}
	for _, p := range t.GetPlayers() {
		if p.GetAccount() != "" {
			f.players = append(f.players, p.GetAccount())
		}
	}
	f.data = mustJSON(map[string]any{"topic": f.topic, "kind": kind, "version": f.version, "tournament": json.RawMessage(text)})
	return f, nil
}

// joinTournament makes a stream hear of a tournament and returns what ends that.
func (h *Hub) joinTournament(id string, s *subscriber) func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	t := h.tournaments[id]
	if t == nil {
		ctx, stop := context.WithCancel(h.ctx)
		t = &tournamentTopic{id: id, wake: make(chan struct{}, 1), stop: stop, subscribers: map[*subscriber]struct{}{}}
		h.tournaments[id] = t
		h.running.Add(1)
		go func() {
			defer h.running.Done()
			h.followTournament(ctx, t)
		}()
	}
	t.subscribers[s] = struct{}{}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(t.subscribers, s)
		if len(t.subscribers) == 0 {
			t.stop()
			if h.tournaments[id] == t {
				delete(h.tournaments, id)
			}
		}
	}
}

// followTournament listens first, then looks, then looks again at every word, and
// once in a while without any.
func (h *Hub) followTournament(ctx context.Context, t *tournamentTopic) {
	changed := func() {
		select {
		case t.wake <- struct{}{}:
		default: // it is about to look
		}
	}
	if h.changes != nil {
		unwatch, err := h.changes.WatchTournament(t.id, changed)
		if err == nil {
			defer unwatch()
		} // else the bus is away: the regular look brings the changes, later
	}
	check := time.NewTicker(h.cfg.Check)
	defer check.Stop()
	settled := time.NewTimer(0)
	defer settled.Stop()
	version := int32(0)
	for {
		select { // between two looks some time passes
		case <-ctx.Done():
			return
		case <-settled.C:
		}
		version = h.lookAtTournament(ctx, t, version)
		settled.Reset(settleTime)
		select {
		case <-ctx.Done():
			return
		case <-t.wake:
		case <-check.C:
		}
	}
}

// lookAtTournament reads a tournament and, where it has changed, gives it to all streams of the
// topic. Where play is away the next look asks again.
func (h *Hub) lookAtTournament(ctx context.Context, t *tournamentTopic, version int32) int32 {
	answer, err := h.competitions.GetTournament(ctx, &playv1.GetTournamentRequest{Tournament: t.id})
	if err != nil {
		if ctx.Err() == nil {
			h.log.Debug("cannot look at a tournament", slog.String("tournament", t.id), slog.Any("error", err))
		}
		return version
	}
	now := answer.GetTournament()
	if now.GetVersion() <= version {
		return version
	}
	f, err := tournamentFrame("changed", now)
	if err != nil {
		h.log.Error("a tournament cannot be written", slog.String("tournament", t.id), slog.Any("error", err))
		return version
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range t.subscribers {
		s.offer(&f)
	}
	return now.GetVersion()
}

// openingTournament is what a client gets first of a tournament: nothing, where it
// has this version.
func (s *stream) openingTournament(ctx context.Context, id string, req request) ([]frame, error) {
	answer, err := s.gateway.hub.competitions.GetTournament(ctx, &playv1.GetTournamentRequest{Tournament: id})
	if err != nil {
		return nil, err
	}
	s.cursor[id] = 0
	if version, has := req.after[id]; has && version == answer.GetTournament().GetVersion() {
		s.cursor[id] = version
		return nil, nil
	}
	f, err := tournamentFrame("snapshot", answer.GetTournament())
	f.players = append(f.players, s.subscriber.account) // has asked by itself
	return []frame{f}, err
}

// sendTournament writes a state of a tournament, if it is new. Who plays in it may
// see it; whether anybody else still may is asked.
func (s *stream) sendTournament(ctx context.Context, id string, f frame) error {
	if s.gone[id] || f.version <= s.cursor[id] {
		return nil
	}
	if !slices.Contains(f.players, s.subscriber.account) {
		answer, err := s.gateway.hub.competitions.GetTournament(ctx, &playv1.GetTournamentRequest{Tournament: id})
		if err != nil && rpc.ToProblem(err).Code == "tournament_not_found" {
			s.gone[id] = true
			delete(s.cursor, id)
			return s.raw(goneText(f.topic))
		}
		if err != nil {
			return errEnded
		}
		if f, err = tournamentFrame("changed", answer.GetTournament()); err != nil {
			return errEnded
		}
	}
	s.cursor[id] = f.version
	return s.write(f.text(s.cursor))
}
