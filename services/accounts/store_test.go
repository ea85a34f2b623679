package accounts

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
	"tabuleiro/services/accounts/glicko"
)

// eachStore runs a test on every implementation, each time on an empty store.
func eachStore(t *testing.T, f func(t *testing.T, store Store)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { f(t, NewMemory()) })
	dbtest.Each(t, Migrations(), func(t *testing.T, d *db.DB) { f(t, NewSQL(d)) })
}

// id makes UUIDs that sort by n.
func id(n int) string { return fmt.Sprintf("01890000-0000-7000-8000-%012d", n) }

var monday = time.Date(2026, 3, 16, 8, 0, 0, 0, time.UTC)

func person(n int, login string) Person {
	return Person{
		Account: Account{
			ID: id(n), Login: login, FirstName: "Ana", Surname: "Conceição", BirthDate: "2016-02-29", Sex: "undisclosed",
			Policy: PolicyGuided, CreatedAt: monday.Add(time.Duration(n) * time.Millisecond),
		},
		PasswordHash: "hash of " + login,
	}
}

func keyed(scope, key, account string) Command {
	return Command{Scope: scope, Key: key, Body: [32]byte{1, 2, 3, 255}, Account: account, At: monday}
}

// mustCreate stores persons under keys of their own.
func mustCreate(t *testing.T, store Store, persons ...Person) {
	t.Helper()
	for _, p := range persons {
		if err := store.Create(t.Context(), p, keyed("register", p.ID, p.ID)); err != nil {
			t.Fatalf("creating %s: %v", p.Login, err)
		}
	}
}

func wantErr(t *testing.T, what string, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func wantSame[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

func TestStorePeople(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		ctx := t.Context()
		ana, rui := person(1, "Ana"), person(2, "rui")
		rui.Adult, rui.Policy, rui.BirthDate, rui.Sex = true, PolicyOpen, "", ""
		mustCreate(t, store, ana, rui)

		for _, want := range []Person{ana, rui} {
			got, err := store.Person(ctx, want.ID)
			wantErr(t, "Person", err, nil)
			wantSame(t, "Person", got, want)
		}
		got, err := store.PersonByLogin(ctx, "aNA")
		wantErr(t, "PersonByLogin", err, nil)
		wantSame(t, "PersonByLogin", got, ana)
		_, err = store.PersonByLogin(ctx, "eva")
		wantErr(t, "PersonByLogin of nobody", err, ErrNotFound)
		_, err = store.Person(ctx, id(9))
		wantErr(t, "Person of nobody", err, ErrNotFound)

		accounts, err := store.Accounts(ctx, []string{rui.ID, id(9), rui.ID})
		wantErr(t, "Accounts", err, nil)
		wantSame(t, "Accounts", accounts, []Account{rui.Account})
		accounts, err = store.Accounts(ctx, nil)
		wantErr(t, "Accounts of none", err, nil)
		wantSame(t, "Accounts of none", accounts, nil)

		// Nothing stays of what was refused.
		taken := person(3, "ANA")
		wantErr(t, "a login in other case", store.Create(ctx, taken, keyed("register", "k3", taken.ID)), ErrLoginTaken)
		_, err = store.Command(ctx, "register", "k3")
		wantErr(t, "its command", err, ErrNotFound)
		used := person(4, "eva")
		wantErr(t, "a used key", store.Create(ctx, used, keyed("register", ana.ID, used.ID)), ErrKeyUsed)
		_, err = store.Person(ctx, used.ID)
		wantErr(t, "its account", err, ErrNotFound)
		wantErr(t, "a used key and a taken login", store.Create(ctx, taken, keyed("register", ana.ID, taken.ID)), ErrKeyUsed)
		// The same key in another scope is another key.
		wantErr(t, "another scope", store.Create(ctx, used, keyed("elsewhere", ana.ID, used.ID)), nil)

		command, err := store.Command(ctx, "register", ana.ID)
		wantErr(t, "Command", err, nil)
		wantSame(t, "Command", command, keyed("register", ana.ID, ana.ID))
	})
}

func TestStoreOpenPolicy(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		ctx := t.Context()
		mustCreate(t, store, person(1, "ana"), person(2, "op"))
		wantErr(t, "OpenPolicy", store.OpenPolicy(ctx, id(1), keyed(id(2), "k1", id(1))), nil)
		wantErr(t, "the same key", store.OpenPolicy(ctx, id(1), keyed(id(2), "k1", id(1))), ErrKeyUsed)
		wantErr(t, "an open one again", store.OpenPolicy(ctx, id(1), keyed(id(2), "k2", id(1))), nil)
		wantErr(t, "nobody", store.OpenPolicy(ctx, id(9), keyed(id(2), "k3", id(9))), ErrNotFound)
		wantErr(t, "a used key and nobody", store.OpenPolicy(ctx, id(9), keyed(id(2), "k1", id(9))), ErrKeyUsed)
		got, err := store.Person(ctx, id(1))
		wantErr(t, "Person", err, nil)
		if got.Policy != PolicyOpen {
			t.Errorf("policy %q, want open", got.Policy)
		}
	})
}

