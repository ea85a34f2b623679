package play

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

func (w *world) resigned(player, game string) *playv1.Game {
	w.t.Helper()
	out, err := w.Resign(w.as(player), &playv1.ResignRequest{Game: game})
	must(w.t, err)
	return out.GetGame()
}

func (w *world) listed(player, list string) []string {
	w.t.Helper()
	out, err := w.ListGames(w.as(player), &playv1.ListGamesRequest{List: list})
	must(w.t, err)
	var ids []string
	for _, g := range out.GetGames() {
		ids = append(ids, g.GetId())
	}
	return ids
}

func TestAnInvitation(t *testing.T) {
	w := newWorld(t)
	in := &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Side: "white", Invite: "bea"}
	made := w.create("w", in)
	seat := made.GetSeats()[1]
	if made.GetStatus() != StatusOpen || seat.GetKind() != SeatInvited || seat.GetAccount() != "b" || seat.GetName() != "bea" || seat.GetRating() != 1600 {
		t.Fatalf("invited: %v", made)
	}
	if players := w.published[0].GetPlayers(); !slices.Equal(players, []string{"w", "b"}) {
		t.Errorf("told %v", players)
	}
	if got := w.listed("b", "invited"); !slices.Equal(got, []string{made.GetId()}) {
		t.Errorf("b's invitations: %v", got)
	}
	for _, player := range []string{"b", "w", "c", "guest:1"} {
		if got := w.listed(player, "open"); len(got) != 0 {
			t.Errorf("%s sees it among the open seats: %v", player, got)
		}
	}
	if got := w.listed("c", "invited"); len(got) != 0 {
		t.Errorf("c's invitations: %v", got)
	}
	if got := w.listed("guest:1", "invited"); len(got) != 0 {
		t.Errorf("a guest's invitations: %v", got)
	}
	_, err := w.AcceptGame(w.as("c"), &playv1.AcceptGameRequest{Game: made.GetId()})
	wantCode(t, err, "game_not_found")
	_, err = w.GetGame(w.as("c"), &playv1.GetGameRequest{Game: made.GetId()})
	wantCode(t, err, "game_not_found")
	_, err = w.DeclineGame(w.as("c"), &playv1.DeclineGameRequest{Game: made.GetId()})
	wantCode(t, err, "game_not_found")
	_, err = w.DeclineGame(w.as("w"), &playv1.DeclineGameRequest{Game: made.GetId()})
	wantCode(t, err, "not_your_seat")
	if g := w.get("b", made.GetId()); g.GetYourSide() != "" {
		t.Errorf("b plays %q already", g.GetYourSide())
	}
	accepted, err := w.AcceptGame(w.as("b"), &playv1.AcceptGameRequest{Game: made.GetId()})
	must(t, err)
	if g := accepted.GetGame(); g.GetStatus() != StatusRunning || g.GetYourSide() != "black" || g.GetSeats()[1].GetKind() != SeatPerson {
		t.Errorf("accepted: %v", g)
	}
	if got := w.listed("b", "invited"); len(got) != 0 {
		t.Errorf("b's invitations: %v", got)
	}

	second := w.create("w", in).GetId()
	declined, err := w.DeclineGame(w.as("b"), &playv1.DeclineGameRequest{Game: second, Reason: "later"})
	must(t, err)
	want := &playv1.Closed{Why: WhyDeclined, Side: "black", Reason: "later"}
	if g := declined.GetGame(); g.GetStatus() != StatusCancelled || !proto.Equal(g.GetClosed(), want) {
		t.Errorf("declined: %v", g)
	}
	if g := w.get("w", second); !proto.Equal(g.GetClosed(), want) {
		t.Errorf("the maker sees %v", g.GetClosed())
	}
	_, err = w.AcceptGame(w.as("b"), &playv1.AcceptGameRequest{Game: second})
	wantCode(t, err, "seat_taken")
}

func TestInvitationsAreRefused(t *testing.T) {
	w := newWorld(t)
	for code, in := range map[string]*playv1.CreateGameRequest{
		"account_not_found": {Rules: "chess", Opponent: "person", Invite: "nobody"},
		"bad_field":         {Rules: "chess", Opponent: "person", Invite: "wen"},
	} {
		_, err := w.CreateGame(w.as("w"), in)
		wantCode(t, err, code)
	}
	_, err := w.CreateGame(w.as("w"), &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Invite: "bea"})
	wantCode(t, err, "bad_field")
	_, err = w.CreateGame(w.as("guest:1"), &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person", Invite: "bea"})
	wantCode(t, err, "account_required")
}

