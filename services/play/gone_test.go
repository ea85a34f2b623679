package play

import (
	"fmt"
	"testing"
	"time"

	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// says is a gateway's word on who is at a game; without sides nobody is.
func (w *world) says(gateway, game string, sides ...string) {
	m := &busv1.Presence{Gateway: gateway, Game: game}
	for _, side := range sides {
		m.Sides = append(m.Sides, &busv1.PresentSide{Side: side, LagMs: 80})
	}
	w.Present(m)
}

// waits lets time pass while a gateway says every 5 s who is here, and looks.
func (w *world) waits(d time.Duration, game string, sides ...string) {
	w.t.Helper()
	for ; d > 0; d -= time.Second {
		w.time.pass(min(d, time.Second))
		if d.Milliseconds()%5000 < 1000 {
			w.says("g1", game, sides...)
		}
		must(w.t, w.PresenceStep(w.t.Context()))
	}
}

func claim(w *world, player, game, result string) (*playv1.Game, error) {
	out, err := w.Pace().ClaimWin(w.as(player), &playv1.ClaimWinRequest{Game: game, Result: result})
	return out.GetGame(), err
}

var fiveMinutes = &playv1.ClockSettings{InitialMs: 300_000}

func TestWhoIsGoneMayBeClaimed(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	w.says("g1", id, "white", "black")
	w.waits(10*time.Second, id, "white", "black")
	left := w.time.Now()
	w.says("g1", id, "black")
	w.waits(29*time.Second, id, "black")
	if g := w.get("b", id); len(g.GetGone()) != 0 {
		t.Fatalf("gone before the limit: %v", g.GetGone())
	}
	_, err := claim(w, "b", id, "")
	wantCode(t, err, "not_gone")
	w.waits(2*time.Second, id, "black")
	g := w.get("b", id)
	if len(g.GetGone()) != 1 || g.GetGone()[0].GetSide() != "white" || !g.GetGone()[0].GetSince().AsTime().Equal(left) {
		t.Fatalf("gone: %v, want white since %v", g.GetGone(), left)
	}
	_, err = claim(w, "w", id, "")
	wantCode(t, err, "not_gone")
	_, err = claim(w, "c", id, "")
	wantCode(t, err, "game_not_found")
	g, err = claim(w, "b", id, "")
	must(t, err)
	if g.GetResult() != "0-1" || g.GetOutcome().GetReason() != "abandoned" || len(g.GetGone()) != 0 {
		t.Errorf("got %v", g)
	}
	_, err = claim(w, "b", id, "")
	wantCode(t, err, "game_over")
}

func TestADrawMayBeClaimedToo(t *testing.T) {
	for _, test := range []struct{ text, result, want string }{
		{"m", "draw", "1/2-1/2"}, {"m", "win", "0-1"}, {"weak", "win", "1/2-1/2"}, // black cannot win any more
	} {
		w := newWorld(t)
		id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
		w.moved("w", id, 0, "m")
		w.moved("b", id, 1, test.text)
		w.waits(45*time.Second, id, "black")
		g, err := claim(w, "b", id, test.result)
		must(t, err)
		if g.GetResult() != test.want || g.GetOutcome().GetReason() != "abandoned" {
			t.Errorf("%v: got %v", test, g.GetOutcome())
		}
	}
}

// Words are lost: that a side is here holds for 12 s, and its limit begins there.
func TestALostWordCallsNobodyGoneEarly(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	w.says("g2", id, "white") // and nothing of it is heard any more
	w.waits(41*time.Second, id, "black")
	if g := w.get("b", id); len(g.GetGone()) != 0 {
		t.Fatalf("gone less than 30 s after the word had held: %v", g.GetGone())
	}
	w.waits(3*time.Second, id, "black")
	if g := w.get("b", id); len(g.GetGone()) != 1 {
		t.Fatalf("not gone at last: %v", g)
	}
}

// The right ends when the opponent comes back or does anything.
func TestComingBackEndsTheRight(t *testing.T) {
	for name, back := range map[string]func(w *world, id string){
		"a stream": func(w *world, id string) {
			w.says("g2", id, "white")
			_, err := claim(w, "b", id, "")
			wantCode(w.t, err, "not_gone")
			must(w.t, w.PresenceStep(w.t.Context()))
		},
		"a move": func(w *world, id string) { w.moved("w", id, 0, "m") },
		"an offer": func(w *world, id string) {
			_, err := w.OfferDraw(w.as("w"), &playv1.OfferDrawRequest{Game: id, Turn: turn(0)})
			must(w.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
			w.waits(45*time.Second, id, "black")
			if g := w.get("b", id); len(g.GetGone()) != 1 {
				t.Fatalf("got %v", g)
			}
			back(w, id)
			if g := w.get("b", id); len(g.GetGone()) != 0 {
				t.Errorf("still gone: %v", g.GetGone())
			}
			_, err := claim(w, "b", id, "")
			wantCode(t, err, "not_gone")
		})
	}
}

// TestNobodyIsGoneWhileTheBusIsAway: who hears no gateway, or has begun to hear
// only just now, calls nobody gone.
func TestNobodyIsGoneWhileTheBusIsAway(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	nobodyGone := func() {
		t.Helper()
		must(t, w.PresenceStep(t.Context()))
		if g := w.get("b", id); len(g.GetGone()) != 0 {
			t.Fatalf("gone: %v", g.GetGone())
		}
	}
	w.says("g1", id, "white", "black")
	w.time.pass(time.Minute)
	nobodyGone()
	w.waits(29*time.Second, id, "black")
	nobodyGone()
	w.PresenceLost() // the connection was away: what was said meanwhile is not known
	w.waits(29*time.Second, id, "black")
	nobodyGone()
	w.waits(10*time.Second, id, "black")
	if g := w.get("b", id); len(g.GetGone()) != 1 {
		t.Errorf("got %v", g.GetGone())
	}
}

// A player is here while any gateway says so; a gateway that died is not believed
// for long.
func TestPresenceAtSeveralGateways(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	w.says("g2", id, "white")
	for range 12 {
		w.waits(5*time.Second, id, "black")
		w.says("g2", id, "white")
	}
	if g := w.get("b", id); len(g.GetGone()) != 0 {
		t.Fatalf("got %v", g.GetGone())
	}
	w.waits(29*time.Second, id, "black")
	if g := w.get("b", id); len(g.GetGone()) != 0 {
		t.Fatalf("too early: %v", g.GetGone())
	}
	w.waits(15*time.Second, id, "black")
	if g := w.get("b", id); len(g.GetGone()) != 1 {
		t.Errorf("got %v", g.GetGone())
	}
}

// Several replicas see the same; one event comes of it.
func TestReplicasCallNobodyGoneTwice(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	other := w.replica()
	for range 50 {
		w.time.pass(time.Second)
		for _, s := range []*Service{w.Service, other} {
			s.Present(&busv1.Presence{Gateway: "g1", Game: id, Sides: []*busv1.PresentSide{{Side: "black"}}})
			must(t, s.PresenceStep(t.Context()))
		}
	}
	if g := w.get("b", id); len(g.GetGone()) != 1 || g.GetVersion() != 3 {
		t.Errorf("got %v", g)
	}
}

func TestWhereNobodyIsCalledGone(t *testing.T) {
	engine := &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "first", Clock: fiveMinutes}
	w := newWorld(t)
	against := w.create("w", engine).GetId()
	plain := w.pair(&playv1.CreateGameRequest{}).GetId()
	over := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	_, err := w.Resign(w.as("w"), &playv1.ResignRequest{Game: over})
	must(t, err)
	for range 40 {
		w.time.pass(5 * time.Second)
		for _, id := range []string{against, plain, over, "unknown"} {
			w.says("g1", id, "black", "o")
		}
		must(t, w.PresenceStep(t.Context()))
	}
	for _, id := range []string{against, plain, over} {
		if g := w.get("w", id); len(g.GetGone()) != 0 {
			t.Errorf("got %v", g)
		}
	}
}

