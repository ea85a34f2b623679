package accounts

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// A first start whose process becomes ready late announces one code, a second
// start none; ended sessions go within the hour.
func TestHousekeeping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Now = time.Now })
		time.Sleep(time.Until(monday)) // the bubble's time begins in 2000
		w.now = time.Now()
		w.mustRegister("Ana")
		var ready atomic.Bool
		lines := make(chan string, 10)
		keeper := housekeeping{
			service: w.svc,
			notReady: func(context.Context) map[string]error {
				if ready.Load() {
					return nil
				}
				return map[string]error{"http": errors.New("does not listen yet")}
			},
			announce: func(line string) { lines <- line },
			log:      slog.New(slog.NewTextHandler(io.Discard, nil)),
		}
		start := func() (stop func()) {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error)
			go func() { done <- keeper.run(ctx) }()
			synctest.Wait()
			return func() {
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		}

		stop := start()
		if len(lines) != 0 {
			t.Errorf("announced %q before being ready", <-lines)
		}
		ready.Store(true)
		time.Sleep(2 * codeRetry)
		synctest.Wait()
		line := <-lines
		if !strings.HasPrefix(line, "operator code: ") || !strings.HasSuffix(line, " (one time: POST /v1/operator)") {
			t.Errorf("announced %q, want the code", line)
		}
		w.now = time.Now()
		in, err := w.gateway().LogIn(t.Context(), &accountsv1.LogInRequest{Login: "Ana", Password: "segredo-123"})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(sessionLimits[SessionPersonal].idle + sweepEvery)
		synctest.Wait()
		if _, _, err := w.store.Session(t.Context(), hashToken(in.Token)); !errors.Is(err, ErrNotFound) {
			t.Errorf("an idle session is still kept: %v", err)
		}
		stop()

		stop = start()
		if len(lines) != 0 {
			t.Errorf("announced %q at the second start too", <-lines)
		}
		stop()
		// One that ends before it was ever ready ends at once.
		ready.Store(false)
		start()()
	})
}
