// Package identity says who a call comes from, and proves it between processes
// with tokens that are signed with Ed25519.
//
// The gateway authenticates people and signs their Caller for every call to a
// service. A service signs only Callers of its own. Everyone holds the public
// halves of all keys and verifies on arrival (see internal/rpc, which does both).
package identity

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Gateway is the name of the one signer that may speak for people.
const Gateway = "gateway"

// guestPrefix tells a guest's seat from an account's.
const guestPrefix = "guest:"

// Caller is who a call comes from: exactly one of an account, a guest and a
// service. The zero Caller is nobody and cannot be signed.
type Caller struct {
	// Account is the account's UUID; empty for guests and services.
	Account string
	// Session is the session's UUID; for a guest, the guest's own UUID.
	Session string
	// Guest is true for a visitor who has not logged in.
	Guest bool
	// Service is the name of the service that calls on its own account.
	Service string
	// Roles are the account's, such as "teacher" or "operator".
	Roles []string
	// Scopes narrow what the session may do; none means no narrowing.
	Scopes []string
	// Lag is the round trip to the client of the session, as the gateway measured
	// it; 0 for unknown. It is part of the proof, so that no client sets its own.
	Lag time.Duration
	// Expires is when the proof of this Caller ends. Signing sets it.
	Expires time.Time
}

// ErrCaller says that a Caller is not exactly one of account, guest, service.
var ErrCaller = errors.New("a caller is exactly one of an account, a guest and a service")

// Has reports whether the account has the role. Guests and services have none.
func (c Caller) Has(role string) bool {
	return c.Account != "" && slices.Contains(c.Roles, role)
}

// Player is how a game names the person in a seat: the account's UUID or
// "guest:" and the guest's; empty for services and nobody.
func (c Caller) Player() string {
	switch {
	case c.Service != "":
		return ""
	case c.Guest && c.Session != "":
		return guestPrefix + c.Session
	default:
		return c.Account
	}
}

// check holds the invariant that every signed Caller has.
func (c Caller) check() error {
	kinds := 0
	if c.Account != "" {
		kinds++
	}
	if c.Guest {
		kinds++
	}
	if c.Service != "" {
		kinds++
	}
	switch {
	case kinds != 1,
		c.Guest && c.Session == "",
		c.Service != "" && c.Session != "",
		c.Account == "" && len(c.Roles) > 0,
		c.Lag < 0, c.Service != "" && c.Lag > 0:
		return ErrCaller
	}
	return nil
}

// Nobody reports whether this is the zero Caller.
func (c Caller) Nobody() bool {
	return c.Account == "" && c.Session == "" && c.Service == "" && !c.Guest
}

type contextKey struct{}

// With returns a context that carries the Caller.
func With(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// From returns the Caller of the context; false where nobody is known.
func From(ctx context.Context) (Caller, bool) {
	c, ok := ctx.Value(contextKey{}).(Caller)
	return c, ok
}
