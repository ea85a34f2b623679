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
	common     `embed:""`
	GRPCListen string `name:"grpc-listen" placeholder:"HOST:PORT" help:"Serve gRPC there too; nowhere unless given."`
	grpcTLS    `embed:""`
	NATSListen string `name:"nats-listen" placeholder:"HOST:PORT" help:"Let outside workers join the bus there; nobody unless given."`
	Admin      string `placeholder:"HOST:PORT" help:"Serve health, metrics and profiles there; nowhere unless given."`
}

func (o upOptions) config(s streams) app.Config {
	cfg := o.common.config(s)
	cfg.Embedded = true
	cfg.GRPC = o.grpcTLS.config()
	cfg.GRPC.Listen = o.GRPCListen
	cfg.NATS.Listen = o.NATSListen
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
