package tutor

import (
	"context"

	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

// Bind makes the role: the service on its database, with accounts to ask.
func Bind(ctx context.Context, env *app.Env) error {
	database, err := env.DB(ctx, "tutor", Migrations())
	if err != nil {
		return err
	}
	conn, err := env.Dial("accounts")
	if err != nil {
		return err
	}
	service := New(Config{}, Deps{Store: NewSQL(database), Accounts: accountsv1.NewAccountsServiceClient(conn), Relations: accountsv1.NewClassesServiceClient(conn)})
	env.Serve("tutor", func(r grpc.ServiceRegistrar) { tutorv1.RegisterTutorServiceServer(r, service) })
	env.Go("deletions", func(ctx context.Context) error {
		return service.Follow(ctx, accountsv1.NewPrivacyServiceClient(conn), database.Clock().Now, env.Log("tutor"))
	})
	return nil
}
