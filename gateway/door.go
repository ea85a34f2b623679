package gateway

import (
	"log/slog"
	"mime"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"tabuleiro/internal/rpc"
)

// contentPolicy lets a page load from here only.
const contentPolicy = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// restTime bounds the work for one request that is no stream.
const restTime = 15 * time.Second

// door is what every request passes: a name, a bound, a host that is ours, and
// no other site's hand.
func (g *Gateway) door(next http.Handler) http.Handler {
	cross := http.NewCrossOriginProtection()
	cross.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.fail(w, r, rpc.Fail("bad_origin", ""))
	}))
	inner := cross.Handler(g.checked(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := rpc.NewRequestID()
		r = r.WithContext(rpc.WithRequestID(r.Context(), id))
		h := w.Header()
		h.Set("X-Request-Id", id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if g.secure(r) {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		defer func() {
			switch cause := recover(); cause {
			case nil:
			case http.ErrAbortHandler:
				panic(cause)
			default:
				g.deps.Log.ErrorContext(r.Context(), "handler panicked", slog.String("request", id),
					slog.Any("cause", cause), slog.String("stack", string(debug.Stack())))
				g.fail(w, r, rpc.Fail("internal", ""))
			}
		}()
		if !g.knownHost(r.Host) {
			g.fail(w, r, rpc.Fail("bad_host", ""))
			return
		}
		// The same host over plain http may be somebody in between.
		if g.secure(r) && strings.HasPrefix(strings.ToLower(r.Header.Get("Origin")), "http://") {
			g.fail(w, r, rpc.Fail("bad_origin", ""))
			return
		}
		inner.ServeHTTP(w, r)
	})
}

// checked looks at what a request carries before anyone reads it.
func (g *Gateway) checked(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodTrace || r.Method == http.MethodConnect {
			g.fail(w, r, rpc.Fail("method_not_allowed", ""))
			return
		}
		if headerSize(r) > maxHeaders {
			g.fail(w, r, rpc.Fail("headers_too_large", "the headers of a request are at most 16 KiB"))
			return
		}
		if strings.HasPrefix(r.URL.Path, "/v1/") {
			w.Header().Set("Cache-Control", "no-store")
		}
		most, fits := int64(maxBody), isJSON
		if isUpload(r) {
			most, fits = maxUpload, isRecords
		}
		if r.ContentLength != 0 && !fits(r.Header.Get("Content-Type")) {
			g.fail(w, r, rpc.Fail("unsupported_media_type", ""))
			return
		}
		r.Body = &body{ReadCloser: http.MaxBytesReader(w, r.Body, most)}
		if keys := r.Header.Values("Idempotency-Key"); len(keys) > 0 {
			if len(keys) > 1 || !rpc.ValidKey(keys[0]) {
				g.fail(w, r, rpc.Fail("bad_key", ""))
				return
			}
			r = r.WithContext(rpc.WithKey(r.Context(), keys[0]))
		}
		next.ServeHTTP(w, r)
	})
}

// maxHeaders bounds the headers and the address of a request, in bytes. The
// server itself cuts off far more without a problem in JSON.
const maxHeaders = 16 << 10

func headerSize(r *http.Request) int {
	size := len(r.RequestURI)
	for name, values := range r.Header {
		for _, value := range values {
			size += len(name) + len(value) + 4 // ": " and the line's end
		}
	}
	return size
}

func isJSON(contentType string) bool {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "application/json" {
		return false
	}
	charset := params["charset"]
	return charset == "" || strings.EqualFold(charset, "utf-8")
}

// knownHost guards against names of others that were made to point here.
func (g *Gateway) knownHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	if slices.Contains(g.cfg.Hosts, "*") || slices.Contains(g.cfg.Hosts, name) {
		return true
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || net.ParseIP(name).IsLoopback()
}
