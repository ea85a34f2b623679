package shapetest

import (
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"tabuleiro/internal/bus"
)

// natsEnv makes a test binary be a NATS server that knows the keys in a folder:
// the bus of a cluster lives in a process of its own, that can be killed too.
const natsEnv = "TABULEIRO_TEST_NATS_KEYS"

// serveNATS is the whole life of that process.
func serveNATS(folder string) int {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	keys, err := bus.LoadKeys(folder)
	if err != nil {
		log.Error("no keys", slog.Any("error", err))
		return 1
	}
	server, err := bus.StartEmbedded(bus.EmbeddedConfig{Keys: keys, Listen: "127.0.0.1:0", Log: log})
	if err != nil {
		log.Error("no server", slog.Any("error", err))
		return 1
	}
	defer server.Close()
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	fmt.Println("ready nats=" + hostPort(server.URL()))
	<-ended
	return 0
}