func TestStoreOperators(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		ctx := t.Context()
		mustCreate(t, store, person(1, "ana"), person(2, "rui"))
		code, other := [32]byte{7}, [32]byte{8}

		wantErr(t, "before there is a code", store.Claim(ctx, id(1), code, keyed(id(1), "k0", id(1))), ErrWrongCode)
		for i, want := range []bool{true, false} {
			fresh, err := store.KeepCode(ctx, [32]byte{7 + byte(i)}, monday)
			if fresh != want || err != nil {
				t.Errorf("KeepCode number %d: %v, %v, want %v", i, fresh, err, want)
			}
		}
		wantErr(t, "another code", store.Claim(ctx, id(1), other, keyed(id(1), "k1", id(1))), ErrWrongCode)
		wantErr(t, "nobody", store.Claim(ctx, id(9), code, keyed(id(9), "k1", id(9))), ErrNotFound)
		wantErr(t, "Claim", store.Claim(ctx, id(1), code, keyed(id(1), "k1", id(1))), nil)
		wantErr(t, "the same key", store.Claim(ctx, id(1), code, keyed(id(1), "k1", id(1))), ErrKeyUsed)
		wantErr(t, "the code again", store.Claim(ctx, id(2), code, keyed(id(2), "k2", id(2))), ErrWrongCode)

		accounts, err := store.Accounts(ctx, []string{id(1)})
		wantErr(t, "Accounts", err, nil)
		want := person(1, "ana").Account
		want.Roles = []string{RoleOperator}
		wantSame(t, "roles", accounts, []Account{want})
		got, err := store.Person(ctx, id(2))
		wantErr(t, "Person", err, nil)
		wantSame(t, "roles of the other", got, person(2, "rui"))
		if fresh, err := store.KeepCode(ctx, other, monday); fresh || err != nil {
			t.Errorf("KeepCode after the claim: %v, %v, want false", fresh, err)
		}
	})
}

func TestStoreSessions(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		ctx := t.Context()
		mustCreate(t, store, person(1, "ana"), person(2, "rui"))
		session := func(n int, account string) Session {
			at := monday.Add(time.Duration(n) * time.Minute)
			return Session{
				ID: id(100 + n), Account: account, TokenHash: [32]byte{byte(n), 0, 255},
				Kind: SessionShared, Device: "Firefox on Linux", Network: "192.0.2.0/24",
				CreatedAt: at, ExpiresAt: at.Add(time.Hour), SeenAt: at, Idle: 40 * time.Minute,
			}
		}
		found := func(n int) bool {
			t.Helper()
			_, _, err := store.Session(ctx, session(n, "").TokenHash)
			if err != nil {
				wantErr(t, "Session", err, ErrNotFound)
			}
			return err == nil
		}
		for n := range 4 {
			wantErr(t, "Open", store.Open(ctx, session(n, id(1)), 3), nil)
		}
		wantErr(t, "Open for another", store.Open(ctx, session(9, id(2)), 3), nil)
		for n, want := range map[int]bool{0: false, 1: true, 2: true, 3: true, 9: true, 50: false} {
			if got := found(n); got != want {
				t.Errorf("session %d is there: %v, want %v", n, got, want)
			}
		}

		seen := monday.Add(30 * time.Minute)
		lapses := monday.Add(61 * time.Minute)
		wantErr(t, "Touch", store.Touch(ctx, id(101), seen, lapses), nil)
		wantErr(t, "Touch with an earlier time", store.Touch(ctx, id(101), monday, monday), nil)
		wantErr(t, "Touch of none", store.Touch(ctx, id(199), seen, lapses), nil)
		got, account, err := store.Session(ctx, session(1, "").TokenHash)
		wantErr(t, "Session", err, nil)
		want := session(1, id(1))
		want.SeenAt = seen
		wantSame(t, "Session", got, want)
		wantSame(t, "its account", account, person(1, "ana").Account)

		wantErr(t, "End", store.End(ctx, session(2, "").TokenHash), nil)
		wantErr(t, "End again", store.End(ctx, session(2, "").TokenHash), nil)
		if found(2) {
			t.Error("an ended session is still there")
		}
		list, err := store.SessionsOf(ctx, id(1), monday.Add(42*time.Minute))
		wantErr(t, "SessionsOf", err, nil)
		wantSame(t, "SessionsOf", list, []Session{want, session(3, id(1))})
		list, err = store.SessionsOf(ctx, id(1), monday.Add(43*time.Minute))
		wantErr(t, "SessionsOf", err, nil)
		wantSame(t, "SessionsOf when one lapsed", list, []Session{want})

		// Idle: 3 (until minute 43). Not: 1 (61), 9 (49).
		swept, err := store.Sweep(ctx, monday.Add(45*time.Minute), 10)
		if swept != 1 || err != nil || found(3) || !found(1) || !found(9) {
			t.Errorf("sweeping the idle: %d, %v", swept, err)
		}
		// Both expire, one a time.
		for _, want := range []int{1, 1, 0} {
			swept, err := store.Sweep(ctx, monday.Add(2*time.Hour), 1)
			if swept != want || err != nil {
				t.Errorf("sweeping the expired: %d, %v, want %d", swept, err, want)
			}
		}
	})
}