func TestARematchIsOneGame(t *testing.T) {
	w := newWorld(t)
	other := w.replica()
	clock := &playv1.ClockSettings{InitialMs: 300_000, IncrementMs: 1000}
	first := w.pair(&playv1.CreateGameRequest{Clock: clock, Visibility: "public"}).GetId()
	_, err := w.OfferRematch(w.as("w"), &playv1.OfferRematchRequest{Game: first})
	wantCode(t, err, "game_not_over")
	w.resigned("w", first)
	offer, err := w.OfferRematch(w.as("w"), &playv1.OfferRematchRequest{Game: first})
	must(t, err)
	if offer.GetGame().GetRematchOffer() != "white" || offer.Next != nil {
		t.Fatalf("offered: %v", offer)
	}
	_, err = w.OfferRematch(w.as("w"), &playv1.OfferRematchRequest{Game: first})
	wantCode(t, err, "rematch_standing")
	_, err = w.OfferRematch(w.as("c"), &playv1.OfferRematchRequest{Game: first})
	wantCode(t, err, "not_your_seat")

	// Both replicas are asked many times at once, by both ways to accept.
	var all sync.WaitGroup
	var mu sync.Mutex
	ids := map[string]int{}
	for i := range 8 {
		ctx := w.as("b")
		s := []*Service{w.Service, other}[i%2]
		all.Go(func() {
			var next *playv1.Game
			var err error
			if i < 4 {
				var out *playv1.OfferRematchResponse
				out, err = s.OfferRematch(ctx, &playv1.OfferRematchRequest{Game: first})
				next = out.GetNext()
			} else {
				var out *playv1.AnswerRematchResponse
				out, err = s.AnswerRematch(ctx, &playv1.AnswerRematchRequest{Game: first, Accept: true})
				next = out.GetNext()
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			ids[next.GetId()]++
		})
	}
	all.Wait()
	if len(ids) != 1 {
		t.Fatalf("next games %v", ids)
	}
	next := w.get("w", first).GetNextGame()
	if ids[next] != 8 {
		t.Errorf("answered with %v, the next game is %s", ids, next)
	}
	g := w.get("w", next)
	if g.GetYourSide() != "black" || g.GetStatus() != StatusRunning || g.GetVisibility() != "public" || g.GetClock().GetInitialMs() != 300_000 ||
		g.GetMatch().GetId() != first || g.GetMatch().GetNumber() != 2 || !slices.Equal(g.GetMatch().GetHalfPoints(), []int32{2, 0}) {
		t.Errorf("the next game: %v", g)
	}
	if got := w.listed("w", "mine"); len(got) != 2 {
		t.Errorf("w's games: %v", got)
	}
	w.resigned("b", next)
	if g := w.get("b", next); !slices.Equal(g.GetMatch().GetHalfPoints(), []int32{2, 2}) {
		t.Errorf("the match after two games: %v", g.GetMatch())
	}
	for _, m := range w.published {
		if e := m.GetEvent(); e.GetKind() == KindRematched && (e.GetGame().GetNextGame() != next || !slices.Equal(m.GetPlayers(), []string{"w", "b"})) {
			t.Errorf("told %v of %v", m.GetPlayers(), e)
		}
	}
}

func TestARematchWithTheEngineIsAtOnce(t *testing.T) {
	w := newWorld(t)
	id := w.againstEngine("guest:1", nil).GetId()
	w.resigned("guest:1", id)
	ctx := w.as("guest:1")
	first, err := w.OfferRematch(ctx, &playv1.OfferRematchRequest{Game: id})
	must(t, err)
	again, err := w.OfferRematch(ctx, &playv1.OfferRematchRequest{Game: id})
	must(t, err)
	if !proto.Equal(first, again) || first.GetNext().GetYourSide() != "o" || first.GetNext().GetSeats()[0].GetKind() != SeatEngine {
		t.Errorf("got %v, then %v", first, again)
	}
	w.step() // the engine begins
	if g := w.get("guest:1", first.GetNext().GetId()); g.GetTurn() != 1 {
		t.Errorf("the next game: %v", g)
	}
}

func TestARematchNeedsRoom(t *testing.T) {
	w := newWorld(t)
	w.cfg = Config{MaxGames: 1}
	w.restart()
	id := w.pair(&playv1.CreateGameRequest{}).GetId()
	w.resigned("w", id)
	_, err := w.OfferRematch(w.as("w"), &playv1.OfferRematchRequest{Game: id})
	must(t, err)
	w.create("b", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person"})
	_, err = w.OfferRematch(w.as("b"), &playv1.OfferRematchRequest{Game: id})
	wantCode(t, err, "too_many_games")
	if g := w.get("w", id); g.GetNextGame() != "" || g.GetRematchOffer() != "white" {
		t.Errorf("refused: %v", g)
	}
}

func TestTakeBackFromTheEngine(t *testing.T) {
	w := newWorld(t)
	in := &playv1.CreateGameRequest{
		Rules: "tictactoe", Opponent: "engine", Side: "first", Options: &playv1.Options{Takebacks: true},
	}
	id := w.create("guest:1", in).GetId()
	w.moved("guest:1", id, 0, "m")
	// While the engine thinks the move is taken back: what it finds is forgotten.
	w.search.while = func(*searchRequest) {
		w.search.while = nil
		out, err := w.OfferTakeback(w.as("guest:1"), &playv1.OfferTakebackRequest{Game: id, Turn: turn(1)})
		if err != nil || out.GetGame().GetTurn() != 2 || out.GetGame().GetPlyCount() != 0 || out.GetGame().GetSide() != "x" {
			t.Errorf("taken back: %v, %v", out, err)
		}
	}
	w.step()
	w.idle()
	if g := w.get("guest:1", id); g.GetTurn() != 2 || len(g.GetPlies()) != 0 || g.GetPosition().GetText() != "0" || len(g.GetMoves()) != 2 {
		t.Fatalf("the game: %v", g)
	}
	w.moved("guest:1", id, 2, "m")
	w.step()
	ctx := w.as("guest:1")
	for range 2 {
		out, err := w.OfferTakeback(ctx, &playv1.OfferTakebackRequest{Game: id, Turn: turn(4)})
		must(t, err)
		if g := out.GetGame(); g.GetTurn() != 5 || g.GetPlyCount() != 0 || g.GetPosition().GetText() != "0" {
			t.Errorf("both taken back: %v", g)
		}
	}
	_, err := w.move("guest:1", id, 4, "m")
	wantCode(t, err, "stale_turn")
	w.moved("guest:1", id, 5, "m")
}

func TestPersonsAgreeOnATakeBack(t *testing.T) {
	w := newWorld(t)
	id := w.pair(&playv1.CreateGameRequest{Options: &playv1.Options{Takebacks: true}}).GetId()
	w.moved("w", id, 0, "m")
	w.moved("b", id, 1, "m")
	out, err := w.OfferTakeback(w.as("w"), &playv1.OfferTakebackRequest{Game: id, Turn: turn(2)})
	must(t, err)
	if out.GetGame().GetTakebackOffer() != "white" {
		t.Errorf("wished: %v", out)
	}
	_, err = w.AnswerTakeback(w.as("w"), &playv1.AnswerTakebackRequest{Game: id, Turn: turn(2), Accept: true})
	wantCode(t, err, "no_offer")
	agreed, err := w.AnswerTakeback(w.as("b"), &playv1.AnswerTakebackRequest{Game: id, Turn: turn(2), Accept: true})
	must(t, err)
	if g := agreed.GetGame(); g.GetTurn() != 3 || g.GetPlyCount() != 0 || g.GetSide() != "white" || g.GetTakebackOffer() != "" {
		t.Errorf("agreed: %v", g)
	}
}

func TestANewGameReplacesAnother(t *testing.T) {
	w := newWorld(t)
	w.cfg = Config{MaxGames: 1}
	w.restart()
	in := func(old, how string) *playv1.CreateGameRequest {
		return &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine", Side: "first", Replaces: &playv1.Replaces{Game: old, How: how}}
	}
	first := w.againstEngine("w", nil).GetId()
	_, err := w.CreateGame(w.as("b"), in(first, "resign"))
	wantCode(t, err, "game_not_found")
	ctx := w.as("w")
	_, err = w.CreateGame(w.as("w"), in(first, "keep"))
	wantCode(t, err, "too_many_games")
	made, err := w.CreateGame(ctx, in(first, "abort")) // the old one makes room
	must(t, err)
	again, err := w.CreateGame(ctx, in(first, "abort"))
	must(t, err)
	if !proto.Equal(made, again) {
		t.Errorf("made %v and %v", made, again)
	}
	if g := w.get("w", first); g.GetStatus() != StatusCancelled || g.GetClosed().GetWhy() != WhyAborted || g.GetClosed().GetSide() != "x" {
		t.Errorf("the old game: %v", g)
	}
	second := made.GetGame().GetId()
	w.moved("w", second, 0, "m")
	w.step()
	_, err = w.CreateGame(w.as("w"), in(second, "abort"))
	wantCode(t, err, "abort_late")
	if got := w.listed("w", "mine"); len(got) != 2 {
		t.Errorf("a refused game was made: %v", got)
	}
	third, err := w.CreateGame(w.as("w"), in(second, "resign"))
	must(t, err)
	w.cfg = Config{}
	w.restart()
	if g := w.get("w", second); g.GetResult() != "0-1" || g.GetOutcome().GetReason() != "resignation" {
		t.Errorf("the resigned game: %v", g)
	}
	if _, err = w.CreateGame(w.as("w"), in(third.GetGame().GetId(), "keep")); err != nil {
		t.Error(err)
	}
	if g := w.get("w", third.GetGame().GetId()); g.GetStatus() != StatusRunning {
		t.Errorf("the kept game: %v", g)
	}
	w.resigned("w", third.GetGame().GetId())
	w.create("w", in(first, "resign")) // what is over stays as it is
}

func TestTwoAtOneScreen(t *testing.T) {
	w := newWorld(t)
	g := w.create("guest:1", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "self"})
	if g.GetStatus() != StatusRunning || g.GetYourSide() != "x" || g.GetOpponent() != "self" {
		t.Fatalf("made %v", g)
	}
	g = w.moved("guest:1", g.GetId(), 0, "m")
	if g.GetYourSide() != "o" {
		t.Errorf("plays %q", g.GetYourSide())
	}
	g = w.moved("guest:1", g.GetId(), 1, "win")
	if g.GetResult() != "0-1" {
		t.Errorf("ended %v", g)
	}
	if got := w.listed("guest:1", "mine"); len(got) != 1 {
		t.Errorf("listed %v", got)
	}
	for _, seat := range w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "self"}).GetSeats() {
		if seat.GetName() == "" || seat.GetRating() != 0 || seat.GetProvisional() {
			t.Errorf("a seat of a game with oneself is %v", seat)
		}
	}
	_, err := w.CreateGame(w.as("w"), &playv1.CreateGameRequest{Rules: "chess", Opponent: "self", Rated: true})
	wantCode(t, err, "rated_not_allowed")
	if problem, _ := rpc.ProblemOf(err); len(problem.Fields) != 1 || problem.Fields[0].Name != "opponent" {
		t.Errorf("fields %v", problem.Fields)
	}
}

