// Package streams measures how one gateway spreads a move to thousands of event
// streams, beside a raw hub that does nothing else.
package streams

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"tabuleiro/bench/measure"
)

// Config says what is measured, and how often.
type Config struct {
	// Streams is how many watch the game.
	Streams int
	// Rounds are interleaved; at least one.
	Rounds int
	Seed   uint64
	// Self is this program, which is the raw hub too.
	Self string
}

const (
	// stalling are the readers that never read, and stalledMoves are so many moves
	// that their sockets and queues are full long before the last.
	stalling     = 20
	stalledMoves = 120
)

// Measure adds the figures to a run.
func Measure(cfg Config, run *measure.Run) (err error) {
	folder, err := os.MkdirTemp(".", "bench-streams-") // on the disk of the sources, not in memory
	if err != nil {
		return err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	binary := filepath.Join(folder, "tabuleiro")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, "./cmd/tabuleiro")
	build.Dir = ".." // the module of the product
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building tabuleiro: %w", err)
	}
	product, err := launch(syscall.SIGTERM, binary, "up", "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", filepath.Join(folder, "data"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, product.end(syscall.SIGTERM)) }()
	raw, err := launch(nil, cfg.Self, "-raw-hub")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, raw.end(nil)) }()

	game, err := newTable(product.address, cfg.Seed)
	if err != nil {
		return err
	}
	if err := game.begin(); err != nil {
		return err
	}
	run.Notes = append(run.Notes, fmt.Sprintf("One `tabuleiro up` with %d visitors' streams of one public game of chess, random legal moves, "+
		"beside a raw hub that spreads the same bytes to as many; each server in a process of its own, all readers in a third.", cfg.Streams))
	path := "/v1/events?topic=game:" + game.id
	watchers, memory, rate, err := fill(product, path, "event: beat", cfg.Streams)
	if err != nil {
		return fmt.Errorf("opening streams of the gateway: %w", err)
	}
	defer watchers.close()
	listeners, rawMemory, rawRate, err := fill(raw, "/events", "retry:", cfg.Streams)
	if err != nil {
		return fmt.Errorf("opening streams of the raw hub: %w", err)
	}
	defer listeners.close()

	values := map[string][]float64{}
	add := func(name string, value float64) { values[name] = append(values[name], value) }
	for i := range cfg.Rounds + 1 {
		mark := game.mark()
		took, err := watchers.spread(mark, game.move)
		if err != nil {
			return err
		}
		frame := fmt.Appendf(nil, "event: game\n%s\ndata: %s\n\n", mark, bytes.TrimSpace(game.state))
		rawTook, err := listeners.spread(mark, func() error { return spread(raw.address, frame) })
		if err != nil {
			return err
		}
		if i == 0 {
			continue // fills caches
		}
		add("last", ms(took[len(took)-1]))
		add("middle", ms(took[len(took)/2]))
		add("p99", ms(took[len(took)*99/100]))
		add("raw last", ms(rawTook[len(rawTook)-1]))
		add("ratio", float64(rawTook[len(rawTook)-1])/float64(took[len(took)-1]))
	}
	stalled, err := stall(product.address, path)
	if err != nil {
		return err
	}
	for range stalledMoves {
		took, err := watchers.spread(game.mark(), game.move)
		if err != nil {
			return fmt.Errorf("with readers that stall: %w", err)
		}
		add("p99 stalled", ms(took[len(took)*99/100]))
	}
	if err := ended(stalled); err != nil {
		return err
	}
	if n := watchers.lost.Load(); n > 0 {
		return fmt.Errorf("%d streams ended by themselves", n)
	}

	calm, beside := measure.NewFigure("", "ms", values["p99"]), measure.NewFigure("", "ms", values["p99 stalled"])
	n := fmt.Sprintf("%d streams", cfg.Streams)
	one := func(name, unit string, value float64) measure.Figure {
		return measure.NewFigure(name, unit, []float64{value})
	}
	run.Figures = append(run.Figures,
		measure.NewFigure("last delivery of a move, "+n, "ms", values["last"]),
		measure.NewFigure("middle delivery of a move, "+n, "ms", values["middle"]),
		measure.NewFigure("last delivery, raw hub, "+n, "ms", values["raw last"]),
		measure.NewFigure("raw hub / gateway, last delivery, "+n, "ratio", values["ratio"]).Goals(1/1.5, 1/1.2),
		one("memory of a stream", "KiB", memory),
		one("memory of a stream, raw hub", "KiB", rawMemory),
		one("40 KiB / memory of a stream", "ratio", 40/memory).Goals(1, 40/25.),
		one("streams opened a second", "1/s", rate),
		one("streams opened a second, raw hub", "1/s", rawRate),
		measure.NewFigure("p99 of deliveries beside 20 readers that stall", "ms", values["p99 stalled"]),
		one("p99 without / with readers that stall", "ratio", calm.Value/beside.Value).Goals(1/1.2, 1/1.1),
	)
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// fill opens the streams of one server: what each costs it in KiB, and how many
// opened in a second.
func fill(server *child, path, last string, n int) (*crowd, float64, float64, error) {
	before, err := server.resident()
	if err != nil {
		return nil, 0, 0, err
	}
	began := time.Now()
	c, err := gather(server.address, path, n, last)
	if err != nil {
		return nil, 0, 0, err
	}
	took := time.Since(began)
	after, err := server.resident()
	if err != nil {
		c.close()
		return nil, 0, 0, err
	}
	return c, (after - before) / float64(n), float64(n) / took.Seconds(), nil
}

// spread gives the raw hub something to spread.
func spread(address string, frame []byte) error {
	answer, err := http.Post("http://"+address+"/spread", "text/event-stream", bytes.NewReader(frame))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the raw hub says %s", answer.Status)
	}
	return nil
}

// stall opens streams that nobody reads.
func stall(address, path string) ([]net.Conn, error) {
	var conns []net.Conn
	for range stalling {
		conn, err := open(address, path, true)
		if err != nil {
			return nil, err
		}
		conns = append(conns, conn)
	}
	return conns, nil
}

// ended makes sure that the server gave up the streams that nobody read: readers
// that did not stall would prove nothing.
func ended(conns []net.Conn) error {
	for _, conn := range conns {
		if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, conn)
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			return errors.New("a reader that stalled was kept: more moves are needed to fill its socket")
		}
		_ = conn.Close()
	}
	return nil
}
