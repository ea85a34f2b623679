package gateway

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"

	"tabuleiro/internal/bus"
	"tabuleiro/internal/bus/bustest"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

const tournamentID = "018f0000-0000-7000-8000-0000000000aa"

// fakeTournament is one tournament, which ana may see until she may not, and word
// of its changes.
type fakeTournament struct {
	mu      sync.Mutex
	version int32
	players []*playv1.TournamentPlayer
	closed  bool // to ana
	asked   int  // how often ana did
	changed map[int]func()
	next    int
	deaf    bool
}

func (f *fakeTournament) GetTournament(ctx context.Context, in *playv1.GetTournamentRequest, _ ...grpc.CallOption) (*playv1.GetTournamentResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	caller, _ := identity.From(ctx)
	if caller.Account == accountID {
		f.asked++
	}
	if in.GetTournament() != tournamentID || f.closed && caller.Account == accountID {
		return nil, rpc.Fail("tournament_not_found", "")
	}
	return &playv1.GetTournamentResponse{Tournament: &playv1.Tournament{
		Id: tournamentID, Version: f.version, Players: f.players, Organiser: caller.Account == accountID,
	}}, nil
}

func (f *fakeTournament) WatchTournament(_ string, changed func()) (func(), error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id := f.next
	f.next++
	f.changed[id] = changed
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.changed, id)
	}, nil
}

// happen makes a new version, and says so unless nobody hears it.
func (f *fakeTournament) happen(change func()) {
	f.mu.Lock()
	f.version++
	change()
	var all []func()
	for _, changed := range f.changed {
		if !f.deaf {
			all = append(all, changed)
		}
	}
	f.mu.Unlock()
	for _, changed := range all {
		changed()
	}
}

func (f *fakeTournament) heardBy() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked
}

func nothing() {}

func tournamentWorld(t *testing.T, check time.Duration) (*world, *fakeTournament) {
	t.Helper()
	f := &fakeTournament{version: 1, changed: map[int]func(){}}
	w := newWorldOf(t, func(c *Config) { c.Check = check }, &fakeAccounts{}, func(*Deps) {})
	w.gateway.hub.competitions, w.gateway.hub.changes = f, f
	return w, f
}

// A stream of a tournament begins with its state, has each newer one, comes back
// with its cursor without hearing the same again, and ends its topic once the right
// to see it has ended.
func TestAStreamOfATournament(t *testing.T) {
	w, f := tournamentWorld(t, time.Hour)
	asAna := []string{"Authorization", "Bearer " + token}
	s := w.stream(t, "topic=tournament:"+tournamentID, asAna...)
	s.want("snapshot", 1)
	f.happen(nothing)
	cursor := s.want("changed", 2).id

	f.happen(nothing)
	again := w.stream(t, "topic=tournament:"+tournamentID+"&topic=me", append(asAna, "Last-Event-ID", cursor)...)
	again.want("snapshot", 3)
	if m, _ := again.next(); m.Topic != "me" {
		t.Errorf("got %+v, want the word on oneself", m)
	}
	s.want("changed", 3)

	since := w.stream(t, "topic=tournament:"+tournamentID+"&topic=me&since=tournament:"+tournamentID+":3", asAna...)
	if m, _ := since.next(); m.Topic != "me" {
		t.Errorf("got %+v, want no state that is known", m)
	}
	f.happen(func() { f.closed = true })
	for _, r := range []*reader{s, again, since} {
		if m, ok := r.next(); !ok || m.name != "gone" || m.Topic != "tournament:"+tournamentID {
			t.Errorf("got %+v, want gone", m)
		}
	}
	back := w.stream(t, "topic=tournament:"+tournamentID+"&topic=me", append(asAna, "Last-Event-ID", cursor)...)
	if m, ok := back.next(); !ok || m.name != "gone" || m.Topic != "tournament:"+tournamentID {
		t.Errorf("who comes back gets %+v, want gone", m)
	}
	if m, _ := back.next(); m.Topic != "me" {
		t.Errorf("got %+v, want the other topic", m)
	}
}

// Nobody asks for a player: the state itself says that they may see it.
func TestPlayersOfATournamentAreNotAskedFor(t *testing.T) {
	w, f := tournamentWorld(t, time.Hour)
	s := w.stream(t, "topic=tournament:"+tournamentID, "Authorization", "Bearer "+token)
	s.want("snapshot", 1)
	asked := f.heardBy()
	f.happen(func() { f.players = []*playv1.TournamentPlayer{{Number: 1, Account: accountID}} })
	s.want("changed", 2)
	if got := f.heardBy(); got != asked {
		t.Errorf("a player was asked for %d times more", got-asked)
	}
}

// Without the bus a stream hears of changes all the same, later.
func TestATournamentIsLookedAtWithoutWord(t *testing.T) {
	w, f := tournamentWorld(t, 20*time.Millisecond)
	f.deaf = true
	s := w.stream(t, "topic=tournament:"+tournamentID, "Authorization", "Bearer "+token)
	s.want("snapshot", 1)
	f.happen(nothing)
	s.want("changed", 2)
}

func TestRefusedStreamsOfTournaments(t *testing.T) {
	w, f := tournamentWorld(t, time.Hour)
	f.closed = true
	for name, c := range map[string]struct {
		query, code string
	}{
		"of others":      {"topic=tournament:" + tournamentID, "tournament_not_found"},
		"without an id":  {"topic=tournament:x", "bad_topic"},
		"a bad version":  {"topic=tournament:" + tournamentID + "&since=tournament:" + tournamentID + ":x", "bad_cursor"},
		"something else": {"topic=class:" + tournamentID, "bad_topic"},
	} {
		if resp, text := w.call(t, "GET", "/v1/events?"+c.query, "", "Authorization", "Bearer "+token); !strings.Contains(text, `"`+c.code+`"`) {
			t.Errorf("%s: %d %s, want %s", name, resp.StatusCode, text, c.code)
		}
	}
}

// The table for a spreadsheet counts like any other request.
func TestTheTableOfATournamentIsCounted(t *testing.T) {
	w, _ := tournamentWorld(t, time.Hour)
	path := "/v1/tournaments/" + tournamentID + "/table.csv"
	if resp, text := w.call(t, "GET", path, "", "Authorization", "Bearer "+token); resp.StatusCode != 200 || !strings.HasPrefix(text, "place,") {
		t.Fatalf("%d %s", resp.StatusCode, text)
	}
	for range 2 * personRate.burst {
		w.gateway.limits.persons.take(accountID)
	}
	if resp, text := w.call(t, "GET", path, "", "Authorization", "Bearer "+token); resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
}

func TestWordOfTournamentsComesFromTheRealBus(t *testing.T) {
	server := bustest.Start(t)
	play := bustest.Conn(t, server, bus.RolePlay)
	events := newBusEvents(bustest.Conn(t, server, bus.RoleGateway), slog.New(slog.NewTextHandler(io.Discard, nil)))
	changed := make(chan struct{}, 8)
	stop, err := events.WatchTournament(tournamentID, func() { changed <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, id := range []string{gameID, tournamentID} {
		if err := play.Publish(bus.TournamentEvent(id), &busv1.TournamentChanged{Tournament: id, Version: 1}); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-changed:
	case <-time.After(waitTime):
		t.Fatal("nothing came")
	}
	if len(changed) > 0 {
		t.Error("the change of another tournament came too")
	}
}
