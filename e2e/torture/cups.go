package torture

import (
	"context"
	"slices"
)

// checkCups: every acknowledged command on a tournament is there, all of its games
// were played on its boards, each pair met once, and the table is what the games
// come to.
func (c *checker) checkCups(ctx context.Context, all []*kept) error {
	c.checkAnswers()
	games := map[string]*kept{}
	for _, k := range all {
		games[k.id] = k
	}
	for _, h := range c.halls {
		if !h.over {
			continue // why is among the faults
		}
		told, err := h.see(ctx)
		if err != nil {
			return ignoreAbandoned(err)
		}
		row, ok := c.truth.cups[h.id]
		if !ok || row.version != told.Version || row.events != told.Version || row.status != told.Status || told.Status != "finished" {
			c.faults.add(faultDatabase, "tournament %s is %s at version %d, its row %+v", h.id, told.Status, told.Version, row)
		}
		c.checkPairs(h, told)
		c.checkTable(h, told, games)
	}
	if n := len(c.truth.cups); n != len(c.halls) && !c.abandoned() {
		c.faults.add(faultTwice, "%d tournaments were made, there are %d", len(c.halls), n)
	}
	return nil
}

// checkAnswers is checkCommands for tournaments.
func (c *checker) checkAnswers() {
	known, versions := map[[2]string]bool{}, map[commandRow]Entry{}
	for _, e := range c.journal.all() {
		if !e.ofCup() || !e.acknowledged() {
			continue
		}
		id, told := [2]string{e.Person, e.Key}, commandRow{e.cup.ID, e.cup.Version}
		known[id] = true
		if row, ok := c.truth.answers[id]; !ok || row != told || told.version > c.truth.cups[told.game].version {
			c.faults.add(faultLost, "%s was acknowledged as %+v; its row is %+v, %v", e.Path, told, row, ok)
		}
		if other, twice := versions[told]; twice {
			c.faults.add(faultLost, "%s and %s of tournament %s are both version %d", e.Path, other.Path, told.game, told.version)
		}
		versions[told] = e
	}
	for id, row := range c.truth.answers {
		if !known[id] && !c.abandoned() {
			c.faults.add(faultTwice, "command %v of tournament %+v is not in the journal", id, row)
		}
	}
}

// checkPairs: all have joined, once, and each has met each other once.
func (c *checker) checkPairs(h *hall, told cup) {
	var numbers []int
	for _, p := range told.Players {
		numbers = append(numbers, p.Number)
	}
	for _, p := range h.pupils {
		if !slices.ContainsFunc(told.Players, func(q cupPlayer) bool { return q.Account == p.account.ID }) {
			c.faults.add(faultLost, "%s has joined tournament %s and is not in it", p.account.ID, h.id)
		}
	}
	if len(numbers) != len(h.pupils) {
		c.faults.add(faultTwice, "%d have joined tournament %s, it has %d", len(h.pupils), h.id, len(numbers))
	}
	met := map[[2]int]int{}
	for _, round := range told.Played {
		for _, b := range round.Boards {
			if b.Black != 0 {
				met[[2]int{min(b.White, b.Black), max(b.White, b.Black)}]++
			}
		}
	}
	for i, a := range numbers {
		for _, b := range numbers[:i] {
			if n := met[[2]int{min(a, b), max(a, b)}]; n != 1 {
				c.faults.add(faultCup, "%d and %d of tournament %s have met %d times", a, b, h.id, n)
			}
		}
	}
}

// checkTable adds the results of the games up by itself.
func (c *checker) checkTable(h *hall, told cup, games map[string]*kept) {
	type line struct {
		points      float64
		games, wins int
	}
	want, seen := map[int]line{}, map[string]bool{}
	for _, p := range told.Players {
		want[p.Number] = line{}
	}
	count := func(number int, points float64) {
		l := want[number]
		l.points += points
		l.games++
		if points == 1 {
			l.wins++
		}
		want[number] = l
	}
	for r, round := range told.Played {
		for i, b := range round.Boards {
			if b.Black == 0 {
				continue // who rests
			}
			if len(b.Games) != 1 || b.Decided || seen[b.Games[0].ID] {
				c.faults.add(faultCup, "board %d.%d of tournament %s is %+v", r+1, i+1, h.id, b)
				continue
			}
			id := b.Games[0].ID
			seen[id] = true
			k := games[id]
			if k == nil || k.cup != h.id || c.truth.games[id].state.Cup != h.id || k.game.Result != b.Result || b.Games[0].Result != b.Result {
				c.faults.add(faultCup, "board %d.%d of tournament %s is %+v, its game %+v", r+1, i+1, h.id, b, k)
				continue
			}
			white := map[string]float64{"1-0": 1, "1/2-1/2": 0.5}[b.Result]
			count(b.White, white)
			count(b.Black, 1-white)
		}
	}
	if len(told.Table) != len(told.Players) {
		c.faults.add(faultCup, "the table of tournament %s has %d lines for %d players", h.id, len(told.Table), len(told.Players))
	}
	for _, l := range told.Table {
		if got := (line{l.Points, l.Games, l.Wins}); got != want[l.Player] {
			c.faults.add(faultCup, "player %d of tournament %s has %+v, the games make %+v", l.Player, h.id, got, want[l.Player])
		}
	}
	for id, row := range c.truth.games {
		if row.state.Cup == h.id && !seen[id] {
			c.faults.add(faultCup, "game %s of tournament %s is on none of its boards", id, h.id)
		}
	}
}
