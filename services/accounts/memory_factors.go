package accounts

import (
	"context"
	"maps"
	"slices"
	"time"
)

// memoryFactors is what Memory keeps of second factors and of guesses.
type memoryFactors struct {
	factors  map[string]Factor
	recovery map[[32]byte]string // account by hash
	guesses  map[[32]byte]time.Time
}

func newMemoryFactors() memoryFactors {
	return memoryFactors{factors: map[string]Factor{}, recovery: map[[32]byte]string{}, guesses: map[[32]byte]time.Time{}}
}

func (f memoryFactors) clone() memoryFactors {
	return memoryFactors{factors: maps.Clone(f.factors), recovery: maps.Clone(f.recovery), guesses: maps.Clone(f.guesses)}
}

func (f memoryFactors) drop(account string) bool {
	_, had := f.factors[account]
	delete(f.factors, account)
	maps.DeleteFunc(f.recovery, func(_ [32]byte, a string) bool { return a == account })
	return had
}

// Factor implements FactorReader.
func (t memoryTx) Factor(_ context.Context, account string) (Factor, error) {
	factor, ok := t.factors.factors[account]
	if !ok {
		return Factor{}, ErrNotFound
	}
	factor.Sealed = slices.Clone(factor.Sealed)
	return factor, nil
}

// CountRecovery implements FactorReader.
func (t memoryTx) CountRecovery(_ context.Context, account string) (int, error) {
	n := 0
	for _, owner := range t.factors.recovery {
		if owner == account {
			n++
		}
	}
	return n, nil
}

// Guesses implements FactorReader.
func (t memoryTx) Guesses(_ context.Context, mark [32]byte) (time.Time, error) {
	return t.factors.guesses[mark], nil
}

// PutFactor implements FactorWriter.
func (t memoryTx) PutFactor(_ context.Context, f Factor) error {
	f.Sealed = slices.Clone(f.Sealed)
	f.MadeAt, f.ConfirmedAt = inMilli(f.MadeAt), inMilliOrZero(f.ConfirmedAt)
	t.factors.factors[f.Account] = f
	return nil
}

// DropFactor implements FactorWriter.
func (t memoryTx) DropFactor(_ context.Context, account string) (bool, error) {
	return t.factors.drop(account), nil
}

// PutRecovery implements FactorWriter.
func (t memoryTx) PutRecovery(_ context.Context, account string, hashes [][32]byte) error {
	maps.DeleteFunc(t.factors.recovery, func(_ [32]byte, a string) bool { return a == account })
	for _, hash := range hashes {
		t.factors.recovery[hash] = account
	}
	return nil
}

// UseRecovery implements FactorWriter.
func (t memoryTx) UseRecovery(_ context.Context, account string, hash [32]byte) (bool, error) {
	if t.factors.recovery[hash] != account {
		return false, nil
	}
	delete(t.factors.recovery, hash)
	return true, nil
}

// PutGuesses implements FactorWriter.
func (t memoryTx) PutGuesses(_ context.Context, mark [32]byte, full time.Time) error {
	if full.IsZero() {
		delete(t.factors.guesses, mark)
	} else {
		t.factors.guesses[mark] = inMilli(full)
	}
	return nil
}

// SweepGuesses implements FactorWriter.
func (t memoryTx) SweepGuesses(_ context.Context, now time.Time, limit int) (int, error) {
	swept := 0
	for mark, full := range t.factors.guesses {
		if swept < limit && !full.After(now) {
			delete(t.factors.guesses, mark)
			swept++
		}
	}
	return swept, nil
}
