// Package keyed carries commands out once: a command with a key that was seen
// before gets the first answer again.
package keyed

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
)

// What a store answers, beside success and failures of its own.
var (
	// ErrReused: the key belongs to another command of the owner.
	ErrReused = errors.New("keyed: the key was used for another command")
	// ErrUnavailable: nothing happened, or it is not known whether it did; the
	// same with the same key may be tried again.
	ErrUnavailable = errors.New("keyed: the store is unavailable")
)

// Command is who wants what under which key.
type Command struct {
	// Owner is the player who sent it, Key its Idempotency-Key.
	Owner, Key string
	// Hash is of the method and the request.
	Hash string
}

// Of is the command of a call.
func Of(ctx context.Context, method string, message proto.Message) (Command, error) {
	caller, ok := identity.From(ctx)
	if !ok || caller.Player() == "" {
		return Command{}, rpc.Fail("not_logged_in", "the call comes from nobody who can play")
	}
	body, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		return Command{}, fmt.Errorf("hash a command: %w", err)
	}
	sum := sha256.Sum256(append([]byte(method+"\n"), body...))
	return Command{Owner: caller.Player(), Key: rpc.Key(ctx), Hash: hex.EncodeToString(sum[:])}, nil
}

const (
	sqlFind   = `SELECT hash, answer FROM keyed_answer WHERE owner = $1 AND key = $2`
	sqlInsert = `INSERT INTO keyed_answer (owner, key, hash, answer) VALUES ($1, $2, $3, $4)`
)

// Do carries a command out in one transaction, with its answer, unless it was
// before. What f refuses is not remembered.
func Do[T any](ctx context.Context, d *db.DB, c Command, f func(ctx context.Context, tx db.Tx) (T, error)) (T, error) {
	var answer T
	err := d.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		var hash, text string
		answer = *new(T)
		err := tx.QueryRowContext(ctx, sqlFind, c.Owner, c.Key).Scan(&hash, &text)
		switch {
		case err == nil && hash != c.Hash:
			return ErrReused
		case err == nil:
			return json.Unmarshal([]byte(text), &answer)
		case !errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("find a command: %w", err)
		}
		if answer, err = f(ctx, tx); err != nil {
			return err
		}
		body, err := json.Marshal(answer)
		if err != nil {
			return fmt.Errorf("encode an answer: %w", err)
		}
		if _, err := tx.ExecContext(ctx, sqlInsert, c.Owner, c.Key, c.Hash, string(body)); err != nil {
			return fmt.Errorf("write a command: %w", err)
		}
		return nil
	})
	return answer, StoreError(err)
}

// StoreError adds what services branch on.
func StoreError(err error) error {
	if errors.Is(err, db.ErrUnknown) || db.IsAway(err) {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return err
}

// Memory remembers commands in memory.
type Memory struct {
	mu      sync.Mutex
	answers map[[2]string]remembered
}

type remembered struct {
	hash   string
	answer any
}

// DoIn is Do for a store in memory.
func DoIn[T any](m *Memory, c Command, f func() (T, error)) (T, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var none T
	if r, ok := m.answers[[2]string{c.Owner, c.Key}]; ok {
		if r.hash != c.Hash {
			return none, ErrReused
		}
		return r.answer.(T), nil
	}
	answer, err := f()
	if err != nil {
		return none, err
	}
	if m.answers == nil {
		m.answers = map[[2]string]remembered{}
	}
	m.answers[[2]string{c.Owner, c.Key}] = remembered{c.Hash, answer}
	return answer, nil
}

// Problem is what the errors of this package mean to a client; false for others.
func Problem(err error) (*rpc.Problem, bool) {
	switch {
	case errors.Is(err, ErrReused):
		return rpc.Fail("key_reused", "the key belongs to another command of the caller"), true
	case errors.Is(err, ErrUnavailable), errors.Is(err, db.ErrUnknown), db.IsAway(err):
		return rpc.Fail("unavailable", ""), true
	}
	return nil, false
}
