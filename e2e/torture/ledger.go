package torture

import (
	"context"
	"math"
	"net/http"
	"slices"

	"tabuleiro/e2e/shapetest"
)

// checkCommands: each acknowledged command has its row, no other command has one,
// and there is no game that nobody made.
func (c *checker) checkCommands(byGame map[string][]Entry) {
	made, known := map[string]bool{}, map[[2]string]bool{}
	for game, entries := range byGame {
		for _, e := range entries {
			made[e.game.ID] = true
			if e.next.ID != "" {
				made[e.next.ID] = true
			}
			id := [2]string{e.Person, e.Key}
			known[id] = true
			if row, ok := c.truth.commands[id]; !ok || row.game != game || row.version != e.game.Version {
				c.faults.add(faultLost, "%s %v was acknowledged as version %d of game %s; its row is %+v, %v", e.Path, e.Body, e.game.Version, game, row, ok)
			}
		}
	}
	if c.abandoned() {
		return // a command without an answer may have happened
	}
	for id, row := range c.truth.commands {
		if !known[id] {
			c.faults.add(faultTwice, "command %v of game %s, version %d, is not in the journal", id, row.game, row.version)
		}
	}
	for id := range c.truth.games {
		if !made[id] && !slices.ContainsFunc(c.matches, func(m *match) bool { return m.id == id && m.cup != "" }) {
			c.faults.add(faultTwice, "nobody has made game %s", id)
		}
	}
}

func (c *checker) abandoned() bool {
	return c.faults.count(faultStuck) > 0
}

// checkLedger: a finished rated game has one entry, what is casual none, and the
// entry tells the result.
func (c *checker) checkLedger(all []*kept) {
	entries := map[string][]ledgerRow{}
	for _, l := range c.truth.ledger {
		entries[l.game] = append(entries[l.game], l)
	}
	for _, k := range all {
		own := entries[k.id]
		delete(entries, k.id)
		want := 0
		if k.game.Rated && k.game.Status == "finished" {
			want = 1
		}
		if len(own) != want {
			c.faults.add(faultRating, "game %s (rated %v, %s) has %d entries: %+v", k.id, k.game.Rated, k.game.Status, len(own), own)
			continue
		}
		if want == 0 {
			continue
		}
		points := map[string]int{"1-0": 2, "1/2-1/2": 1, "0-1": 0}[k.game.Result]
		if own[0].halfPoints != points || own[0].rules != k.rules || own[0].revision != 0 {
			c.faults.add(faultRating, "game %s ended %s, its entry is %+v", k.id, k.game.Result, own[0])
		}
		rated := 0
		for _, e := range k.events {
			if e.Kind == "rated" {
				rated++
			}
		}
		if rated != 1 {
			c.faults.add(faultRating, "game %s says %d times that it was rated", k.id, rated)
		}
		c.checkRated(own[0])
		for i, seat := range own[0].seats {
			if told := k.game.Seats[i]; told.Account != seat.account || seat.account != "" && told.RatingAfter != int32(math.Round(seat.after.Value)) {
				c.faults.add(faultRating, "seat %+v of game %s is %+v in the ledger", told, k.id, seat)
			}
		}
	}
	for game, own := range entries {
		if slices.ContainsFunc(c.matches, func(m *match) bool { return m.id == game }) {
			continue // it is gone, which was told
		}
		c.faults.add(faultRating, "an entry of no game: %+v", own)
	}
}

// checkRated computes what one game does to both ratings by itself.
func (c *checker) checkRated(l ledgerRow) {
	for i, seat := range l.seats {
		if seat.account == "" {
			continue
		}
		opponent, score := l.seats[1-i], float64(l.halfPoints)/2
		if i == 1 {
			score = 1 - score
		}
		if want := seat.before.After(opponent.before, score, opponent.account == ""); !want.Near(seat.after) {
			c.faults.add(faultRating, "game %s made %+v of %+v, by the formulas it is %+v", l.game, seat.after, seat.before, want)
		}
	}
}

// checkStandings: a rating is the fold of its entries, in the tables and for its
// owner.
func (c *checker) checkStandings(ctx context.Context) error {
	type entry struct {
		ledgerSeat
		points int // of this seat, in halves
	}
	pools := map[pool][]entry{}
	for _, l := range c.truth.ledger {
		for i, seat := range l.seats {
			if seat.account == "" {
				continue
			}
			points := l.halfPoints
			if i == 1 {
				points = 2 - points
			}
			p := pool{seat.account, l.rules, l.speed}
			pools[p] = append(pools[p], entry{seat, points})
		}
	}
	folded := map[pool]ratingRow{}
	for p, entries := range pools {
		slices.SortFunc(entries, func(a, b entry) int { return a.change - b.change })
		var r ratingRow
		for i, e := range entries {
			if e.change != i+1 || i > 0 && e.before.Value != r.value {
				c.faults.add(faultRating, "%v: change %d from %v follows %d to %v", p, e.change, e.before.Value, i, r.value)
			}
			r.value = e.after.Value
			r.changes++
			switch e.points {
			case 2:
				r.wins++
			case 1:
				r.draws++
			default:
				r.losses++
			}
		}
		folded[p] = r
		if got := c.truth.ratings[p]; got != r {
			c.faults.add(faultRating, "%v: the rating is %+v, its entries make %+v", p, got, r)
		}
	}
	if len(c.truth.ratings) != len(folded) {
		c.faults.add(faultRating, "%d ratings have entries, there are %d", len(folded), len(c.truth.ratings))
	}
	for _, p := range c.people {
		answer, _, err := p.persist(ctx, http.MethodGet, "/v1/me", "", nil)
		if err != nil {
			return err
		}
		var body struct{ Account shapetest.Account }
		if err := answer.Into(&body); err != nil {
			return err
		}
		for _, r := range body.Account.Ratings {
			want := folded[pool{p.account.ID, r.Rules, r.Speed}]
			if int(r.Wins) != want.wins || int(r.Draws) != want.draws || int(r.Losses) != want.losses || r.Rating != int32(math.Round(want.value)) {
				c.faults.add(faultRating, "%s is told %+v, the entries make %+v", p.account.ID, r, want)
			}
		}
	}
	return nil
}
