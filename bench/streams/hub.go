package streams

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
)

// maxFrame bounds what the raw hub spreads at once, in bytes.
const maxFrame = 1 << 20

// RawHub is what the gateway is compared with: a server that hands every body
// posted to it on to all who listen, as it came, and knows nothing. It prints its
// address and runs until its input ends.
func RawHub() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	var mu sync.Mutex
	all := map[chan []byte]struct{}{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) {
		frames := make(chan []byte, 64)
		mu.Lock()
		all[frames] = struct{}{}
		mu.Unlock()
		defer func() {
			mu.Lock()
			delete(all, frames)
			mu.Unlock()
		}()
		control := http.NewResponseController(w)
		w.Header().Set("Content-Type", "text/event-stream")
		if _, err := io.WriteString(w, "retry: 1000\n\n"); err != nil || control.Flush() != nil {
			return
		}
		for {
			select {
			case <-r.Context().Done():
				return
			case f := <-frames:
				if _, err := w.Write(f); err != nil || control.Flush() != nil {
					return
				}
			}
		}
	})
	mux.HandleFunc("POST /spread", func(w http.ResponseWriter, r *http.Request) {
		f, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxFrame))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		for frames := range all {
			select {
			case frames <- f:
			default: // a raw hub forgets
			}
		}
	})
	server := &http.Server{Handler: mux}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = server.Close()
	}()
	fmt.Printf("ready http=%s\n", listener.Addr())
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}
