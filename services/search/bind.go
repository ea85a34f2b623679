package search

import (
	"context"
	"fmt"
	"io/fs"
	"runtime"
	"sync"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
	"tabuleiro/services/search/books"
	"tabuleiro/services/search/farm"
	"tabuleiro/services/search/tables"
)

const (
	name       = "search"
	workerName = "worker"
)

// Endings are the tables of draughts endings that the roles of one process share.
type Endings struct {
	once  sync.Once
	known *tables.Demand
}

// of are the tables, which run in the first role that asks for them.
func (e *Endings) of(env *app.Env, role string) *tables.Demand {
	e.once.Do(func() {
		e.known = tables.OnDemand(tables.New(env.Data, env.Log(role)))
		env.Go("tables", e.known.Run)
	})
	return e.known
}

// BindWith makes the role search: the service with its coordinator, and the books
// of openings of a folder; see books.Open.
func BindWith(openings fs.FS, endings *Endings) func(context.Context, *app.Env) error {
	return func(ctx context.Context, env *app.Env) error {
		set, err := books.Open(openings)
		if err != nil {
			return err
		}
		return bind(ctx, env, set, endings)
	}
}

func bind(ctx context.Context, env *app.Env, set books.Set, endings *Endings) error {
	conn, err := env.Bus(ctx, name)
	if err != nil {
		return err
	}
	kept, err := env.Cache(ctx)
	if err != nil {
		return err
	}
	coordinator := farm.NewCoordinator(farm.CoordinatorConfig{}, farm.Deps{
		Bus: farm.Over(conn), Cache: kept, Endings: endings.of(env, name), Book: set, NewID: newID, Log: env.Log(name),
	})
	service := New(coordinator, NewMetrics(env.Metrics))
	env.Serve(name, func(r grpc.ServiceRegistrar) { searchv1.RegisterSearchServiceServer(r, service) })
	env.Go("farm", func(ctx context.Context) error {
		<-ctx.Done()
		coordinator.Close()
		return nil
	})
	return nil
}

// BindWorkerWith makes the role worker: helpers of searches, wherever these run.
// They leave a core to others where there is more than one.
func BindWorkerWith(endings *Endings) func(context.Context, *app.Env) error {
	return func(ctx context.Context, env *app.Env) error {
		conn, err := env.Bus(ctx, workerName)
		if err != nil {
			return err
		}
		known := endings.of(env, workerName)
		for i := range max(runtime.GOMAXPROCS(0)-1, 1) {
			worker := farm.NewWorker(farm.WorkerConfig{ID: newID(), Endings: known}, farm.Over(conn), env.Log(workerName))
			env.Go(fmt.Sprintf("helper %d", i+1), worker.Run)
		}
		return nil
	}
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }
