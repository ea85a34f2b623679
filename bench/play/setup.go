package play

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"tabuleiro/internal/bus"
	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	searchv1 "tabuleiro/proto/tabuleiro/search/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
	"tabuleiro/services/play"
	"tabuleiro/services/rules"
)

// setup is everything that a move passes.
type setup struct {
	note   string
	client playv1.PlayServiceClient
	// nothing is a play that does nothing.
	nothing playv1.PlayServiceClient
	rules   rulesv1.RulesServiceClient
	// The connections of those.
	conn, stub, rulesConn *grpc.ClientConn

	doors  doors
	store  *db.DB
	raw    *db.DB
	events *bus.Conn
	// games are those that are moved in through play's own interface, by caller;
	// posted are those that are moved in through the gateway.
	games, posted map[int]*table
	ends          []func() error
	// rows are raw games by caller, written what a move writes.
	rows    map[int]*rows
	written written
}

// table is one game that one caller moves in, for both sides.
type table struct {
	game    *playv1.Game
	players [2]identity.Caller
	random  *rand.Rand
}

// noAccounts names everybody, and knows nothing else.
type noAccounts struct {
	accountsv1.AccountsServiceClient
}

// GetPlayers knows nobody but names everybody.
func (noAccounts) GetPlayers(_ context.Context, in *accountsv1.GetPlayersRequest, _ ...grpc.CallOption) (*accountsv1.GetPlayersResponse, error) {
	out := &accountsv1.GetPlayersResponse{}
	for _, account := range in.GetAccounts() {
		out.Players = append(out.Players, &accountsv1.Player{Account: account, Name: "player"})
	}
	return out, nil
}

func start(cfg Config, apart bool) (_ *setup, err error) {
	s := &setup{games: map[int]*table{}, posted: map[int]*table{}, rows: map[int]*rows{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.stop())
		}
	}()
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	folder, err := os.MkdirTemp(".", "bench-play-") // on the disk of the sources, not in memory
	if err != nil {
		return nil, err
	}
	s.ends = append(s.ends, func() error { return os.RemoveAll(folder) })
	keys, err := identity.Generate(identity.Gateway, "play")
	if err != nil {
		return nil, err
	}

	// The databases: play's, and one beside it for the raw statement.
	config := func(name string) db.Config {
		if apart {
			return db.Config{Driver: db.DriverPostgres, URL: cfg.Postgres, Schema: "bench_" + name + "_" + strings.ReplaceAll(uuid.NewString(), "-", "")}
		}
		return db.Config{Driver: db.DriverSQLite, Path: filepath.Join(folder, name+".db")}
	}
	if apart && cfg.Postgres == "" {
		return nil, errors.New("no PostgreSQL: run it by `scripts/with-services.sh make bench BENCH=\"-what play\"`")
	}
	games, err := db.Open(context.Background(), config("play"), play.Migrations(), quiet)
	if err != nil {
		return nil, err
	}
	s.store = games
	s.ends = append(s.ends, games.Close)
	if s.raw, err = db.Open(context.Background(), config("raw"), raw, quiet); err != nil {
		return nil, err
	}
	s.ends = append(s.ends, s.raw.Close)

	// The bus, with somebody who listens.
	natsKeys, err := bus.LoadKeys(folder)
	if err != nil {
		return nil, err
	}
	embedded := bus.EmbeddedConfig{Keys: natsKeys}
	if apart {
		embedded.Listen = "127.0.0.1:0"
	}
	server, err := bus.StartEmbedded(embedded)
	if err != nil {
		return nil, err
	}
	s.ends = append(s.ends, func() error { server.Close(); return nil })
	connect := func(role bus.Role) (*bus.Conn, error) {
		c := bus.Config{Server: server, Role: role}
		if apart {
			c = bus.Config{URL: server.URL(), Role: role, Seed: natsKeys.Seed(role)}
		}
		conn, err := bus.Connect(c)
		if err == nil {
			s.ends = append(s.ends, conn.Close)
		}
		return conn, err
	}
	if s.events, err = connect(bus.RolePlay); err != nil {
		return nil, err
	}
	listener, err := connect(bus.RoleGateway)
	if err != nil {
		return nil, err
	}
	if _, err := listener.Subscribe(bus.AllGameEvents, 1<<16, func(bus.Message) {}); err != nil {
		return nil, err
	}

	if s.rulesConn, err = s.serve(apart, keys, "play", func(g *grpc.Server) { rules.Register(g, rules.New()) }); err != nil {
		return nil, err
	}
	s.rules = rulesv1.NewRulesServiceClient(s.rulesConn)
	service := play.New(play.Config{}, play.Deps{
		Store: play.NewSQL(games), Rules: s.rules, Accounts: noAccounts{},
		Search: searchv1.NewSearchServiceClient(s.rulesConn), Tutor: tutorv1.NewTutorServiceClient(s.rulesConn),
		Publish: func(m *busv1.GameEvent) error {
			return s.events.Publish(bus.GameEvent(m.GetEvent().GetGameId()), m)
		},
		Time: games.Clock(), NewID: func() string { return uuid.Must(uuid.NewV7()).String() }, Random: rand.Uint64, Log: quiet,
	})
	if s.conn, err = s.serve(apart, keys, identity.Gateway, func(g *grpc.Server) { playv1.RegisterPlayServiceServer(g, service) }); err != nil {
		return nil, err
	}
	s.client = playv1.NewPlayServiceClient(s.conn)
	middle, err := s.middle()
	if err != nil {
		return nil, err
	}
	s.stub, err = s.serve(apart, keys, identity.Gateway, func(g *grpc.Server) {
		playv1.RegisterPlayServiceServer(g, idle{game: middle})
	})
	if err != nil {
		return nil, err
	}
	s.nothing = playv1.NewPlayServiceClient(s.stub)
	if err := s.open(apart, keys); err != nil {
		return nil, err
	}
	how := "all in one process but for HTTP, SQLite with synchronous=FULL"
	if apart {
		how = "each part over a socket of its own on the loopback, client and services in one process, PostgreSQL with synchronous_commit=on"
	}
	s.note = "Moves: chess, random legal moves, casual games of two accounts without a clock; " + how + "."
	return s, nil
}

