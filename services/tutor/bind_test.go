package tutor

import (
	"context"
	"log/slog"
	"testing"

	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

// accountsServer is a service of accounts that knows policies alone.
type accountsServer struct {
	accountsv1.UnimplementedAccountsServiceServer
	fakeAccounts
}

func (a *accountsServer) GetPlayers(ctx context.Context, req *accountsv1.GetPlayersRequest) (*accountsv1.GetPlayersResponse, error) {
	return a.fakeAccounts.GetPlayers(ctx, req)
}

// The role as a process makes it, asked by play and asking accounts.
func TestBind(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	accounts := app.Role{Name: "accounts", Bind: func(_ context.Context, env *app.Env) error {
		fake := &accountsServer{fakeAccounts: fakeAccounts{policies: map[string]string{rui: "open"}}}
		env.Serve("accounts", func(r grpc.ServiceRegistrar) { accountsv1.RegisterAccountsServiceServer(r, fake) })
		return nil
	}}
	probe := app.Role{Name: "play", Needs: []string{"tutor"}, Bind: func(_ context.Context, env *app.Env) error {
		conn, err := env.Dial("tutor")
		if err != nil {
			return err
		}
		env.Go("probe", func(ctx context.Context) error {
			defer cancel()
			got, err := tutorv1.NewTutorServiceClient(conn).CheckGate(ctx, &tutorv1.CheckGateRequest{Account: rui, Rules: "chess"})
			if err != nil || !got.GetOpen() {
				t.Errorf("asked as play: %v, %v, want an open gate", got, err)
			}
			return nil
		})
		return nil
	}}
	roles := []app.Role{accounts, {Name: "tutor", Needs: []string{"accounts"}, Bind: Bind}, probe}
	if err := app.Run(ctx, app.Config{Embedded: true, Data: t.TempDir()}, roles, slog.New(slog.DiscardHandler)); err != nil {
		t.Error(err)
	}
}
