package rpc

import (
	"context"
	"net"
	"testing"
	"time"

	"google.golang.org/grpc/credentials/insecure"
)

// TestWhatReturnsIsFoundSoon: with gRPC's own pauses a service that was away for
// a minute stayed away for up to two more to those who call it.
func TestWhatReturnsIsFoundSoon(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	conn, err := Dial(l.Addr().String(), ClientConfig{}, insecure.NewCredentials())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	tries := make(chan struct{})
	ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second)
	defer cancel()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close() // as one that dies at its start
			select {
			case tries <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	conn.Connect()
	// With pauses from 1 s that grow the seventh try comes after 20 s.
	for n := range 7 {
		select {
		case <-tries:
		case <-ctx.Done():
			t.Fatalf("%d tries in 12 s", n)
		}
	}
}
