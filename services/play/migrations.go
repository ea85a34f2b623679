package play

import (
	"embed"
	"io/fs"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations are the steps that make play's tables.
func Migrations() (fs.FS, error) { return fs.Sub(migrations, "migrations") }
