package play

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

func turn(n int32) *int32 { return &n }

func TestAGuestPlaysTheEngineToTheEnd(t *testing.T) {
	w := newWorld(t)
	game := w.againstEngine("guest:1", nil)
	if game.GetStatus() != StatusRunning || game.GetVersion() != 1 || game.GetYourSide() != "x" || len(game.GetMoves()) != 2 {
		t.Fatalf("new game: %v", game)
	}
	w.idle()
	game = w.moved("guest:1", game.GetId(), 0, "m")
	if game.GetTurn() != 1 || game.GetSide() != "o" || len(game.GetPlies()) != 1 {
		t.Fatalf("after a move: %v", game)
	}
	w.step() // the engine answers
	w.idle()
	game = w.moved("guest:1", game.GetId(), 2, "win")
	if game.GetStatus() != StatusFinished || game.GetResult() != "1-0" || game.GetOutcome().GetWinner() != "x" ||
		game.GetVersion() != 5 || len(game.GetMoves()) != 0 || len(game.GetPlies()) != 3 {
		t.Fatalf("after the end: %v", game)
	}
	w.idle() // nobody rates a guest

	var kinds []string
	for i, m := range w.published {
		kinds = append(kinds, m.GetEvent().GetKind())
		g := m.GetEvent().GetGame()
		if int(m.GetEvent().GetVersion()) != i+1 || g.GetVersion() != m.GetEvent().GetVersion() ||
			len(g.GetPlies()) != 0 || g.GetYourSide() != "" || len(m.GetPlayers()) != 0 {
			t.Errorf("published %v", m)
		}
	}
	if want := []string{KindCreated, KindMoved, KindMoved, KindMoved, KindFinished}; !slices.Equal(kinds, want) {
		t.Errorf("published %v, want %v", kinds, want)
	}
}

func TestTwoPersonsPlay(t *testing.T) {
	w := newWorld(t)
	made := w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Side: "black", Rated: true})
	if made.GetStatus() != StatusOpen || made.GetYourSide() != "black" || made.GetSeats()[0].GetKind() != SeatOpen || len(made.GetMoves()) != 0 {
		t.Fatalf("open game: %v", made)
	}
	_, err := w.move("w", made.GetId(), 0, "m")
	wantCode(t, err, "game_not_started")
	_, err = w.AcceptGame(w.as("w"), &playv1.AcceptGameRequest{Game: made.GetId()})
	wantCode(t, err, "own_game")

	out, err := w.AcceptGame(w.as("b"), &playv1.AcceptGameRequest{Game: made.GetId()})
	must(t, err)
	want := []*playv1.Seat{
		{Side: "white", Kind: SeatPerson, Account: "b", Name: "Name of b", Rating: 1500, Provisional: true},
		{Side: "black", Kind: SeatPerson, Account: "w", Name: "Name of w", Rating: 1500, Provisional: true},
	}
	if got := out.GetGame().GetSeats(); !proto.Equal(got[0], want[0]) || !proto.Equal(got[1], want[1]) {
		t.Errorf("seats %v, want %v", got, want)
	}
	_, err = w.AcceptGame(w.as("c"), &playv1.AcceptGameRequest{Game: made.GetId()})
	wantCode(t, err, "seat_taken")
	_, err = w.GetGame(w.as("c"), &playv1.GetGameRequest{Game: made.GetId()})
	wantCode(t, err, "game_not_found")

	_, err = w.move("w", made.GetId(), 0, "m")
	wantCode(t, err, "not_your_turn")
	_, err = w.move("b", made.GetId(), 3, "m")
	wantCode(t, err, "stale_turn")
	_, err = w.move("b", made.GetId(), 0, "bad")
	wantCode(t, err, "cannot_move_so")
	if problem, _ := rpc.ProblemOf(err); !slices.Equal(problem.Squares, []string{"a1"}) {
		t.Errorf("squares %v", problem.Squares)
	}
	w.moved("b", made.GetId(), 0, "m")

	offer, err := w.OfferDraw(w.as("b"), &playv1.OfferDrawRequest{Game: made.GetId(), Turn: turn(1)})
	must(t, err)
	if offer.GetGame().GetDrawOffer() != "white" {
		t.Errorf("offer of %q", offer.GetGame().GetDrawOffer())
	}
	_, err = w.OfferDraw(w.as("b"), &playv1.OfferDrawRequest{Game: made.GetId(), Turn: turn(1)})
	wantCode(t, err, "offer_standing")
	_, err = w.AnswerDraw(w.as("b"), &playv1.AnswerDrawRequest{Game: made.GetId(), Turn: turn(1), Accept: true})
	wantCode(t, err, "no_offer")
	declined, err := w.AnswerDraw(w.as("w"), &playv1.AnswerDrawRequest{Game: made.GetId(), Turn: turn(1)})
	must(t, err)
	if declined.GetGame().GetDrawOffer() != "" {
		t.Errorf("offer of %q", declined.GetGame().GetDrawOffer())
	}
	_, err = w.OfferDraw(w.as("b"), &playv1.OfferDrawRequest{Game: made.GetId(), Turn: turn(1)})
	wantCode(t, err, "offer_standing") // declined, and nothing was moved since
	if g := w.get("b", made.GetId()); g.GetDrawOffer() != "" {
		t.Errorf("a refused offer stands: %v", g)
	}
	_, err = w.ClaimDraw(w.as("w"), &playv1.ClaimDrawRequest{Game: made.GetId(), Turn: turn(1)})
	wantCode(t, err, "no_claim")
	if g := w.moved("w", made.GetId(), 1, "claim"); !slices.Equal(g.GetClaims(), []string{"repetition_3"}) {
		t.Errorf("claims %v", g.GetClaims())
	}
	claimed, err := w.ClaimDraw(w.as("b"), &playv1.ClaimDrawRequest{Game: made.GetId(), Turn: turn(2)})
	must(t, err)
	if g := claimed.GetGame(); g.GetResult() != "1/2-1/2" || g.GetOutcome().GetReason() != "repetition_3" || g.GetOutcome().Winner != nil || len(g.GetClaims()) != 0 {
		t.Errorf("claimed: %v", g)
	}

	w.step() // rated
	g := w.get("w", made.GetId())
	if g.GetSeats()[0].GetRatingAfter() != 1500 || g.GetSeats()[1].GetRatingAfter() != 1500 || w.accounts.last.GetFirstHalfPoints() != 1 {
		t.Errorf("rated: %v by %v", g.GetSeats(), w.accounts.last)
	}
	_, err = w.Resign(w.as("w"), &playv1.ResignRequest{Game: made.GetId()})
	wantCode(t, err, "game_over")
}

