package tables

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"

	"tabuleiro/games/draughts"
)

func TestNothingIsBuiltBeforeItIsAskedFor(t *testing.T) {
	s, _ := newStore(t, t.TempDir())
	d := OnDemand(s)
	ended, end := context.WithCancel(t.Context())
	end()
	if err := d.Run(ended); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("unasked, there is %s: %v", s.folder, err)
	}
	p, err := draughts.Parse("W:WKa1:Bb6")
	if err != nil {
		t.Fatal(err)
	}
	start := draughts.Start()
	d.Probe(&start)
	select {
	case <-d.asked:
		t.Error("a position of 24 pieces asks for tables")
	default:
	}
	if _, _, ok := d.Probe(&p); ok {
		t.Error("a value before there is a table")
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- d.Run(ctx) }()
	<-s.loaded
	if _, _, ok := d.Probe(&p); !ok {
		t.Error("no value though the tables are loaded")
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
