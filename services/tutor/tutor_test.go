package tutor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

var monday = time.Date(2026, 3, 16, 8, 0, 0, 0, time.UTC)

const (
	ana = "01890000-0000-7000-8000-000000000001"
	rui = "01890000-0000-7000-8000-000000000002"
	eva = "01890000-0000-7000-8000-000000000003"
)

// eachStore runs a test on every implementation, each time on an empty store.
func eachStore(t *testing.T, f func(t *testing.T, store Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { f(t, NewMemory()) })
	dbtest.Each(t, Migrations(), func(t *testing.T, d *db.DB) { f(t, NewSQL(d)) })
}

func TestStore(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		passed := func(account string) []string {
			t.Helper()
			list, err := store.Passed(t.Context(), account)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		if got := passed(ana); len(got) != 0 {
			t.Errorf("a newcomer has passed %v", got)
		}
		// Twice, and in no order.
		for _, lesson := range []string{"draughts/history", "chess/history", "chess/board-and-pieces", "chess/history"} {
			if err := store.MarkPassed(t.Context(), ana, lesson, monday); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := passed(ana), []string{"chess/board-and-pieces", "chess/history", "draughts/history"}; !reflect.DeepEqual(got, want) {
			t.Errorf("passed %v, want %v", got, want)
		}
		if got := passed(rui); len(got) != 0 {
			t.Errorf("another account has passed %v", got)
		}
	})
}

func TestStoreMarksConcurrently(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		var wg sync.WaitGroup
		for range 4 {
			for _, lesson := range DefaultCourse() {
				wg.Go(func() {
					if err := store.MarkPassed(t.Context(), ana, lesson.ID, monday); err != nil {
						t.Error(err)
					}
				})
			}
		}
		wg.Wait()
		got, err := store.Passed(t.Context(), ana)
		if err != nil || len(got) != len(DefaultCourse()) {
			t.Errorf("passed %v, %v, want the whole course", got, err)
		}
	})
}

// A database that is away is no fault of the query.
func TestAClosedDatabaseIsUnavailable(t *testing.T) {
	d := dbtest.Postgres(t, Migrations())
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := NewSQL(d).Passed(t.Context(), ana); !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("got %v, want db.ErrUnavailable", err)
	}
}