// What a gateway may say is bounded, however many games there are.
func TestPresenceIsBounded(t *testing.T) {
	w := newWorld(t)
	for i := range 2 * maxGateways {
		w.says(fmt.Sprint("g", i), "game", "white")
	}
	if n := len(w.presence.games["game"].said); n > maxGateways || len(w.presence.heard) > maxGateways {
		t.Errorf("%d gateways are believed", n)
	}
	w.says("g1", "empty")
	if w.presence.games["empty"] != nil {
		t.Error("a game that nobody is at is kept")
	}
	w.time.pass(time.Minute)
	w.says("g1", "")
	must(t, w.PresenceStep(t.Context()))
	for range 130 {
		w.time.pass(5 * time.Second)
		w.says("g1", "")
	}
	must(t, w.PresenceStep(t.Context()))
	if n := len(w.presence.games); n != 0 {
		t.Errorf("%d games are kept for nobody", n)
	}
}

// A gateway that has a player's stream lends its measurement to the one that gets
// the move.
func TestLatencyFromAnotherGateway(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	w.says("g1", id, "white")
	w.time.pass(2 * time.Second)
	if g := w.moved("w", id, 0, "m"); g.GetLast().GetCreditedMs() != 80 || g.GetLast().GetTookMs() != 1920 {
		t.Errorf("got %v", g.GetLast())
	}
}

