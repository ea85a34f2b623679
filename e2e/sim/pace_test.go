package sim

import (
	"fmt"
	"time"

	"tabuleiro/internal/rpc"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play"
)

// pace lets a player give time, save a game, go on or claim it; false for none.
func (p *player) pace(g *playv1.Game) bool {
	w, id := p.w, g.GetId()
	gone := len(g.GetGone()) > 0 && g.GetGone()[0].GetSide() != g.GetYourSide()
	switch n := w.rng.IntN(200); {
	case g.GetStatus() == play.StatusSuspended && n < 60:
		p.double(p.command(&playv1.ResumeGameRequest{Game: id}))
	case g.GetStatus() == play.StatusSuspended && n < 100:
		p.ask(&playv1.GetGameRequest{Game: id}, "", nothing)
	case g.GetStatus() == play.StatusSuspended && n < 190:
	case gone && n < 60, n < 2:
		p.double(p.command(&playv1.ClaimWinRequest{Game: id, Result: lot(w.scheduler, []string{"", "win", "draw"})}))
	case n < 6:
		p.double(p.command(&playv1.GiveTimeRequest{Game: id}))
	case n < 10:
		p.double(p.command(&playv1.SuspendGameRequest{Game: id}))
	case n < 11:
		p.command(&playv1.ResumeGameRequest{Game: id})
	default:
		return false
	}
	return true
}

// stay is a time for which a side was said to be at a game; until is 0 while it is.
type stay struct{ from, until int64 }

// come lets a side of a game come or go. Each replica hears it or not.
func (w *world) come() {
	if len(w.games) == 0 {
		return
	}
	id := lot(w.scheduler, w.games)
	state, err := w.store.Load(w.ctx, id)
	if err != nil {
		return
	}
	w.said(id, state, w.hereNow(id, state)) // what they left is what they heard last
	sides := map[string]bool{}
	for i, seat := range state.Seats {
		key := [2]string{id, seat.Side}
		stays := w.stays[key]
		here := w.hereNow(id, state)[seat.Side]
		if w.chance(lot(w.scheduler, []int{200, 600})) || i == 0 && len(stays) == 0 {
			here = !here
			if here {
				w.stays[key] = append(stays, stay{from: time.Now().UnixMilli()})
			} else {
				stays[len(stays)-1].until = time.Now().UnixMilli()
			}
		}
		sides[seat.Side] = here
	}
	w.said(id, state, sides)
}

// hereNow are the sides that are at a game.
func (w *world) hereNow(id string, state play.State) map[string]bool {
	here := map[string]bool{}
	for _, seat := range state.Seats {
		stays := w.stays[[2]string{id, seat.Side}]
		here[seat.Side] = len(stays) > 0 && stays[len(stays)-1].until == 0
	}
	return here
}

// said tells the replicas who is here, as a gateway does that is heard mostly: of
// what it repeats every few seconds one word may be lost, and not the next.
func (w *world) said(id string, state play.State, here map[string]bool) {
	now := time.Now()
	for _, r := range w.replicas {
		key := [2]string{r.name, id}
		lost := w.scheduler.faults > 0 && w.chance(100)
		if r.alive() && (!lost || now.Sub(w.told[key]) > 5*time.Second) {
			w.told[key] = now
			m := &busv1.Presence{Gateway: "g", Game: id}
			for _, seat := range state.Seats {
				if here[seat.Side] {
					m.Sides = append(m.Sides, &busv1.PresentSide{Side: seat.Side})
				}
			}
			r.Present(m)
		}
	}
}

// look repeats all that is said of who is here, passes some time, and lets a
// replica see who is gone.
func (w *world) look() {
	for range 1 + w.rng.IntN(9) {
		for _, id := range w.games {
			state, err := w.store.Load(w.ctx, id)
			if err != nil || state.Status != play.StatusRunning {
				continue
			}
			w.said(id, state, w.hereNow(id, state))
		}
		// Who waits for an answer then may wait in vain.
		if len(w.waiting()) == 0 || w.scheduler.faults > 0 && w.chance(300) {
			w.pass(5 * time.Second)
		}
	}
	r := lot(w.scheduler, w.replicas)
	if !r.alive() || r.acting > 0 {
		return
	}
	r.acting++
	r.steps++
	label := fmt.Sprintf("look.%s.%d", r.name, r.steps)
	w.note("%s looks who is gone", label)
	go func() {
		err := r.PresenceStep(rpc.WithRequestID(r.ctx, label))
		w.finish(&attempt{label: label, ended: func() {
			r.acting--
			w.note("%s looked, failed %v", label, err != nil)
		}})
	}()
}

// checkGone: nobody was called gone before their limit, and nobody's game was
// claimed while they were not.
func (w *world) checkGone(events []*playv1.Event) {
	limits := map[string]int64{"bullet": 15_000, "blitz": 30_000, "rapid": 60_000, "classical": 120_000}
	gone := map[string]bool{}
	began, acted := int64(0), map[string]int64{}
	for i, e := range events {
		g := e.GetGame()
		at := e.GetAt().AsTime().UnixMilli()
		if i == 0 || e.GetKind() == play.KindAccepted {
			began = at
		}
		switch {
		case e.GetKind() == play.KindGone:
			limit := limits[g.GetSpeed()]
			// Nobody has been gone for longer than both are at the game, nor than since
			// they did something in it.
			since := max(began, acted[e.GetSide()])
			if at-since < limit-skewMS {
				w.violate("gone", "%s: %s is gone at version %d, after %d ms", short(e.GetGameId()), e.GetSide(), e.GetVersion(), at-since)
			}
			for _, s := range w.stays[[2]string{e.GetGameId(), e.GetSide()}] {
				// A word that was lost is believed for 12 s more, never less.
				if until := s.until; limit == 0 || until != 0 && until > at-limit+skewMS && s.from < at-limit-skewMS {
					w.violate("gone", "%s: %s is gone at version %d, %d ms after it was here", short(e.GetGameId()), e.GetSide(), e.GetVersion(), at-until)
				}
			}
			gone[e.GetSide()] = true
		case e.GetSide() != "" && e.GetGame().GetOutcome().GetReason() != "abandoned":
			delete(gone, e.GetSide())
			acted[e.GetSide()] = at
		}
		if e.GetKind() == play.KindFinished && g.GetOutcome().GetReason() == "abandoned" {
			other := g.GetSeats()[0].GetSide()
			if other == e.GetSide() {
				other = g.GetSeats()[1].GetSide()
			}
			if !gone[other] {
				w.violate("gone", "%s was claimed from %s, who was not gone", short(e.GetGameId()), other)
			}
		}
	}
}