func TestTheEngineAgainstItself(t *testing.T) {
	w := newWorld(t)
	in := &playv1.CreateGameRequest{
		Rules: "draughts", Opponent: "engines", MaxPlies: 5,
		Engines: []*playv1.EnginePlayer{{Level: "plies-2", Seed: 7}, {Level: "plies-6"}},
	}
	g := w.create("w", in)
	if g.GetSeats()[0].GetLevel() != "plies-2" || g.GetSeats()[1].GetLevel() != "plies-6" || g.GetYourSide() != "" {
		t.Fatalf("made %v", g)
	}
	if got := w.published[0].GetPlayers(); !slices.Equal(got, []string{"w"}) {
		t.Errorf("told %v", got)
	}
	if got := w.listed("w", "mine"); !slices.Equal(got, []string{g.GetId()}) {
		t.Errorf("listed %v", got)
	}
	second := w.create("w", in).GetId()
	_, err := w.CreateGame(w.as("w"), in)
	wantCode(t, err, "too_many_games")
	_, err = w.AbortGame(w.as("b"), &playv1.AbortGameRequest{Game: second})
	wantCode(t, err, "game_not_found")
	aborted, err := w.AbortGame(w.as("w"), &playv1.AbortGameRequest{Game: second})
	must(t, err)
	if aborted.GetGame().GetClosed().GetWhy() != WhyAborted {
		t.Errorf("aborted %v", aborted)
	}
	for range 5 {
		w.step()
	}
	if g := w.get("w", g.GetId()); g.GetTurn() != 5 || g.GetOutcome().GetReason() != "length" || g.GetResult() != "1/2-1/2" {
		t.Errorf("played %v", g)
	}
	w.tutor.missing = []string{"chess/history"} // watching needs no lessons
	w.create("b", in)
	_, err = w.CreateGame(w.as("guest:1"), &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engines"})
	wantCode(t, err, "account_required")
}

func TestGamesFromAPosition(t *testing.T) {
	w := newWorld(t)
	g := w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "self", Start: "7"})
	if g.GetStart() != "7" || g.GetSide() != "black" || g.GetYourSide() != "black" || g.GetTurn() != 0 || !slices.Equal(g.GetMaterial(), []int32{2, 0}) {
		t.Errorf("made %v", g)
	}
	_, err := w.CreateGame(w.as("w"), &playv1.CreateGameRequest{Rules: "chess", Opponent: "self", Start: "bad"})
	wantCode(t, err, "bad_position")
	if problem, _ := rpc.ProblemOf(err); len(problem.Fields) != 1 || problem.Fields[0].Name != "start" || problem.Fields[0].Code != "no_king" {
		t.Errorf("fields %v", problem.Fields)
	}
}

