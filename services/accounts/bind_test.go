package accounts

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"tabuleiro/internal/app"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// The role in a process of its own makes: its database, its service, the code of
// a first start.
func TestBind(t *testing.T) {
	out, in := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	probe := app.Role{Name: "play", Needs: []string{"accounts"}, Bind: func(_ context.Context, env *app.Env) error {
		conn, err := env.Dial("accounts")
		if err != nil {
			return err
		}
		env.Go("probe", func(ctx context.Context) error {
			players, err := accountsv1.NewAccountsServiceClient(conn).GetPlayers(ctx, &accountsv1.GetPlayersRequest{Accounts: []string{id(1)}})
			if err == nil && len(players.Players) > 0 {
				err = errors.New("an empty installation has players")
			}
			answered <- err
			return nil
		})
		return nil
	}}
	ended := make(chan error, 1)
	go func() {
		cfg := app.Config{Embedded: true, Data: t.TempDir(), Stdout: in}
		ended <- errors.Join(app.Run(ctx, cfg, []app.Role{{Name: "accounts", Bind: Bind}, probe}, slog.New(slog.DiscardHandler)), in.Close())
	}()

	var lines []string
	scanner := bufio.NewScanner(out)
	for len(lines) < 2 && scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	if len(lines) < 2 || !strings.HasPrefix(lines[0], "ready ") || !strings.HasPrefix(lines[1], "operator code: ") {
		t.Errorf("printed %q, want the ready line and then the code", lines)
	} else if err := <-answered; err != nil {
		t.Errorf("asked as play: %v", err)
	}
	cancel()
	// Nobody may be held up by what is printed from here on.
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestBindNamesTheWrongOption(t *testing.T) {
	cfg := app.Config{Embedded: true, Data: t.TempDir(), RequiredFields: []string{"shoe_size"}}
	err := app.Run(t.Context(), cfg, []app.Role{{Name: "accounts", Bind: Bind}}, slog.New(slog.DiscardHandler))
	if option, ok := errors.AsType[*app.OptionError](err); !ok || option.Option != OptionRequiredFields || !strings.Contains(option.Fault, "shoe_size") {
		t.Errorf("got %v, want an error that names the option and the field", err)
	}
}
