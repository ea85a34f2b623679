package collections_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	"tabuleiro/services/play/collections"
)

// gameRules write games so that fakeRules read them again.
type gameRules struct{ fakeRules }

func (gameRules) WriteRecord(_ context.Context, in *rulesv1.WriteRecordRequest, _ ...grpc.CallOption) (*rulesv1.WriteRecordResponse, error) {
	tags := map[string]string{}
	for _, t := range in.GetTags() {
		tags[t.GetName()] = t.GetValue()
	}
	return &rulesv1.WriteRecordResponse{Text: strings.Join([]string{
		tags["White"], tags["Black"], in.GetResult(), strings.Join(in.GetMoves(), " "), tags["Round"],
	}, ";") + "\n"}, nil
}

func played(id, white, black, result, moves string) collections.Game {
	side := ""
	switch "ana" {
	case white:
		side = "white"
	case black:
		side = "black"
	}
	return collections.Game{
		ID: id, Rules: "chess", Start: "start", Moves: strings.Fields(moves), Result: result, Side: side,
		Tags: [][2]string{{"White", white}, {"Black", black}, {"Round", "-"}},
	}
}

// TestOwnGamesAreSearchedLikeRecords: by opponent, side, outcome, opening, moves and
// position, the newest first.
func TestOwnGamesAreSearchedLikeRecords(t *testing.T) {
	w := newWorld(t, collections.Config{},
		played("g1", "ana", "Bía", "1-0", "e4 c5 Nf3"), played("g2", "Bía", "ana", "1-0", "e4 c5"), played("g3", "caio", "ana", "0-1", "d4 d5"),
		played("g4", "ana", "caio", "1/2-1/2", "e4 e5"), collections.Game{ID: "t", Rules: "tictactoe"})
	w.games()
	for name, test := range map[string]struct {
		in   *playv1.SearchGamesRequest
		want []string
	}{
		"all":               {&playv1.SearchGamesRequest{}, []string{"g4", "g3", "g2", "g1"}},
		"opponent":          {&playv1.SearchGamesRequest{Opponent: "bia"}, []string{"g2", "g1"}},
		"oneself":           {&playv1.SearchGamesRequest{Opponent: "ana"}, nil},
		"side":              {&playv1.SearchGamesRequest{Side: "black"}, []string{"g3", "g2"}},
		"won":               {&playv1.SearchGamesRequest{Outcome: "won"}, []string{"g3", "g1"}},
		"lost":              {&playv1.SearchGamesRequest{Outcome: "lost"}, []string{"g2"}},
		"drawn":             {&playv1.SearchGamesRequest{Outcome: "drawn"}, []string{"g4"}},
		"opening":           {&playv1.SearchGamesRequest{Opening: "sicil", Eco: "b2"}, []string{"g2", "g1"}},
		"moves":             {&playv1.SearchGamesRequest{Moves: "e4 e5"}, []string{"g4"}},
		"position":          {&playv1.SearchGamesRequest{Position: "e4 c5"}, []string{"g2", "g1"}},
		"position and side": {&playv1.SearchGamesRequest{Position: "e4", Side: "white"}, []string{"g4", "g1"}},
		"date":              {&playv1.SearchGamesRequest{From: "2021"}, nil},
	} {
		test.in.Rules = "chess"
		out, err := w.SearchGames(w.as("ana"), test.in)
		must(t, err)
		var got []string
		for _, g := range out.GetGames() {
			got = append(got, g.GetGame())
		}
		if !slices.Equal(got, test.want) || out.GetNext() != "" {
			t.Errorf("%s: got %v and %q, want %v", name, got, out.GetNext(), test.want)
		}
	}
	out, err := w.SearchGames(w.as("ana"), &playv1.SearchGamesRequest{Rules: "chess", Limit: 1, Outcome: "won"})
	must(t, err)
	if g := out.GetGames()[0]; g.GetSide() != "black" || g.GetRecord().GetWhite() != "caio" || g.GetRecord().GetResult() != "0-1" || out.GetNext() != "g3" {
		t.Errorf("the first page is %v", out)
	}
	for name, in := range map[string]*playv1.SearchGamesRequest{
		"bad_field": {Rules: "chess", Moves: strings.Repeat("e4 ", 21)}, "bad_text": {Rules: "chess", Position: "bad"},
	} {
		_, err := w.SearchGames(w.as("ana"), in)
		wantCode(t, err, name)
	}
	_, err = w.SearchGames(w.as("ana"), &playv1.SearchGamesRequest{Rules: "chess", Before: "a b"})
	wantCode(t, err, "bad_field")
}

