package gateway

import (
	"bytes"
	_ "embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"tabuleiro/internal/rpc"
)

//go:embed openapi/api.json
var openAPIDocument []byte

//go:embed openapi/docs.html
var docsPage []byte

//go:embed openapi/docs.js
var docsProgram []byte

//go:embed openapi/docs.css
var docsStyle []byte

const notBuilt = "The web client is not built. Run `make web` and build again; the API is at /docs.\n"

// fixed serves one embedded file.
func fixed(contentType string, text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(text)
	}
}

// static serves the web client. An address that is no file is a page of the
// client, which knows its own addresses.
func (g *Gateway) static() http.Handler {
	index, indexErr := fs.ReadFile(g.deps.Client, "index.html")
	files := http.FileServerFS(g.deps.Client)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			g.fail(w, r, rpc.Fail("method_not_allowed", ""))
			return
		}
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if info, err := fs.Stat(g.deps.Client, name); name != "" && name != "index.html" && err == nil && !info.IsDir() {
			if strings.HasPrefix(name, "assets/") {
				// The build puts a hash of the content into these names.
				w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			}
			files.ServeHTTP(w, r)
			return
		}
		if strings.HasPrefix(name, "assets/") || path.Ext(name) != "" && name != "index.html" {
			g.fail(w, r, rpc.Fail("not_found", ""))
			return
		}
		w.Header().Set("Cache-Control", "no-cache")
		if indexErr != nil {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(notBuilt))
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		http.ServeContent(w, r, "index.html", time.Time{}, bytes.NewReader(index))
	})
}