// serve starts a server with the chain that all roles have, and connects to it.
func (s *setup) serve(apart bool, keys *identity.Keys, signer string, register func(*grpc.Server)) (*grpc.ClientConn, error) {
	server := rpc.NewServer(rpc.ServerConfig{Service: "bench", Verify: keys.Verify, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	register(server)
	sign, err := keys.Signer(signer)
	if err != nil {
		return nil, err
	}
	var listener net.Listener
	var conn *grpc.ClientConn
	if apart {
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, err
		}
		conn, err = rpc.Dial(listener.Addr().String(), rpc.ClientConfig{Signer: sign}, insecure.NewCredentials())
	} else {
		network := rpc.NewInProcess()
		listener = network.Listen("bench")
		conn, err = network.Dial("bench", rpc.ClientConfig{Signer: sign})
	}
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // a server that fails early fails the calls
	}()
	s.ends = append(s.ends, func() error {
		err := conn.Close()
		server.Stop()
		<-done
		return err
	})
	return conn, nil
}

func (s *setup) stop() error {
	var all error
	for _, end := range slices.Backward(s.ends) {
		all = errors.Join(all, end())
	}
	s.ends = nil
	return all
}

// gameLength is how many plies a game is measured for: its state grows with them.
const gameLength = 80

// renew seats both sides at a new game.
func (s *setup) renew(ctx context.Context, seed uint64) (*table, error) {
	t := &table{random: rand.New(rand.NewPCG(1, seed))}
	for i := range t.players {
		t.players[i] = identity.Caller{Account: uuid.NewString(), Session: uuid.NewString()}
	}
	made, err := s.client.CreateGame(t.as(ctx, 0), &playv1.CreateGameRequest{Rules: "chess", Opponent: "person", Side: "first"})
	if err != nil {
		return nil, err
	}
	got, err := s.client.AcceptGame(t.as(ctx, 1), &playv1.AcceptGameRequest{Game: made.GetGame().GetId()})
	if err != nil {
		return nil, err
	}
	t.game = got.GetGame()
	return t, nil
}

func (t *table) as(ctx context.Context, player int) context.Context {
	return rpc.WithKey(identity.With(ctx, t.players[player]), rpc.NewRequestID())
}

func (t *table) draw() string {
	return t.game.GetMoves()[t.random.IntN(len(t.game.GetMoves()))].GetText()
}

// move plays one move of the caller's game.
func (s *setup) move(ctx context.Context, caller int) error { return s.moveIn(ctx, s.games[caller]) }

func (s *setup) moveIn(ctx context.Context, t *table) error {
	turn := t.game.GetTurn()
	out, err := s.client.Move(t.as(ctx, int(turn%2)), &playv1.MoveRequest{Game: t.game.GetId(), Turn: &turn, Move: t.draw()})
	if err != nil {
		return err
	}
	t.game = out.GetGame()
	return nil
}

// middle is a game in the middle of those that are measured, as large as an answer
// is on average, and learns how much a move writes.
func (s *setup) middle() (*playv1.Game, error) {
	ctx := context.Background()
	if err := s.ready(1, 0); err != nil {
		return nil, err
	}
	t := s.games[0]
	for range gameLength / 2 {
		if err := s.moveIn(ctx, t); err != nil {
			return nil, err
		}
	}
	return t.game, s.measureWritten(ctx, t.game.GetId())
}

// ready gives every caller games that go on for a burst.
func (s *setup) ready(callers, moves int) error {
	if err := s.rawRows(callers); err != nil {
		return err
	}
	for caller := range callers {
		for i, games := range []map[int]*table{s.games, s.posted} {
			t := games[caller]
			if t != nil && len(t.game.GetMoves()) > 0 && int(t.game.GetTurn())+2*moves/callers < gameLength {
				continue
			}
			var err error
			if games[caller], err = s.renew(context.Background(), uint64(2*caller+i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// empty is a call through the same chain, with an answer as large, to a service
// that does nothing.
func (s *setup) empty(ctx context.Context, caller int) error {
	t, turn := s.games[caller], int32(0)
	_, err := s.nothing.Move(t.as(ctx, 0), &playv1.MoveRequest{Game: t.game.GetId(), Turn: &turn, Move: "e2e4"})
	return err
}

// ruling asks the rules for a move, as play does.
func (s *setup) ruling(ctx context.Context, caller int) error {
	t := s.games[caller]
	_, err := s.rules.Apply(ctx, &rulesv1.ApplyRequest{Position: t.game.GetPosition(), Move: t.draw()})
	return err
}

// publish puts a copy of a move on the bus.
func (s *setup) publish(_ context.Context, caller int) error {
	game := s.games[caller].game
	return s.events.Publish(bus.GameEvent(game.GetId()), &busv1.GameEvent{Event: &playv1.Event{
		GameId: game.GetId(), Version: game.GetVersion(), Kind: "moved", Ply: game.GetLast(), Game: game,
	}})
}

// idle answers a move with the game that it was given.
type idle struct {
	playv1.UnimplementedPlayServiceServer
	game *playv1.Game
}

// Move does nothing.
func (i idle) Move(context.Context, *playv1.MoveRequest) (*playv1.MoveResponse, error) {
	return &playv1.MoveResponse{Game: i.game}, nil
}
