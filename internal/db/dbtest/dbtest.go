// Package dbtest opens fresh databases for tests, on both engines.
package dbtest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tabuleiro/internal/db"
)

// Env names the PostgreSQL of the tests; any database in it serves, every test
// has a schema of its own.
const Env = "TABULEIRO_TEST_POSTGRES"

// SQLite opens a fresh file in t.TempDir and closes it with t.
func SQLite(t testing.TB, migrations fs.FS) *db.DB {
	t.Helper()
	return Open(t, db.Config{Driver: db.DriverSQLite, Path: filepath.Join(t.TempDir(), "test.db")}, migrations)
}

// Postgres opens a fresh schema, dropped with t.
func Postgres(t testing.TB, migrations fs.FS) *db.DB {
	t.Helper()
	return Open(t, PostgresConfig(t), migrations)
}

// PostgresConfig is a schema that nobody else uses, dropped with t.
func PostgresConfig(t testing.TB) db.Config {
	t.Helper()
	url := os.Getenv(Env)
	if url == "" {
		t.Fatalf("%s is not set: run the tests by `make test`, or `scripts/with-services.sh go test ...`", Env)
	}
	schema := "test_" + strings.ToLower(rand.Text())
	t.Cleanup(func() {
		d, err := sql.Open("pgx", url)
		if err != nil {
			t.Errorf("drop schema %s: %v", schema, err)
			return
		}
		defer d.Close()
		if _, err := d.ExecContext(context.Background(), "DROP SCHEMA IF EXISTS "+schema+" CASCADE"); err != nil {
			t.Errorf("drop schema %s: %v", schema, err)
		}
	})
	return db.Config{Driver: db.DriverPostgres, URL: url, Schema: schema, MaxConns: 8}
}

// Open opens cfg and closes it with t.
func Open(t testing.TB, cfg db.Config, migrations fs.FS) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), cfg, migrations, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close database: %v", err)
		}
	})
	return d
}

// Each runs f on SQLite and on PostgreSQL, as subtests with these names.
func Each(t *testing.T, migrations fs.FS, f func(t *testing.T, d *db.DB)) {
	t.Run(db.DriverSQLite, func(t *testing.T) { f(t, SQLite(t, migrations)) })
	t.Run(db.DriverPostgres, func(t *testing.T) { f(t, Postgres(t, migrations)) })
}
