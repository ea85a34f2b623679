// Package architecture checks, from the sources alone, that every package imports
// and calls only what the design allows it; its test runs on the whole module.
package architecture

import (
	"fmt"
	"slices"
	"strings"
)

const module = "tabuleiro"

// A zone is the most specific row of tables below that covers a folder: its path
// inside the module, such as "services/play" for services/play/store.
type zone struct {
	path string
	// may lists the folders of ours that the zone may import besides itself; each
	// stands for its subfolders too.
	may []string
	// not lists the exceptions from may.
	not []string
	// pure forbids whatever is not the standard library or ours, and everything
	// that reads clocks, files, networks or shared randomness.
	pure bool
	// stdlib forbids whatever is not the standard library or ours.
	stdlib bool
	// free lifts every rule: tests in all but the file name.
	free bool
}

// zones is the design's import table. A folder outside of it is a violation: new
// folders are decided on, not stumbled upon.
var zones = []zone{
	{path: "cmd", may: []string{"proto", "games", "services", "gateway", "edge", "web", "internal", "content"}},
	{path: "proto"},
	{path: "games", pure: true, stdlib: true},
	{path: "games/chess", may: []string{"games"}, not: []string{"games/draughts", "games/tictactoe"}, pure: true, stdlib: true},
	{path: "games/draughts", may: []string{"games"}, not: []string{"games/chess", "games/tictactoe"}, pure: true, stdlib: true},
	{path: "games/tictactoe", may: []string{"games"}, not: []string{"games/chess", "games/draughts"}, pure: true, stdlib: true},
	{path: "services/search/engine", may: []string{"games"}, pure: true, stdlib: true},
	{path: "edge/hands", may: []string{"games"}, pure: true, stdlib: true},
	{path: "services/rules", may: []string{"proto", "internal", "games"}},
	{path: "services/search", may: []string{"proto", "internal", "games"}},
	{path: "edge", may: []string{"proto", "internal", "games"}},
	{path: "services/play", may: []string{"proto", "internal"}},
	{path: "services/accounts", may: []string{"proto", "internal"}},
	{path: "services/tutor", may: []string{"proto", "internal"}},
	{path: "gateway", may: []string{"proto", "internal", "web"}, not: []string{"internal/db"}},
	{path: "web"},
	{path: "content", stdlib: true},
	{path: "e2e", free: true},

	// Lower ones only: telemetry, seeded and filelock, identity, then four that never meet, then app.
	{path: "internal/telemetry", may: []string{"proto"}},
	{path: "internal/seeded", stdlib: true},
	{path: "internal/filelock", stdlib: true},
	{path: "internal/identity", may: []string{"proto", "internal/telemetry", "internal/seeded"}},
	{path: "internal/rpc", may: middle},
	{path: "internal/bus", may: middle},
	{path: "internal/db", may: middle},
	{path: "internal/cache", may: middle},
	{path: "internal/app", may: append([]string{"internal/rpc", "internal/bus", "internal/db", "internal/cache"}, middle...)},
	{path: "internal/protogen"},
	{path: "internal/architecture", stdlib: true},
}

var middle = []string{"proto", "internal/telemetry", "internal/seeded", "internal/filelock", "internal/identity"}

// owners says which package alone may import a foreign module.
var owners = []struct{ module, owner string }{
	{"github.com/nats-io", "internal/bus"},
	{"github.com/redis", "internal/cache"},
	{"github.com/maypok86/otter", "internal/cache"},
	{"modernc.org/sqlite", "internal/db"},
	{"github.com/jackc/pgx", "internal/db"},
	{"github.com/pressly/goose", "internal/db"},
	{"google.golang.org/grpc/test/bufconn", "internal/rpc"},
}

// calls is the call graph: the services whose clients a zone may use.
var calls = map[string][]string{
	"services/play":  {"rules", "search", "accounts", "tutor"},
	"services/tutor": {"rules", "search", "accounts"},
	"gateway":        {"rules", "search", "accounts", "tutor", "play"},
	"cmd":            {"rules", "search", "accounts", "tutor", "play"},
}

// impureImports are what a pure zone may not import, with their subpackages.
var impureImports = []string{
	"context", "database/sql", "io/ioutil", "log", "net", "os", "plugin", "runtime/debug", "syscall", "testing",
}

// impureUses are the identifiers that a pure zone may not use, by import path.
var impureUses = map[string]func(name string) bool{
	"time": func(name string) bool {
		return slices.Contains([]string{
			"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until",
		}, name)
	},
	"fmt": func(name string) bool {
		return slices.Contains([]string{"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"}, name)
	},
	"math/rand":    globalRand,
	"math/rand/v2": globalRand,
	"crypto/rand":  func(string) bool { return true },
}

