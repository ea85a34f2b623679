package gateway

import (
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tabuleiro/internal/rpc"
)

// problemJSON is a problem as RFC 9457 has it, with our own members.
type problemJSON struct {
	Code      string      `json:"code"`
	Title     string      `json:"title"`
	Status    int         `json:"status"`
	Detail    string      `json:"detail,omitempty"`
	Fields    []fieldJSON `json:"fields,omitempty"`
	Squares   []string    `json:"squares,omitempty"`
	Moves     []string    `json:"moves,omitempty"`
	Ways      []rpc.Way   `json:"ways,omitempty"`
	Lessons   []string    `json:"lessons,omitempty"`
	Classes   []string    `json:"classes,omitempty"`
	RequestID string      `json:"request_id"`
}

type fieldJSON struct {
	Field  string `json:"field"`
	Code   string `json:"code"`
	Detail string `json:"detail,omitempty"`
}

// fail answers with the problem that an error holds.
func (g *Gateway) fail(w http.ResponseWriter, r *http.Request, err error) {
	problem := rpc.ToProblem(err)
	if problem.Code == "cancelled" && r.Context().Err() == nil {
		// The client did not give up: the gateway is stopping.
		problem = rpc.Fail("unavailable", "")
	}
	entry, ok := rpc.Lookup(problem.Code)
	if !ok {
		problem = rpc.Fail("internal", "")
		entry, _ = rpc.Lookup("internal")
	}
	id := rpc.RequestID(r.Context())
	if _, told := rpc.ProblemOf(err); !told && problem.Code == "internal" {
		g.deps.Log.ErrorContext(r.Context(), "request failed", slog.String("request", id),
			slog.String("path", r.URL.Path), slog.Any("error", err))
	}
	out := problemJSON{
		Code: problem.Code, Title: entry.Title, Status: entry.Status, Detail: problem.Detail,
		Squares: problem.Squares, Moves: problem.Moves, Ways: problem.Ways, Lessons: problem.Lessons, Classes: problem.Classes, RequestID: id,
	}
	for _, f := range problem.Fields {
		out.Fields = append(out.Fields, fieldJSON{Field: f.Name, Code: f.Code, Detail: f.Detail})
	}
	text, err := json.Marshal(out)
	if err != nil { // strings and numbers always marshal
		text = []byte(`{"code":"internal"}`)
	}
	if problem.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(problem.RetryAfter.Seconds()))))
	} else if entry.Status == http.StatusTooManyRequests || entry.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(entry.Status)
	_, _ = w.Write(append(text, '\n')) // a client that is gone needs no answer
}

// restError answers for the generated handlers.
func (g *Gateway) restError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, err error) {
	if b, ok := r.Body.(*body); ok && b.problem != nil {
		g.fail(w, r, b.problem)
		return
	}
	if _, ok := rpc.ProblemOf(err); !ok && status.Code(err) == codes.InvalidArgument {
		// The generated handlers could not read a parameter of the address.
		g.fail(w, r, rpc.Fail("bad_request", "a parameter of the address cannot be read"))
		return
	}
	g.fail(w, r, err)
}

// routingError answers where no generated handler fits.
func (g *Gateway) routingError(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, httpStatus int) {
	own := slices.ContainsFunc(g.routes(), func(o route) bool { return o.path == r.URL.Path })
	switch {
	case own, httpStatus == http.StatusMethodNotAllowed:
		g.fail(w, r, rpc.Fail("method_not_allowed", ""))
	case httpStatus == http.StatusBadRequest:
		g.fail(w, r, rpc.Fail("bad_request", ""))
	default:
		g.fail(w, r, rpc.Fail("not_found", ""))
	}
}

// problems lists the catalogue.
func (g *Gateway) problems(w http.ResponseWriter, _ *http.Request) {
	type entry struct {
		Code   string `json:"code"`
		Title  string `json:"title"`
		Status int    `json:"status"`
	}
	var list []entry
	for _, e := range rpc.Catalogue() {
		list = append(list, entry{e.Code, e.Title, e.Status})
	}
	writeJSON(w, http.StatusOK, map[string]any{"problems": list})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil { // only plain values come here
		status, text = http.StatusInternalServerError, []byte("{}")
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n'))
}