func TestDefaultCourse(t *testing.T) {
	var got []string
	for _, lesson := range DefaultCourse() {
		got = append(got, lesson.ID)
	}
	want := []string{
		"chess/history", "chess/concepts", "chess/board-and-pieces", "chess/special-moves",
		"draughts/history", "draughts/concepts", "draughts/board-and-pieces", "draughts/special-moves",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// fakeAccounts knows the policies of two accounts.
type fakeAccounts struct {
	policies map[string]string
	err      error
	asked    int
}

func (f *fakeAccounts) GetPlayers(_ context.Context, req *accountsv1.GetPlayersRequest, _ ...grpc.CallOption) (*accountsv1.GetPlayersResponse, error) {
	f.asked++
	if f.err != nil {
		return nil, f.err
	}
	resp := &accountsv1.GetPlayersResponse{}
	for _, id := range req.GetAccounts() {
		if policy, known := f.policies[id]; known {
			resp.Players = append(resp.Players, &accountsv1.Player{Account: id, Policy: policy})
		}
	}
	return resp, nil
}

// world is the service behind the real chain of calls.
type world struct {
	t        *testing.T
	store    Store
	accounts *fakeAccounts
	keys     *identity.Keys
	conn     *rpc.Direct
}

func newWorld(t *testing.T, store Store) *world {
	t.Helper()
	w := &world{t: t, store: store, accounts: &fakeAccounts{policies: map[string]string{ana: "guided", rui: "open"}}}
	var err error
	if w.keys, err = identity.Generate(identity.Gateway, "play", "accounts"); err != nil {
		t.Fatal(err)
	}
	w.conn = rpc.NewDirect(rpc.ServerConfig{
		Service: "tutor", Verify: w.keys.Verify, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	tutorv1.RegisterTutorServiceServer(w.conn, New(Config{}, Deps{Store: store, Accounts: w.accounts}))
	return w
}

func (w *world) as(service string) tutorv1.TutorServiceClient {
	signer, err := w.keys.Signer(service)
	if err != nil {
		w.t.Fatal(err)
	}
	return tutorv1.NewTutorServiceClient(w.conn.Dial(rpc.ClientConfig{Signer: signer}))
}

func (w *world) check(account, rules string) (*tutorv1.CheckGateResponse, error) {
	return w.as("play").CheckGate(w.t.Context(), &tutorv1.CheckGateRequest{Account: account, Rules: rules})
}

func (w *world) pass(account string, lessons ...string) {
	w.t.Helper()
	for _, lesson := range lessons {
		if err := w.store.MarkPassed(w.t.Context(), account, lesson, monday); err != nil {
			w.t.Fatal(err)
		}
	}
}

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	if p, ok := rpc.ProblemOf(err); !ok || p.Code != code {
		t.Errorf("%s: got %v, want problem %s", what, err, code)
	}
}

func TestCheckGate(t *testing.T) {
	chess := []string{"chess/history", "chess/concepts", "chess/board-and-pieces", "chess/special-moves"}
	draughts := []string{"draughts/history", "draughts/concepts", "draughts/board-and-pieces", "draughts/special-moves"}
	w := newWorld(t, NewMemory())
	gate := func(account, rules string, want ...string) {
		t.Helper()
		got, err := w.check(account, rules)
		if err != nil {
			t.Fatal(err)
		}
		if want := (&tutorv1.CheckGateResponse{Open: len(want) == 0, Missing: want}); !proto.Equal(got, want) {
			t.Errorf("%s of %s: got %v, want %v", rules, account, got, want)
		}
	}
	gate(ana, "chess", chess...)
	gate(ana, "draughts", draughts...)
	gate(ana, "tictactoe")
	gate(rui, "chess")
	gate(rui, "draughts")
	// In the order of the course, whatever was passed first.
	w.pass(ana, chess[2])
	gate(ana, "chess", chess[0], chess[1], chess[3])
	w.pass(ana, chess...)
	gate(ana, "chess")
	gate(ana, "draughts", draughts...)

	_, err := w.check(eva, "chess")
	wantCode(t, "an account unknown", err, "account_not_found")
	_, err = w.check("ana", "chess")
	wantCode(t, "no UUID", err, "bad_field")
	_, err = w.check(ana, "go")
	wantCode(t, "a game unknown", err, "unknown_rules")
}

func TestCheckGateWhileAccountsIsAway(t *testing.T) {
	for _, cause := range []error{
		status.Error(codes.Unavailable, "connection refused"), context.DeadlineExceeded, rpc.Fail("internal", ""), rpc.Fail("forbidden", ""),
	} {
		w := newWorld(t, NewMemory())
		for _, lesson := range DefaultCourse()[:4] {
			w.pass(ana, lesson.ID)
		}
		w.accounts.err = cause
		if got, err := w.check(ana, "chess"); err != nil || !got.Open {
			t.Errorf("after %v, all lessons passed: %v, %v, want it open", cause, got, err)
		}
		if got, err := w.check(ana, "tictactoe"); err != nil || !got.Open {
			t.Errorf("after %v, tic-tac-toe: %v, %v, want it open", cause, got, err)
		}
		if w.accounts.asked != 0 {
			t.Error("accounts was asked for nothing")
		}
		_, err := w.check(rui, "chess")
		wantCode(t, fmt.Sprint("after ", cause), err, "unavailable")
	}
}

type brokenStore struct {
	*Memory
	err error
}

func (b brokenStore) Passed(context.Context, string) ([]string, error) { return nil, b.err }

func TestFaultsOfTheStore(t *testing.T) {
	for err, code := range map[error]string{db.ErrUnavailable: "unavailable", errors.New("no such table"): "internal"} {
		w := newWorld(t, brokenStore{NewMemory(), err})
		_, got := w.check(rui, "chess")
		wantCode(t, err.Error(), got, code)
	}
}

func TestListLessons(t *testing.T) {
	w := newWorld(t, NewMemory())
	w.pass(ana, "draughts/concepts")
	w.pass(rui, "chess/history")
	ctx := identity.With(t.Context(), identity.Caller{Account: ana, Session: eva})
	all, err := w.as(identity.Gateway).ListLessons(ctx, &tutorv1.ListLessonsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var want []*tutorv1.Lesson
	for i, lesson := range DefaultCourse() {
		want = append(want, &tutorv1.Lesson{
			Id: lesson.ID, Rules: lesson.Rules, Place: int32(i%4 + 1), Passed: lesson.ID == "draughts/concepts",
		})
	}
	if !slices.EqualFunc(all.Lessons, want, func(a, b *tutorv1.Lesson) bool { return proto.Equal(a, b) }) {
		t.Errorf("got %v, want %v", all.Lessons, want)
	}
	draughts, err := w.as(identity.Gateway).ListLessons(ctx, &tutorv1.ListLessonsRequest{Rules: "draughts"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(draughts.Lessons, want[4:], func(a, b *tutorv1.Lesson) bool { return proto.Equal(a, b) }) {
		t.Errorf("of draughts: got %v, want %v", draughts.Lessons, want[4:])
	}
}

func TestAccess(t *testing.T) {
	w := newWorld(t, NewMemory())
	account := identity.With(t.Context(), identity.Caller{Account: ana, Session: eva, Roles: []string{"operator"}})
	guest := identity.With(t.Context(), identity.Caller{Guest: true, Session: eva})
	request := &tutorv1.CheckGateRequest{Account: ana, Rules: "chess"}
	_, err := w.as(identity.Gateway).CheckGate(account, request)
	wantCode(t, "CheckGate by a person", err, "forbidden")
	_, err = w.as("accounts").CheckGate(t.Context(), request)
	wantCode(t, "CheckGate by accounts", err, "forbidden")
	_, err = w.as(identity.Gateway).ListLessons(guest, &tutorv1.ListLessonsRequest{})
	wantCode(t, "ListLessons by a guest", err, "account_required")
	_, err = w.as(identity.Gateway).ListLessons(t.Context(), &tutorv1.ListLessonsRequest{})
	wantCode(t, "ListLessons by nobody", err, "not_logged_in")
	_, err = w.as("play").ListLessons(t.Context(), &tutorv1.ListLessonsRequest{})
	wantCode(t, "ListLessons by a service", err, "forbidden")
}