func TestGamesFromARecord(t *testing.T) {
	w := newWorld(t)
	create := func(text string, game int32, ply *int32) (*playv1.Game, error) {
		out, err := w.CreateGame(w.as("w"), &playv1.CreateGameRequest{
			Rules: "chess", Opponent: "engine", Side: "first", Record: &playv1.FromRecord{Text: text, Game: game, Ply: ply},
		})
		return out.GetGame(), err
	}
	g, err := create("m1 m2 m3", 0, turn(2))
	must(t, err)
	if g.GetLoadedPlies() != 2 || g.GetPlyCount() != 2 || g.GetTurn() != 0 || g.GetPosition().GetText() != "2" || g.GetStart() != "0" ||
		g.GetPlies()[1].GetMove().GetText() != "m2" || !slices.Equal(g.GetCaptured()[1].GetKinds(), []string{"mark"}) {
		t.Errorf("made %v", g)
	}
	if g = w.moved("w", g.GetId(), 0, "m"); g.GetLast().GetPly() != 3 || len(g.GetPlies()) != 3 {
		t.Errorf("went on %v", g)
	}
	// A record of it begins where the first record did, so that all moves fit.
	record, err := w.Records().Game(w.as("w"), identity.Caller{Account: "w", Session: "w"}, g.GetId())
	if err != nil || record.Start != "0" || len(record.Moves) != 3 {
		t.Errorf("its record: %+v, %v", record, err)
	}
	if g, err = create("m1 m2 m3", 1, nil); err != nil || g.GetLoadedPlies() != 3 {
		t.Errorf("all of it: %v, %v", g, err)
	}
	if g, err = create("m1 m2 spoilt m4", 1, turn(1)); err != nil || g.GetLoadedPlies() != 1 {
		t.Errorf("before the fault: %v, %v", g, err)
	}
	_, err = create("m1 m2 spoilt m4", 1, nil)
	wantCode(t, err, "bad_record")
	if problem, _ := rpc.ProblemOf(err); len(problem.Fields) != 1 || problem.Fields[0].Name != "record.text" ||
		problem.Fields[0].Code != "cannot_move_so" || problem.Fields[0].Detail != "line 1, column 7: no" {
		t.Errorf("fields %v", problem.Fields)
	}
	_, err = create("m1 m2", 1, turn(3))
	wantCode(t, err, "bad_field")
	_, err = create("m1 m2", 2, nil)
	wantCode(t, err, "bad_record")
	_, err = w.CreateGame(w.as("w"), &playv1.CreateGameRequest{
		Rules: "chess", Opponent: "self", Start: "7", Record: &playv1.FromRecord{Text: "m"},
	})
	wantCode(t, err, "bad_field")
}

