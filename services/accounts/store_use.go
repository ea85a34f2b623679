package accounts

import (
	"context"
	"time"
)

// UseReader is what a transaction sees of the use of accounts that classes made.
type UseReader interface {
	// Unused lists at most limit of them that live, were not seen since before a
	// moment, and have had no notice of it.
	Unused(ctx context.Context, before time.Time, limit int) ([]string, error)
	// Noticed lists at most limit of them that had their notice at a moment or before.
	Noticed(ctx context.Context, until time.Time, limit int) ([]string, error)
	// Leaving counts the pupils of a class who have had notice, archived ones too, and
	// says when the first had; zero for none.
	Leaving(ctx context.Context, class string) (int, time.Time, error)
}

// UseWriter is what a transaction changes of it.
type UseWriter interface {
	// Seen notes that accounts are in use; a notice is void then.
	Seen(ctx context.Context, accounts []string, at time.Time) error
	// Notice notes that it was announced that an account will be deleted.
	Notice(ctx context.Context, account string, at time.Time) error
}
