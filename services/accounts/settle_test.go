package accounts

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tabuleiro/services/accounts/glicko"
)

func TestStartOfPupilsAndAdults(t *testing.T) {
	wantSame(t, "a pupil", start(Account{ID: "a"}, blitz),
		Standing{Account: "a", Pool: blitz, Rating: glicko.Rating{Value: 800, Deviation: 400, Volatility: 0.06}})
	wantSame(t, "an adult", start(Account{ID: "a", Adult: true}, blitz),
		Standing{Account: "a", Pool: blitz, Rating: glicko.Rating{Value: 1500, Deviation: 350, Volatility: 0.06}})
}

// tableOf is a table of two newcomers, the first a pupil, the second an adult.
func tableOf(entries ...Entry) Table {
	return Table{Entries: entries, Standings: [2]Standing{
		start(Account{ID: id(1)}, blitz), start(Account{ID: id(2), Adult: true}, blitz),
	}}
}

func TestSettleRatesBothFromBeforeTheGame(t *testing.T) {
	game := result(10, Seat{Account: id(1)}, Seat{Account: id(2)}, 2)
	got, err := settle(game, plies, tableOf(), monday)
	if err != nil {
		t.Fatal(err)
	}
	pupil, adult := tableOf().Standings[0].Rating, tableOf().Standings[1].Rating
	first, second := glicko.Match(glicko.Seat{Rating: pupil}, glicko.Seat{Rating: adult}, 1)
	entry := Entry{Game: game, Sides: [2]Side{{1, pupil, first}, {1, adult, second}}, RatedAt: monday}
	wantSame(t, "decision", got, Decision{Entry: entry, Fresh: true, Standings: [2]Standing{
		{id(1), blitz, first, 1, 1, 0, 0, game.FinishedAt},
		{id(2), blitz, second, 1, 0, 0, 1, game.FinishedAt},
	}})
}

func TestSettleGrowsTheDeviationByTheTimeBetweenGames(t *testing.T) {
	table := tableOf()
	table.Standings[0] = Standing{id(1), blitz, glicko.Rating{Value: 1000, Deviation: 60, Volatility: 0.06}, 5, 5, 0, 0, monday}
	game := result(10, Seat{Account: id(1)}, Seat{Level: "plies-2"}, 2)
	game.FinishedAt = monday.AddDate(1, 0, 0)
	got, err := settle(game, plies, table, game.FinishedAt)
	if err != nil {
		t.Fatal(err)
	}
	if d := got.Entry.Sides[0].Before.Deviation; math.Abs(d-110) > 1e-9 {
		t.Errorf("a deviation of 60 came to the game as %v after a year, want 110", d)
	}
	wantSame(t, "the level", got.Entry.Sides[1], Side{0, plies["plies-2"], plies["plies-2"]})
	// A game told late, that ended before the last one, finds no growth and does
	// not set the time back.
	game.FinishedAt = monday.AddDate(0, -1, 0)
	got, err = settle(game, plies, table, monday)
	if err != nil {
		t.Fatal(err)
	}
	if before, at := got.Entry.Sides[0].Before, got.Standings[0].At; before != table.Standings[0].Rating || !at.Equal(monday) {
		t.Errorf("a late game came to %+v and left the time at %v", before, at)
	}
}

func TestSettleRefusals(t *testing.T) {
	ana, rui := Seat{Account: id(1)}, Seat{Account: id(2)}
	first, err := settle(result(10, ana, rui, 2), plies, tableOf(), monday)
	if err != nil {
		t.Fatal(err)
	}
	known := tableOf(first.Entry)
	change := func(f func(*Game)) Game {
		game := result(10, ana, rui, 2)
		f(&game)
		return game
	}
	for name, game := range map[string]Game{
		"another result":           change(func(g *Game) { g.HalfPoints = 1 }),
		"seats the other way":      change(func(g *Game) { g.Seats[0], g.Seats[1] = g.Seats[1], g.Seats[0] }),
		"another speed":            change(func(g *Game) { g.Pool.Speed = "bullet" }),
		"a correction of others":   change(func(g *Game) { g.Revision, g.Seats[1] = 1, Seat{Account: id(3)} }),
		"a correction of the pool": change(func(g *Game) { g.Revision, g.Pool.Speed = 1, "bullet" }),
	} {
		if _, err := settle(game, plies, known, monday); !errors.Is(err, errConflict) {
			t.Errorf("%s: %v, want a conflict", name, err)
		}
	}
	for name, test := range map[string]struct {
		revision int32
		table    Table
		next     int32
	}{"a correction of nothing": {1, tableOf(), 0}, "a correction left out": {2, known, 1}} {
		var got revisionError
		_, err := settle(change(func(g *Game) { g.Revision = test.revision }), plies, test.table, monday)
		if !errors.As(err, &got) || got.next != test.next {
			t.Errorf("%s: %v, want that revision %d is next", name, err, test.next)
		}
	}
}

