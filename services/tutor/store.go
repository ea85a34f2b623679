package tutor

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"tabuleiro/internal/db"
)

// Store keeps which lessons an account has passed. Nothing takes a passed lesson
// away. Every implementation passes the suite in store_test.go.
type Store interface {
	// MarkPassed notes that the account passed the lesson; the first time counts.
	MarkPassed(ctx context.Context, account, lesson string, at time.Time) error
	// Passed lists the ids of the lessons that the account has passed, sorted.
	Passed(ctx context.Context, account string) ([]string, error)
	// Followed is the number of the last deletion that was followed; 0 for none.
	Followed(ctx context.Context) (int32, error)
	// Forget drops all that is kept about an account that was deleted under this
	// number, and keeps the number where it is higher, all or nothing.
	Forget(ctx context.Context, account string, number int32) error
}

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations are the files that make the tables of NewSQL.
func Migrations() fs.FS {
	root, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the name is a valid path
	}
	return root
}

// SQL is the Store of an installation, on SQLite or PostgreSQL.
type SQL struct{ db *db.DB }

// NewSQL makes a store of a database with Migrations.
func NewSQL(database *db.DB) *SQL { return &SQL{db: database} }

var _ Store = (*SQL)(nil)

const (
	insertPassed = `INSERT INTO lesson_passed (account, lesson, at_ms) VALUES ($1, $2, $3)
		ON CONFLICT (account, lesson) DO NOTHING`
	selectFollowed = `SELECT number FROM deletions_followed WHERE id = 1`
	updateFollowed = `UPDATE deletions_followed SET number = $1 WHERE id = 1 AND number < $1`
	deletePassed   = `DELETE FROM lesson_passed WHERE account = $1`
	selectPassed   = `SELECT lesson FROM lesson_passed WHERE account = $1`
)

// MarkPassed implements Store.
func (s *SQL) MarkPassed(ctx context.Context, account, lesson string, at time.Time) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.ExecContext(ctx, insertPassed, account, lesson, at.UnixMilli()); err != nil {
			return fmt.Errorf("marking a lesson as passed: %w", err)
		}
		return nil
	})
}

// Passed implements Store.
func (s *SQL) Passed(ctx context.Context, account string) ([]string, error) {
	return db.Ask(ctx, func() ([]string, error) { return s.passed(ctx, account) })
}

func (s *SQL) passed(ctx context.Context, account string) ([]string, error) {
	rows, err := s.db.Read().QueryContext(ctx, selectPassed, account)
	if err != nil {
		return nil, fmt.Errorf("listing passed lessons: %w", err)
	}
	defer rows.Close()
	var lessons []string
	for rows.Next() {
		var lesson string
		if err := rows.Scan(&lesson); err != nil {
			return nil, fmt.Errorf("listing passed lessons: %w", err)
		}
		lessons = append(lessons, lesson)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("listing passed lessons: %w", err)
	}
	// Sorted here: the collation of a database is its own.
	slices.Sort(lessons)
	return lessons, nil
}

// Followed implements Store.
func (s *SQL) Followed(ctx context.Context) (int32, error) {
	return db.Ask(ctx, func() (number int32, err error) {
		if err = s.db.Read().QueryRowContext(ctx, selectFollowed).Scan(&number); err != nil {
			err = fmt.Errorf("reading which deletions were followed: %w", err)
		}
		return number, err
	})
}

// Forget implements Store.
func (s *SQL) Forget(ctx context.Context, account string, number int32) error {
	return s.db.Write(ctx, func(ctx context.Context, tx db.Tx) error {
		if _, err := tx.ExecContext(ctx, deletePassed, account); err != nil {
			return fmt.Errorf("dropping passed lessons: %w", err)
		}
		if _, err := tx.ExecContext(ctx, updateFollowed, number); err != nil {
			return fmt.Errorf("keeping which deletions were followed: %w", err)
		}
		return nil
	})
}

// Memory is a Store without a database, for the simulation.
type Memory struct {
	mu       sync.Mutex
	followed int32
	passed   map[string]map[string]time.Time
}

// NewMemory makes an empty store.
func NewMemory() *Memory { return &Memory{passed: map[string]map[string]time.Time{}} }

var _ Store = (*Memory)(nil)

// MarkPassed implements Store.
func (m *Memory) MarkPassed(_ context.Context, account, lesson string, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	lessons := m.passed[account]
	if lessons == nil {
		lessons = map[string]time.Time{}
		m.passed[account] = lessons
	}
	if _, before := lessons[lesson]; !before {
		lessons[lesson] = at
	}
	return nil
}

// Passed implements Store.
func (m *Memory) Passed(_ context.Context, account string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var lessons []string
	for lesson := range m.passed[account] {
		lessons = append(lessons, lesson)
	}
	slices.Sort(lessons)
	return lessons, nil
}

// Followed implements Store.
func (m *Memory) Followed(context.Context) (int32, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.followed, nil
}

// Forget implements Store.
func (m *Memory) Forget(_ context.Context, account string, number int32) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.passed, account)
	m.followed = max(m.followed, number)
	return nil
}
