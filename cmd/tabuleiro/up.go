package main

import (
	"context"

	"tabuleiro/internal/app"
)

// upCmd runs every role in one process; nothing else needs to be installed.
type upCmd struct {
	upOptions `embed:""`
}

type upOptions struct {
	common       `embed:""`
	GRPCListen   string `name:"grpc-listen" placeholder:"HOST:PORT" help:"Serve gRPC there too; nowhere unless given."`
	grpcTLS      `embed:""`
	NATSListen   string `name:"nats-listen" placeholder:"HOST:PORT" help:"Let outside workers join the bus there; nobody unless given."`
	NATSTLSCert  string `name:"nats-tls-cert" placeholder:"FILE" help:"Certificate for --nats-listen (PEM)."`
	NATSTLSKey   string `name:"nats-tls-key" placeholder:"FILE" help:"The key of that certificate (PEM)."`
	InsecureNATS bool   `name:"insecure-nats" help:"Allow --nats-listen for other machines without TLS, on a network that you trust."`
	Admin        string `placeholder:"HOST:PORT" help:"Serve health, metrics and profiles there; nowhere unless given."`
}

func (o upOptions) config(s streams) app.Config {
	cfg := o.common.config(s)
	cfg.Embedded = true
	cfg.GRPC = o.grpcTLS.config()
	cfg.GRPC.Listen = o.GRPCListen
	cfg.NATS.Listen, cfg.NATS.TLSCert, cfg.NATS.TLSKey, cfg.NATS.Insecure = o.NATSListen, o.NATSTLSCert, o.NATSTLSKey, o.InsecureNATS
	cfg.Admin = o.Admin
	return cfg
}

func (c upCmd) Run(ctx context.Context, s streams) error {
	log, err := c.logger(s.Err)
	if err != nil {
		return err
	}
	return app.Run(ctx, c.config(s), roles(), log)
}