var (
	blitz = Pool{Rules: "chess", Speed: "blitz"}
	plies = map[string]glicko.Rating{"plies-2": {Value: 900, Deviation: 45, Volatility: 0.06}}
)

func result(game int, first, second Seat, halfPoints int32) Game {
	return Game{
		ID: id(game), Pool: blitz, Seats: [2]Seat{first, second}, HalfPoints: halfPoints,
		FinishedAt: monday.Add(time.Duration(game) * time.Hour),
	}
}

// rate rates as the service does, a minute after the end.
func rate(ctx context.Context, store Store, game Game) (Entry, error) {
	return store.Rate(ctx, game, start, func(table Table) (Decision, error) {
		return settle(game, plies, table, game.FinishedAt.Add(time.Minute))
	})
}

func wantLedgerSound(t *testing.T, store Store) {
	t.Helper()
	found, err := CheckLedger(t.Context(), store)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found {
		t.Error(d)
	}
}

func TestStoreRatings(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		ctx := t.Context()
		rui := person(2, "rui")
		rui.Adult = true
		mustCreate(t, store, person(1, "ana"), rui)
		ana, two := Seat{Account: id(1)}, Seat{Level: "plies-2"}

		won, err := rate(ctx, store, result(10, ana, Seat{Account: rui.ID}, 2))
		wantErr(t, "Rate", err, nil)
		drawn, err := rate(ctx, store, result(11, two, ana, 1))
		wantErr(t, "Rate against a level", err, nil)
		draughts := result(12, ana, Seat{Account: rui.ID}, 0)
		draughts.Pool = Pool{Rules: "draughts", Speed: "none"}
		other, err := rate(ctx, store, draughts)
		wantErr(t, "Rate of another game", err, nil)

		// Again: the first answer, also when the time is told otherwise.
		again := result(10, ana, Seat{Account: rui.ID}, 2)
		again.FinishedAt = again.FinishedAt.Add(time.Hour)
		repeated, err := rate(ctx, store, again)
		wantErr(t, "Rate again", err, nil)
		wantSame(t, "the first answer", repeated, won)
		// Otherwise: refused, and nothing changes.
		_, err = rate(ctx, store, result(10, ana, Seat{Account: rui.ID}, 0))
		wantErr(t, "another result", err, errConflict)
		_, err = rate(ctx, store, result(13, ana, Seat{Account: id(9)}, 0))
		wantErr(t, "nobody", err, ErrNotFound)

		entries, err := store.Entries(ctx, id(1), "", 0, 0)
		wantErr(t, "Entries", err, nil)
		wantSame(t, "Entries", entries, []Entry{other, drawn, won})
		entries, err = store.Entries(ctx, id(1), "chess", 0, 1)
		wantErr(t, "Entries of chess", err, nil)
		wantSame(t, "Entries of chess", entries, []Entry{drawn})
		entries, err = store.Entries(ctx, id(1), "", 1, 1)
		wantErr(t, "Entries but the first", err, nil)
		wantSame(t, "Entries but the first", entries, []Entry{drawn})
		entries, err = store.Entries(ctx, id(9), "", 0, 0)
		wantErr(t, "Entries of nobody", err, nil)
		wantSame(t, "Entries of nobody", entries, nil)

		standings, err := store.Standings(ctx, []string{rui.ID, id(1), id(9)})
		wantErr(t, "Standings", err, nil)
		wantSame(t, "Standings", standings, []Standing{
			{id(1), blitz, drawn.Sides[1].After, 2, 1, 1, 0, result(11, ana, two, 0).FinishedAt},
			{id(1), draughts.Pool, other.Sides[0].After, 1, 0, 0, 1, draughts.FinishedAt},
			{id(2), blitz, won.Sides[1].After, 1, 0, 0, 1, won.FinishedAt},
			{id(2), draughts.Pool, other.Sides[1].After, 1, 1, 0, 0, draughts.FinishedAt},
		})
		for after, want := range map[string][]string{"": {id(1), id(2)}, id(1): {id(2)}, id(2): nil} {
			rated, err := store.Rated(ctx, after, 10)
			wantErr(t, "Rated", err, nil)
			if len(rated)+len(want) > 0 {
				wantSame(t, "Rated after "+after, rated, want)
			}
		}
		rated, err := store.Rated(ctx, "", 1)
		wantErr(t, "Rated, one", err, nil)
		wantSame(t, "Rated, one", rated, []string{id(1)})
		wantLedgerSound(t, store)
	})
}

