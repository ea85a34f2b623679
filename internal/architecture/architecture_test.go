package architecture

import (
	"strings"
	"testing"
)

func TestModule(t *testing.T) {
	found, err := Check("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Error(v)
	}
}

// Each case is one file; want is part of the one violation, or "" when it is allowed.
func TestCheckFile(t *testing.T) {
	const (
		nats   = `import "github.com/nats-io/nats.go"; var _ nats.Msg`
		play   = `import playv1 "tabuleiro/proto/tabuleiro/play/v1"; `
		search = `import "tabuleiro/proto/tabuleiro/search/v1"; `
	)
	cases := []struct{ file, src, want string }{
		{"games/chess/a.go", `import "tabuleiro/games"; var _ games.Game`, ""},
		{"games/chess/a.go", `import "tabuleiro/games/internal/text"`, ""},
		{"games/chess/a.go", `import "tabuleiro/games/chess/book"`, ""},
		{"games/chess/a.go", `import "tabuleiro/games/draughts"`, "games/chess may not import games/draughts"},
		{"games/games.go", `import "tabuleiro/games/chess"`, "games may not import games/chess"},
		{"games/chess/a.go", `import "tabuleiro/internal/seeded"`, "games/chess may not import internal/seeded"},
		{"games/chess/a.go", `import "context"`, "pure and may not import context"},
		{"games/chess/a.go", `import "log/slog"`, "pure and may not import log/slog"},
		{"games/chess/a.go", `import "os"`, "pure and may not import os"},
		{"games/chess/a.go", `import "google.golang.org/grpc"`, "only the standard library"},
		{"games/chess/a.go", `import "time"; var _ = time.Now()`, "may not use time.Now"},
		{"games/chess/a.go", `import clock "time"; var _ = clock.Now()`, "may not use time.Now"},
		{"games/chess/a.go", `import "time"; var _ time.Duration`, ""},
		{"games/chess/a.go", `import "math/rand/v2"; var _ = rand.IntN(3)`, "may not use math/rand/v2.IntN"},
		{"games/chess/a.go", `import "math/rand/v2"; var _ = rand.New(rand.NewPCG(1, 2))`, ""},
		{"games/chess/a.go", `import "fmt"; func f() { fmt.Println() }`, "may not use fmt.Println"},
		{"games/chess/a.go", `import . "fmt"`, "dot imports"},

		{"services/search/engine/a.go", `import "tabuleiro/games/chess"`, ""},
		{"services/search/engine/eval/a.go", `import "tabuleiro/services/search/engine"`, ""},
		{"services/search/engine/a.go", `import "tabuleiro/services/search/engine/eval"`, ""},
		{"services/search/engine/a.go", `import "tabuleiro/services/search/farm"`, "services/search/engine may not import services/search/farm"},
		{"services/search/engine/a.go", `import "tabuleiro/internal/cache"`, "may not import internal/cache"},
		{"services/search/engine/a.go", `import "time"; var _ = time.Since`, "may not use time.Since"},
		{"edge/hands/a.go", `import "tabuleiro/edge"`, "edge/hands may not import edge"},
		{"edge/agent.go", `import "tabuleiro/edge/hands"`, ""},
		{"edge/agent.go", nats, "only internal/bus may import"},

		{"services/rules/a.go", `import "tabuleiro/games/chess"`, ""},
		{"services/search/farm/a.go", `import "tabuleiro/services/search/engine"`, ""},
		{"services/search/uci/a.go", `import "tabuleiro/games"`, ""},
		{"services/rules/cli/a.go", `import "tabuleiro/services/rules"`, ""},
		{"services/play/a.go", `import "tabuleiro/games"`, "services/play may not import games"},
		{"services/accounts/a.go", `import "tabuleiro/games/chess"`, "services/accounts may not import games/chess"},
		{"services/play/a.go", `import "tabuleiro/services/rules"`, "services/play may not import services/rules"},
		{"services/play/store/a.go", `import "tabuleiro/services/play/migrations"`, ""},
		{"services/play/a.go", `import "tabuleiro/internal/db"`, ""},
		{"services/play/a.go", `import "tabuleiro/internal/db/dbtest"`, "for tests only"},
		{"services/play/storetest/a.go", `import "tabuleiro/internal/db/dbtest"; import "testing"`, ""},
		{"services/play/a.go", `import "testing"`, "may import testing"},
		{"services/tutor/a.go", `import "tabuleiro/content"`, "services/tutor may not import content"},
		{"services/stars/a.go", `import "fmt"`, "in no row of the import table"},
		{"services/play/a.go", `import "tabuleiro/util"`, "in no row of the import table"},

		{"gateway/a.go", `import "tabuleiro/web"`, ""},
		{"gateway/a.go", `import "tabuleiro/internal/rpc"`, ""},
		{"gateway/a.go", `import "tabuleiro/internal/db"`, "gateway may not import internal/db"},
		{"gateway/a.go", `import "tabuleiro/services/play"`, "gateway may not import services/play"},
		{"gateway/hub/a.go", `import "tabuleiro/games"`, "gateway may not import games"},
		{"content/a.go", `import "gopkg.in/yaml.v3"`, "only the standard library"},
		{"web/a.go", `import "tabuleiro/internal/app"`, "web may not import internal/app"},
		{"proto/tabuleiro/play/v1/a.go", `import "tabuleiro/internal/rpc"`, "proto may not import internal/rpc"},
		{"cmd/tabuleiro/a.go", `import ("tabuleiro/content"; "tabuleiro/services/play"; "tabuleiro/edge")`, ""},
		{"cmd/tabuleiro/a.go", `import "tabuleiro/e2e"`, "cmd may not import e2e"},
		{"e2e/a.go", nats, ""},

		{"internal/identity/a.go", `import "tabuleiro/internal/telemetry"`, ""},
		{"internal/telemetry/a.go", `import "tabuleiro/internal/identity"`, "internal/telemetry may not import internal/identity"},
		{"internal/rpc/a.go", `import "tabuleiro/internal/identity"`, ""},
		{"internal/rpc/a.go", `import "tabuleiro/internal/bus"`, "internal/rpc may not import internal/bus"},
		{"internal/db/a.go", `import "tabuleiro/internal/app"`, "internal/db may not import internal/app"},
		{"internal/app/a.go", `import "tabuleiro/internal/cache"`, ""},
		{"internal/app/a.go", `import "tabuleiro/services/play"`, "internal/app may not import services/play"},

		{"internal/bus/a.go", nats, ""},
		{"internal/bus/bustest/a.go", `import "github.com/nats-io/nats-server/v2/server"`, ""},
		{"internal/app/a.go", `import "github.com/nats-io/nats-server/v2/server"`, "only internal/bus may import"},
		{"services/search/a.go", `import "github.com/redis/go-redis/v9"`, "only internal/cache may import"},
		{"services/search/a.go", `import "github.com/maypok86/otter/v2"`, "only internal/cache may import"},
		{"services/play/a.go", `import "database/sql"`, ""},
		{"services/play/a.go", `import _ "modernc.org/sqlite"`, "only internal/db may import"},
		{"services/play/a.go", `import "github.com/jackc/pgx/v5/stdlib"`, "only internal/db may import"},
		{"cmd/tabuleiro/a.go", `import "github.com/pressly/goose/v3"`, "only internal/db may import"},
		{"internal/app/a.go", `import "google.golang.org/grpc/test/bufconn"`, "only internal/rpc may import"},
		{"internal/rpc/a.go", `import "google.golang.org/grpc/test/bufconn"`, ""},

		{"services/play/a.go", search + `var _ searchv1.SearchServiceClient`, ""},
		{"services/tutor/a.go", search + `var _ = searchv1.NewSearchServiceClient`, ""},
		{"services/tutor/a.go", play + `var _ playv1.PlayServiceClient`, "services/tutor may not call play"},
		{"services/tutor/a.go", play + `var _ playv1.Game`, ""},
		{"services/tutor/a.go", `import p "tabuleiro/proto/tabuleiro/play/v1"; var _ = p.NewPlayServiceClient`, "services/tutor may not call play"},
		{"services/tutor/a.go", play + `var _ = playv1.PlayService_Move_FullMethodName`, "services/tutor may not call play"},
		{"services/play/a.go", play + `var _ = playv1.PlayService_Move_FullMethodName`, ""},
		{"services/play/a.go", play + `var _ playv1.PlayServiceClient`, "services/play may not call play"},
		{"services/accounts/a.go", search + `var _ searchv1.SearchServiceClient`, "services/accounts may not call search"},
		{"services/search/a.go", search + `var _ searchv1.SearchService_AnalyseClient`, "services/search may not call search"},
		{"internal/app/a.go", play + `var _ = playv1.RegisterPlayServiceHandler`, "internal/app may not call play"},
		{"edge/a.go", play + `var _ playv1.PlayServiceClient`, "edge may not call play"},
		{"gateway/a.go", play + `var _ = playv1.RegisterPlayServiceHandlerClient`, ""},
		{"services/play/a.go", play + `type s struct{ playv1.UnimplementedPlayServiceServer }`, ""},
		{"gateway/a.go", play + `var _ = playv1.RegisterPlayServiceServer`, "only services/play may serve play"},
	}
	for _, c := range cases {
		name := c.file + " " + c.src
		got, err := checkFile(c.file, c.file, "package a; "+c.src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%s: got %q, want nothing", name, got)
		case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)):
			t.Errorf("%s: got %q, want one violation with %q", name, got, c.want)
		}
	}
}
