package accounts

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tabuleiro/services/accounts/glicko"
)

// season is a store in which three people and a level have played some games.
type season struct {
	store *Memory
	games []Game
}

func playSeason(t *rapid.T, results []int32, pairs []int) season {
	s := season{store: NewMemory()}
	for n := range 3 {
		p := person(n+1, id(n+1))
		p.Adult = n == 1
		if err := s.store.Create(t.Context(), p, keyed("register", p.ID, p.ID)); err != nil {
			t.Fatal(err)
		}
	}
	seats := []Seat{{Account: id(1)}, {Account: id(2)}, {Account: id(3)}, {Level: "plies-4"}}
	pairings := [][2]int{{0, 1}, {1, 2}, {2, 0}, {3, 0}, {1, 3}}
	for n, halfPoints := range results {
		pair := pairings[pairs[n]]
		game := result(10+n, seats[pair[0]], seats[pair[1]], halfPoints)
		game.FinishedAt = monday.AddDate(0, 0, n)
		s.games = append(s.games, game)
		if _, err := rate(t.Context(), s.store, game); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// correct tells the corrections in their order, each as the next revision.
func (s season) correct(t *rapid.T, corrections []correction) []Standing {
	next := map[int]int32{}
	for _, c := range corrections {
		next[c.game]++
		game := s.games[c.game]
		game.Revision, game.HalfPoints = next[c.game], c.halfPoints
		if _, err := rate(t.Context(), s.store, game); err != nil {
			t.Fatal(err)
		}
	}
	found, err := CheckLedger(t.Context(), s.store)
	if err != nil || len(found) > 0 {
		t.Fatalf("the ledger: %v, %v", found, err)
	}
	standings, err := s.store.Standings(t.Context(), []string{id(1), id(2), id(3)})
	if err != nil {
		t.Fatal(err)
	}
	return standings
}

type correction struct {
	game       int
	halfPoints int32
}

func drawSeason(t *rapid.T) (results []int32, pairs []int, corrections []correction) {
	results = rapid.SliceOfN(rapid.Int32Range(0, 2), 1, 12).Draw(t, "half points")
	pairs = rapid.SliceOfN(rapid.IntRange(0, 4), len(results), len(results)).Draw(t, "pairs")
	for range rapid.IntRange(0, 8).Draw(t, "corrections") {
		corrections = append(corrections, correction{
			rapid.IntRange(0, len(results)-1).Draw(t, "game"), rapid.Int32Range(0, 2).Draw(t, "corrected"),
		})
	}
	return results, pairs, corrections
}

// Corrections of different games may come in any order, those of one game in
// theirs: the ratings are the same.
func TestCorrectionsOfDifferentGamesCommute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		results, pairs, corrections := drawSeason(t)
		order := rapid.Permutation(corrections).Draw(t, "another order")
		// What comes last for a game has to be the same in both.
		for i, c := range order {
			last := slices.IndexFunc(order[i+1:], func(o correction) bool { return o.game == c.game }) < 0
			if !last {
				continue
			}
			for _, first := range slices.Backward(corrections) {
				if first.game == c.game {
					order[i].halfPoints = first.halfPoints
					break
				}
			}
		}
		one := playSeason(t, results, pairs).correct(t, corrections)
		other := playSeason(t, results, pairs).correct(t, order)
		if !slices.Equal(one, other) {
			t.Fatalf("%v give\n %+v\n%v give\n %+v", corrections, one, order, other)
		}
	})
}

// After corrections each rating is what an own fold of the right results gives,
// with every opponent as they came to the game.
func TestCorrectionsGiveTheFoldOfTheRightResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		results, pairs, corrections := drawSeason(t)
		s := playSeason(t, results, pairs)
		standings := s.correct(t, corrections)
		right := slices.Clone(results)
		changes := map[string]int32{}
		for _, c := range corrections {
			right[c.game] = c.halfPoints
			for _, seat := range s.games[c.game].Seats {
				changes[seat.Account]++
			}
		}
		for _, got := range standings {
			account := s.store.people[got.Account].Account
			rating, last := start(account, blitz).Rating, time.Time{}
			for n, game := range s.games {
				i := slices.IndexFunc(game.Seats[:], func(seat Seat) bool { return seat.Account == account.ID })
				if i < 0 {
					continue
				}
				changes[account.ID]++
				if !last.IsZero() {
					rating = glicko.Grow(rating, glicko.Periods(game.FinishedAt.Sub(last))).Clamp()
				}
				last = game.FinishedAt
				opponent := glicko.Seat{Rating: s.store.ledger[game.ID][0].Sides[1-i].Before, Fixed: game.Seats[1-i].Level != ""}
				score := float64(right[n]) / 2
				if i == 1 {
					score = 1 - score
				}
				rating, _ = glicko.Match(glicko.Seat{Rating: rating}, opponent, score)
			}
			if !closeTo(got.Rating, rating) || got.Changes != changes[account.ID] {
				t.Fatalf("%s stands at %+v, want %+v after %d changes", account.ID, got, rating, changes[account.ID])
			}
		}
	})
}

// Where a correction stands among the entries makes no difference to the fold.
func TestTheFoldDoesNotHangOnWhereCorrectionsStand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		results, pairs, corrections := drawSeason(t)
		s := playSeason(t, results, pairs)
		for _, got := range s.correct(t, corrections) {
			entries := s.store.past(got.Account, blitz)
			begin := start(s.store.people[got.Account].Account, blitz)
			if want := refold(begin, entries); got != want {
				t.Fatalf("stands at %+v, the fold is %+v", got, want)
			}
			// Each game's corrections right behind it.
			slices.SortStableFunc(entries, func(a, b Entry) int {
				return a.FinishedAt.Compare(b.FinishedAt)
			})
			if want := refold(begin, entries); got != want {
				t.Fatalf("stands at %+v, the fold by games is %+v", got, want)
			}
		}
	})
}

func TestACorrectionReachesLaterGames(t *testing.T) {
	store := NewMemory()
	mustCreate(t, store, person(1, "ana"), person(2, "rui"))
	ana, rui := Seat{Account: id(1)}, Seat{Account: id(2)}
	for n, halfPoints := range []int32{2, 2} {
		if _, err := rate(t.Context(), store, result(10+n, ana, rui, halfPoints)); err != nil {
			t.Fatal(err)
		}
	}
	corrected := result(10, ana, rui, 0)
	corrected.Revision = 1
	entry, err := rate(t.Context(), store, corrected)
	if err != nil {
		t.Fatal(err)
	}
	first := store.ledger[id(10)][0]
	second := store.ledger[id(11)][0]
	want := refold(start(store.people[id(1)].Account, blitz), []Entry{
		{Game: result(10, ana, rui, 0), Sides: first.Sides}, second,
	})
	if entry.Sides[0].After != want.Rating || want.Wins != 1 || want.Losses != 1 {
		t.Errorf("after the correction %+v, want %+v", entry.Sides[0].After, want)
	}
	wantLedgerSound(t, store)
}
