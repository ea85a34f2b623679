package play

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"slices"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	"tabuleiro/internal/bus"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

const name = "play"

// Needs are the services that play calls.
func Needs() []string { return []string{"rules", "search", "accounts", "tutor"} }

// Bind makes the role play, without a table of openings.
func Bind(ctx context.Context, env *app.Env) error { return bind(ctx, env, nil) }

// BindWith is Bind with a folder that holds tables of openings.
func BindWith(openings fs.FS) func(context.Context, *app.Env) error {
	return func(ctx context.Context, env *app.Env) error { return bind(ctx, env, openings) }
}

func bind(ctx context.Context, env *app.Env, openings fs.FS) error {
	database, err := env.DB(ctx, name, Migrations())
	if err != nil {
		return err
	}
	events, err := env.Bus(ctx, name)
	if err != nil {
		return err
	}
	conns := map[string]grpc.ClientConnInterface{}
	for _, service := range Needs() {
		if conns[service], err = env.Dial(service); err != nil {
			return err
		}
	}
	store := NewSQL(database)
	relate := relateBy(accountsv1.NewClassesServiceClient(conns["accounts"]))
	service := New(Config{Alone: env.Config().Embedded}, Deps{
		Store:    store,
		Rules:    rulesv1.NewRulesServiceClient(conns["rules"]),
		Search:   searchv1.NewSearchServiceClient(conns["search"]),
		Accounts: accountsv1.NewAccountsServiceClient(conns["accounts"]),
		Tutor:    tutorv1.NewTutorServiceClient(conns["tutor"]),
		Publish: func(m *busv1.GameEvent) error {
			return events.Publish(bus.GameEvent(m.GetEvent().GetGameId()), m)
		},
		Time:   database.Clock(),
		NewID:  newID,
		Random: rand.Uint64,
		Relate: relate,
		Audit:  accountsv1.NewPrivacyServiceClient(conns["accounts"]),
		Taught: func(ctx context.Context, teacher string, others []string) ([]string, error) {
			relations, err := relate(ctx, teacher, others)
			return slices.DeleteFunc(slices.Clone(others), func(o string) bool { return relations[o] != "teacher" }), err
		},
		Log:     env.Log(name),
		Metrics: NewMetrics(env.Metrics),
	})
	if err := hearPresence(events, service, env.Log(name)); err != nil {
		return err
	}
	env.Serve(name, func(r grpc.ServiceRegistrar) {
		playv1.RegisterPlayServiceServer(r, service)
		playv1.RegisterPaceServiceServer(r, service.Pace())
	})
	classes := accountsv1.NewClassesServiceClient(conns["accounts"])
	keeper, err := bindCollections(env, database, conns["rules"], classes, service, openings)
	if err != nil {
		return err
	}
	competitions := bindTournaments(env, database, events, service, classes)
	env.Go("deletions", Forgetter{
		Service: service, Deletions: accountsv1.NewPrivacyServiceClient(conns["accounts"]),
		Collections: keeper.Forget, Tournaments: competitions.Forget,
	}.Run)
	alone := env.Config().Embedded
	env.Go("obligations", func(ctx context.Context) error {
		if alone {
			if err := store.ReleaseClaims(ctx, service.now()); err != nil && ctx.Err() == nil {
				return fmt.Errorf("release the claims of an earlier process: %w", err)
			}
		}
		return service.Run(ctx)
	})
	return nil
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// presenceBuffer bounds what gateways said and was not taken in yet.
const presenceBuffer = 4096

// hearPresence takes in what gateways say of who is here. After a loss nothing of
// it is believed any more.
func hearPresence(conn *bus.Conn, service *Service, log *slog.Logger) error {
	sub, err := conn.Subscribe(bus.Presence("*"), presenceBuffer, func(m bus.Message) {
		var said busv1.Presence
		if err := m.Decode(&said); err != nil {
			log.Warn("a message on the bus cannot be read", "subject", m.Subject, "err", err)
			return
		}
		service.Present(&said)
	})
	if err != nil {
		return fmt.Errorf("listen to who is here: %w", err)
	}
	sub.OnDrop(func(int64) { service.PresenceLost() })
	conn.OnReconnect(service.PresenceLost)
	return nil
}
