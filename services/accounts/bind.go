package accounts

import (
	"context"
	"errors"
	"log/slog"

	"tabuleiro/internal/app"
	"tabuleiro/internal/bus"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
)

// Bind makes the role: the service on its database, and its housekeeping.
func Bind(ctx context.Context, env *app.Env) error {
	database, err := env.DB(ctx, "accounts", Migrations())
	if err != nil {
		return err
	}
	ended, err := tellGateways(ctx, env)
	if err != nil {
		return err
	}
	if kept := env.Config().Retention; kept < 0 || kept > 0 && kept < MinRetention {
		return &app.OptionError{Option: OptionRetention, Fault: "at least 180, or 0 for never"}
	}
	sealer, err := env.Keys.Sealer("accounts", sealPurpose)
	if err != nil {
		return err
	}
	service, err := New(
		Config{RequiredFields: env.Config().RequiredFields, SecondFactor: env.Config().SecondFactor, Retention: env.Config().Retention},
		Deps{Store: NewSQL(database), Now: database.Clock().Now, Ended: ended, Sealer: sealer},
	)
	if unknown, ok := errors.AsType[*UnknownFieldError](err); ok {
		return &app.OptionError{Option: OptionRequiredFields, Fault: unknown.Error()}
	}
	if err != nil {
		return err
	}
	env.Serve("accounts", service.RegisterWith)
	audits, err := newAuditMetrics(env.Metrics.Register)
	if err != nil {
		return err
	}
	keeper := housekeeping{service: service, notReady: env.NotReady, announce: env.Announce, log: env.Log("accounts"), audits: audits}
	env.Go("housekeeping", keeper.run)
	return nil
}

// tellGateways says on the bus which accounts' streams to look at again. Without a
// bus, and while it is away, the gateways' regular look has to do.
func tellGateways(ctx context.Context, env *app.Env) (func(account string), error) {
	if cfg := env.Config(); !cfg.Embedded && cfg.NATS.URL == "" {
		return nil, nil
	}
	conn, err := env.Bus(ctx, string(bus.RoleAccounts))
	if err != nil {
		return nil, err
	}
	log := env.Log("accounts")
	return func(account string) {
		if err := conn.Publish(bus.Access(account), &busv1.AccessEnded{}); err != nil {
			log.Debug("gateways not told that sessions ended", slog.Any("error", err))
		}
	}, nil
}