func TestGiveTime(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Rated: true, Clock: &playv1.ClockSettings{InitialMs: 10_000}}).GetId()
	give := func(player, game string) (*playv1.Game, error) {
		out, err := w.Pace().GiveTime(w.as(player), &playv1.GiveTimeRequest{Game: game})
		return out.GetGame(), err
	}
	w.time.pass(9 * time.Second)
	g, err := give("b", id)
	must(t, err)
	if c := g.GetClock(); c.GetRemainingMs()[0] != 25_000 || c.GetRemainingMs()[1] != 10_000 || c.GetRunning() != "white" {
		t.Errorf("got %v", c)
	}
	// The flag is due later, and the time that ran still counts.
	w.time.pass(15 * time.Second)
	w.idle()
	if g = w.moved("w", id, 0, "m"); g.GetClock().GetRemainingMs()[0] != 1000 {
		t.Errorf("got %v", g.GetClock())
	}
	w.time.pass(10 * time.Second)
	w.step()
	_, err = give("w", id)
	wantCode(t, err, "game_over")

	plain := w.pair(&playv1.CreateGameRequest{}).GetId()
	_, err = give("w", plain)
	wantCode(t, err, "no_clock")
	_, err = give("c", plain)
	wantCode(t, err, "game_not_found")
	often := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	for range maxGiven {
		_, err = give("w", often)
		must(t, err)
	}
	_, err = give("w", often)
	wantCode(t, err, "time_given")
	_, err = give("b", often)
	must(t, err)
}

func TestSuspendAndResume(t *testing.T) {
	w := newWorld(t)
	suspend := func(player, game string) (*playv1.Game, error) {
		out, err := w.Pace().SuspendGame(w.as(player), &playv1.SuspendGameRequest{Game: game})
		return out.GetGame(), err
	}
	resume := func(player, game string) (*playv1.Game, error) {
		out, err := w.Pace().ResumeGame(w.as(player), &playv1.ResumeGameRequest{Game: game})
		return out.GetGame(), err
	}
	list := func(player, status string) int {
		out, err := w.ListGames(w.as(player), &playv1.ListGamesRequest{Status: status})
		must(t, err)
		return len(out.GetGames())
	}

	// Against the engine: at once, and it owes no move meanwhile.
	id := w.againstEngine("guest:1", nil).GetId()
	w.moved("guest:1", id, 0, "m")
	g, err := suspend("guest:1", id)
	must(t, err)
	if g.GetStatus() != StatusSuspended || len(g.GetMoves()) != 0 || list("guest:1", "suspended") != 1 || list("guest:1", "running") != 0 {
		t.Fatalf("got %v", g)
	}
	w.time.pass(time.Hour)
	w.idle()
	_, err = w.move("guest:1", id, 1, "m")
	wantCode(t, err, "game_suspended")
	_, err = suspend("guest:1", id)
	wantCode(t, err, "game_suspended")
	g, err = resume("guest:1", id)
	must(t, err)
	if g.GetStatus() != StatusRunning {
		t.Fatalf("got %v", g)
	}
	_, err = resume("guest:1", id)
	wantCode(t, err, "not_suspended")
	w.step()
	if g = w.get("guest:1", id); g.GetTurn() != 2 {
		t.Errorf("the engine owes its move: %v", g)
	}

	// Two persons: by agreement, both ways; a move is a no.
	id = w.pair(&playv1.CreateGameRequest{}).GetId()
	g, err = suspend("w", id)
	must(t, err)
	if g.GetStatus() != StatusRunning || g.GetPauseOffer() != "white" {
		t.Fatalf("got %v", g)
	}
	_, err = suspend("w", id)
	wantCode(t, err, "offer_standing")
	if g = w.moved("w", id, 0, "m"); g.GetPauseOffer() != "" {
		t.Errorf("got %v", g)
	}
	for _, player := range []string{"b", "w"} {
		g, err = suspend(player, id)
		must(t, err)
	}
	if g.GetStatus() != StatusSuspended || g.GetPauseOffer() != "" {
		t.Fatalf("got %v", g)
	}
	_, err = resume("c", id)
	wantCode(t, err, "game_not_found")
	g, err = resume("w", id)
	must(t, err)
	if g.GetStatus() != StatusSuspended || g.GetPauseOffer() != "white" {
		t.Fatalf("got %v", g)
	}
	_, err = resume("w", id)
	wantCode(t, err, "offer_standing")
	g, err = resume("b", id)
	must(t, err)
	if g.GetStatus() != StatusRunning {
		t.Fatalf("got %v", g)
	}
	w.moved("b", id, 1, "m")

	// Who will not wait for the other may still give a saved game up.
	for _, player := range []string{"w", "b"} {
		_, err = suspend(player, id)
		must(t, err)
	}
	out, err := w.Resign(w.as("w"), &playv1.ResignRequest{Game: id})
	must(t, err)
	if out.GetGame().GetResult() != "0-1" {
		t.Errorf("got %v", out.GetGame())
	}

	clocked := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	_, err = suspend("w", clocked)
	wantCode(t, err, "has_clock")
}

