package play

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"testing"

	"tabuleiro/internal/rpc"
)

// A read while PostgreSQL was away was answered as "internal".
func TestReadsWhileTheDatabaseIsAwayAreUnavailable(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for _, test := range []struct {
		err  error
		want string
	}{
		{refused, "unavailable"},
		{context.DeadlineExceeded, "timeout"},
		{errors.New("no such column"), "internal"},
	} {
		err := problemOf(fmt.Errorf("load a game: %w", storeError(test.err)))
		if got := rpc.ToProblem(err).Code; got != test.want {
			t.Errorf("%v: got %s, want %s", test.err, got, test.want)
		}
	}
}
