package accounts

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

func rateRequest(game int, first, second *accountsv1.RatedSeat, halfPoints int32) *accountsv1.RateRequest {
	return &accountsv1.RateRequest{
		Game: id(game), Rules: "chess", Speed: "blitz", Seats: []*accountsv1.RatedSeat{first, second},
		FirstHalfPoints: halfPoints, FinishedAt: timestamppb.New(monday.Add(-time.Minute)),
	}
}

func TestRate(t *testing.T) {
	w := newWorld(t)
	ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
	play := w.as("play")
	seatA, seatR, level := &accountsv1.RatedSeat{Account: ana.Id}, &accountsv1.RatedSeat{Account: rui.Id}, &accountsv1.RatedSeat{Level: "plies-2"}

	first, err := play.Rate(t.Context(), rateRequest(10, seatA, seatR, 2))
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, "first game", first, &accountsv1.RateResponse{Seats: []*accountsv1.SeatRating{
		{Before: 800, After: 989, Deviation: 326, Provisional: true},
		{Before: 800, After: 611, Deviation: 326, Provisional: true},
	}})
	for range 2 {
		again, err := play.Rate(t.Context(), rateRequest(10, seatA, seatR, 2))
		wantErr(t, "again", err, nil)
		wantProto(t, "the first answer", again, first)
	}
	_, err = play.Rate(t.Context(), rateRequest(10, seatA, seatR, 1))
	wantProblem(t, "another result", err, "rating_conflict")

	w.now = monday.Add(time.Hour)
	against := rateRequest(11, level, seatA, 1)
	second, err := play.Rate(t.Context(), against)
	if err != nil {
		t.Fatal(err)
	}
	if got := second.Seats[0]; got.Before != 900 || got.After != 900 || got.Deviation != 45 || got.Provisional {
		t.Errorf("the level moved: %v", got)
	}

	me, err := w.gateway().GetMe(w.person(ana.Id), &accountsv1.GetMeRequest{})
	if err != nil {
		t.Fatal(err)
	}
	rating := &accountsv1.Rating{
		Rules: "chess", Speed: "blitz", Rating: second.Seats[1].After, Deviation: second.Seats[1].Deviation, Provisional: true, Wins: 1, Draws: 1,
	}
	ana.Ratings = []*accountsv1.Rating{rating}
	wantProto(t, "GetMe", me.Account, ana)

	list, err := w.gateway().ListRatingChanges(w.person(ana.Id), &accountsv1.ListRatingChangesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, "ListRatingChanges", list, &accountsv1.ListRatingChangesResponse{Changes: []*accountsv1.RatingChange{
		{Game: id(11), Rules: "chess", Speed: "blitz", Before: 989, After: second.Seats[1].After, At: timestamppb.New(monday.Add(time.Hour))},
		{Game: id(10), Rules: "chess", Speed: "blitz", Before: 800, After: 989, At: timestamppb.New(monday)},
	}})
	list, err = w.gateway().ListRatingChanges(w.person(ana.Id), &accountsv1.ListRatingChangesRequest{Rules: "draughts"})
	if err != nil || len(list.Changes) != 0 {
		t.Errorf("draughts: %v, %v, want none", list, err)
	}

	players, err := play.GetPlayers(t.Context(), &accountsv1.GetPlayersRequest{
		Accounts: []string{rui.Id, id(99), ana.Id}, Rules: "chess", Speed: "blitz",
	})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, "GetPlayers", players, &accountsv1.GetPlayersResponse{Players: []*accountsv1.Player{
		{Account: rui.Id, Name: "Rui", Policy: "guided", Protected: true, Rating: &accountsv1.Rating{
			Rules: "chess", Speed: "blitz", Rating: 611, Deviation: 326, Provisional: true, Losses: 1,
		}},
		{Account: ana.Id, Name: "Ana", Policy: "guided", Protected: true, Rating: rating},
	}})
	players, err = play.GetPlayers(t.Context(), &accountsv1.GetPlayersRequest{Accounts: []string{ana.Id}, Rules: "tictactoe", Speed: "none"})
	if err != nil {
		t.Fatal(err)
	}
	levels, err := play.GetPlayers(t.Context(), &accountsv1.GetPlayersRequest{
		Levels: []string{"plies-2", "god"}, Rules: "chess", Speed: "blitz",
	})
	if err != nil {
		t.Fatal(err)
	}
	wantProto(t, "GetPlayers of levels", levels, &accountsv1.GetPlayersResponse{Levels: []*accountsv1.Player{
		{Name: "plies-2", Rating: &accountsv1.Rating{Rules: "chess", Speed: "blitz", Rating: 900, Deviation: 45}},
	}})
	wantProto(t, "GetPlayers of a game never rated", players, &accountsv1.GetPlayersResponse{Players: []*accountsv1.Player{
		{Account: ana.Id, Name: "Ana", Policy: "guided", Protected: true, Rating: &accountsv1.Rating{
			Rules: "tictactoe", Speed: "none", Rating: 800, Deviation: 400, Provisional: true,
		}},
	}})
	wantLedgerSound(t, w.store)
}

