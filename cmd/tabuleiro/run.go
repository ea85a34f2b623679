package main

import (
	"context"
	"strings"

	"tabuleiro/internal/app"
)

// runCmd runs some roles; the others, and the stores, are elsewhere.
type runCmd struct {
	runOptions `embed:""`
	Roles      []string `arg:"" placeholder:"ROLE,..." help:"Roles to run: gateway, rules, play, search, worker, accounts, tutor."`
}

type runOptions struct {
	common          `embed:""`
	stores          `embed:""`
	GRPCListen      string            `name:"grpc-listen" default:"127.0.0.1:9090" placeholder:"HOST:PORT" help:"Where the roles serve gRPC (${default})."`
	Services        map[string]string `mapsep:"," placeholder:"ROLE=HOST:PORT,..." help:"Where the roles are that run elsewhere."`
	grpcTLS         `embed:""`
	NATSURL         string `name:"nats-url" placeholder:"URL,..." help:"Where the NATS servers are."`
	NATSCredentials string `name:"nats-credentials-file" placeholder:"FILE" help:"Credentials of the one role that runs here, or set TABULEIRO_NATS_CREDENTIALS; those of the folder of keys unless given."`
	Admin           string `default:"127.0.0.1:9091" placeholder:"HOST:PORT" help:"Where health, metrics and profiles are (${default})."`
}

type grpcTLS struct {
	GRPCTLSCert  string `name:"grpc-tls-cert" placeholder:"FILE" help:"Certificate of this process for gRPC (PEM)."`
	GRPCTLSKey   string `name:"grpc-tls-key" placeholder:"FILE" help:"The key of that certificate (PEM)."`
	GRPCTLSCA    string `name:"grpc-tls-ca" placeholder:"FILE" help:"The CA that signs the certificates of both ends (PEM)."`
	InsecureGRPC bool   `name:"insecure-grpc" help:"Allow gRPC between machines without TLS, on a network that you trust."`
}

func (o grpcTLS) config() app.GRPCConfig {
	return app.GRPCConfig{Cert: o.GRPCTLSCert, Key: o.GRPCTLSKey, CA: o.GRPCTLSCA, Insecure: o.InsecureGRPC}
}

func (o runOptions) config(s streams) (app.Config, error) {
	cfg := o.common.config(s)
	cfg.GRPC = o.grpcTLS.config()
	cfg.GRPC.Listen, cfg.GRPC.Services = o.GRPCListen, o.Services
	cfg.Admin = o.Admin
	cfg.NATS.URL = o.NATSURL
	seed, err := secret("nats-credentials", o.NATSCredentials)
	if err != nil {
		return cfg, err
	}
	cfg.NATS.Seed = []byte(seed)
	return cfg, o.stores.fill(&cfg)
}

func (c runCmd) Run(ctx context.Context, s streams) error {
	// Of arguments, unlike flags, kong takes lists only apart.
	chosen, err := app.Choose(roles(), strings.Split(strings.Join(c.Roles, ","), ","))
	if err != nil {
		return &app.OptionError{Option: "ROLE", Fault: err.Error()}
	}
	cfg, err := c.config(s)
	if err != nil {
		return err
	}
	log, err := c.logger(s.Err)
	if err != nil {
		return err
	}
	return app.Run(ctx, cfg, chosen, log)
}