// role is a call of an account with a role.
func (w *world) role(account, role string) context.Context {
	ctx := w.as(account)
	return identity.With(ctx, identity.Caller{Account: account, Session: "s", Roles: []string{role}})
}

func TestAdjudication(t *testing.T) {
	w := newWorld(t)
	w.teaches = map[string][]string{"t": {"w", "b"}}
	w.restart()
	id := w.pair(&playv1.CreateGameRequest{Rated: true}).GetId()
	in := &playv1.AdjudicateRequest{Game: id, Result: "1-0", Note: "left the room"}
	for name, ctx := range map[string]context.Context{
		"a former teacher": w.role("u", "teacher"), "a player": w.role("w", "operator"), "a learner": w.as("t"),
	} {
		if _, err := w.Adjudicate(ctx, in); rpc.ToProblem(err).Code != "game_not_found" {
			t.Errorf("%s: %v", name, err)
		}
	}
	out, err := w.Adjudicate(w.role("t", "teacher"), in)
	must(t, err)
	if g := out.GetGame(); g.GetResult() != "1-0" || g.GetOutcome().GetReason() != "adjudication" || g.GetRuled().GetBy() != "t" || g.GetRuled().GetNote() != in.GetNote() {
		t.Errorf("decided %v", g)
	}
	_, err = w.Adjudicate(w.role("o", "operator"), &playv1.AdjudicateRequest{Game: id, Result: "0-1", Note: "n"})
	wantCode(t, err, "rating_pending")
	w.step() // the rating
	w.step() // the audit log
	if w.accounts.last.GetRevision() != 0 || w.accounts.last.GetFirstHalfPoints() != 2 {
		t.Errorf("rated by %v", w.accounts.last)
	}
	_, err = w.Adjudicate(w.role("o", "operator"), &playv1.AdjudicateRequest{Game: id, Result: "0-1", Note: "n"})
	must(t, err)
	w.step() // the rating
	w.step() // the audit log
	if w.accounts.last.GetRevision() != 1 || w.accounts.last.GetFirstHalfPoints() != 0 || w.accounts.last.GetAnnulled() {
		t.Errorf("corrected by %v", w.accounts.last)
	}
	_, err = w.Adjudicate(w.role("o", "operator"), &playv1.AdjudicateRequest{Game: id, Result: "annul", Note: "n"})
	must(t, err)
	w.step() // the rating
	w.step() // the audit log
	w.idle()
	if w.accounts.last.GetRevision() != 2 || !w.accounts.last.GetAnnulled() {
		t.Errorf("annulled by %v", w.accounts.last)
	}
	if g := w.get("w", id); g.GetStatus() != StatusCancelled || g.GetResult() != "*" || g.GetClosed().GetWhy() != WhyAnnulled || g.Outcome != nil {
		t.Errorf("annulled %v", g)
	}
}

