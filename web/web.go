// Package web embeds the built web client.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Client is the built client; it holds no index.html until `make web` has run.
func Client() fs.FS {
	client, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is embedded, so this cannot happen
	}
	return client
}