// A saved game keeps its place among the player's games: no other takes it, and to
// go on needs none.
func TestASavedGameKeepsItsPlace(t *testing.T) {
	w := newWorld(t)
	w.cfg.MaxGuestGames = 1
	w.restart()
	id := w.againstEngine("guest:1", nil).GetId()
	_, err := w.Pace().SuspendGame(w.as("guest:1"), &playv1.SuspendGameRequest{Game: id})
	must(t, err)
	_, err = w.CreateGame(w.as("guest:1"), &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine"})
	wantCode(t, err, "too_many_games")
	out, err := w.Pace().ResumeGame(w.as("guest:1"), &playv1.ResumeGameRequest{Game: id})
	must(t, err)
	if out.GetGame().GetStatus() != StatusRunning {
		t.Errorf("got %v", out.GetGame())
	}
}

// TestWhoHasJustSatDownIsNotGone: a seat may be taken long after the game was made,
// and who takes it may need a moment to open the page.
func TestWhoHasJustSatDownIsNotGone(t *testing.T) {
	w := newWorld(t)
	id := w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Side: "white", Clock: fiveMinutes}).GetId()
	w.waits(10*time.Minute, id, "white")
	_, err := w.AcceptGame(w.as("b"), &playv1.AcceptGameRequest{Game: id})
	must(t, err)
	w.waits(29*time.Second, id, "white")
	if g := w.get("w", id); len(g.GetGone()) != 0 {
		t.Fatalf("gone %v after 29 s", g.GetGone())
	}
	w.waits(2*time.Second, id, "white")
	if g := w.get("w", id); len(g.GetGone()) != 1 || g.GetGone()[0].GetSide() != "black" {
		t.Errorf("not gone after 31 s: %v", g.GetGone())
	}
}

// TestWhoMovesWhileOneLooksIsNotGone: between the look at who is gone and the event
// the side may have done something.
func TestWhoMovesWhileOneLooksIsNotGone(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
	began := w.time.Now().UnixMilli()
	w.time.pass(time.Minute)
	w.moved("w", id, 0, "m")
	state, err := w.deps.Store.Load(t.Context(), id)
	must(t, err)
	for side, due := range map[string]bool{"white": false, "black": true} {
		events, err := Decide(state, Gone{Side: side, Since: began}, nil, w.time.Now())
		if (len(events) == 1) != due || (err == nil) != due {
			t.Errorf("%s: %v, %v", side, events, err)
		}
	}
}

