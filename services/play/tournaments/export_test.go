package tournaments_test

import (
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"

	"tabuleiro/internal/identity"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// export reads all pages of what an account's tournaments have about it.
func (w *world) export(caller identity.Caller, account string, organised bool) ([]*playv1.Tournament, error) {
	caller.Session = "s"
	var list []*playv1.Tournament
	for before := ""; ; {
		out, err := w.replicas[0].ExportTournaments(identity.With(w.t.Context(), caller), &playv1.ExportTournamentsRequest{
			Account: account, Organised: organised, Before: before,
		})
		if err != nil {
			return nil, err
		}
		list = append(list, out.GetTournaments()...)
		if before = out.GetNext(); before == "" {
			return list, nil
		}
	}
}

// TestAnExportHasOnesOwnAlone: every tournament, of each the own entry, boards and
// line, and nothing that says who the others are.
func TestAnExportHasOnesOwnAlone(t *testing.T) {
	w := newWorld(t, 5, fakePeople{})
	w.create(&playv1.CreateTournamentRequest{Kind: "round_robin", Auto: true})
	must(t, w.add(pupils(4)))
	must(t, w.start())
	whole := w.playOut()

	list, err := w.export(identity.Caller{Account: "pupil1002"}, "", false)
	must(t, err)
	if len(list) != 1 {
		t.Fatalf("got %v", list)
	}
	own := list[0]
	if len(own.GetPlayers()) != 1 || own.GetPlayers()[0].GetAccount() != "pupil1002" || own.GetYou() != own.GetPlayers()[0].GetNumber() {
		t.Errorf("players %v", own.GetPlayers())
	}
	if len(own.GetTable()) != 1 || own.GetTable()[0].GetPlayer() != own.GetYou() || own.GetOrganiser() || own.GetOrganiserName() != "" {
		t.Errorf("table %v, organiser %q", own.GetTable(), own.GetOrganiserName())
	}
	var got, want []string
	for _, round := range own.GetPlayed() {
		for _, b := range round.GetBoards() {
			got = append(got, fmt.Sprint(round.GetNumber(), b))
		}
	}
	for _, round := range whole.GetPlayed() {
		for _, b := range round.GetBoards() {
			if b.GetWhite() == own.GetYou() || b.GetBlack() == own.GetYou() {
				want = append(want, fmt.Sprint(round.GetNumber(), b))
			}
		}
	}
	if len(want) != 3 || !slices.Equal(got, want) {
		t.Errorf("boards %v, want %v", got, want)
	}

	list, err = w.export(identity.Caller{Account: "boss"}, "", true)
	must(t, err)
	if len(list) != 1 || !list[0].GetOrganiser() || list[0].GetOrganiserName() != "boss" || list[0].GetName() != "T" {
		t.Fatalf("organised: %v", list)
	}
	if text := prototext.Format(list[0]); len(list[0].GetPlayers())+len(list[0].GetTable())+len(list[0].GetPlayed()) > 0 {
		t.Errorf("what is organised shows who plays: %s", text)
	}
}

func TestAnExportHasAllTournaments(t *testing.T) {
	w := newWorld(t, 6, fakePeople{})
	var want []string
	for range 45 {
		w.create(&playv1.CreateTournamentRequest{Kind: "swiss"})
		must(t, w.add([]string{"pupil1000"}))
		want = append(want, w.id)
		must(t, w.cancel())
	}
	slices.Reverse(want)
	for account, organised := range map[string]bool{"pupil1000": false, "boss": true} {
		list, err := w.export(identity.Caller{Account: account}, "", organised)
		must(t, err)
		var got []string
		for _, one := range list {
			got = append(got, one.GetId())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", account, got, want)
		}
	}
}

func TestWhoExportsTournamentsOfOthers(t *testing.T) {
	w := newWorld(t, 7, fakePeople{})
	for _, c := range []struct {
		name   string
		caller identity.Caller
		want   string
	}{
		{"a teacher", identity.Caller{Account: "boss"}, ""},
		{"their token for classes", identity.Caller{Account: "boss", Scopes: identity.Scopes()}, ""},
		{"their other token", identity.Caller{Account: "boss", Scopes: []string{identity.ScopeGamesRead}}, "account_not_found"},
		{"a stranger", identity.Caller{Account: "bia"}, "account_not_found"},
		{"a classmate", identity.Caller{Account: "pupil1001"}, "account_not_found"},
	} {
		_, err := w.export(c.caller, "pupil1000", false)
		if c.want == "" {
			must(t, err)
			continue
		}
		wantCode(t, c.name, err, c.want)
	}
	ctx := identity.With(t.Context(), identity.Caller{Account: "bia", Session: "s"})
	_, err := w.replicas[0].ExportTournaments(ctx, &playv1.ExportTournamentsRequest{Before: "\x00"})
	wantCode(t, "a place that is no id", err, "bad_field")
}
