// Package telemetry is how a process tells what it does: logs, metrics and the
// operator's own HTTP door.
package telemetry

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// LogConfig says how logs are written.
type LogConfig struct {
	// Format is "text" or "json"; empty means "text".
	Format string
	// Level is "debug", "info", "warn" or "error"; empty means "info".
	Level string
}

// NewLogger makes the logger of a process, with times in UTC.
func NewLogger(w io.Writer, cfg LogConfig) (*slog.Logger, error) {
	var level slog.Level
	if cfg.Level != "" {
		if err := level.UnmarshalText([]byte(cfg.Level)); err != nil {
			return nil, fmt.Errorf("log level %q: choose debug, info, warn or error", cfg.Level)
		}
	}
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: inUTC}
	switch strings.ToLower(cfg.Format) {
	case "", "text":
		return slog.New(slog.NewTextHandler(w, options)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return nil, fmt.Errorf("log format %q: choose text or json", cfg.Format)
}

func inUTC(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey && a.Value.Kind() == slog.KindTime {
		a.Value = slog.TimeValue(a.Value.Time().UTC())
	}
	return a
}