// TestASearchOfManyGamesGoesOnPageByPage and looks at so many at once at most.
func TestASearchOfManyGamesGoesOnPageByPage(t *testing.T) {
	var games []collections.Game
	for i := range 1000 {
		moves := "d4"
		if i%300 == 0 {
			moves = "e4"
		}
		games = append(games, played(fmt.Sprintf("g%04d", i), "ana", "bia", "1-0", moves))
	}
	w := newWorld(t, collections.Config{}, games...)
	w.games()
	var got []string
	pages := 0
	for before := ""; ; pages++ {
		out, err := w.SearchGames(w.as("ana"), &playv1.SearchGamesRequest{Rules: "chess", Moves: "e4", Limit: 1, Before: before})
		must(t, err)
		for _, g := range out.GetGames() {
			got = append(got, g.GetGame())
		}
		if before = out.GetNext(); before == "" {
			break
		}
	}
	if want := []string{"g0900", "g0600", "g0300", "g0000"}; !slices.Equal(got, want) || pages < 3 {
		t.Errorf("%d pages have %v, want %v", pages, got, want)
	}
}

// TestCollectionsAreSharedWithClasses: pupils and teachers of the class read them and
// change nothing, while their owner teaches the class.
func TestCollectionsAreSharedWithClasses(t *testing.T) {
	w := newWorld(t, collections.Config{})
	teachers := []string{"prof", "other"}
	w.classes(func(account string) []collections.Class {
		class := collections.Class{ID: "4b", Name: "4B", Teachers: teachers}
		switch account {
		case "prof", "other":
			class.Teaches = slices.Contains(teachers, account)
			if !class.Teaches {
				return nil
			}
		case "pupil":
		default:
			return nil
		}
		return []collections.Class{class}
	})
	id, private := w.collection("prof"), w.collection("prof")
	w.load("prof", id, file, 400)
	share := func(account, class string) error {
		_, err := w.ShareCollection(w.as(account), &playv1.ShareCollectionRequest{Collection: id, Class: class})
		return err
	}
	wantCode(t, share("prof", "5a"), "class_not_found")
	wantCode(t, share("other", "4b"), "collection_not_found")
	must(t, share("prof", "4b"))
	must(t, share("prof", "4b")) // again changes nothing
	own, err := w.ListCollections(w.as("prof"), &playv1.ListCollectionsRequest{})
	must(t, err)
	if c := own.GetCollections(); len(c) != 2 || !c[0].GetOwn() || len(c[0].GetShares()) != 1 || c[0].GetShares()[0].GetName() != "4B" || c[0].GetBytes() == 0 || len(c[1].GetShares()) != 0 {
		t.Errorf("the owner sees %v", own)
	}
	reads := func(account string) []error {
		_, get := w.GetCollection(w.as(account), &playv1.GetCollectionRequest{Collection: id})
		_, list := w.ListRecords(w.as(account), &playv1.ListRecordsRequest{Collection: id})
		_, record := w.GetRecord(w.as(account), &playv1.GetRecordRequest{Collection: id, Number: 1})
		_, export := w.ExportRecords(w.as(account), &playv1.ExportRecordsRequest{Collection: id})
		return []error{get, list, record, export}
	}
	want := func(account, code string) {
		t.Helper()
		for _, err := range reads(account) {
			if code == "" {
				must(t, err)
			} else {
				wantCode(t, err, code)
			}
		}
		shared, err := w.ListCollections(w.as(account), &playv1.ListCollectionsRequest{List: "shared"})
		must(t, err)
		if got := len(shared.GetCollections()); got != map[bool]int{true: 1}[code == ""] {
			t.Errorf("%s sees %v", account, shared)
		}
		for _, c := range shared.GetCollections() {
			if c.GetOwn() || c.GetId() != id || len(c.GetShares()) != 1 || c.GetShares()[0].GetName() != "4B" {
				t.Errorf("%s sees %v", account, c)
			}
		}
	}
	want("pupil", "")
	want("other", "")
	want("stranger", "collection_not_found")
	_, err = w.GetCollection(w.as("pupil"), &playv1.GetCollectionRequest{Collection: private})
	wantCode(t, err, "collection_not_found")
	for name, call := range map[string]func() error{
		"rename": func() error {
			_, err := w.RenameCollection(w.as("pupil"), &playv1.RenameCollectionRequest{Collection: id, Name: "x"})
			return err
		},
		"delete": func() error {
			_, err := w.DeleteCollection(w.as("pupil"), &playv1.DeleteCollectionRequest{Collection: id})
			return err
		},
		"delete a record": func() error {
			_, err := w.DeleteRecord(w.as("pupil"), &playv1.DeleteRecordRequest{Collection: id, Number: 1})
			return err
		},
		"import": func() error {
			_, err := w.BeginImport(w.as("pupil"), &playv1.BeginImportRequest{Collection: id})
			return err
		},
		"imports": func() error {
			_, err := w.ListImports(w.as("pupil"), &playv1.ListImportsRequest{Collection: id})
			return err
		},
		"take back": func() error {
			_, err := w.UnshareCollection(w.as("pupil"), &playv1.UnshareCollectionRequest{Collection: id, Class: "4b"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, call(), "collection_not_found") })
	}
	teachers = []string{"other"} // the owner has left the class
	want("pupil", "collection_not_found")
	teachers = []string{"prof", "other"}
	_, err = w.UnshareCollection(w.as("prof"), &playv1.UnshareCollectionRequest{Collection: id, Class: "4b"})
	must(t, err)
	want("pupil", "collection_not_found")
}

