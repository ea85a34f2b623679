package play

import (
	"embed"
	"io/fs"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations are the steps that make play's tables.
func Migrations() fs.FS {
	root, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the name is a valid path
	}
	return root
}