func TestRateRefusals(t *testing.T) {
	w := newWorld(t)
	ana := &accountsv1.RatedSeat{Account: w.mustRegister("Ana").Id}
	level := &accountsv1.RatedSeat{Level: "plies-2"}
	for _, test := range []struct {
		name   string
		change func(*accountsv1.RateRequest)
		code   string
		fields []string
	}{
		{"nobody's account", func(r *accountsv1.RateRequest) { r.Seats[1] = &accountsv1.RatedSeat{Account: id(99)} }, "account_not_found", nil},
		{"a guest", func(r *accountsv1.RateRequest) { r.Seats[1] = &accountsv1.RatedSeat{Account: "guest:" + id(99)} }, "bad_field", []string{"seats[1].account bad_field"}},
		{"a level unknown", func(r *accountsv1.RateRequest) { r.Seats[1] = &accountsv1.RatedSeat{Level: "god"} }, "bad_field", []string{"seats[1].level bad_field"}},
		{"an empty seat", func(r *accountsv1.RateRequest) { r.Seats[0] = &accountsv1.RatedSeat{} }, "bad_field", []string{"seats[0] bad_field"}},
		{"a seat of both", func(r *accountsv1.RateRequest) {
			r.Seats[0] = &accountsv1.RatedSeat{Account: ana.Account, Level: "full"}
		}, "bad_field", []string{"seats[0] bad_field"}},
		{"a player against themselves", func(r *accountsv1.RateRequest) { r.Seats[1] = ana }, "bad_field", []string{"seats bad_field"}},
		{"two levels", func(r *accountsv1.RateRequest) {
			r.Seats = []*accountsv1.RatedSeat{level, {Level: "full"}}
		}, "bad_field", []string{"seats bad_field"}},
		{"a correction of nothing", func(r *accountsv1.RateRequest) { r.Revision = 1 }, "bad_field", []string{"revision bad_field"}},
		{"no time", func(r *accountsv1.RateRequest) { r.FinishedAt = nil }, "bad_field", []string{"finished_at required"}},
		{"no such time", func(r *accountsv1.RateRequest) { r.FinishedAt = &timestamppb.Timestamp{Nanos: -1} }, "bad_field", []string{"finished_at bad_field"}},
		{"one seat", func(r *accountsv1.RateRequest) { r.Seats = r.Seats[:1] }, "bad_field", []string{"seats repeated.min_items"}},
	} {
		req := rateRequest(10, ana, level, 2)
		test.change(req)
		_, err := w.as("play").Rate(t.Context(), req)
		wantProblem(t, test.name, err, test.code, test.fields...)
	}
	if entries, err := w.store.Entries(t.Context(), ana.Account, "", 0, 0); len(entries) > 0 || err != nil {
		t.Errorf("the ledger has %v, %v after refusals", entries, err)
	}
	// A clock that is ahead does not stop later games from being rated.
	ahead := rateRequest(10, ana, level, 2)
	ahead.FinishedAt = timestamppb.New(monday.AddDate(5, 0, 0))
	if _, err := w.as("play").Rate(t.Context(), ahead); err != nil {
		t.Fatal(err)
	}
	standings, err := w.store.Standings(t.Context(), []string{ana.Account})
	if err != nil || !standings[0].At.Equal(monday) {
		t.Errorf("%+v, %v, want the time of the rating", standings, err)
	}
}

func TestAnIdlePlayerBecomesProvisionalAgain(t *testing.T) {
	w := newWorld(t)
	ana := w.mustRegister("Ana")
	for n := range 60 {
		w.now = monday.Add(time.Duration(n+1) * time.Hour)
		req := rateRequest(100+n, &accountsv1.RatedSeat{Account: ana.Id}, &accountsv1.RatedSeat{Level: "plies-2"}, int32(n%3))
		req.FinishedAt = timestamppb.New(w.now)
		if _, err := w.as("play").Rate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	provisional := func() bool {
		me, err := w.gateway().GetMe(w.person(ana.Id), &accountsv1.GetMeRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return me.Account.Ratings[0].Provisional
	}
	if provisional() {
		t.Error("provisional after 60 games")
	}
	w.now = w.now.AddDate(2, 0, 0)
	if !provisional() {
		t.Error("not provisional after two years without a game")
	}
	wantLedgerSound(t, w.store)
}
