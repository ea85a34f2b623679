package journeys

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"testing"

	"tabuleiro/e2e/shapetest"
)

// plainEvents are all events of a game as everybody sees them.
func plainEvents(t *testing.T, p *shapetest.Person, game string) []any {
	t.Helper()
	var body struct{ Events []json.RawMessage }
	if err := p.Get("/v1/games/" + game + "/events?limit=500").Into(&body); err != nil {
		t.Fatal(err)
	}
	return plain(t, body.Events)
}

func plain(t *testing.T, texts []json.RawMessage) []any {
	t.Helper()
	all := make([]any, len(texts))
	for i, text := range texts {
		v, err := shapetest.Plain(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		all[i] = v
	}
	return all
}

// seen are the events in frames, after the snapshot where there is one.
func seen(t *testing.T, frames []shapetest.Frame) (snapshot int32, events []any) {
	t.Helper()
	var texts []json.RawMessage
	for i, f := range frames {
		if f.Kind == "snapshot" {
			if i != 0 {
				t.Errorf("frame %d is another snapshot", i)
			}
			snapshot = f.Version
			continue
		}
		texts = append(texts, f.Event)
	}
	return snapshot, plain(t, texts)
}

// Everybody who watches sees the same, and it is what the server keeps.
func TestWatchersSeeTheSame(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, rui, game := pair(t, s, "chess", m{"visibility": "public", "rated": true})
		stranger, topic := s.Guest(t), []string{"game:" + game}
		streams := []*shapetest.Stream{
			ana.Stream(topic, "", ""),
			stranger.Stream(topic, "", ""),
			rui.Stream(topic, "game:"+game+":0", ""),
		}
		for i, stream := range streams {
			defer stream.Close()
			if err := stream.AwaitVersion(t.Context(), 2); err != nil {
				t.Fatalf("watcher %d: %v", i, err)
			}
		}
		play(ana, rui, game, "f3", "e5", "g4", "Qh4#")
		version := ana.Rated(game).Version
		want := plainEvents(t, stranger, game)
		if int(version) != len(want) {
			t.Fatalf("version %d has %d events", version, len(want))
		}
		for i, stream := range streams {
			if err := stream.AwaitVersion(t.Context(), version); err != nil {
				t.Fatalf("watcher %d: %v", i, err)
			}
			from, events := seen(t, stream.Frames())
			if !reflect.DeepEqual(events, want[from:]) {
				t.Errorf("watcher %d sees\n%v\nwant\n%v", i, events, want[from:])
			}
		}
		kinds := ""
		for i, e := range ana.Events(game, 0) {
			if int(e.Version) != i+1 || e.GameID != game {
				t.Errorf("event %d is version %d of %s", i, e.Version, e.GameID)
			}
			kinds += e.Kind + " "
		}
		if want := "created accepted moved moved moved moved finished rated "; kinds != want {
			t.Errorf("the events are %s, want %s", kinds, want)
		}
	})
}

// A page that was away goes on where it was, whichever way it says so.
func TestStreamsResume(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, rui, game := pair(t, s, "draughts", nil)
		topic := []string{"game:" + game}
		first := ana.Stream(topic, "", "")
		defer first.Close()
		if err := first.AwaitVersion(t.Context(), 2); err != nil {
			t.Fatal(err)
		}
		g := play(ana, rui, game, shortDraughts[:4]...)
		if err := first.AwaitVersion(t.Context(), g.Version); err != nil {
			t.Fatal(err)
		}
		first.Close()
		for i := 4; i < 7; i++ {
			g = []*shapetest.Person{ana, rui}[i%2].Move(game, int32(i), shortDraughts[i])
		}
		want := plainEvents(t, rui, game)
		for what, stream := range map[string]*shapetest.Stream{
			"cursor": ana.Stream(topic, "", first.Cursor()),
			"since":  ana.Stream(topic, "game:"+game+":6", ""),
		} {
			defer stream.Close()
			if err := stream.AwaitVersion(t.Context(), g.Version); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if snapshot, events := seen(t, stream.Frames()); snapshot != 0 || !reflect.DeepEqual(events, want[6:]) {
				t.Errorf("%s: a snapshot at %d and\n%v\nwant\n%v", what, snapshot, events, want[6:])
			}
		}
		// The list of one's own games hears of it too.
		me := rui.Stream([]string{"me"}, "", "")
		defer me.Close()
		if err := me.Await(t.Context(), func(f []shapetest.Frame) bool { return len(f) == 1 && f[0].Kind == "snapshot" }); err != nil {
			t.Fatal(err)
		}
		ana.Command(game, "resign", m{})
		if err := me.Await(t.Context(), func(f []shapetest.Frame) bool { return len(f) > 1 }); err != nil {
			t.Error(err)
		}
	})
}

func TestStreamsRefuse(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana := s.Register(t, shapetest.Adult())
		game := ana.Create(m{"rules": "chess", "opponent": "engine", "side": "first"}).ID
		stranger := s.Guest(t)
		for _, c := range []struct {
			query  string
			status int
			code   string
		}{
			{"", http.StatusBadRequest, "bad_topic"},
			{"?topic=everything", http.StatusBadRequest, "bad_topic"},
			{"?topic=game:1", http.StatusBadRequest, "bad_topic"},
			{"?topic=game:" + game + "&since=game:" + game + ":x", http.StatusBadRequest, "bad_cursor"},
			{"?topic=game:" + game, http.StatusNotFound, "game_not_found"},
			{"?topic=me", http.StatusUnauthorized, "not_logged_in"},
		} {
			stranger.Refused(c.status, c.code, stranger.Get("/v1/events"+c.query))
		}
	})
}

