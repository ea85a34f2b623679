// Package accounts measures what a log-in costs beside the password's hash, which
// is what it should cost.
package accounts

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/alexedwards/argon2id"
	"google.golang.org/grpc"

	"tabuleiro/bench/measure"
	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	"tabuleiro/services/accounts"
)

const (
	// burst is how many log-ins, and how many raw hashes, one round makes.
	burst    = 20
	login    = "medida"
	password = "uma senha para medir"
	stopTime = 5 * time.Second
)

// Measure adds the figures to a run.
func Measure(rounds int, run *measure.Run) (err error) {
	folder, err := os.MkdirTemp("", "tabuleiro-bench-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(folder)
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	database, err := db.Open(ctx, db.Config{Driver: db.DriverSQLite, Path: filepath.Join(folder, "accounts.db")}, accounts.Migrations(), quiet)
	if err != nil {
		return err
	}
	ran := make(chan error, 1)
	go func() { ran <- database.Run(ctx) }()
	defer func() {
		cancel()
		<-ran
		if failed := database.Close(); err == nil {
			err = failed
		}
	}()
	client, stop, err := serve(accounts.NewSQL(database), quiet)
	if err != nil {
		return err
	}
	defer stop()

	_, err = client.Register(rpc.WithKey(ctx, "bench"), &accountsv1.RegisterRequest{
		Login: login, Password: password, FirstName: "A", Surname: "B", BirthDate: "2000-01-01", Sex: "undisclosed",
	})
	if err != nil {
		return fmt.Errorf("registering: %w", err)
	}
	// The parameters of the contract, hashed by the library itself.
	hash, err := argon2id.CreateHash(password, &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32})
	if err != nil {
		return fmt.Errorf("hashing: %w", err)
	}
	raw := func() error {
		match, err := argon2id.ComparePasswordAndHash(password, hash)
		if err == nil && !match {
			err = fmt.Errorf("the password does not match its hash")
		}
		return err
	}
	logIn := func() error {
		in, err := client.LogIn(ctx, &accountsv1.LogInRequest{Login: login, Password: password})
		if err == nil && in.GetToken() == "" {
			err = fmt.Errorf("a log-in without a token")
		}
		return err
	}
	wrong := func() error {
		_, err := client.LogIn(ctx, &accountsv1.LogInRequest{Login: "ninguem", Password: password})
		if p, ok := rpc.ProblemOf(err); !ok || p.Code != "invalid_login" {
			return fmt.Errorf("an unknown ID: %w", err)
		}
		return nil
	}

	series := map[string][]float64{}
	for range rounds {
		spent := map[string]float64{}
		for _, part := range []struct {
			name string
			work func() error
		}{{"raw", raw}, {"log-in", logIn}, {"unknown", wrong}} {
			took, err := measure.Spent(func() error {
				for range burst {
					if err := part.work(); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("measuring %s: %w", part.name, err)
			}
			spent[part.name] = took.Seconds() / burst
		}
		for name, value := range map[string]float64{
			"raw / log-in": spent["raw"] / spent["log-in"], "log-in / raw": spent["log-in"] / spent["raw"],
			"unknown / log-in": spent["unknown"] / spent["log-in"], "raw": spent["raw"] * 1e3, "log-in": spent["log-in"] * 1e3,
		} {
			series[name] = append(series[name], value)
		}
	}
	run.Notes = append(run.Notes, fmt.Sprintf("Log-ins one after the other, %d a round, over gRPC in process, on SQLite, each with a session written; "+
		"raw: argon2id of 19 MiB, 2 passes, 1 lane, by the library itself. Processor time.", burst))
	run.Figures = append(run.Figures,
		// A log-in may take 1.15 times the hash: the other way round, since a figure is
		// better the higher it is.
		measure.NewFigure("raw hash / log-in", "ratio", series["raw / log-in"]).Goals(1/1.15, 0.95),
		measure.NewFigure("log-in / raw hash", "ratio", series["log-in / raw"]),
		measure.NewFigure("log-in of an unknown ID / log-in", "ratio", series["unknown / log-in"]),
		measure.NewFigure("raw hash", "ms", series["raw"]),
		measure.NewFigure("log-in", "ms", series["log-in"]),
	)
	return nil
}

// serve puts the service behind the interceptors that every service has, in process.
func serve(store accounts.Store, log *slog.Logger) (client accountsv1.AccountsServiceClient, stop func(), err error) {
	keys, err := identity.Generate(identity.Gateway)
	if err != nil {
		return nil, nil, err
	}
	signer, err := keys.Signer(identity.Gateway)
	if err != nil {
		return nil, nil, err
	}
	service, err := accounts.New(accounts.Config{}, accounts.Deps{Store: store})
	if err != nil {
		return nil, nil, err
	}
	network := rpc.NewInProcess()
	server := rpc.NewServer(rpc.ServerConfig{Service: "accounts", Verify: keys.Verify, Log: log})
	service.RegisterWith(server)
	served := make(chan error, 1)
	go func() { served <- server.Serve(network.Listen("accounts")) }()
	var conn *grpc.ClientConn
	if conn, err = network.Dial("accounts", rpc.ClientConfig{Signer: signer}); err != nil {
		rpc.Stop(server, stopTime)
		return nil, nil, err
	}
	return accountsv1.NewAccountsServiceClient(conn), func() {
		_ = conn.Close() // nothing is in flight
		rpc.Stop(server, stopTime)
		<-served
	}, nil
}
