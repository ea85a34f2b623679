// Package bustest starts buses for tests: a real server, in this process.
package bustest

import (
	"testing"

	"tabuleiro/internal/bus"
)

// Start starts a server that only this process reaches; it ends with t, after the
// connections that Conn made.
func Start(t testing.TB) *bus.Server {
	t.Helper()
	return start(t, "")
}

// Listen is Start with a listener on a free port of the loopback, for tests of
// what happens over a network; Server.URL names it.
func Listen(t testing.TB) *bus.Server {
	t.Helper()
	return start(t, "127.0.0.1:0")
}

func start(t testing.TB, listen string) *bus.Server {
	t.Helper()
	keys, err := bus.LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := bus.StartEmbedded(bus.EmbeddedConfig{Keys: keys, Listen: listen})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Conn connects a role to s.
func Conn(t testing.TB, s *bus.Server, role bus.Role) *bus.Conn {
	t.Helper()
	c, err := bus.Connect(bus.Config{Server: s, Role: role})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}
