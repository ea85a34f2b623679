// Package accountstest has what tests and simulations put in the place of costly
// parts of accounts.
package accountstest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
)

// Hasher is a Hasher that costs nothing, protects nothing, and gives the same
// hash every time.
type Hasher struct{}

// Hash implements accounts.Hasher.
func (Hasher) Hash(_ context.Context, password string) (string, error) {
	sum := sha256.Sum256([]byte(password))
	return hex.EncodeToString(sum[:]), nil
}

// Verify implements accounts.Hasher.
func (h Hasher) Verify(ctx context.Context, password, hash string) (bool, error) {
	sum, err := h.Hash(ctx, password)
	return sum == hash, err
}
