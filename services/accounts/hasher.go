package accounts

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/alexedwards/argon2id"
)

// Hasher hashes passwords at a cost that an attacker has to pay as well.
type Hasher interface {
	// Hash makes a salted hash. Errors: ErrBusy.
	Hash(ctx context.Context, password string) (string, error)
	// Verify says whether the hash is of the password. No password matches the
	// empty hash, at the same cost, so that an unknown login takes as long as a
	// wrong password. Errors: ErrBusy.
	Verify(ctx context.Context, password, hash string) (bool, error)
}

// ErrBusy says that too many passwords are being hashed already.
var ErrBusy = errors.New("too many passwords at once")

const (
	// argonWaiting is how many hashings may wait for each core. At about 40 ms
	// each the last of them waits some 2.5 s, within a caller's deadline; a
	// whole school logging in at nine fits.
	argonWaiting = 64
	// busyRetryAfter is when a refused caller may try again.
	busyRetryAfter = 3 * time.Second
	// nobodysHash is well formed and of no known password.
	nobodysHash = "$argon2id$v=19$m=19456,t=2,p=1$dGFidWxlaXJvLXNhbHQtMA$" +
		"bm9ib2R5IGtub3dzIGEgcGFzc3dvcmQgb2YgdGhpcy4"
)

// Argon2 is the Hasher of an installation: argon2id with the least parameters
// that OWASP gives for one lane. Each hashing takes 19 MiB, so it runs as many
// at once as there are cores, lets a bounded number wait, and refuses the rest.
type Argon2 struct {
	params  argon2id.Params
	waiting chan struct{}
	running chan struct{}
}

// NewArgon2 makes a Hasher that runs so many hashings at once; 0 means one a
// core.
func NewArgon2(atOnce int) *Argon2 {
	if atOnce <= 0 {
		atOnce = runtime.GOMAXPROCS(0)
	}
	return &Argon2{
		params:  argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32},
		waiting: make(chan struct{}, atOnce*(1+argonWaiting)),
		running: make(chan struct{}, atOnce),
	}
}

// Hash implements Hasher.
func (a *Argon2) Hash(ctx context.Context, password string) (string, error) {
	leave, err := a.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	hash, err := argon2id.CreateHash(password, &a.params)
	if err != nil {
		return "", fmt.Errorf("hashing a password: %w", err)
	}
	return hash, nil
}

// Verify implements Hasher.
func (a *Argon2) Verify(ctx context.Context, password, hash string) (bool, error) {
	leave, err := a.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	nobody := hash == ""
	if nobody {
		hash = nobodysHash
	}
	match, err := argon2id.ComparePasswordAndHash(password, hash)
	if err != nil {
		return false, fmt.Errorf("reading a stored password hash: %w", err)
	}
	return match && !nobody, nil
}

// enter waits for a core; the caller must leave.
func (a *Argon2) enter(ctx context.Context) (leave func(), err error) {
	select {
	case a.waiting <- struct{}{}:
	default:
		return nil, ErrBusy
	}
	select {
	case a.running <- struct{}{}:
		return func() { <-a.running; <-a.waiting }, nil
	case <-ctx.Done():
		<-a.waiting
		return nil, fmt.Errorf("waiting to hash a password: %w", ctx.Err())
	}
}
