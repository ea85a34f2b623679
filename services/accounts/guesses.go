package accounts

import (
	"context"
	"time"

	"tabuleiro/internal/rpc"
)

// guesses lets somebody guess a few times at once and then once in a while. The
// count is in the database: gateways and replicas of ours do not multiply it. It
// goes up after a wrong guess, so many that run at the same moment can pass; how
// many those are is bounded by the gateways' own limits and by the hasher.
type guesses struct {
	burst int
	every time.Duration
}

var (
	// passwordGuesses bounds wrong passwords for one ID by who guesses; the gateways'
	// own bound is the same.
	passwordGuesses = guesses{20, 30 * time.Second}
	// factorGuesses bounds wrong codes of an app for one account, whoever guesses: they
	// know the password. A right one is found within a day with a chance of 1 in 200.
	factorGuesses = guesses{10, time.Minute}
)

// wait says how long who has all tries left again at full has to wait for the next.
func (g guesses) wait(full, now time.Time) time.Duration {
	if full.Before(now) { // also by so much that no duration holds it
		full = now
	}
	return max(0, full.Add(g.every).Sub(now)-time.Duration(g.burst)*g.every)
}

// refuse is the problem of who has to wait; nil for who has not.
func (g guesses) refuse(full, now time.Time) error {
	if wait := g.wait(full, now); wait > 0 {
		return &rpc.Problem{Code: "too_many_requests", RetryAfter: wait}
	}
	return nil
}

// missed counts a wrong guess.
func (g guesses) missed(ctx context.Context, w SchoolWriter, mark [32]byte, now time.Time) error {
	full, err := w.Guesses(ctx, mark)
	if err != nil {
		return err
	}
	if full.Before(now) {
		full = now
	}
	return w.PutGuesses(ctx, mark, full.Add(g.every))
}
