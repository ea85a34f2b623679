package db

import (
	"io/fs"
	"strings"

	"github.com/pressly/goose/v3"
)

// otherEngine is what the names of those migrations end in that an engine must
// not run: 00011_audit.sqlite.sql is SQLite's alone. Portable ones have no such
// part. What SQL has no common words for, such as triggers, stands in two files
// of one number.
var otherEngine = map[goose.Dialect]string{
	goose.DialectSQLite3:  "." + DriverPostgres + ".sql",
	goose.DialectPostgres: "." + DriverSQLite + ".sql",
}

// dialectFS shows the migrations of one engine.
type dialectFS struct {
	fs.FS
	hidden string
}

func forDialect(migrations fs.FS, dialect goose.Dialect) fs.FS {
	return dialectFS{FS: migrations, hidden: otherEngine[dialect]}
}

// ReadDir implements fs.ReadDirFS.
func (d dialectFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(d.FS, name)
	var own []fs.DirEntry
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), d.hidden) {
			own = append(own, e)
		}
	}
	return own, err
}