// TestATeacherDecidesNoGameAgainstOthersPupils: a decision costs somebody rating, and
// a teacher of one side alone would be a judge in their own cause.
func TestATeacherDecidesNoGameAgainstOthersPupils(t *testing.T) {
	w := newWorld(t)
	w.teaches = map[string][]string{"one": {"b"}, "boss": {"b"}, "all": {"w", "b"}, "none": {"x"}}
	w.restart()
	w.inTournament(&fakeCompetitions{}, "g1")
	pair := w.pair(&playv1.CreateGameRequest{}).GetId()
	engine := w.create("b", &playv1.CreateGameRequest{Rules: "chess", Opponent: "engine", Level: "plies-2"}).GetId()
	results := []string{"1-0", "0-1"}
	for i, c := range []struct{ what, game, teacher, want string }{
		{"a teacher of one", pair, "one", "not_your_pupils"},
		{"who organises, of a game beside the tournament", pair, "boss", "not_your_pupils"},
		{"a teacher of nobody in it", pair, "none", "game_not_found"},
		{"a teacher of both", pair, "all", ""},
		{"a teacher of the only person", engine, "one", ""},
		{"a teacher of one, in a tournament of another", "g1", "one", "not_your_pupils"},
		{"a teacher of one, in a tournament that they organise", "g1", "boss", ""},
	} {
		_, err := w.Adjudicate(w.role(c.teacher, "teacher"), &playv1.AdjudicateRequest{Game: c.game, Result: results[i%2], Note: "n"})
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
			}
			continue
		}
		if got := rpc.ToProblem(err).Code; err == nil || got != c.want {
			t.Errorf("%s: %v, want %s", c.what, err, c.want)
		}
	}
}

