package accounts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"tabuleiro/services/accounts/glicko"
)

// checkPage is how many accounts CheckLedger reads at once.
const checkPage = 100

// checkTolerance is what two computers may differ by in rating points: some
// fuse a multiplication with an addition.
const checkTolerance = 1e-6

// Discrepancy is a place where the ratings are not what the ledger says.
type Discrepancy struct {
	Account string
	Pool    Pool
	// Game is the entry that is wrong; empty when the standing is.
	Game string
	// What says what is wrong, in words for an operator.
	What string
}

// String writes it on one line.
func (d Discrepancy) String() string {
	return fmt.Sprintf("account %s, %s %s, game %q: %s", d.Account, d.Pool.Rules, d.Pool.Speed, d.Game, d.What)
}

// CheckLedger computes every rating again from the results in the ledger and
// returns where it does not get what is stored. It reads page by page, so it is
// exact only while nothing is being rated.
func CheckLedger(ctx context.Context, store Store) ([]Discrepancy, error) {
	var found []Discrepancy
	_, err := checkPages(ctx, store, func(ids []string) error {
		for _, id := range ids {
			own, err := checkOne(ctx, store, id)
			if err != nil {
				return err
			}
			found = append(found, own...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// checkPages hands out all accounts that have a rating, page by page, and counts
// them.
func checkPages(ctx context.Context, store Ratings, check func(ids []string) error) (int, error) {
	accounts, after := 0, ""
	for {
		ids, err := store.Rated(ctx, after, checkPage)
		if err != nil {
			return accounts, fmt.Errorf("listing rated accounts: %w", err)
		}
		if len(ids) == 0 {
			return accounts, nil
		}
		if err := check(ids); err != nil {
			return accounts, err
		}
		accounts += len(ids)
		after = ids[len(ids)-1]
	}
}

// checkOne computes the ratings of one account again.
func checkOne(ctx context.Context, store Store, id string) ([]Discrepancy, error) {
	accounts, err := store.Accounts(ctx, []string{id})
	if err != nil {
		return nil, fmt.Errorf("reading accounts: %w", err)
	}
	if len(accounts) == 0 {
		return []Discrepancy{{Account: id, What: "a rating of no account"}}, nil
	}
	standings, err := store.Standings(ctx, []string{id})
	if err != nil {
		return nil, fmt.Errorf("reading ratings: %w", err)
	}
	entries, err := store.Entries(ctx, id, "", 0, 0)
	if err != nil {
		return nil, fmt.Errorf("reading the ledger: %w", err)
	}
	return checkAccount(accounts[0], standings, entries), nil
}

// checkAccount folds the entries of one account and compares.
func checkAccount(account Account, standings []Standing, entries []Entry) []Discrepancy {
	var found []Discrepancy
	folded := map[Pool]Standing{}
	past := map[Pool][]Entry{}
	revisions := map[string]int32{}

	// The order of the changes is what they were computed in; pools do not
	// touch each other.
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Compare(a.Sides[a.seatOf(account.ID)].Change, b.Sides[b.seatOf(account.ID)].Change)
	})
	for _, entry := range entries {
		i := entry.seatOf(account.ID)
		wrong := func(format string, args ...any) {
			found = append(found, Discrepancy{account.ID, entry.Pool, entry.ID, fmt.Sprintf(format, args...)})
		}
		standing, known := folded[entry.Pool]
		if !known {
			standing = start(account, entry.Pool)
		}
		if entry.Revision != revisions[entry.ID] {
			wrong("revision %d comes after %d", entry.Revision, revisions[entry.ID])
			continue
		}
		if got := entry.Sides[i].Change; got != standing.Changes+1 {
			wrong("change %d comes after %d", got, standing.Changes)
		}
		if want := standing.enter(entry.Game); !closeTo(entry.Sides[i].Before, want) {
			wrong("before is %+v, should be %+v", entry.Sides[i].Before, want)
		}
		past[entry.Pool] = append(past[entry.Pool], entry)
		if entry.Revision == 0 {
			standing = standing.play(entry, entry.HalfPoints)
		} else {
			standing = refold(start(account, entry.Pool), past[entry.Pool])
		}
		if got := entry.Sides[i].After; !closeTo(got, standing.Rating) {
			wrong("after is %+v, should be %+v", got, standing.Rating)
		}
		folded[entry.Pool] = standing
		revisions[entry.ID]++
	}
	for _, stored := range standings {
		want, known := folded[stored.Pool]
		delete(folded, stored.Pool)
		if !known {
			found = append(found, Discrepancy{account.ID, stored.Pool, "", "a rating without entries"})
			continue
		}
		if got := stored; !sameStanding(got, want) {
			found = append(found, Discrepancy{account.ID, stored.Pool, "", fmt.Sprintf("standing is %+v, should be %+v", got, want)})
		}
	}
	for pool := range folded {
		found = append(found, Discrepancy{account.ID, pool, "", "entries without a rating"})
	}
	return found
}

func closeTo(a, b glicko.Rating) bool {
	return math.Abs(a.Value-b.Value) < checkTolerance &&
		math.Abs(a.Deviation-b.Deviation) < checkTolerance &&
		math.Abs(a.Volatility-b.Volatility) < checkTolerance
}

func sameStanding(a, b Standing) bool {
	if !closeTo(a.Rating, b.Rating) || !a.At.Equal(b.At) {
		return false
	}
	a.Rating, a.At = b.Rating, b.At
	return a == b
}
