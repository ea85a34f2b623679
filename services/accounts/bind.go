package accounts

import (
	"context"
	"errors"

	"tabuleiro/internal/app"
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
	env.Serve("accounts", service.RegisterWith)
	keeper := housekeeping{service: service, notReady: env.NotReady, announce: env.Announce, log: env.Log("accounts")}
	env.Go("housekeeping", keeper.run)
	return nil
}