func TestWhatNobodyComesBackToExpires(t *testing.T) {
	w := newWorld(t)
	seat := w.create("guest:1", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person"}).GetId()
	game := w.create("guest:2", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "self"}).GetId()
	w.idle()
	w.time.pass(30 * time.Minute)
	w.step()
	w.idle()
	if g := w.get("guest:1", seat); g.GetStatus() != StatusCancelled || g.GetClosed().GetWhy() != WhyExpired {
		t.Errorf("the seat: %v", g)
	}
	w.moved("guest:2", game, 0, "m")
	w.time.pass(24*time.Hour - 30*time.Minute)
	w.step() // it waits on: somebody moved since
	w.idle()
	if g := w.get("guest:2", game); g.GetStatus() != StatusRunning {
		t.Errorf("the game: %v", g)
	}
	w.time.pass(30 * time.Minute)
	w.step()
	if g := w.get("guest:2", game); g.GetStatus() != StatusCancelled || g.GetClosed().GetWhy() != WhyExpired {
		t.Errorf("the game: %v", g)
	}
}

func TestOpenSeatsAreBounded(t *testing.T) {
	w := newWorld(t)
	w.cfg = Config{MaxOpen: 2, MaxGuestOpen: 1}
	w.restart()
	in := &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "person"}
	first := w.create("w", in).GetId()
	w.create("w", &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Invite: "bea"})
	_, err := w.CreateGame(w.as("w"), in)
	wantCode(t, err, "too_many_games")
	w.create("w", &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "engine"})
	w.create("guest:1", in)
	_, err = w.CreateGame(w.as("guest:1"), in)
	wantCode(t, err, "too_many_games")
	_, err = w.CancelGame(w.as("w"), &playv1.CancelGameRequest{Game: first})
	must(t, err)
	w.create("w", in)
}

// TestAnOldCommandIsForgotten, and one whose game is forgotten is answered that
// there is no such game.
func TestAnOldCommandIsForgotten(t *testing.T) {
	w := newWorld(t)
	ctx := w.as("guest:1")
	in := &playv1.CreateGameRequest{Rules: "tictactoe", Opponent: "self"}
	first, err := w.CreateGame(ctx, in)
	must(t, err)
	w.resigned("guest:1", first.GetGame().GetId())
	w.time.pass(30*24*time.Hour + time.Second)
	must(t, w.purge(t.Context()))
	second, err := w.CreateGame(ctx, in)
	must(t, err)
	if first.GetGame().GetId() == second.GetGame().GetId() {
		t.Error("the old command was remembered")
	}
	_, err = w.GetGame(w.as("guest:1"), &playv1.GetGameRequest{Game: first.GetGame().GetId()})
	wantCode(t, err, "game_not_found")
}

func TestLiveGamesAreListed(t *testing.T) {
	w := newWorld(t)
	public := w.pair(&playv1.CreateGameRequest{Visibility: "public"}).GetId()
	w.pair(&playv1.CreateGameRequest{})
	for _, player := range []string{"c", "guest:1"} {
		if got := w.listed(player, "live"); !slices.Equal(got, []string{public}) {
			t.Errorf("%s sees %v", player, got)
		}
	}
}

func TestProtectedPersonsPlayInPrivate(t *testing.T) {
	w := newWorld(t)
	public := &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Visibility: "public"}
	_, err := w.CreateGame(w.as("child"), public)
	wantCode(t, err, "minor_private")
	id := w.create("w", public).GetId()
	_, err = w.AcceptGame(w.as("child"), &playv1.AcceptGameRequest{Game: id})
	wantCode(t, err, "minor_private")
}
