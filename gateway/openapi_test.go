package gateway

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"tabuleiro/internal/rpc"
)

// undescribed are the addresses for people, which are no part of the interface.
var undescribed = []string{"GET /docs", "GET /docs/docs.js", "GET /docs/docs.css"}

// TestEveryRouteIsDescribed: a route that is served and not described, or
// described and not served, fails.
func TestEveryRouteIsDescribed(t *testing.T) {
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(openAPIDocument, &document); err != nil {
		t.Fatal(err)
	}
	var described []string
	for path, methods := range document.Paths {
		for method := range methods {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	w := newWorld(t, nil)
	var served []string
	for _, r := range w.gateway.routes() {
		if name := r.method + " " + r.path; !slices.Contains(undescribed, name) {
			served = append(served, name)
		}
	}
	served = append(served, annotated(t)...)
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("described and served differ\n described %v\n served    %v", described, served)
	}
	// What the contracts give an address is really registered here.
	for _, name := range annotated(t) {
		method, path, _ := strings.Cut(name, " ")
		path = parameter.ReplaceAllString(path, gameID)
		if _, text := w.call(t, method, path, ""); strings.Contains(text, `"code":"not_found"`) || strings.Contains(text, "method_not_allowed") {
			t.Errorf("%s is not served: %s", name, text)
		}
	}
}

// parameter is a part of an address that names something.
var parameter = regexp.MustCompile(`\{[a-z_]+\}`)

// annotated lists the addresses in the contracts.
func annotated(t *testing.T) []string {
	t.Helper()
	var list []string
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		if !strings.HasPrefix(string(file.Package()), "tabuleiro.") {
			return true
		}
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				rule, ok := proto.GetExtension(methods.Get(j).Options(), annotations.E_Http).(*annotations.HttpRule)
				if !ok || rule == nil {
					continue
				}
				switch pattern := rule.GetPattern().(type) {
				case *annotations.HttpRule_Get:
					list = append(list, "GET "+pattern.Get)
				case *annotations.HttpRule_Post:
					list = append(list, "POST "+pattern.Post)
				case *annotations.HttpRule_Delete:
					list = append(list, "DELETE "+pattern.Delete)
				case *annotations.HttpRule_Patch:
					list = append(list, "PATCH "+pattern.Patch)
				default:
					t.Errorf("%s: a method that this test does not know", methods.Get(j).FullName())
				}
			}
		}
		return true
	})
	if len(list) < 15 {
		t.Fatalf("only %d addresses in the contracts", len(list))
	}
	return list
}

// TestTheCatalogueIsDocumented: docs/problems.md has a row for every code.
func TestTheCatalogueIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/problems.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range rpc.Catalogue() {
		if !strings.Contains(string(text), "| `"+e.Code+"` |") {
			t.Errorf("docs/problems.md lacks `%s`", e.Code)
		}
	}
}
