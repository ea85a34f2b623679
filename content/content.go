// Package content holds the texts and tables that are shipped with the program,
// for the services that show or use them.
package content

import (
	"embed"
	"io/fs"
)

//go:embed openings
var files embed.FS

// Openings are the tables of openings, a file a game: chess.tsv, draughts.tsv; and
// the books made of them, chess.book and draughts.book.
func Openings() fs.FS {
	root, err := fs.Sub(files, "openings")
	if err != nil {
		panic(err) // the name is a valid path
	}
	return root
}
