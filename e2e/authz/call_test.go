package authz

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"tabuleiro/e2e/shapetest"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
)

// method is one of the contracts.
type method struct{ protoreflect.MethodDescriptor }

// find finds "play.v1.PlayService/Move".
func find(t *testing.T, name string) method {
	t.Helper()
	full := strings.Replace("tabuleiro."+name, "/", ".", 1)
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(full))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return method{found.(protoreflect.MethodDescriptor)}
}

// name is the way in which rows name it.
func (m method) name() string {
	service := strings.TrimPrefix(string(m.Parent().FullName()), "tabuleiro.")
	return service + "/" + string(m.Name())
}

// address is where the gateway serves it; empty for nowhere.
func (m method) address() (verb, path string) {
	rule, _ := proto.GetExtension(m.Options(), annotations.E_Http).(*annotations.HttpRule)
	switch pattern := rule.GetPattern().(type) {
	case *annotations.HttpRule_Get:
		return http.MethodGet, pattern.Get
	case *annotations.HttpRule_Post:
		return http.MethodPost, pattern.Post
	case *annotations.HttpRule_Delete:
		return http.MethodDelete, pattern.Delete
	case *annotations.HttpRule_Patch:
		return http.MethodPatch, pattern.Patch
	}
	return "", ""
}

// callGRPC calls as somebody and returns the code of the problem or "ok", and the
// answer.
func (w *world) callGRPC(t *testing.T, m method, who, body string) (string, proto.Message) {
	t.Helper()
	in := message(t, m.Input())
	if err := protojson.Unmarshal([]byte(body), in); err != nil {
		t.Fatalf("%s: %s: %v", m.name(), body, err)
	}
	out := message(t, m.Output())
	conn, ctx := w.conns[identity.Gateway], t.Context()
	switch {
	case w.people[who] != nil:
		ctx = identity.With(ctx, w.people[who].caller())
	case who == "guest":
		ctx = identity.With(ctx, identity.Caller{Guest: true, Session: w.guests})
	case who == "nobody":
		ctx = identity.With(ctx, identity.Caller{})
	default:
		conn = w.conns[who]
	}
	ctx = rpc.WithKey(ctx, shapetest.NewKey())
	if err := conn.Invoke(ctx, "/"+string(m.Parent().FullName())+"/"+string(m.Name()), in, out); err != nil {
		return rpc.ToProblem(err).Code, nil
	}
	return "ok", out
}

// callNarrowed calls as somebody who came with an access token.
func (w *world) callNarrowed(t *testing.T, m method, who, body string, scopes []string) (string, proto.Message) {
	t.Helper()
	p := *w.people[who]
	p.scopes = scopes
	w.people["token"] = &p
	defer delete(w.people, "token")
	return w.callGRPC(t, m, "token", body)
}

func message(t *testing.T, d protoreflect.MessageDescriptor) proto.Message {
	t.Helper()
	kind, err := protoregistry.GlobalTypes.FindMessageByName(d.FullName())
	if err != nil {
		t.Fatal(err)
	}
	return kind.New().Interface()
}

// callREST asks the gateway for a method as somebody.
func (w *world) callREST(t *testing.T, m method, who, body string) (string, []byte) {
	t.Helper()
	verb, path := m.address()
	var fields map[string]any
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		t.Fatalf("%s: %s: %v", m.name(), body, err)
	}
	for name, value := range fields {
		if text, ok := value.(string); ok && strings.Contains(path, "{"+name+"}") {
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(text), 1)
			delete(fields, name)
		}
		if number, ok := value.(float64); ok && strings.Contains(path, "{"+name+"}") {
			path = strings.Replace(path, "{"+name+"}", json.Number(strings.TrimSuffix(strings.TrimRight(jsonText(number), "0"), ".")).String(), 1)
			delete(fields, name)
		}
	}
	if verb == http.MethodGet || verb == http.MethodDelete {
		query := url.Values{}
		for name, value := range fields {
			query.Set(name, strings.Trim(jsonText(value), `"`))
		}
		if len(query) > 0 {
			path += "?" + query.Encode()
		}
		return w.ask(t, who, verb, path, "", "")
	}
	return w.ask(t, who, verb, path, "application/json", jsonText(fields))
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // of what came from JSON
	}
	return string(text)
}

// ask sends one request as somebody and returns the code of the problem or "ok".
// Of an event stream it reads nothing: what was decided stands in the status.
func (w *world) ask(t *testing.T, who, verb, path, kind, body string) (string, []byte) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, verb, w.shape.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if verb != http.MethodGet {
		req.Header.Set("Idempotency-Key", shapetest.NewKey())
	}
	switch {
	case w.people[who] != nil:
		req.Header.Set("Authorization", "Bearer "+w.people[who].token)
	case who == "guest":
		req.AddCookie(&http.Cookie{Name: "tabuleiro_guest", Value: w.guest})
	}
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode < 300 && response.Header.Get("Content-Type") == "text/event-stream" {
		return "ok", nil
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode < 300 {
		return "ok", text
	}
	var problem struct{ Code string }
	if err := json.Unmarshal(text, &problem); err != nil || problem.Code == "" {
		t.Errorf("%s %s as %s: status %d without a code: %.200s", verb, path, who, response.StatusCode, text)
	}
	return problem.Code, text
}

// verdict is the word for somebody in "self:ok guest:account_required
// else:forbidden".
func verdict(verdicts, who string) string {
	otherwise := ""
	for word := range strings.FieldsSeq(verdicts) {
		name, code, _ := strings.Cut(word, ":")
		if name == who {
			return code
		}
		if name == "else" {
			otherwise = code
		}
	}
	return otherwise
}
