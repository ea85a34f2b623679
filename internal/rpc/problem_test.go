package rpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tabuleiro/games"
)

func TestEveryRefusalOfTheGamesIsInTheCatalogue(t *testing.T) {
	for _, row := range games.Codes() {
		entry, ok := Lookup(string(row.Code))
		if !ok {
			t.Errorf("%s: no entry in the catalogue", row.Code)
			continue
		}
		if entry.GRPC != codes.FailedPrecondition && entry.GRPC != codes.InvalidArgument {
			t.Errorf("%s: gRPC code %v", row.Code, entry.GRPC)
		}
		// These two say that the request is late rather than wrong.
		want := http.StatusUnprocessableEntity
		if row.Code == games.NotYourTurn || row.Code == games.GameOver {
			want = http.StatusConflict
		}
		if entry.Status != want {
			t.Errorf("%s: status %d, want %d", row.Code, entry.Status, want)
		}
	}
}

func TestCatalogueIsSound(t *testing.T) {
	seen := map[string]bool{}
	allowed := map[int]bool{400: true, 401: true, 403: true, 404: true, 405: true, 408: true, 409: true, 412: true, 413: true,
		415: true, 422: true, 429: true, 431: true, 500: true, 503: true, 504: true}
	for _, e := range Catalogue() {
		if seen[e.Code] {
			t.Errorf("%s stands twice", e.Code)
		}
		seen[e.Code] = true
		if !regexp.MustCompile(`^[a-z][a-z_]*$`).MatchString(e.Code) {
			t.Errorf("%q is no code", e.Code)
		}
		if !allowed[e.Status] {
			t.Errorf("%s: status %d is not in the contract", e.Code, e.Status)
		}
		if !strings.HasSuffix(e.Title, ".") {
			t.Errorf("%s: %q is no sentence", e.Code, e.Title)
		}
		if e.GRPC == codes.OK || e.GRPC == codes.Unknown {
			t.Errorf("%s: gRPC code %v", e.Code, e.GRPC)
		}
	}
}

func TestProblemCrossesAStatusWhole(t *testing.T) {
	for _, want := range []*Problem{
		Fail("game_not_found", ""),
		Fail("stale_turn", "the game is at turn 7"),
		Fail("game_over", "The game is over."), // a detail that is the title
		{
			Code: "capture_compulsory", Detail: "é obrigatório",
			Fields:  []Field{{"clock.initial_ms", "int32.gte_lte", "must be ≥ 1000"}, {"rules", "", ""}},
			Squares: []string{"a1", "b,2", `"c3"`}, Moves: []string{"c3xe5", "a\nb"}, Lessons: []string{"chess-1"}, Classes: []string{"4º B"},
			Ways:       []Way{{"capture", []string{"a4e8"}}, {"flee", []string{"e1d2", "e1f2"}}},
			RetryAfter: 1500 * time.Millisecond,
		},
	} {
		sent := fmt.Errorf("handling: %w", want.GRPCStatus().Err())
		got, ok := ProblemOf(sent)
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v; want %+v", got, ok, want)
		}
		entry, _ := Lookup(want.Code)
		if st, _ := status.FromError(sent); st.Code() != entry.GRPC {
			t.Errorf("%s: gRPC code %v, want %v", want.Code, st.Code(), entry.GRPC)
		}
		if got, ok := ProblemOf(fmt.Errorf("wrapped: %w", want)); !ok || got != want {
			t.Errorf("ProblemOf(wrapped %s) = %v, %v", want.Code, got, ok)
		}
		if !errors.Is(fmt.Errorf("wrapped: %w", want), Fail(want.Code, "")) {
			t.Errorf("errors.Is does not compare the code %s", want.Code)
		}
	}
}

func TestProblemIsBounded(t *testing.T) {
	many := make([]string, 5000)
	fields := make([]Field, 5000)
	huge := &Problem{Code: "ambiguous", Detail: strings.Repeat("x", 1<<20) + "\xff", Moves: many, Squares: many, Fields: fields}
	got, ok := ProblemOf(huge.GRPCStatus().Err())
	if !ok || len(got.Detail) != maxDetail || len(got.Moves) != maxItems || len(got.Squares) != maxItems || len(got.Fields) != maxItems {
		t.Errorf("got detail %d, moves %d, squares %d, fields %d", len(got.Detail), len(got.Moves), len(got.Squares), len(got.Fields))
	}
	got, _ = ProblemOf((&Problem{Code: "king_left_in_check", Ways: []Way{{"capture", many[:60]}, {"flee", many}, {"block", many}}}).GRPCStatus().Err())
	if got == nil || len(got.Ways) != 2 || len(got.Ways[0].Moves) != 60 || len(got.Ways[1].Moves) != maxItems-60 {
		t.Errorf("ways are not bounded: %+v", got)
	}
	if got, _ := ProblemOf(Fail("bad_text", "a\xffb").GRPCStatus().Err()); got == nil || got.Detail != "ab" {
		t.Errorf("a detail that is no UTF-8: got %+v", got)
	}
}

func TestToProblem(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want string
	}{
		{errors.New("sql: secret"), "internal"},
		{status.Error(codes.Internal, "secret"), "internal"},
		{status.Error(codes.NotFound, "some other server's"), "internal"},
		{status.Error(codes.Unavailable, "dial tcp 10.0.0.1"), "unavailable"},
		{status.Error(codes.DeadlineExceeded, ""), "timeout"},
		{fmt.Errorf("reading: %w", context.DeadlineExceeded), "timeout"},
		{context.Canceled, "cancelled"},
		{Fail("no_such_code", "secret"), "internal"},
		{Fail("no_such_code", "secret").GRPCStatus().Err(), "internal"},
		{Fail("no_claim", "").GRPCStatus().Err(), "no_claim"},
	} {
		got := ToProblem(tc.err)
		if got.Code != tc.want || got.Detail != "" {
			t.Errorf("ToProblem(%v) = %v, want %s", tc.err, got, tc.want)
		}
	}
}
