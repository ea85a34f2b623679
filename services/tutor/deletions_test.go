package tutor

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

// fakeDeletions is a list that fails when told to.
type fakeDeletions struct {
	mu   sync.Mutex
	list []*accountsv1.Deletion
	err  error
}

func (f *fakeDeletions) ListDeletions(_ context.Context, in *accountsv1.ListDeletionsRequest, _ ...grpc.CallOption) (*accountsv1.ListDeletionsResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return nil, f.err
	}
	rest := f.list[min(int(in.GetAfter()), len(f.list)):]
	return &accountsv1.ListDeletionsResponse{Deletions: rest[:min(len(rest), int(in.GetLimit()))]}, nil
}

func (f *fakeDeletions) add(account string, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, &accountsv1.Deletion{Number: int32(len(f.list)) + 1, Account: account, At: timestamppb.New(at)})
}

func TestDeletedAccountsAreForgottenOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		s := New(Config{}, Deps{Store: store})
		mark := func(account string) {
			t.Helper()
			if err := store.MarkPassed(t.Context(), account, "chess/history", monday); err != nil {
				t.Fatal(err)
			}
		}
		mark(ana)
		mark(rui)
		want := func(what string, followed int32, lessons map[string]int) {
			t.Helper()
			if got, err := store.Followed(t.Context()); got != followed || err != nil {
				t.Errorf("%s: followed %d, %v, want %d", what, got, err, followed)
			}
			for account, n := range lessons {
				if got, err := store.Passed(t.Context(), account); len(got) != n || err != nil {
					t.Errorf("%s: %s has passed %v, %v, want %d", what, account, got, err, n)
				}
			}
		}
		list := &fakeDeletions{}
		list.add(ana, monday)
		follow := func(at time.Duration) error { return s.followOnce(t.Context(), list, monday.Add(at)) }
		if err := follow(followAfter - time.Second); err != nil {
			t.Fatal(err)
		}
		want("while calls may be under way", 0, map[string]int{ana: 1, rui: 1})
		list.err = errors.New("away")
		if err := follow(followAfter); !errors.Is(err, list.err) {
			t.Errorf("accounts away: %v", err)
		}
		list.err = nil
		// Two replicas at once.
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if err := follow(followAfter); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		want("after that", 1, map[string]int{ana: 0, rui: 1})
		// A slow replica that comes to an old deletion again moves nothing back.
		for n := range followPage + 20 {
			list.add(ana, monday.Add(time.Duration(n)))
		}
		list.add(rui, monday)
		if err := follow(followAfter + time.Second); err != nil {
			t.Fatal(err)
		}
		want("after pages of them", followPage+22, map[string]int{rui: 0})
		if err := store.Forget(t.Context(), ana, 1); err != nil {
			t.Fatal(err)
		}
		want("a deletion followed late", followPage+22, nil)
	})
}

func TestFollowGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := NewMemory()
		s := New(Config{}, Deps{Store: store})
		list := &fakeDeletions{}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- s.Follow(ctx, list, time.Now, slog.New(slog.NewTextHandler(io.Discard, nil))) }()
		for n := range int32(3) {
			list.add(ana, time.Now())
			time.Sleep(followAfter + followEvery)
			synctest.Wait()
			if got, err := store.Followed(t.Context()); got != n+1 || err != nil {
				t.Errorf("followed %d, %v, want %d", got, err, n+1)
			}
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// fakeRelations says what ana is to everybody.
type fakeRelations struct {
	relation string
	err      error
}

func (f *fakeRelations) Relations(_ context.Context, in *accountsv1.RelationsRequest, _ ...grpc.CallOption) (*accountsv1.RelationsResponse, error) {
	if f.err != nil {
		return nil, f.err
	}
	return &accountsv1.RelationsResponse{Relations: []*accountsv1.Relation{{Subject: in.GetSubjects()[0], Relation: f.relation}}}, nil
}

// Lessons of another, by what the caller is to them.
func TestLessonsOfAnother(t *testing.T) {
	relations := &fakeRelations{}
	store := NewMemory()
	s := New(Config{}, Deps{Store: store, Relations: relations})
	if err := store.MarkPassed(t.Context(), rui, "chess/history", monday); err != nil {
		t.Fatal(err)
	}
	ctx := identity.With(t.Context(), identity.Caller{Account: ana, Session: eva})
	ask := func(account string) (int, error) {
		resp, err := s.ListLessons(ctx, &tutorv1.ListLessonsRequest{Account: account})
		passed := 0
		for _, lesson := range resp.GetLessons() {
			if lesson.GetPassed() {
				passed++
			}
		}
		return passed, err
	}
	for _, relation := range []string{"teacher", "guardian", "operator"} {
		relations.relation = relation
		if passed, err := ask(rui); passed != 1 || err != nil {
			t.Errorf("%s: %d passed, %v, want one", relation, passed, err)
		}
	}
	for _, relation := range []string{"none", "same_class", ""} {
		relations.relation = relation
		_, err := ask(rui)
		wantCode(t, relation, err, "account_not_found")
	}
	relations.err = errors.New("away")
	_, err := ask(rui)
	wantCode(t, "accounts away", err, "unavailable")
	if passed, err := ask(ana); passed != 0 || err != nil {
		t.Errorf("one's own while accounts is away: %d, %v", passed, err)
	}
}
