package sim

import (
	"context"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/accounts"
	"tabuleiro/services/play"
)

// Somebody deletes their account in the middle of it all: their name goes, the
// games and the ratings of others stay.

// deletedName stands in the place of a name.
const deletedName = "deleted"

// Change is a step like others.
func (p people) Change(ctx context.Context, f func(context.Context, accounts.SchoolWriter) error) error {
	return p.do(ctx, "Change", true, func() error { return p.Memory.Change(ctx, f) })
}

// leave lets a player go who has nothing under way; false where none does.
func (w *world) leave() bool {
	if w.deleted() > 0 {
		return false
	}
	p := lot(w.scheduler, w.players[2:4])
	pending := slices.ContainsFunc(w.commands, func(c *command) bool {
		return c.player == p && (c.undetermined() || c.answer() == nil && len(c.attempts) == 0)
	})
	if p.flying > 0 || pending || p.leaving {
		return false
	}
	w.note("%s leaves for good", p.name)
	p.leaving = true
	p.delete()
	return true
}

// delete asks for it, again where nobody knows whether it happened.
func (p *player) delete() {
	if p.flying > 0 || p.deletedAt > 0 {
		return
	}
	p.ask(&accountsv1.DeleteMeRequest{Password: "passwords"}, p.name+"-delete", func(a *attempt) {
		switch {
		case a.ok():
			p.deletedAt = time.Now().UnixMilli()
		case a.definite() && a.code() != "too_many_requests" && a.code() != "not_logged_in":
			p.w.violate("deleted", "%s was answered %s", a.label, a.code())
		case a.code() == "not_logged_in": // it has happened
			p.deletedAt = time.Now().UnixMilli()
		}
	})
}

// part lets somebody leave, rarely, and time pass until that is followed.
func (w *world) part() {
	switch {
	case w.deleted() == 0:
		if w.chance(150) {
			w.leave()
		}
	case len(w.waiting()) == 0 && !w.forgotten():
		w.pass(40 * time.Second)
	}
	if r := lot(w.scheduler, w.replicas); w.deleted() > 0 && r.alive() && r.acting < 2 {
		w.forget(r)
	}
}

// deleted counts who leaves or has left.
func (w *world) deleted() (n int) {
	for _, p := range w.players {
		if p.leaving {
			n++
		}
	}
	return n
}

// forget lets a replica follow the list of deletions.
func (w *world) forget(r *replica) {
	w.task(r, "forget", func(ctx context.Context) error { return r.forgetter.Once(ctx) })
}

// forgotten tells whether all deletions have been followed.
func (w *world) forgotten() bool {
	n, err := w.store.Followed(w.ctx)
	return err == nil && int(n) >= w.deleted()
}

// unnamed is a game without what a deletion takes out of its past.
func (w *world) unnamed(g *playv1.Game) *playv1.Game {
	if g == nil || w.deleted() == 0 {
		return g
	}
	g = proto.CloneOf(g)
	for _, seat := range g.GetSeats() {
		seat.Name = ""
	}
	if g.Ruled != nil {
		g.Ruled.Note = ""
	}
	return g
}

// left tells whether an event is the end of a game that a deletion brought: the
// side that acted has left.
func (w *world) left(e *playv1.Event) bool {
	if e.GetKind() != play.KindFinished && e.GetKind() != play.KindCancelled {
		return false
	}
	for _, seat := range e.GetGame().GetSeats() {
		for _, p := range w.players {
			if seat.GetSide() == e.GetSide() && p.leaving && seat.GetAccount() == p.caller.Account {
				return true
			}
		}
	}
	return false
}

// checkDeleted looks for what is left of who left, and at what others have of it.
func (w *world) checkDeleted(log map[string][]*playv1.Event, ids []string) {
	for _, p := range w.players {
		if !p.leaving {
			continue
		}
		account := p.caller.Account
		found, err := w.ledger.Accounts(w.ctx, []string{account})
		if err != nil || len(found) != 1 || found[0].DeletedAt.IsZero() || p.deletedAt == 0 {
			w.violate("deleted", "%s is %+v (%v)", p.name, found, err)
		}
		if !w.forgotten() {
			w.violate("unsettled", "the deletion of %s was not followed", p.name)
		}
		for _, id := range ids {
			for _, e := range log[id] {
				for _, seat := range e.GetGame().GetSeats() {
					if seat.GetAccount() == account && seat.GetName() != deletedName {
						w.violate("deleted", "version %d of %s still names %s", e.GetVersion(), short(id), p.name)
					}
				}
			}
		}
		for _, id := range w.cups {
			state, err := w.cupStore.Load(w.ctx, id)
			if i := state.Find(account); err == nil && i >= 0 && state.Players[i].Name != deletedName {
				w.violate("deleted", "tournament %s still names %s", short(id), p.name)
			}
		}
	}
}

// checkDecided: results are decided by who may, and asked for it, and by nobody
// else: neither by a deletion nor by a replica.
func (w *world) checkDecided(log map[string][]*playv1.Event, ids []string) {
	for _, id := range ids {
		for _, e := range log[id] {
			if e.GetKind() != play.KindAdjudicated || w.cupGame(id) {
				continue
			}
			by := e.GetGame().GetRuled().GetBy()
			asked := slices.ContainsFunc(w.commands, func(c *command) bool {
				in, is := c.request.(*playv1.AdjudicateRequest)
				if !is || in.GetGame() != id || c.player.caller.Account != by {
					return false
				}
				// One attempt may be refused and another, whose answer is lost, happen.
				return c.answer() != nil || slices.ContainsFunc(c.attempts, func(a *attempt) bool { return !a.definite() })
			})
			if !asked {
				w.violate("decided", "version %d of %s was decided by %s, who did not ask for it", e.GetVersion(), short(id), short(by))
			}
		}
	}
}

func (g games) Scrub(ctx context.Context, game, account string) error {
	return g.do(ctx, "Scrub", true, func() error { return g.Store.Scrub(ctx, game, account) })
}

func (g games) Forget(ctx context.Context, account string, number int32) error {
	return g.do(ctx, "Forget", true, func() error { return g.Store.Forget(ctx, account, number) })
}