// TestEveryCommandTwice sends every command again with its key, also when the
// game has moved on, and then with another body.
func TestEveryCommandTwice(t *testing.T) {
	w := newWorld(t)
	type sent struct {
		name        string
		call, other func() (*playv1.Game, error)
		first       *playv1.Game
	}
	var all []*sent
	send := func(name string, call, other func() (*playv1.Game, error)) *playv1.Game {
		t.Helper()
		first, err := call()
		must(t, err)
		all = append(all, &sent{name, call, other, first})
		return first
	}
	creating := func(in *playv1.CreateGameRequest, ctx context.Context) func() (*playv1.Game, error) {
		return func() (*playv1.Game, error) { out, err := w.CreateGame(ctx, in); return out.GetGame(), err }
	}
	ctx := w.as("w")
	game := send("create",
		creating(&playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Side: "white"}, ctx),
		creating(&playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Side: "black"}, ctx)).GetId()
	spare := w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"}).GetId()

	cancelling := func(ctx context.Context, id string) func() (*playv1.Game, error) {
		return func() (*playv1.Game, error) {
			out, err := w.CancelGame(ctx, &playv1.CancelGameRequest{Game: id})
			return out.GetGame(), err
		}
	}
	ctx = w.as("w")
	send("cancel", cancelling(ctx, spare), cancelling(ctx, game))
	accepting := func(ctx context.Context, id string) func() (*playv1.Game, error) {
		return func() (*playv1.Game, error) {
			out, err := w.AcceptGame(ctx, &playv1.AcceptGameRequest{Game: id})
			return out.GetGame(), err
		}
	}
	ctx = w.as("b")
	send("accept", accepting(ctx, game), accepting(ctx, spare))
	moving := func(ctx context.Context, n int32, text string) func() (*playv1.Game, error) {
		return func() (*playv1.Game, error) {
			out, err := w.Move(ctx, &playv1.MoveRequest{Game: game, Move: text, Turn: turn(n)})
			return out.GetGame(), err
		}
	}
	ctx = w.as("w")
	send("move", moving(ctx, 0, "m"), moving(ctx, 0, "other"))
	offering := func(ctx context.Context, n int32) func() (*playv1.Game, error) {
		return func() (*playv1.Game, error) {
			out, err := w.OfferDraw(ctx, &playv1.OfferDrawRequest{Game: game, Turn: turn(n)})
			return out.GetGame(), err
		}
	}
	ctx = w.as("w")
	send("offer", offering(ctx, 1), offering(ctx, 2))
	answering := func(ctx context.Context, accept bool) func() (*playv1.Game, error) {
		return func() (*playv1.Game, error) {
			out, err := w.AnswerDraw(ctx, &playv1.AnswerDrawRequest{Game: game, Turn: turn(1), Accept: accept})
			return out.GetGame(), err
		}
	}
	ctx = w.as("b")
	send("answer", answering(ctx, false), answering(ctx, true))
	ctx = w.as("b")
	send("move with a claim", moving(ctx, 1, "claim"), moving(ctx, 1, "m"))
	claiming := func(ctx context.Context, n int32) func() (*playv1.Game, error) {
		return func() (*playv1.Game, error) {
			out, err := w.ClaimDraw(ctx, &playv1.ClaimDrawRequest{Game: game, Turn: turn(n)})
			return out.GetGame(), err
		}
	}
	ctx = w.as("w")
	send("claim", claiming(ctx, 2), claiming(ctx, 3))
	second := w.pair(&playv1.CreateGameRequest{}).GetId()
	resigning := func(ctx context.Context, id string) func() (*playv1.Game, error) {
		return func() (*playv1.Game, error) {
			out, err := w.Resign(ctx, &playv1.ResignRequest{Game: id})
			return out.GetGame(), err
		}
	}
	ctx = w.as("w")
	send("resign", resigning(ctx, second), resigning(ctx, game))

	published := len(w.published)
	for _, s := range all {
		again, err := s.call()
		must(t, err)
		if !proto.Equal(again, s.first) {
			t.Errorf("%s again: got %v, want %v", s.name, again, s.first)
		}
		_, err = s.other()
		wantCode(t, err, "key_reused")
	}
	if len(w.published) != published {
		t.Errorf("%d events more", len(w.published)-published)
	}
	// A key belongs to its owner: the same one of another player is another.
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	for i, player := range []string{"w", "b"} {
		if _, err := w.Move(w.with(player, "same"), &playv1.MoveRequest{Game: id, Move: "m", Turn: turn(int32(i))}); err != nil {
			t.Error(err)
		}
	}
}

