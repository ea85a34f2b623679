//go:build seededbugs

package accounts

import (
	"testing"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// The seeded bug must show where the harness looks: in the record and in the
// ledger.
func TestRatedTwiceShows(t *testing.T) {
	for bug, games := range map[string]int32{"": 1, "rated_twice": 2} {
		t.Run("bug "+bug, func(t *testing.T) {
			t.Setenv("TABULEIRO_SEEDED_BUG", bug)
			eachStore(t, func(t *testing.T, store Store) {
				w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
				ana := w.mustRegister("Ana")
				for range 2 {
					_, err := w.as("play").Rate(t.Context(), rateRequest(10, &accountsv1.RatedSeat{Account: ana.Id}, &accountsv1.RatedSeat{Level: "full"}, 2))
					wantErr(t, "Rate", err, nil)
				}
				standings, err := store.Standings(t.Context(), []string{ana.Id})
				wantErr(t, "Standings", err, nil)
				if standings[0].Wins != games {
					t.Errorf("%d wins, want %d", standings[0].Wins, games)
				}
				found, err := CheckLedger(t.Context(), store)
				if err != nil || (len(found) > 0) != (games > 1) {
					t.Errorf("CheckLedger: %v, %v", found, err)
				}
			})
		})
	}
}
