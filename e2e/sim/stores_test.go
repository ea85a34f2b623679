package sim

import (
	"context"

	"tabuleiro/internal/db"
	"tabuleiro/internal/rpc"
	"tabuleiro/services/accounts"
	"tabuleiro/services/play"
	"tabuleiro/services/tutor"
)

// games is the store of play as one replica sees it: it fails, and is out of
// reach for a replica that has died. Before and after what writes there is a
// step at which that can happen.
type games struct {
	play.Store
	s     *scheduler
	dead  func() bool
	pulse *pulse
}

func (g games) do(ctx context.Context, operation string, writes bool, f func() error) error {
	return g.step(ctx, "store."+operation, writes, operation == "Commit", play.ErrUnavailable, play.ErrUnknown, f)
}

// step is an operation of a store of this replica: away and unknown are how that
// store says so, and vanishes says that nobody may know that nothing happened.
func (g games) step(ctx context.Context, operation string, writes, vanishes bool, away, unknown error, f func() error) error {
	label := rpc.RequestID(ctx)
	faults := []verdict{refused}
	if vanishes {
		faults = []verdict{refused, vanished}
	}
	v := g.s.park(ctx, label, operation, faults...)
	switch {
	case g.dead():
		return away
	case v == expired:
		return ctx.Err()
	case v == refused:
		return away
	case v == vanished:
		return unknown
	}
	err := f()
	if !writes {
		return err
	}
	// Once begun a commit ends, whatever becomes of who asked for it.
	v = g.s.park(ctx, label, operation+" done", unheard)
	if g.dead() || err == nil && v != proceed {
		return unknown
	}
	return err
}

func (g games) Load(ctx context.Context, game string) (state play.State, err error) {
	err = g.do(ctx, "Load", false, func() (err error) { state, err = g.Store.Load(ctx, game); return err })
	return state, err
}

func (g games) Events(ctx context.Context, game string, after, limit int32) (events []play.Event, err error) {
	err = g.do(ctx, "Events", false, func() (err error) {
		events, err = g.Store.Events(ctx, game, after, limit)
		return err
	})
	return events, err
}

func (g games) Command(ctx context.Context, owner, key string) (record play.CommandRecord, found bool, err error) {
	err = g.do(ctx, "Command", false, func() (err error) {
		record, found, err = g.Store.Command(ctx, owner, key)
		return err
	})
	return record, found, err
}

func (g games) Commit(ctx context.Context, c play.Commit) error {
	return g.do(ctx, "Commit", true, func() error { return g.Store.Commit(context.WithoutCancel(ctx), c) })
}

func (g games) Overdue(ctx context.Context, at int64, limit int) (all []play.Due, err error) {
	err = g.do(ctx, "Overdue", false, func() (err error) { all, err = g.Store.Overdue(ctx, at, limit); return err })
	return all, err
}

func (g games) Claim(ctx context.Context, due play.Due, until int64) (claimed play.Due, ok bool, err error) {
	err = g.do(ctx, "Claim", true, func() (err error) { claimed, ok, err = g.Store.Claim(ctx, due, until); return err })
	return claimed, ok, err
}

func (g games) Postpone(ctx context.Context, due play.Due, until int64) error {
	return g.do(ctx, "Postpone", true, func() error { return g.Store.Postpone(ctx, due, until) })
}

func (g games) Drop(ctx context.Context, due play.Due) error {
	return g.do(ctx, "Drop", true, func() error { return g.Store.Drop(ctx, due) })
}

func (g games) GateOpen(ctx context.Context, account, rules string) (open bool, err error) {
	err = g.do(ctx, "GateOpen", false, func() (err error) { open, err = g.Store.GateOpen(ctx, account, rules); return err })
	return open, err
}

func (g games) OpenGate(ctx context.Context, account, rules string, at int64) error {
	return g.do(ctx, "OpenGate", true, func() error { return g.Store.OpenGate(ctx, account, rules, at) })
}

// people is the store of accounts, which fails.
type people struct {
	*accounts.Memory
	s *scheduler
}

func (p people) do(ctx context.Context, operation string, writes bool, f func() error) error {
	label := rpc.RequestID(ctx)
	switch p.s.park(ctx, label, "people."+operation, refused) {
	case proceed:
	case expired:
		return ctx.Err()
	default:
		return db.ErrUnavailable
	}
	err := f()
	if writes && p.s.park(ctx, label, "people."+operation+" done", unheard) != proceed && err == nil {
		return db.ErrUnknown
	}
	return err
}

func (p people) Rate(ctx context.Context, game accounts.Game, start func(accounts.Account, accounts.Pool) accounts.Standing, decide func(accounts.Table) (accounts.Decision, error)) (entry accounts.Entry, err error) {
	err = p.do(ctx, "Rate", true, func() (err error) { entry, err = p.Memory.Rate(ctx, game, start, decide); return err })
	return entry, err
}

func (p people) Accounts(ctx context.Context, ids []string) (found []accounts.Account, err error) {
	err = p.do(ctx, "Accounts", false, func() (err error) { found, err = p.Memory.Accounts(ctx, ids); return err })
	return found, err
}

func (p people) Session(ctx context.Context, token [32]byte) (session accounts.Session, account accounts.Account, err error) {
	err = p.do(ctx, "Session", false, func() (err error) { session, account, err = p.Memory.Session(ctx, token); return err })
	return session, account, err
}

// lessons is the store of the tutor, which fails.
type lessons struct {
	*tutor.Memory
	s *scheduler
}

func (l lessons) Passed(ctx context.Context, account string) ([]string, error) {
	switch l.s.park(ctx, rpc.RequestID(ctx), "lessons.Passed", refused) {
	case proceed:
		return l.Memory.Passed(ctx, account)
	case expired:
		return nil, ctx.Err()
	}
	return nil, db.ErrUnavailable
}
