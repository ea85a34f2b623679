package accounts

import (
	"context"
	"time"
)

// Factor is the second factor of an account.
type Factor struct {
	Account string
	// Sealed is the secret, encrypted for the account.
	Sealed []byte
	MadeAt time.Time
	// ConfirmedAt is zero while a first code has not proved that the person has it.
	ConfirmedAt time.Time
	// LastStep is the latest time step whose code was used.
	LastStep int64
}

// Confirmed says whether a log-in needs a code.
func (f Factor) Confirmed() bool { return !f.ConfirmedAt.IsZero() }

// FactorReader is what a transaction sees of second factors and of guesses.
type FactorReader interface {
	// Factor finds the second factor of an account, confirmed or not. Errors:
	// ErrNotFound.
	Factor(ctx context.Context, account string) (Factor, error)
	// CountRecovery counts the recovery codes that an account has left.
	CountRecovery(ctx context.Context, account string) (int, error)
	// Guesses is when who has the mark has all tries left again; zero where nothing
	// is known of them.
	Guesses(ctx context.Context, mark [32]byte) (time.Time, error)
}

// FactorWriter is what a transaction changes of them.
type FactorWriter interface {
	// PutFactor stores a second factor in place of the account's older one.
	PutFactor(ctx context.Context, factor Factor) error
	// DropFactor forgets it and the recovery codes, and says whether there was one.
	DropFactor(ctx context.Context, account string) (bool, error)
	// PutRecovery replaces the recovery codes of an account.
	PutRecovery(ctx context.Context, account string, hashes [][32]byte) error
	// UseRecovery uses a code up, and says whether there was one.
	UseRecovery(ctx context.Context, account string, hash [32]byte) (bool, error)
	// PutGuesses notes when who has the mark has all tries left again; zero forgets
	// them.
	PutGuesses(ctx context.Context, mark [32]byte, full time.Time) error
	// SweepGuesses forgets at most limit of those who have all tries left.
	SweepGuesses(ctx context.Context, now time.Time, limit int) (int, error)
}