func TestWhoSeesWhat(t *testing.T) {
	w := newWorld(t)
	private := w.pair(&playv1.CreateGameRequest{}).GetId()
	public := w.pair(&playv1.CreateGameRequest{Visibility: "public"}).GetId()
	openChess := w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"}).GetId()
	openToe := w.create("guest:1", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person"}).GetId()
	openRated := w.create("w", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person", Rated: true}).GetId()

	for _, test := range []struct {
		player string
		sees   []string
	}{
		{"w", []string{private, public, openChess, openToe, openRated}},
		{"b", []string{private, public, openChess, openToe, openRated}},
		{"c", []string{public, openChess, openToe, openRated}},
		{"guest:1", []string{public, openToe}},
		{"guest:2", []string{public, openToe}},
	} {
		for _, id := range []string{private, public, openChess, openToe, openRated} {
			_, err := w.GetGame(w.as(test.player), &playv1.GetGameRequest{Game: id})
			_, errEvents := w.ListEvents(w.as(test.player), &playv1.ListEventsRequest{Game: id})
			if slices.Contains(test.sees, id) {
				must(t, err)
				must(t, errEvents)
			} else {
				wantCode(t, err, "game_not_found")
				wantCode(t, errEvents, "game_not_found")
			}
		}
	}
	_, err := w.move("c", private, 0, "m")
	wantCode(t, err, "game_not_found")
	_, err = w.Resign(w.as("c"), &playv1.ResignRequest{Game: private})
	wantCode(t, err, "game_not_found")
	_, err = w.move("c", public, 0, "m")
	wantCode(t, err, "not_your_seat")
	_, err = w.GetGame(w.as("w"), &playv1.GetGameRequest{Game: "nothing"})
	wantCode(t, err, "game_not_found")
	_, err = w.GetGame(t.Context(), &playv1.GetGameRequest{Game: public})
	wantCode(t, err, "not_logged_in")

	ids := func(player string, in *playv1.ListGamesRequest) []string {
		t.Helper()
		out, err := w.ListGames(w.as(player), in)
		must(t, err)
		got := []string{}
		for _, g := range out.GetGames() {
			if len(g.GetMoves())+len(g.GetPlies()) > 0 {
				t.Errorf("a list shows moves: %v", g)
			}
			got = append(got, g.GetId())
		}
		return got
	}
	for _, test := range []struct {
		player string
		in     *playv1.ListGamesRequest
		want   []string
	}{
		{"w", &playv1.ListGamesRequest{}, []string{openRated, openChess, public, private}},
		{"w", &playv1.ListGamesRequest{Limit: 2, Before: openChess}, []string{public, private}},
		{"b", &playv1.ListGamesRequest{List: "mine", Status: "running"}, []string{public, private}},
		{"c", &playv1.ListGamesRequest{}, []string{}},
		{"c", &playv1.ListGamesRequest{List: "open"}, []string{openRated, openToe, openChess}},
		{"c", &playv1.ListGamesRequest{List: "open", Rules: "chess"}, []string{openChess}},
		{"guest:1", &playv1.ListGamesRequest{List: "open"}, []string{openToe}},
		{"guest:1", &playv1.ListGamesRequest{}, []string{openToe}},
	} {
		if got := ids(test.player, test.in); !slices.Equal(got, test.want) {
			t.Errorf("%s lists %v: got %v, want %v", test.player, test.in, got, test.want)
		}
	}
}

func TestAListBeginsAtAnID(t *testing.T) {
	w := newWorld(t)
	for _, list := range []string{"mine", "open"} {
		_, err := w.ListGames(w.as("w"), &playv1.ListGamesRequest{List: list, Before: "01\x00"})
		wantCode(t, err, "bad_field")
	}
}

func TestGuestsPlayCasualTicTacToeOnly(t *testing.T) {
	w := newWorld(t)
	for _, in := range []*playv1.CreateGameRequest{
		{Rules: "chess", Opponent: "person"},
		{Rules: "draughts", Opponent: "engine"},
		{Rules: "tictactoe", Opponent: "engine", Rated: true},
	} {
		_, err := w.CreateGame(w.as("guest:1"), in)
		wantCode(t, err, "account_required")
	}
	rated := w.create("w", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person", Rated: true, Visibility: "public"}).GetId()
	_, err := w.AcceptGame(w.as("guest:1"), &playv1.AcceptGameRequest{Game: rated})
	wantCode(t, err, "account_required")
	casual := w.create("w", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person"}).GetId()
	out, err := w.AcceptGame(w.as("guest:1"), &playv1.AcceptGameRequest{Game: casual})
	must(t, err)
	if seat := out.GetGame().GetSeats()[1]; seat.GetName() != "guest" || seat.GetAccount() != "" || seat.GetRating() != 0 {
		t.Errorf("the guest's seat: %v", seat)
	}
	w.accounts.err = errAway
	w.againstEngine("guest:2", nil) // needs no accounts
	if _, err = w.CreateGame(w.as("w"), &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine"}); rpc.ToProblem(err).Code != "unavailable" {
		t.Errorf("accounts away: %v", err)
	}
}

func TestTheGate(t *testing.T) {
	w := newWorld(t)
	w.tutor.missing = []string{"chess/history", "chess/moves"}
	chess := &playv1.CreateGameRequest{Rules: "chess", Opponent: "engine", Side: "first"}
	_, err := w.CreateGame(w.as("w"), chess)
	wantCode(t, err, "gate_closed")
	if problem, _ := rpc.ProblemOf(err); !slices.Equal(problem.Lessons, w.tutor.missing) {
		t.Errorf("lessons %v, want %v", problem.Lessons, w.tutor.missing)
	}
	w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"})
	w.create("w", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine"})
	if w.tutor.calls != 1 {
		t.Errorf("the tutor was asked %d times, want once", w.tutor.calls)
	}

	w.tutor.err = errAway
	_, err = w.CreateGame(w.as("w"), chess)
	wantCode(t, err, "gate_unavailable")

	w.tutor.missing, w.tutor.err = nil, nil
	w.create("w", chess)
	// What was once open stays open, whatever the tutor says later.
	w.tutor.missing, w.tutor.err = []string{"chess/history"}, errAway
	w.create("w", chess)
	_, err = w.CreateGame(w.as("w"), &playv1.CreateGameRequest{Rules: "draughts", Opponent: "engine"})
	wantCode(t, err, "gate_unavailable")
	_, err = w.CreateGame(w.as("b"), chess)
	wantCode(t, err, "gate_unavailable")
}

func TestCreateChecksItsFields(t *testing.T) {
	w := newWorld(t)
	for field, in := range map[string]*playv1.CreateGameRequest{
		"level": {Rules: "chess", Opponent: "person", Level: "full"},
		"side":  {Rules: "chess", Opponent: "engine", Side: "x"},
		"draws": {Rules: "chess", Opponent: "engine", Draws: "other"},
	} {
		_, err := w.CreateGame(w.as("w"), in)
		wantCode(t, err, "bad_field")
		if problem, _ := rpc.ProblemOf(err); len(problem.Fields) != 1 || problem.Fields[0].Name != field {
			t.Errorf("%s: fields %v", field, problem.Fields)
		}
	}
	_, err := w.CreateGame(w.as("gone"), &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"})
	wantCode(t, err, "account_not_found")

	g := w.create("w", &playv1.CreateGameRequest{
		Rules: "chess", Opponent: "engine", Side: "second", Seed: 5, Visibility: "public", Draws: "d",
		Clock: &playv1.ClockSettings{InitialMs: 60_000, IncrementMs: 3000},
	})
	engine := &playv1.Seat{Side: "white", Kind: SeatEngine, Name: "plies-4", Level: "plies-4", Rating: 900}
	if !proto.Equal(g.GetSeats()[0], engine) || g.GetSpeed() != "blitz" || g.GetYourSide() != "black" ||
		g.GetPosition().GetDraws() != "d" || g.GetVisibility() != "public" || g.GetClock().GetRunning() != "white" {
		t.Errorf("made %v", g)
	}
}

func TestGamesAreBounded(t *testing.T) {
	w := newWorld(t)
	w.cfg = Config{MaxGames: 2, MaxGuestGames: 1}
	w.restart()
	in := &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine"}
	first := w.create("w", in)
	second := w.create("w", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person"})
	_, err := w.CreateGame(w.as("w"), in)
	wantCode(t, err, "too_many_games")
	w.create("guest:1", in)
	_, err = w.CreateGame(w.as("guest:1"), in)
	wantCode(t, err, "too_many_games")
	_, err = w.AcceptGame(w.as("guest:1"), &playv1.AcceptGameRequest{Game: second.GetId()})
	wantCode(t, err, "too_many_games")

	_, err = w.Resign(w.as("w"), &playv1.ResignRequest{Game: first.GetId()})
	must(t, err)
	_, err = w.CancelGame(w.as("w"), &playv1.CancelGameRequest{Game: second.GetId()})
	must(t, err)
	w.create("w", in)
}

func TestEventsCatchUp(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	for n := range int32(6) {
		w.moved([]string{"w", "b"}[n%2], id, n, "m")
	}
	var got []*playv1.Event
	for after := int32(0); ; {
		out, err := w.ListEvents(w.as("b"), &playv1.ListEventsRequest{Game: id, After: after, Limit: 3})
		must(t, err)
		if out.GetVersion() != 8 {
			t.Fatalf("version %d", out.GetVersion())
		}
		if len(out.GetEvents()) == 0 {
			break
		}
		got = append(got, out.GetEvents()...)
		after = got[len(got)-1].GetVersion()
	}
	if len(got) != len(w.published) {
		t.Fatalf("%d events, %d were published", len(got), len(w.published))
	}
	for i, e := range got {
		want := proto.CloneOf(w.published[i].GetEvent())
		want.Game.YourSide = e.GetGame().GetYourSide()
		if !proto.Equal(e, want) {
			t.Errorf("event %d: got %v, want %v", i+1, e, want)
		}
	}
}

func TestTheBusMayBeAway(t *testing.T) {
	w := newWorld(t)
	w.busAway = true
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	w.moved("w", id, 0, "m")
	out, err := w.ListEvents(w.as("w"), &playv1.ListEventsRequest{Game: id})
	must(t, err)
	if len(out.GetEvents()) != 3 {
		t.Errorf("%d events, want 3", len(out.GetEvents()))
	}
}

func TestClocksNeedCertainTime(t *testing.T) {
	w := newWorld(t)
	clock := &playv1.ClockSettings{InitialMs: 60_000}
	id := w.pair(&playv1.CreateGameRequest{Clock: clock}).GetId()
	slow := w.pair(&playv1.CreateGameRequest{}).GetId()
	w.time.uncertainty = 51 * time.Millisecond
	_, err := w.move("w", id, 0, "m")
	wantCode(t, err, "clock_uncertain")
	_, err = w.CreateGame(w.as("w"), &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Clock: clock})
	wantCode(t, err, "clock_uncertain")
	w.moved("w", slow, 0, "m")
	w.time.uncertainty = 50 * time.Millisecond
	w.moved("w", id, 0, "m")
}

// TestUnknownCommits: whatever becomes of a commit, a command happens once.
func TestUnknownCommits(t *testing.T) {
	for _, fault := range []Fault{FaultBefore, FaultLost, FaultAfter} {
		for failures := 1; failures <= 6; failures++ {
			t.Run(fmt.Sprint(fault, "x", failures), func(t *testing.T) { commitsFail(t, fault, failures) })
		}
	}
}

func commitsFail(t *testing.T, fault Fault, failures int) {
	store := NewMemory()
	w := worldOn(t, store)
	left := 0
	store.Faults = func(operation string) Fault {
		if operation == "Commit" && left > 0 {
			left--
			return fault
		}
		return FaultNone
	}
	left = failures
	ctx := w.as("guest:1")
	in := &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "first"}
	made, err := w.CreateGame(ctx, in)
	for err != nil {
		wantCode(t, err, "unavailable")
		made, err = w.CreateGame(ctx, in)
	}
	left = failures
	ctx = w.as("guest:1")
	move := &playv1.MoveRequest{Game: made.GetGame().GetId(), Move: "m", Turn: turn(0)}
	moved, err := w.Move(ctx, move)
	for err != nil {
		wantCode(t, err, "unavailable")
		moved, err = w.Move(ctx, move)
	}
	left = 0
	if moved.GetGame().GetVersion() != 2 {
		t.Errorf("version %d, want 2", moved.GetGame().GetVersion())
	}
	out, err := w.ListGames(w.as("guest:1"), &playv1.ListGamesRequest{})
	must(t, err)
	if len(out.GetGames()) != 1 || out.GetGames()[0].GetVersion() != 2 {
		t.Errorf("games %v", out.GetGames())
	}
	// Whoever committed, the engine answers: at once, or when the claim ends.
	w.time.pass(w.lease(DueEngine))
	w.step()
	if g := w.get("guest:1", made.GetGame().GetId()); g.GetTurn() != 2 {
		t.Errorf("turn %d, want 2", g.GetTurn())
	}
}

func TestAFallenFlagComesFirst(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Clock: &playv1.ClockSettings{InitialMs: 60_000}}).GetId()
	w.time.pass(61 * time.Second)
	ctx := w.as("w")
	for range 2 {
		_, err := w.Move(ctx, &playv1.MoveRequest{Game: id, Move: "m", Turn: turn(0)})
		wantCode(t, err, "game_over")
	}
	g := w.get("w", id)
	if g.GetResult() != "0-1" || g.GetOutcome().GetReason() != "time" || g.GetTurn() != 0 ||
		!reflect.DeepEqual(g.GetClock().GetRemainingMs(), []int32{0, 60_000}) {
		t.Errorf("got %v", g)
	}
	w.idle()
}

// TestTheSameCommandAtOnce: a command that was sent twice is not refused for
// what it did itself.
func TestTheSameCommandAtOnce(t *testing.T) {
	store := NewMemory()
	w := worldOn(t, store)
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	ctx := w.as("w")
	in := &playv1.MoveRequest{Game: id, Move: "m", Turn: turn(0)}
	w.restart() // and has to read the game
	var first *playv1.MoveResponse
	store.Faults = func(operation string) Fault {
		if operation == "Load" { // the second is past its look at the key
			store.Faults = nil
			var err error
			if first, err = w.replica().Move(ctx, in); err != nil {
				t.Error(err)
			}
		}
		return FaultNone
	}
	second, err := w.Move(ctx, in)
	must(t, err)
	if !proto.Equal(first, second) {
		t.Errorf("got %v and %v", first, second)
	}
}

func TestTheEngineHasARatingUnderItsName(t *testing.T) {
	w := newWorld(t)
	made := w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "engine", Level: "plies-2", Side: "white"})
	want := &playv1.Seat{Side: "black", Kind: SeatEngine, Name: "plies-2", Level: "plies-2", Rating: 900}
	if got := made.GetSeats()[1]; !proto.Equal(got, want) {
		t.Errorf("the engine's seat %v, want %v", got, want)
	}
}