// Every command that is sent twice happens once, and its first answer comes
// again, however the game has moved on since.
func TestEveryCommandTwice(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		visitor := s.Guest(t)
		fields, key := shapetest.Adult(), shapetest.NewKey()
		accounts := twice(t, visitor, "/v1/accounts", key, fields, shapetest.Adult())
		if accounts.Status != http.StatusCreated {
			t.Fatalf("registration: %d %s", accounts.Status, accounts.Body)
		}

		ana, rui := s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Adult())
		type sent struct {
			who       *shapetest.Person
			path, key string
			body      m
			answer    shapetest.Answer
		}
		var all []sent
		command := func(who *shapetest.Person, path string, body, other m) shapetest.Game {
			t.Helper()
			key := shapetest.NewKey()
			answer := twice(t, who, path, key, body, other)
			all = append(all, sent{who, path, key, body, answer})
			g, err := answer.Game()
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			return g
		}
		g := command(ana, "/v1/games", m{"rules": "chess", "opponent": "person", "side": "first", "rated": true}, m{"rules": "draughts", "opponent": "person"})
		if mine := ana.Get("/v1/games"); len(gamesOf(t, mine)) != 1 {
			t.Errorf("a game that was made twice is twice in the list: %s", mine.Body)
		}
		path := "/v1/games/" + g.ID
		command(rui, path+"/accept", m{}, nil)
		command(ana, path+"/moves", m{"move": "e4", "turn": 0}, m{"move": "d4", "turn": 0})
		command(rui, path+"/moves", m{"move": "e5", "turn": 1}, m{"move": "e5", "turn": 2})
		command(ana, path+"/draw-offer", m{"turn": 2}, m{"turn": 1})
		command(rui, path+"/draw-answer", m{"turn": 2, "accept": false}, m{"turn": 2, "accept": true})
		g = command(rui, path+"/resign", m{}, nil)
		if g.Result != "1-0" {
			t.Errorf("the result is %s", g.Result)
		}
		open := command(ana, "/v1/games", m{"rules": "draughts", "opponent": "person"}, m{"rules": "chess", "opponent": "person"})
		command(ana, "/v1/games/"+open.ID+"/cancel", m{}, nil)

		again := meet(ana, rui, "chess", nil)
		play(ana, rui, again, "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8")
		command(ana, "/v1/games/"+again+"/draw-claim", m{"turn": 8}, m{"turn": 7})

		for _, c := range all { // the games have ended since
			if answer := c.who.PostKey(c.path, c.key, c.body); string(answer.Body) != string(c.answer.Body) {
				t.Errorf("%s: later the answer is\n%s\nfirst it was\n%s", c.path, answer.Body, c.answer.Body)
			}
		}
		// A key belongs to its sender and to one address.
		rui.Refused(http.StatusConflict, "game_over", rui.PostKey(path+"/moves", all[2].key, m{"move": "e4", "turn": 0}))
		ana.Refused(http.StatusConflict, "key_reused", ana.PostKey(path+"/resign", all[2].key, m{}))
		if g := ana.Rated(g.ID); len(g.Plies) != 2 || g.Version != 8 {
			t.Errorf("the game is at version %d with %d plies", g.Version, len(g.Plies))
		}
	})
}

// twice sends a command twice with one key, and another body with that key.
func twice(t *testing.T, p *shapetest.Person, path, key string, body, other m) shapetest.Answer {
	t.Helper()
	first, second := p.PostKey(path, key, body), p.PostKey(path, key, body)
	if first.Status > 299 || first.Status != second.Status || string(first.Body) != string(second.Body) {
		t.Fatalf("%s answers %d %s\nand then %d %s", path, first.Status, first.Body, second.Status, second.Body)
	}
	if other != nil {
		p.Refused(http.StatusConflict, "key_reused", p.PostKey(path, key, other))
	}
	return first
}

func gamesOf(t *testing.T, a shapetest.Answer) []shapetest.Game {
	t.Helper()
	var body struct{ Games []shapetest.Game }
	if err := a.Into(&body); err != nil {
		t.Fatal(err)
	}
	return body.Games
}

// A move that is sent many times at once, on many connections, happens once.
func TestOneMoveManyTimesAtOnce(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, _, game := pair(t, s, "chess", nil)
		key, answers := shapetest.NewKey(), make(chan string)
		for range 8 {
			go func() {
				answer, err := ana.Insist(t.Context(), http.MethodPost, "/v1/games/"+game+"/moves", key, m{"move": "e4", "turn": 0})
				answers <- fmt.Sprint(err, " ", strconv.Itoa(answer.Status), " ", string(answer.Body))
			}()
		}
		first := <-answers
		for range 7 {
			if next := <-answers; next != first {
				t.Errorf("one answer is %s\nanother is %s", first, next)
			}
		}
		if g := ana.Game(game); g.Turn != 1 || g.Version != 3 {
			t.Errorf("the game is at turn %d, version %d", g.Turn, g.Version)
		}
	})
}
