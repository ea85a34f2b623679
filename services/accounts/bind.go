package accounts

import (
	"context"
	"errors"

	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// Bind makes the role: the service on its database, and its housekeeping.
func Bind(ctx context.Context, env *app.Env) error {
	database, err := env.DB(ctx, "accounts", Migrations())
	if err != nil {
		return err
	}
	service, err := New(
		Config{RequiredFields: env.Config().RequiredFields},
		Deps{Store: NewSQL(database), Now: database.Clock().Now},
	)
	if unknown, ok := errors.AsType[*UnknownFieldError](err); ok {
		return &app.OptionError{Option: OptionRequiredFields, Fault: unknown.Error()}
	}
	if err != nil {
		return err
	}
	env.Serve("accounts", func(r grpc.ServiceRegistrar) { accountsv1.RegisterAccountsServiceServer(r, service) })
	keeper := housekeeping{service: service, notReady: env.NotReady, announce: env.Announce, log: env.Log("accounts")}
	env.Go("housekeeping", keeper.run)
	return nil
}