// A correction that comes at once leaves the rating that the right result would
// have given, whatever was told before.
func TestACorrectionGivesWhatTheRightResultWouldHave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		results := rapid.SliceOfN(rapid.Int32Range(0, 2), 1, 5).Draw(t, "half points")
		store := NewMemory()
		for n := range 2 {
			if err := store.Create(t.Context(), person(n+1, id(n)), keyed("register", id(n), id(n+1))); err != nil {
				t.Fatal(err)
			}
		}
		var last Entry
		for revision, halfPoints := range results {
			game := result(10, Seat{Account: id(1)}, Seat{Account: id(2)}, halfPoints)
			game.Revision = int32(revision)
			var err error
			if last, err = rate(t.Context(), store, game); err != nil {
				t.Fatal(err)
			}
		}
		table := Table{Standings: [2]Standing{start(Account{ID: id(1)}, blitz), start(Account{ID: id(2)}, blitz)}}
		right, err := settle(result(10, Seat{Account: id(1)}, Seat{Account: id(2)}, last.HalfPoints), plies, table, monday)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range right.Standings {
			if got := last.Sides[i].After; math.Abs(got.Value-want.Rating.Value) > 1e-9 {
				t.Fatalf("seat %d stands at %v after %v, want %v", i, got.Value, results, want.Rating.Value)
			}
		}
		found, err := CheckLedger(t.Context(), store)
		if err != nil || len(found) > 0 {
			t.Fatalf("%v, %v", found, err)
		}
	})
}

// CheckLedger must see every kind of damage.
func TestCheckLedgerFindsWhatIsWrong(t *testing.T) {
	build := func(t *testing.T) *Memory {
		t.Helper()
		store := NewMemory()
		mustCreate(t, store, person(1, "ana"), person(2, "rui"))
		for n := range 3 {
			if _, err := rate(t.Context(), store, result(10+n, Seat{Account: id(1)}, Seat{Account: id(2)}, int32(n))); err != nil {
				t.Fatal(err)
			}
		}
		wantLedgerSound(t, store)
		return store
	}
	key := ratingKey{id(1), blitz}
	standing := func(f func(*Standing)) func(*Memory) {
		return func(m *Memory) {
			s := m.ratings[key]
			f(&s)
			m.ratings[key] = s
		}
	}
	for name, damage := range map[string]func(*Memory){
		"a rating too high":          standing(func(s *Standing) { s.Rating.Value += 0.001 }),
		"a win too many":             standing(func(s *Standing) { s.Wins++ }),
		"a change too many":          standing(func(s *Standing) { s.Changes++ }),
		"a later end":                standing(func(s *Standing) { s.At = s.At.Add(time.Second) }),
		"an entry lost":              func(m *Memory) { delete(m.ledger, id(11)) },
		"an entry doubled":           func(m *Memory) { e := m.ledger[id(12)][0]; e.ID = id(13); m.ledger[id(13)] = []Entry{e} },
		"a result changed":           func(m *Memory) { m.ledger[id(10)][0].HalfPoints = 2 },
		"a rating before changed":    func(m *Memory) { m.ledger[id(11)][0].Sides[0].Before.Value++ },
		"a rating after changed":     func(m *Memory) { m.ledger[id(12)][0].Sides[1].After.Value++ },
		"a rating of a pool unknown": func(m *Memory) { s := m.ratings[key]; s.Pool.Speed = "rapid"; m.ratings[ratingKey{id(1), s.Pool}] = s },
		"a rating of nobody":         func(m *Memory) { delete(m.people, id(2)) },
		"a rating lost": func(m *Memory) {
			delete(m.ratings, key)
			m.ratings[ratingKey{id(1), Pool{"chess", "rapid"}}] = Standing{Account: id(1), Pool: Pool{"chess", "rapid"}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := build(t)
			damage(store)
			found, err := CheckLedger(t.Context(), store)
			if err != nil || len(found) == 0 {
				t.Errorf("found %v, %v, want a discrepancy", found, err)
			}
		})
	}
}

func TestAttempts(t *testing.T) {
	a := newAttempts(2, time.Minute)
	try := func(account string, after time.Duration) (bool, time.Duration) {
		return a.try(account, monday.Add(after))
	}
	for n, want := range []struct {
		account string
		after   time.Duration
		ok      bool
		wait    time.Duration
	}{
		{"ana", 0, true, 0}, {"ana", 0, true, 0}, {"ana", 0, false, time.Minute}, {"rui", 0, true, 0},
		{"ana", 45 * time.Second, false, 15 * time.Second}, {"ana", time.Minute, true, 0}, {"ana", time.Minute, false, time.Minute},
		{"ana", time.Hour, true, 0}, {"ana", time.Hour, true, 0}, {"ana", time.Hour, false, time.Minute},
	} {
		if ok, wait := try(want.account, want.after); ok != want.ok || wait != want.wait {
			t.Errorf("try %d: %v, %v, want %v, %v", n, ok, wait, want.ok, want.wait)
		}
	}
	// What is remembered is bounded; who would not fit waits.
	for n := range 2 * maxTracked {
		try(id(n), 2*time.Hour)
	}
	if len(a.full) != maxTracked {
		t.Errorf("%d accounts remembered, want %d", len(a.full), maxTracked)
	}
	if ok, _ := try("eva", 3*time.Hour); !ok || len(a.full) != 1 {
		t.Errorf("later %v, %d remembered, want room for one", ok, len(a.full))
	}
}
