package sim

import (
	"context"
	"fmt"
	"slices"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/accounts"
	"tabuleiro/services/play"
)

// checkAudit compares the audit log with the decisions in the games: one row for
// each person of each decided game, however often it was told.
func (w *world) checkAudit(log map[string][]*playv1.Event, ids []string) {
	words := map[string]string{"1-0": "first_wins", "0-1": "second_wins", "1/2-1/2": "draw", "*": "annulled"}
	var want, got []string
	for _, id := range ids {
		for _, e := range log[id] {
			if e.GetKind() != play.KindAdjudicated {
				continue
			}
			var people []string
			for _, seat := range e.GetGame().GetSeats() {
				if account := seat.GetAccount(); account != "" && !slices.Contains(people, account) {
					people = append(people, account)
					want = append(want, fmt.Sprint(e.GetGame().GetRuled().GetBy(), " ", account, " ", id, " ", words[e.GetGame().GetResult()]))
				}
			}
		}
	}
	err := w.ledger.View(w.ctx, func(ctx context.Context, r accounts.SchoolReader) error {
		rows, err := r.AuditRows(ctx, accounts.AuditQuery{Action: "game_adjudicated", Limit: 1 << 20})
		for _, row := range rows {
			got = append(got, fmt.Sprint(row.Actor, " ", row.Subject, " ", row.Object, " ", row.Why))
		}
		return err
	})
	slices.Sort(want)
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) {
		w.violate("audit", "the log has %d rows for %d decisions about people (%v): %v, want %v", len(got), len(want), err, got, want)
	}
}
