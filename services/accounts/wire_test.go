package accounts

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/db/dbtest"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// serve puts the world's service behind a real server and returns clients of it
// by the name of the service that calls.
func serve(t *testing.T, w *world) func(service string) accountsv1.AccountsServiceClient {
	t.Helper()
	network := rpc.NewInProcess()
	server := rpc.NewServer(w.serverConfig())
	w.svc.RegisterWith(server)
	done := make(chan error, 1)
	go func() { done <- server.Serve(network.Listen("accounts")) }()
	t.Cleanup(func() {
		rpc.Stop(server, time.Second)
		if err := <-done; err != nil {
			t.Errorf("serving: %v", err)
		}
	})
	return func(service string) accountsv1.AccountsServiceClient {
		conn, err := network.Dial("accounts", w.clientConfig(service))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		})
		return accountsv1.NewAccountsServiceClient(conn)
	}
}

func TestOverTheWire(t *testing.T) {
	w := newWorld(t, func(_ *Config, d *Deps) { d.Store = NewSQL(dbtest.SQLite(t, Migrations())) })
	client := serve(t, w)
	gateway, play := client(identity.Gateway), client("play")

	_, err := gateway.Register(rpc.WithKey(t.Context(), "k1"), &accountsv1.RegisterRequest{Login: "Ana"})
	wantProblem(t, "a form half filled", err, "fields_missing", "password fields_missing",
		"first_name fields_missing", "surname fields_missing", "birth_date fields_missing", "sex fields_missing")
	made, err := gateway.Register(rpc.WithKey(t.Context(), "k1"), form("Ana"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := gateway.Register(rpc.WithKey(t.Context(), "k1"), form("Ana"))
	wantErr(t, "the same command", err, nil)
	wantProto(t, "the first answer", again, made)
	_, err = gateway.Register(rpc.WithKey(t.Context(), "k2"), form("Ana"))
	wantProblem(t, "a taken login", err, "login_taken", "login login_taken")
	if code := status.Code(err); code != codes.FailedPrecondition {
		t.Errorf("a taken login is %v on the wire", code)
	}
	in, err := gateway.LogIn(t.Context(), &accountsv1.LogInRequest{Login: "ana", Password: "segredo-123"})
	if err != nil {
		t.Fatal(err)
	}
	who, err := gateway.Authenticate(t.Context(), &accountsv1.AuthenticateRequest{Token: in.Token})
	if err != nil || who.Account != made.Account.Id {
		t.Fatalf("Authenticate: %v, %v", who, err)
	}

	game := rateRequest(10, &accountsv1.RatedSeat{Account: who.Account}, &accountsv1.RatedSeat{Level: "plies-4"}, 2)
	_, err = gateway.Rate(w.person(who.Account), game)
	wantProblem(t, "Rate for a person", err, "forbidden")
	_, err = gateway.Rate(t.Context(), game)
	wantProblem(t, "Rate by the gateway", err, "forbidden")
	first, err := play.Rate(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	second, err := play.Rate(t.Context(), game)
	wantErr(t, "Rate again", err, nil)
	wantProto(t, "the first answer", second, first)
	wantLedgerSound(t, w.store)
}

// Two replicas on one PostgreSQL rate the games of three players at once; each
// game is told to both, and to one of them twice.
func TestTwoReplicasRateEachGameOnce(t *testing.T) {
	const games = 6
	cfg := dbtest.PostgresConfig(t)
	var replicas []accountsv1.AccountsServiceClient
	var worlds []*world
	for range 2 {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store = NewSQL(dbtest.Open(t, cfg, Migrations())) })
		worlds = append(worlds, w)
		replicas = append(replicas, serve(t, w)("play"))
	}
	mustCreate(t, worlds[0].store, person(1, "ana"), person(2, "rui"), person(3, "eva"))

	// Those who collide run again: a busy machine takes longer than the default.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var mu sync.Mutex
	answers := map[int]*accountsv1.RateResponse{}
	var wg sync.WaitGroup
	for n := range games {
		first, second := &accountsv1.RatedSeat{Account: id(1 + n%3)}, &accountsv1.RatedSeat{Account: id(1 + (n+1)%3)}
		for told := range 3 {
			wg.Go(func() {
				got, err := replicas[told%2].Rate(ctx, rateRequest(10+n, first, second, int32(n%3)))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				if before := answers[n]; before != nil && !proto.Equal(before, got) {
					t.Errorf("game %d was answered %v and %v", n, before, got)
				}
				answers[n] = got
			})
		}
	}
	wg.Wait()
	standings, err := worlds[1].store.Standings(t.Context(), []string{id(1), id(2), id(3)})
	wantErr(t, "Standings", err, nil)
	total := int32(0)
	for _, s := range standings {
		total += s.Changes
	}
	if total != 2*games {
		t.Errorf("%d changes after %d games, want two each", total, games)
	}
	wantLedgerSound(t, worlds[0].store)
}

// One form sent many times at once makes one account, and everyone learns which.
func TestAFormSentManyTimesMakesOneAccount(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store, d.NewID = store, nil })
		client := serve(t, w)(identity.Gateway)
		ctx, cancel := context.WithTimeout(rpc.WithKey(t.Context(), "one-key"), time.Minute)
		defer cancel()
		ids := make(chan string, 8)
		var wg sync.WaitGroup
		for range cap(ids) {
			wg.Go(func() {
				made, err := client.Register(ctx, form("Ana"))
				if err != nil {
					t.Error(err)
				}
				ids <- made.GetAccount().GetId()
			})
		}
		wg.Wait()
		close(ids)
		made := map[string]int{}
		for id := range ids {
			made[id]++
		}
		if len(made) != 1 {
			t.Errorf("accounts %v, want one", fmt.Sprint(made))
		}
	})
}
