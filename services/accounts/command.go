package accounts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
)

// carried is a command on its way through one transaction.
type carried struct {
	Command
	// me is the caller's account.
	me Account
	// batch names the command among those of everybody.
	batch string
	// repeated says that it was carried out before; Object is then the first's.
	repeated bool
}

// carry carries a command of a person out once for its key, in one transaction:
// do changes things, unless that was done before, and answer reads what to say.
// Either may be nil, and either may run again.
func (s *Service) carry(ctx context.Context, method string, req proto.Message, do, answer func(ctx context.Context, w SchoolWriter, c *carried) error) error {
	body, err := proto.MarshalOptions{Deterministic: true}.Marshal(req)
	if err != nil {
		return fmt.Errorf("hashing a command: %w", err)
	}
	caller, _ := identity.From(ctx)
	asked := Command{
		Scope: caller.Account, Key: rpc.Key(ctx), Account: caller.Account, At: s.now(),
		Body: sha256.Sum256(append([]byte(method+"\n"), body...)),
	}
	return problem(s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		me, err := self(ctx, w)
		if err != nil {
			return err
		}
		c := &carried{Command: asked, me: me, batch: asked.Scope + " " + asked.Key}
		first, err := w.FindCommand(ctx, asked.Scope, asked.Key)
		switch {
		case errors.Is(err, ErrNotFound):
			if err := do(ctx, w, c); err != nil {
				return err
			}
			if err := w.Keep(ctx, c.Command); err != nil {
				return err
			}
		case err != nil:
			return err
		case first.Body != asked.Body:
			return rpc.Fail("key_reused", "")
		default:
			c.Object, c.repeated = first.Object, true
		}
		if answer == nil {
			return nil
		}
		return answer(ctx, w, c)
	}))
}

// note appends what the caller did to the audit log.
func (c *carried) note(ctx context.Context, w SchoolWriter, row Audit) error {
	row.At, row.Actor, row.Times = c.At, c.me.ID, cmp.Or(row.Times, 1)
	return w.Append(ctx, row)
}

// compareFolded orders texts as people look them up.
func compareFolded(a, b string) int {
	return cmp.Or(cmp.Compare(foldLogin(a), foldLogin(b)), cmp.Compare(a, b))
}
