package db_test

import (
	"testing"
	"testing/fstest"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
)

// Each engine runs the portable migrations and its own.
func TestMigrationsOfOneEngine(t *testing.T) {
	file := func(statement string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("-- +goose Up\n" + statement + ";\n")}
	}
	migrations := fstest.MapFS{
		"00001_item.sql":           file("CREATE TABLE item (id TEXT NOT NULL PRIMARY KEY)"),
		"00002_which.sqlite.sql":   file("INSERT INTO item (id) VALUES ('sqlite')"),
		"00002_which.postgres.sql": file("INSERT INTO item (id) VALUES ('postgres')"),
	}
	for driver, open := range map[string]func() *db.DB{
		db.DriverSQLite:   func() *db.DB { return dbtest.SQLite(t, migrations) },
		db.DriverPostgres: func() *db.DB { return dbtest.Postgres(t, migrations) },
	} {
		if got := ids(t, open()); len(got) != 1 || got[0] != driver {
			t.Errorf("%s has run the migrations of %v", driver, got)
		}
	}
}