func TestStoreCorrections(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		ctx := t.Context()
		mustCreate(t, store, person(1, "ana"), person(2, "rui"))
		ana, rui := Seat{Account: id(1)}, Seat{Account: id(2)}
		if _, err := rate(ctx, store, result(10, ana, rui, 2)); err != nil {
			t.Fatal(err)
		}
		if _, err := rate(ctx, store, result(11, ana, Seat{Level: "plies-2"}, 2)); err != nil {
			t.Fatal(err)
		}
		for revision, halfPoints := range []int32{2, 0, 1} {
			game := result(10, ana, rui, halfPoints)
			game.Revision = int32(revision)
			if _, err := rate(ctx, store, game); err != nil {
				t.Fatalf("revision %d: %v", revision, err)
			}
		}
		standings, err := store.Standings(ctx, []string{id(1)})
		wantErr(t, "Standings", err, nil)
		if s := standings[0]; s.Wins != 1 || s.Draws != 1 || s.Losses != 0 || s.Changes != 4 {
			t.Errorf("%+v, want one win and one draw after four changes", s)
		}
		wantLedgerSound(t, store)
	})
}

// Any number of replicas may rate games of the same players at the same moment,
// each game several times: every game counts once.
func TestStoreRatesConcurrently(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		const games, repeats = 6, 3
		mustCreate(t, store, person(1, "ana"), person(2, "rui"), person(3, "eva"))
		var wg sync.WaitGroup
		errs := make(chan error, games*repeats)
		for n := range games {
			for range repeats {
				wg.Go(func() {
					_, err := rate(t.Context(), store, result(10+n, Seat{Account: id(1 + n%3)}, Seat{Account: id(1 + (n+1)%3)}, int32(n%3)))
					errs <- err
				})
			}
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			if err != nil {
				t.Error(err)
			}
		}
		standings, err := store.Standings(t.Context(), []string{id(1), id(2), id(3)})
		wantErr(t, "Standings", err, nil)
		for _, s := range standings {
			if want := int32(games * 2 / 3); s.Changes != want || s.Wins+s.Draws+s.Losses != want {
				t.Errorf("%+v, want %d games", s, want)
			}
		}
		wantLedgerSound(t, store)
	})
}

// Two who register the same login at once, and one whose registration was sent
// twice: one account each.
func TestStoreCreatesConcurrently(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		const each = 8
		var wg sync.WaitGroup
		errs := make(chan error, 2*each)
		for n := range each {
			wg.Go(func() {
				errs <- store.Create(t.Context(), person(10+n, "same"), keyed("register", id(10+n), id(10+n)))
			})
			wg.Go(func() {
				errs <- store.Create(t.Context(), person(50+n, fmt.Sprint("other", n)), keyed("register", "one key", id(50+n)))
			})
		}
		wg.Wait()
		close(errs)
		counts := map[error]int{}
		for err := range errs {
			counts[err]++
		}
		wantSame(t, "outcomes", counts, map[error]int{nil: 2, ErrLoginTaken: each - 1, ErrKeyUsed: each - 1})
	})
}

// A database that is away is no fault of the query.
func TestAClosedDatabaseIsUnavailable(t *testing.T) {
	d := dbtest.Postgres(t, Migrations())
	store := NewSQL(d)
	mustCreate(t, store, person(1, "ana"))
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := store.Person(t.Context(), id(1))
	wantErr(t, "Person", err, db.ErrUnavailable)
	_, err = store.Command(t.Context(), "register", id(1))
	wantErr(t, "Command", err, db.ErrUnavailable)
	_, _, err = store.Session(t.Context(), [32]byte{})
	wantErr(t, "Session", err, db.ErrUnavailable)
	_, err = store.Standings(t.Context(), []string{id(1)})
	wantErr(t, "Standings", err, db.ErrUnavailable)
	_, err = rate(t.Context(), store, result(10, Seat{Account: id(1)}, Seat{Level: "plies-2"}, 2))
	wantErr(t, "Rate", err, db.ErrUnavailable)
}
