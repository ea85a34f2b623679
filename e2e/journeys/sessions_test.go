package journeys

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"tabuleiro/e2e/shapetest"
)

// ownLook is how long a stream is open before it looks by itself whether its
// session still holds: what is cut earlier was cut by word of the end.
const ownLook = 30 * time.Second

// watched is a browser that watches at every gateway.
type watched struct {
	*shapetest.Person
	opened  time.Time
	streams []*shapetest.Stream
}

// watch opens a stream at each gateway, with the browser's session.
func watch(t *testing.T, who *shapetest.Person, gateways []string) *watched {
	t.Helper()
	w := &watched{Person: who, opened: time.Now()}
	for _, url := range gateways {
		stream := who.Through(url).Stream([]string{"me"}, "", "")
		t.Cleanup(stream.Close)
		if err := stream.Await(t.Context(), func(f []shapetest.Frame) bool { return len(f) > 0 }); err != nil {
			t.Fatal(err)
		}
		w.streams = append(w.streams, stream)
	}
	return w
}

// cut waits until every gateway has ended the streams and takes no new one.
func (w *watched) cut(t *testing.T, how string) {
	t.Helper()
	ctx, cancel := context.WithDeadline(t.Context(), w.opened.Add(ownLook))
	defer cancel()
	for i, stream := range w.streams {
		err := shapetest.Poll(ctx, func() (bool, error) { return stream.Refused() != nil, nil })
		switch {
		case err != nil:
			t.Errorf("%s: the stream at gateway %d goes on: %v", how, i+1, err)
		case stream.Refused().Status != http.StatusUnauthorized:
			t.Errorf("%s: gateway %d takes the stream again: %d %s", how, i+1, stream.Refused().Status, stream.Refused().Body)
		}
	}
}

// stays fails the test where a stream has ended.
func (w *watched) stays(t *testing.T, how string) {
	t.Helper()
	for i, stream := range w.streams {
		if n := stream.Returns(); n != 0 || stream.Refused() != nil {
			t.Errorf("%s: the stream of another session at gateway %d ended (%d times)", how, i+1, n)
		}
	}
}

// Where a session ends, its streams end at every gateway, also at one that had no
// part in it; those of other sessions go on.
func TestSessionsEndAtEveryGateway(t *testing.T) {
	t.Parallel()
	s := shapetest.Cluster(t, shapetest.Options{Gateways: 2})
	var gateways []string
	for _, name := range []string{"gateway-1", "gateway-2"} {
		gateways = append(gateways, "http://"+s.Unit(name).Door("http"))
	}
	ana := s.Register(t, shapetest.Adult())
	another := func() *shapetest.Person {
		p := s.Guest(t)
		p.LogIn(ana.Account.Login, shapetest.Password)
		return p
	}
	// What ends sessions goes by the first gateway alone.
	ana.Client = ana.Through(gateways[0])
	stranger := watch(t, s.Register(t, shapetest.Adult()), gateways)

	kept := watch(t, ana, gateways)
	other := watch(t, another(), gateways)
	ana.Expect(http.StatusOK, do(t, ana, http.MethodDelete, "/v1/me/sessions/"+otherSession(t, ana), nil))
	other.cut(t, "ended from the list")
	kept.stays(t, "ended from the list")

	kept, other = watch(t, ana, gateways), watch(t, another(), gateways)
	answer := ana.Post("/v1/me/sessions/end-others", m{})
	if answer.Status/100 != 2 {
		t.Fatalf("ending the others: %d %s", answer.Status, answer.Body)
	}
	other.cut(t, "all others ended")
	kept.stays(t, "all others ended")

	kept, other = watch(t, ana, gateways), watch(t, another(), gateways)
	answer = ana.Post("/v1/me/password", m{"old_password": shapetest.Password, "new_password": "another horse battery"})
	if answer.Status/100 != 2 {
		t.Fatalf("a new password: %d %s", answer.Status, answer.Body)
	}
	other.cut(t, "a new password")
	kept.cut(t, "a new password, in the own session")
	stranger.stays(t, "sessions of somebody else ended")
}

// otherSession is the one session in the list that does not ask.
func otherSession(t *testing.T, who *shapetest.Person) string {
	t.Helper()
	var list struct {
		Sessions []struct {
			ID      string `json:"id"`
			Current bool   `json:"current"`
		} `json:"sessions"`
	}
	answer := who.Get("/v1/me/sessions")
	if err := json.Unmarshal(answer.Body, &list); err != nil || len(list.Sessions) != 2 {
		t.Fatalf("the sessions are %s (%v), want two", answer.Body, err)
	}
	for _, s := range list.Sessions {
		if !s.Current {
			return s.ID
		}
	}
	t.Fatalf("no session is another: %s", answer.Body)
	return ""
}

func do(t *testing.T, who *shapetest.Person, method, path string, body any) shapetest.Answer {
	t.Helper()
	answer, err := who.Do(t.Context(), method, path, shapetest.NewKey(), body)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}
