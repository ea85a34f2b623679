package accounts

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/alexedwards/argon2id"
)

func TestArgon2(t *testing.T) {
	hasher := NewArgon2(1)
	hash, err := hasher.Hash(t.Context(), "segredo")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash %q is not argon2id with t=2, 19 MiB, p=1", hash)
	}
	for password, want := range map[string]bool{"segredo": true, "Segredo": false} {
		if got, err := hasher.Verify(t.Context(), password, hash); got != want || err != nil {
			t.Errorf("Verify(%q) = %v, %v, want %v", password, got, err, want)
		}
	}
	if got, err := hasher.Verify(t.Context(), "", ""); got || err != nil {
		t.Errorf("the empty hash: %v, %v, want no match", got, err)
	}
	if _, err := hasher.Verify(t.Context(), "segredo", "plain"); err == nil {
		t.Error("a stored hash that is none gives no error")
	}
}

func TestNobodysHashCostsTheSame(t *testing.T) {
	params, salt, key, err := argon2id.DecodeHash(nobodysHash)
	if err != nil {
		t.Fatal(err)
	}
	if want := NewArgon2(1).params; *params != want || len(salt) != 16 || len(key) != 32 {
		t.Errorf("parameters %+v, want %+v", *params, want)
	}
}

func TestArgon2RefusesWhenItsQueueIsFull(t *testing.T) {
	hasher := NewArgon2(1)
	leave, err := hasher.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// The rest wait; a waiter that gives up makes room for another.
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error)
	for range argonWaiting {
		go func() {
			_, err := hasher.enter(ctx)
			waiting <- err
		}()
	}
	for len(hasher.waiting) < cap(hasher.waiting) {
		runtime.Gosched()
	}
	if _, err := hasher.Hash(t.Context(), "x"); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	cancel()
	for range argonWaiting {
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Errorf("a waiter got %v, want context.Canceled", err)
		}
	}
	if len(hasher.waiting) != 1 {
		t.Errorf("%d still hold a place, want 1", len(hasher.waiting))
	}
	leave()
	if len(hasher.waiting)+len(hasher.running) != 0 {
		t.Error("a place was not given back")
	}
}