// TestOnlySoMuchTextIsKept: what is over is left out with a note, and once an owner
// keeps as much as they may no import begins.
func TestOnlySoMuchTextIsKept(t *testing.T) {
	w := newWorld(t, collections.Config{MaxBytes: 40})
	id := w.collection("ana")
	report := w.load("ana", id, "A;B;1-0;e4 c5 Nf3\nC;D;1-0;e4\nE;F;1-0;e4 c5 Nf3 d6 d4\nG;H;*;e4\n", 400)
	if report.GetAdded() != 3 || report.GetOver() != 1 || report.GetNotes()[0].GetCode() != "storage_full" || !report.GetNotes()[0].GetLeftOut() {
		t.Errorf("got %v", report)
	}
	got, err := w.GetCollection(w.as("ana"), &playv1.GetCollectionRequest{Collection: id})
	must(t, err)
	if got.GetCollection().GetBytes() != 38 {
		t.Errorf("the collection has %d bytes", got.GetCollection().GetBytes())
	}
	if report := w.load("ana", id, "I;J;*;d4 d5\n", 400); report.GetAdded() != 0 || report.GetOver() != 1 {
		t.Errorf("one that is too long: %v", report)
	}
	_, err = w.DeleteRecord(w.as("ana"), &playv1.DeleteRecordRequest{Collection: id, Number: 1})
	must(t, err)
	if report := w.load("ana", id, "A;B;1-0;e4 c5 Nf3\n", 400); report.GetAdded() != 1 {
		t.Errorf("after making room: %v", report)
	}
	full := newWorld(t, collections.Config{MaxRecords: 1})
	id = full.collection("ana")
	full.load("ana", id, "A;B;1-0;e4\n", 400)
	_, err = full.BeginImport(full.as("ana"), &playv1.BeginImportRequest{Collection: id})
	wantCode(t, err, "storage_full")
}
