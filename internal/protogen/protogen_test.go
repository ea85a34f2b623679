package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

const accessProto = `syntax = "proto3";
package tabuleiro.common.v1;
import "google/protobuf/descriptor.proto";
option go_package = "tabuleiro/proto/tabuleiro/common/v1;commonv1";
message Access { bool public = 1; bool guest = 2; bool account = 3; bool command = 6; }
extend google.protobuf.MethodOptions { Access access = 50001; }
`

const lampProto = `syntax = "proto3";
package tabuleiro.lamp.v1;
import "google/api/annotations.proto";
import "tabuleiro/common/v1/access.proto";
option go_package = "tabuleiro/proto/tabuleiro/lamp/v1;lampv1";
service LampService {
  // Turns the lamp on.
  rpc Light(LightRequest) returns (LightResponse) {
    option (google.api.http) = {post: "/v1/lamps/{lamp_id}/light" body: "*"};
    option (tabuleiro.common.v1.access) = {guest: true command: true};
  }
  rpc Hidden(LightRequest) returns (LightResponse);
}
message LightRequest { string lamp_id = 1; int32 warm_white = 2; }
message LightResponse {}
`

const baseJSON = `{"openapi": "3.0.3", "info": {"title": "Lamps", "version": "v1"},
"paths": {"/v1/stream": {"get": {"responses": {"200": {"description": "A stream."}}}}},
"components": {
  "parameters": {"IdempotencyKey": {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}},
  "securitySchemes": {
    "session": {"type": "http", "scheme": "bearer"},
    "bearer": {"type": "http", "scheme": "bearer"},
    "guest": {"type": "http", "scheme": "bearer"}},
  "responses": {"Problem": {"description": "Refused."}}}}`

// sources writes a small contract and its hand-written part.
func sources(t *testing.T) options {
	t.Helper()
	dir := t.TempDir()
	o := options{proto: filepath.Join(dir, "proto"), openapi: filepath.Join(dir, "openapi")}
	for name, content := range map[string]string{
		filepath.Join(o.proto, "tabuleiro/common/v1/access.proto"): accessProto,
		filepath.Join(o.proto, "tabuleiro/lamp/v1/lamp.proto"):     lampProto,
		filepath.Join(o.openapi, "base.json"):                      baseJSON,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func TestGenerateThenCheck(t *testing.T) {
	o := sources(t)
	if err := run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	o.check = true
	if err := run(t.Context(), o); err != nil {
		t.Errorf("just generated, but: %v", err)
	}
	raw, err := os.ReadFile(filepath.Join(o.openapi, "api.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc openapi3.T
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if got, want := doc.Paths.InMatchingOrder(), []string{"/v1/stream", "/v1/lamps/{lamp_id}/light"}; !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
	op := doc.Paths.Value("/v1/lamps/{lamp_id}/light").Post
	if got := len(*op.Security); got != 3 {
		t.Errorf("a guest's method names %d ways to be known, want 3", got)
	}
	if !slices.ContainsFunc(op.Parameters, func(p *openapi3.ParameterRef) bool {
		return p.Ref == "#/components/parameters/IdempotencyKey"
	}) {
		t.Error("a command without its key")
	}
	if op.Responses.Default().Ref != "#/components/responses/Problem" {
		t.Error("an operation without the problem as its default response")
	}
	if !strings.Contains(string(raw), "warm_white") {
		t.Error("fields are not in snake_case")
	}

	if err := os.WriteFile(filepath.Join(o.proto, "old.pb.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), o); err == nil {
		t.Error("a left-over file passed the check")
	}
}

func TestBaseConflict(t *testing.T) {
	doc := &openapi3.T{Paths: openapi3.NewPaths(), Components: &openapi3.Components{}}
	doc.Paths.Set("/v1/stream", &openapi3.PathItem{Get: openapi3.NewOperation()})
	if err := addBase(doc, []byte(baseJSON)); err == nil || !strings.Contains(err.Error(), "GET /v1/stream") {
		t.Errorf("got %v, want an error that names GET /v1/stream", err)
	}
}

func TestCompare(t *testing.T) {
	want := map[string][]byte{"a": []byte("1"), "b": []byte("2"), "c": []byte("3")}
	have := map[string][]byte{"a": []byte("1"), "b": []byte("old"), "d": nil}
	got := compare(want, have)
	if exp := []change{{"b", "outdated"}, {"c", "missing"}, {"d", "left over"}}; !slices.Equal(got, exp) {
		t.Errorf("got %v, want %v", got, exp)
	}
}

func TestImageMarksImports(t *testing.T) {
	src, err := compile(t.Context(), sources(t).proto)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "image.binpb")
	if err := src.writeImage(path); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(raw, &set); err != nil {
		t.Fatal(err)
	}
	for _, f := range set.File {
		ours := strings.HasPrefix(f.GetName(), "tabuleiro/")
		if marked := len(f.ProtoReflect().GetUnknown()) > 0; marked == ours {
			t.Errorf("%s: marked as import %t", f.GetName(), marked)
		}
	}
}

func TestUnknownImportIsNamed(t *testing.T) {
	o := sources(t)
	bad := `syntax = "proto3"; import "far/away.proto";`
	if err := os.WriteFile(filepath.Join(o.proto, "bad.proto"), []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "far/away.proto") {
		t.Errorf("got %v, want an error that names far/away.proto", err)
	}
}