// TestNoClockBeginsAgainstWhoIsAway: an offer may be old, and the clock of whoever
// made it would run out without them.
func TestNoClockBeginsAgainstWhoIsAway(t *testing.T) {
	accept := func(w *world, id string) error {
		_, err := w.AcceptGame(w.as("b"), &playv1.AcceptGameRequest{Game: id})
		return err
	}
	seek := func(clock *playv1.ClockSettings) (*world, string) {
		w := newWorld(t)
		return w, w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Side: "white", Clock: clock}).GetId()
	}
	t.Run("seek", func(t *testing.T) {
		w, id := seek(fiveMinutes)
		listed := func(player string) int {
			out, err := w.ListGames(w.as(player), &playv1.ListGamesRequest{List: "open"})
			must(t, err)
			return len(out.GetGames())
		}
		if listed("b") != 1 {
			t.Error("a seat whose maker has just been there is not listed")
		}
		w.waits(awayAfter+10*time.Second, id) // a gateway is heard, and nobody is there
		wantCode(t, accept(w, id), "opponent_away")
		if listed("b") != 0 {
			t.Error("a seat that nobody can take is listed")
		}
		w.says("g1", id, "white")
		if listed("b") != 1 {
			t.Error("its maker is back, and it is not listed")
		}
		must(t, accept(w, id))
	})
	t.Run("seek whose maker has left", func(t *testing.T) {
		w, id := seek(fiveMinutes)
		w.waits(10*time.Minute, id, "white")
		w.says("g1", id)
		w.waits(awayAfter, id)
		must(t, accept(w, id)) // it may come back any moment
	})
	t.Run("without a clock", func(t *testing.T) {
		w, id := seek(nil)
		w.waits(time.Hour, id)
		must(t, accept(w, id))
	})
	t.Run("no gateway is heard", func(t *testing.T) {
		w, id := seek(fiveMinutes)
		w.waits(10*time.Second, id)
		w.time.pass(time.Hour)
		must(t, accept(w, id))
	})
	t.Run("rematch", func(t *testing.T) {
		w := newWorld(t)
		id := w.pair(&playv1.CreateGameRequest{Clock: fiveMinutes}).GetId()
		_, err := w.Resign(w.as("w"), &playv1.ResignRequest{Game: id})
		must(t, err)
		_, err = w.OfferRematch(w.as("w"), &playv1.OfferRematchRequest{Game: id})
		must(t, err)
		w.waits(awayAfter+10*time.Second, id, "black")
		_, err = w.AnswerRematch(w.as("b"), &playv1.AnswerRematchRequest{Game: id, Accept: true})
		wantCode(t, err, "opponent_away")
		w.says("g2", id, "white")
		out, err := w.AnswerRematch(w.as("b"), &playv1.AnswerRematchRequest{Game: id, Accept: true})
		must(t, err)
		if out.GetNext().GetStatus() != StatusRunning {
			t.Errorf("got %v", out.GetNext())
		}
	})
}

// TestAGameWithoutAClockMayBeClaimedAtLast: the side that is not to move has a way
// out when the other never comes back.
func TestAGameWithoutAClockMayBeClaimedAtLast(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Rated: true}).GetId()
	g := w.moved("w", id, 0, "m")
	if from := g.GetClaimFrom().AsTime(); from.Sub(w.time.Now()) != 14*24*time.Hour {
		t.Fatalf("from %v, now %v", from, w.time.Now())
	}
	w.time.pass(14*24*time.Hour - time.Second)
	_, err := claim(w, "w", id, "")
	wantCode(t, err, "not_gone")
	w.time.pass(time.Second)
	_, err = claim(w, "b", id, "") // it is black's own move that is missing
	wantCode(t, err, "not_gone")
	w.says("g1", id, "black")
	_, err = claim(w, "w", id, "")
	wantCode(t, err, "not_gone")
	w.says("g1", id)
	g, err = claim(w, "w", id, "")
	must(t, err)
	if g.GetResult() != "1-0" || g.GetOutcome().GetReason() != "abandoned" || g.GetClaimFrom() != nil {
		t.Errorf("got %v", g)
	}
}

// TestTalkHasAnEnd: what is no move cannot make a game grow for ever, and in a game
// that has had enough of it moves and its end still count.
func TestTalkHasAnEnd(t *testing.T) {
	w := newWorld(t)
	g := w.pair(&playv1.CreateGameRequest{Options: &playv1.Options{Takebacks: true}})
	id, asked := g.GetId(), 0
	for {
		_, err := w.OfferTakeback(w.as("w"), &playv1.OfferTakebackRequest{Game: id, Turn: turn(w.get("w", id).GetTurn())})
		if asked == 0 {
			wantCode(t, err, "no_takeback") // what is refused anyway says why
			w.moved("w", id, 0, "m")
			asked++
			continue
		}
		if err != nil {
			wantCode(t, err, "asked_enough")
			break
		}
		_, err = w.AnswerTakeback(w.as("b"), &playv1.AnswerTakebackRequest{Game: id, Accept: true, Turn: turn(w.get("b", id).GetTurn())})
		must(t, err)
		w.moved("w", id, w.get("w", id).GetTurn(), "m")
		asked++
	}
	if v := w.get("w", id).GetVersion(); v < maxTalk || v > maxTalk+8 {
		t.Errorf("%d events", v)
	}
	w.moved("b", id, w.get("b", id).GetTurn(), "m")
	_, err := w.Resign(w.as("w"), &playv1.ResignRequest{Game: id})
	must(t, err)
}
