package sim

import (
	"cmp"
	"math"
	"slices"

	"tabuleiro/e2e/paper"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/accounts"
	"tabuleiro/services/play"
)

type pool struct {
	account string
	accounts.Pool
}

// checkRatings folds the ledger by itself and compares it with the games.
func (w *world) checkRatings(log map[string][]*playv1.Event, ids []string) {
	ledger := map[string]accounts.Entry{}
	chains := map[pool][]accounts.Entry{}
	for _, p := range w.players {
		entries, err := w.ledger.Entries(w.ctx, p.caller.Account, "", 0, 0)
		if p.caller.Account == "" {
			continue
		}
		if err != nil {
			w.violate("rating", "%v", err)
		}
		for _, e := range entries {
			if int(e.Revision) > revisions(log[e.ID]) {
				w.violate("rating", "%s was rated again, as revision %d", short(e.ID), e.Revision)
			}
			if len(log[e.ID]) == 0 {
				w.violate("rating", "a game that is not in the log was rated: %s", e.ID)
			}
			newest(ledger, e)
			key := pool{p.caller.Account, e.Pool}
			chains[key] = append(chains[key], e)
		}
	}
	for _, id := range ids {
		entry, rated := ledger[id]
		w.checkRated(log[id], entry, rated)
	}
	for _, p := range w.players {
		for key, chain := range chains {
			if key.account == p.caller.Account && p.caller.Account != "" {
				w.checkChain(p, key, chain)
			}
		}
	}
}

// checkRated compares one game with its row.
func (w *world) checkRated(events []*playv1.Event, entry accounts.Entry, rated bool) {
	if len(events) == 0 {
		return
	}
	last := events[len(events)-1]
	g, id := last.GetGame(), short(last.GetGameId())
	annulled := g.GetClosed().GetWhy() == play.WhyAnnulled
	should := g.GetRated() && (g.GetStatus() == play.StatusFinished || annulled && rated)
	told := 0
	for _, e := range events {
		if e.GetKind() == play.KindRated {
			told++
		}
	}
	if should != rated || should && told != int(entry.Revision)+1 || !should && told > 0 {
		w.violate("rating", "%s: rated game %v, in the ledger %v, told %d times", id, should, rated, told)
	}
	if !should || !rated {
		return
	}
	if entry.Annulled != annulled {
		w.violate("rating", "%s: annulled %v, in the ledger %+v", id, annulled, entry.Game)
	}
	if annulled {
		return
	}
	half := map[string]int32{"1-0": 2, "1/2-1/2": 1, "0-1": 0}[g.GetResult()]
	if entry.HalfPoints != half || entry.Pool != (accounts.Pool{Rules: g.GetRules(), Speed: g.GetSpeed()}) {
		w.violate("rating", "%s: ended %s, rated %+v", id, g.GetResult(), entry.Game)
	}
	for i, seat := range g.GetSeats() {
		if seat.GetAccount() != entry.Seats[i].Account || seat.GetLevel() != entry.Seats[i].Level {
			w.violate("rating", "%s: seat %d is %v, rated %v", id, i, seat, entry.Seats[i])
		}
		if seat.GetAccount() != "" && seat.GetRatingAfter() != int32(math.Round(entry.Sides[i].After.Value)) {
			w.violate("rating", "%s: seat %d shows %d, rated %v", id, i, seat.GetRatingAfter(), entry.Sides[i].After)
		}
	}
}

// checkChain folds the games of one account in one pool.
func (w *world) checkChain(p *player, key pool, chain []accounts.Entry) {
	side := func(e accounts.Entry) int {
		if e.Seats[0].Account == key.account {
			return 0
		}
		return 1
	}
	slices.SortFunc(chain, func(a, b accounts.Entry) int { return cmp.Compare(a.Sides[side(a)].Change, b.Sides[side(b)].Change) })
	now := paper.Rating{Value: 800, Deviation: 400, Volatility: 0.06}
	if p.adult {
		now = paper.Rating{Value: 1500, Deviation: 350, Volatility: 0.06}
	}
	periods := (110.0*110 - 60*60) / (173.7178 * 173.7178 * 0.06 * 0.06 * 365)
	last := map[string]accounts.Entry{}
	corrected := false
	for _, e := range chain {
		newest(last, e)
		corrected = corrected || e.Revision > 0
	}
	at, counted := chain[0].FinishedAt, 0
	for i, e := range chain {
		s := side(e)
		if e.Revision > 0 || last[e.ID].Annulled {
			continue // the last revision stands for the first
		}
		if counted == 0 {
			at = e.FinishedAt
		}
		days := max(0, e.FinishedAt.Sub(at).Hours()/24)
		if counted > 0 {
			grown := now.Deviation/173.7178*now.Deviation/173.7178 + days*periods*now.Volatility*now.Volatility
			now.Deviation = min(400, math.Sqrt(grown)*173.7178)
		}
		counted++
		score := float64(last[e.ID].HalfPoints) / 2
		if s == 1 {
			score = 1 - score
		}
		after := now.After(paper.Rating(e.Sides[1-s].Before), score, e.Seats[1-s].Level != "")
		// Where results were corrected, what was known then is not what is known now.
		if e.Sides[s].Change != int32(i+1) || !corrected && (!now.Near(paper.Rating(e.Sides[s].Before)) || !after.Near(paper.Rating(e.Sides[s].After))) {
			w.violate("rating", "%s in %v: change %d of %s is %+v, not from %v to %v", p.name, key.Pool, i+1, short(e.ID), e.Sides[s], now, after)
			return
		}
		if now = after; !corrected {
			now = paper.Rating(e.Sides[s].After)
		}
		if e.FinishedAt.After(at) {
			at = e.FinishedAt
		}
	}
	standings, err := w.ledger.Standings(w.ctx, []string{key.account})
	i := slices.IndexFunc(standings, func(s accounts.Standing) bool { return s.Pool == key.Pool })
	if err != nil || i < 0 || !now.Near(paper.Rating(standings[i].Rating)) || int(standings[i].Changes) != len(chain) ||
		int(standings[i].Wins+standings[i].Draws+standings[i].Losses) != counted {
		w.violate("rating", "%s in %v: stands at %+v (%v), not at %v after %d games", p.name, key.Pool, standings, err, now, len(chain))
	}
}