// globalRand tells the functions on the shared source from those and the types
// that work on a given one.
func globalRand(name string) bool {
	return !slices.Contains([]string{
		"New", "NewChaCha8", "NewPCG", "NewSource", "NewZipf",
		"ChaCha8", "PCG", "Rand", "Source", "Source64", "Zipf",
	}, name)
}

// within reports whether path is folder or lies under it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+"/")
}

func withinAny(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return within(path, f) })
}

// zoneOf finds the most specific zone that covers a folder of the module.
func zoneOf(dir string) (zone, bool) {
	var best zone
	for _, z := range zones {
		if within(dir, z.path) && len(z.path) > len(best.path) {
			best = z
		}
	}
	return best, best.path != ""
}

// checkImport says what is wrong with a file in dir importing path, or "".
func checkImport(dir, path string) string {
	from, ok := zoneOf(dir)
	if !ok {
		return fmt.Sprintf("folder %s is in no row of the import table", dir)
	}
	if from.free {
		return ""
	}
	if ours, ok := strings.CutPrefix(path, module+"/"); ok {
		return checkOurs(dir, from, ours)
	}
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return checkStandard(dir, from, path)
	}
	if from.stdlib {
		return fmt.Sprintf("%s may import only the standard library and ours, not %s", from.path, path)
	}
	for _, o := range owners {
		if within(path, o.module) && !within(dir, o.owner) {
			return fmt.Sprintf("only %s may import %s", o.owner, path)
		}
	}
	return ""
}

func checkOurs(dir string, from zone, path string) string {
	to, ok := zoneOf(path)
	switch {
	case !ok:
		return fmt.Sprintf("imports %s, which is in no row of the import table", path)
	case isTestHelper(path) && !isTestHelper(dir):
		return fmt.Sprintf("%s is for tests only", path)
	case to.path == from.path:
		return ""
	case withinAny(path, from.not), !withinAny(path, from.may) && !(within(to.path, from.path) && from.path != "games"):
		return fmt.Sprintf("%s may not import %s", from.path, path)
	}
	return ""
}

func checkStandard(dir string, from zone, path string) string {
	if from.pure && withinAny(path, impureImports) {
		return fmt.Sprintf("%s is pure and may not import %s", from.path, path)
	}
	if path == "testing" && !isTestHelper(dir) {
		return "only tests and packages whose name ends in \"test\" may import testing"
	}
	return ""
}

// isTestHelper tells packages such as internal/db/dbtest.
func isTestHelper(dir string) bool {
	return strings.HasSuffix(dir, "test")
}

// checkUse says what is wrong with a file in dir using path's identifier, or "".
func checkUse(dir, path, name string) string {
	from, ok := zoneOf(dir)
	if !ok || from.free || from.path == "proto" {
		return ""
	}
	if from.pure {
		if impure := impureUses[path]; impure != nil && impure(name) {
			return fmt.Sprintf("%s is pure and may not use %s.%s", from.path, path, name)
		}
	}
	service, ok := strings.CutPrefix(path, module+"/proto/tabuleiro/")
	if !ok {
		return ""
	}
	service, _, _ = strings.Cut(service, "/")
	switch own := from.path == "services/"+service; kindOf(name) {
	case client:
		if !slices.Contains(calls[from.path], service) {
			return fmt.Sprintf("%s may not call %s (%s)", from.path, service, name)
		}
	case server:
		if !own {
			return fmt.Sprintf("only services/%s may serve %s (%s)", service, service, name)
		}
	case route:
		if !own && !slices.Contains(calls[from.path], service) {
			return fmt.Sprintf("%s may not call %s (%s)", from.path, service, name)
		}
	}
	return ""
}

type kind int

const (
	other  kind = iota
	client      // makes or holds a client
	server      // serves
	route       // names a method, which a server may do as well
)

// kindOf classes an identifier of the code that protoc-gen-go-grpc and
// protoc-gen-grpc-gateway write.
func kindOf(name string) kind {
	_, rest, ok := strings.Cut(name, "Service")
	switch {
	case !ok:
		return other
	case strings.HasPrefix(rest, "Client"), strings.HasPrefix(rest, "Handler"), strings.HasSuffix(rest, "Client"):
		return client
	case rest == "Server" && !strings.HasPrefix(name, "Unsafe"):
		return server
	case strings.HasSuffix(rest, "_FullMethodName"), rest == "_ServiceDesc":
		return route
	}
	return other
}
