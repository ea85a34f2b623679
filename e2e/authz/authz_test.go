package authz

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"tabuleiro/gateway"
	"tabuleiro/internal/identity"
	_ "tabuleiro/proto/tabuleiro/search/v1" // the others are linked anyway
)

// Who may call what: every row as everybody, over gRPC and, where the method has
// an address, over REST.
func TestAuthorization(t *testing.T) {
	w := newWorld(t)
	w.pairBoards()
	for _, r := range rows {
		name := r.method
		if r.about != "" {
			name += " " + r.about
		}
		t.Run(name, func(t *testing.T) {
			m := find(t, r.method)
			made := arranged{w: w, row: r, by: map[scene]fixture{}}
			for _, who := range everyone {
				want := verdict(r.verdicts, who)
				f := made.fixture(who)
				got, out := w.callGRPC(t, m, who, f.fill(r.body))
				if got != want {
					t.Errorf("%s hears %s over gRPC, want %s", who, got, want)
				}
				made.after(who, got, gameIn(out))
			}
			tokens(t, &made, m)
			if verb, path := m.address(); verb != "" {
				for _, who := range append([]string{"guest", "nobody"}, persons...) {
					f := made.fixture(who)
					got, text := w.callREST(t, m, who, f.fill(r.body))
					if want := verdict(r.verdicts, visitor(who, path)); got != want {
						t.Errorf("%s hears %s over REST, want %s: %.300s", who, got, want, text)
					}
					made.after(who, got, "")
				}
				for _, who := range boards {
					f := made.fixture(who)
					got, text := w.callREST(t, m, who, f.fill(r.body))
					if want := verdict(r.boards, who); got != want {
						t.Errorf("a board (%s) hears %s, want %s: %.300s", who, got, want, text)
					}
					made.after(who, got, "")
				}
			}
			made.end()
		})
	}
}

// tokens: whoever may call with a session may with an access token that has the
// scopes, and with no other.
func tokens(t *testing.T, made *arranged, m method) {
	r := made.row
	owner := slices.IndexFunc(persons, func(who string) bool { return verdict(r.verdicts, who) == "ok" })
	if owner < 0 || verdict(r.verdicts, "nobody") == "ok" {
		return // no person may, or everybody
	}
	who := persons[owner]
	type token struct {
		scopes []string
		want   string
	}
	needs := strings.Fields(r.scope)
	tries := []token{{slices.DeleteFunc(identity.Scopes(), func(s string) bool { return slices.Contains(needs, s) }), "scope_missing"}}
	if len(needs) > 0 {
		tries = append(tries, token{needs, "ok"})
	}
	for i := range needs {
		tries = append(tries, token{slices.DeleteFunc(identity.Scopes(), func(s string) bool { return s == needs[i] }), "scope_missing"})
	}
	for _, c := range tries {
		f := made.fixture(who)
		got, out := made.w.callNarrowed(t, m, who, f.fill(r.body), c.scopes)
		if got != c.want {
			t.Errorf("%s with an access token for %v hears %s, want %s", who, c.scopes, got, c.want)
		}
		made.after(who, got, gameIn(out))
	}
}

// What stands beside the service has its scopes here: no token may do it but for
// these.
func TestAccessTokensOfClassesAndPrivacy(t *testing.T) {
	w := newWorld(t)
	may := map[string]string{"GetClass": "class:read", "ListClasses": "class:read", "ListRelations": "account:read"}
	for _, m := range methods() {
		service := m.Parent().Name()
		if service != "ClassesService" && service != "PrivacyService" {
			continue
		}
		name := string(m.Name())
		for _, who := range []string{"teacher", "operator"} {
			scopes := slices.DeleteFunc(identity.Scopes(), func(s string) bool { return s == may[name] })
			got, _ := w.callNarrowed(t, m, who, "{}", scopes)
			want := "scope_missing"
			if full, _ := w.callGRPC(t, m, who, "{}"); full == "forbidden" {
				want = full
			}
			if name == "UseAccessCode" { // public
				want = "fields_missing"
			}
			if got != want {
				t.Errorf("%s as %s with an access token for %v: %s, want %s", m.name(), who, scopes, got, want)
			}
		}
		if scope := may[name]; scope != "" {
			body := map[string]string{"GetClass": `{"class":"` + w.class + `"}`}[name]
			if got, _ := w.callNarrowed(t, m, "teacher", cmp.Or(body, "{}"), []string{scope}); got != "ok" {
				t.Errorf("%s with an access token for %s: %s", m.name(), scope, got)
			}
		}
	}
}

// visitor: where games are concerned the gateway takes everybody who is nobody
// for a guest.
func visitor(who, path string) string {
	if who == "nobody" && (path == "/v1/games" || strings.HasPrefix(path, "/v1/games/")) {
		return "guest"
	}
	return who
}

// arranged are the fixtures of one row.
type arranged struct {
	w   *world
	row row
	by  map[scene]fixture
}

func (a *arranged) fixture(who string) fixture {
	s := sceneOf(who)
	if a.by[s] == nil && a.row.arrange != nil {
		a.by[s] = a.row.arrange(a.w, s)
	}
	return a.by[s]
}

// after throws away what a call has changed; made is the game that it made.
func (a *arranged) after(who, code, made string) {
	if verb, _ := find(a.w.t, a.row.method).address(); code != "ok" || verb == http.MethodGet {
		return
	}
	if made != "" && a.w.people[who] != nil {
		a.w.drop(made, who)
	}
	a.forget(sceneOf(who))
}

func (a *arranged) forget(s scene) {
	if game := a.by[s]["game"]; game != "" {
		a.w.drop(game, s.self, s.opponent, "classmate")
	}
	if tournament := a.by[s]["tournament"]; tournament != "" {
		a.w.ask(a.w.t, cmp.Or(a.by[s]["organiser"], "teacher"), http.MethodPost, "/v1/tournaments/"+tournament+"/cancel", "application/json", "{}")
	}
	if collection := a.by[s]["collection"]; collection != "" {
		a.w.ask(a.w.t, cmp.Or(a.by[s]["owner"], "self"), http.MethodPost, "/v1/collections/"+collection+"/delete", "application/json", "{}")
	}
	delete(a.by, s)
}

func (a *arranged) end() {
	for s := range a.by {
		a.forget(s)
	}
}

// gameIn is the id of the game in an answer; empty for none.
func gameIn(out proto.Message) string {
	if out == nil {
		return ""
	}
	m := out.ProtoReflect()
	for _, name := range []protoreflect.Name{"next", "game"} {
		field := m.Descriptor().Fields().ByName(name)
		if field == nil || field.Message() == nil || !m.Has(field) {
			continue
		}
		game := m.Get(field).Message()
		return game.Get(game.Descriptor().Fields().ByName("id")).String()
	}
	return ""
}

// elsewhere has the verdicts on whole services that stand beside them, because
// they need more of a school than can be seen from outside.
const elsewhere = "../../services/accounts/authorization_test.go"

// TestEveryMethodHasVerdicts fails for a method that nobody has decided on, here
// or beside its service.
func TestEveryMethodHasVerdicts(t *testing.T) {
	decided := keys(t, elsewhere, "verdicts")
	if len(decided) < 20 {
		t.Fatalf("only %d verdicts in %s", len(decided), elsewhere)
	}
	served := selectors(t, elsewhere) // which services it goes through
	all := 0
	for _, m := range methods() {
		all++
		here := slices.ContainsFunc(rows, func(r row) bool { return r.method == m.name() })
		there := slices.Contains(served, string(m.Parent().Name())+"_ServiceDesc") && slices.Contains(decided, string(m.Name()))
		switch {
		case here && there:
			t.Errorf("%s has verdicts here and in %s", m.name(), elsewhere)
		case !here && !there:
			t.Errorf("%s has no verdicts: give it a row in rows_test.go", m.name())
		}
	}
	if all < 80 {
		t.Errorf("only %d methods were found", all)
	}
	for _, r := range rows {
		find(t, r.method)
		for _, who := range everyone {
			if verdict(r.verdicts, who) == "" {
				t.Errorf("%s %s: no verdict for %s", r.method, r.about, who)
			}
		}
		verb, _ := find(t, r.method).address()
		for _, who := range boards {
			if (verdict(r.boards, who) == "") != (verb == "") {
				t.Errorf("%s %s: the verdict for a board (%s) is %q", r.method, r.about, who, verdict(r.boards, who))
			}
		}
	}
}

// TestEveryRouteHasVerdicts fails for an address of the gateway that nobody has
// decided on.
func TestEveryRouteHasVerdicts(t *testing.T) {
	list := gateway.Routes()
	for _, name := range list {
		if !slices.ContainsFunc(routes, func(r route) bool { return r.name == name }) {
			t.Errorf("%s has no verdicts: give it a row in routes_test.go", name)
		}
	}
	for _, r := range routes {
		if !slices.Contains(list, r.name) {
			t.Errorf("%s is not served", r.name)
		}
		for _, who := range boards {
			if verdict(r.boards, who) == "" {
				t.Errorf("%s %s: no verdict for a board (%s)", r.name, r.about, who)
			}
		}
	}
}

// methods lists all methods of the contracts.
func methods() []method {
	var list []method
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		if !strings.HasPrefix(string(file.Package()), "tabuleiro.") {
			return true
		}
		for i := range file.Services().Len() {
			all := file.Services().Get(i).Methods()
			for j := range all.Len() {
				list = append(list, method{all.Get(j)})
			}
		}
		return true
	})
	return list
}

func parse(t *testing.T, file string) *ast.File {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// keys are the texts before the colons of a map in a file.
func keys(t *testing.T, file, variable string) []string {
	var list []string
	ast.Inspect(parse(t, file), func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Names) != 1 || spec.Names[0].Name != variable || len(spec.Values) != 1 {
			return true
		}
		for _, e := range spec.Values[0].(*ast.CompositeLit).Elts {
			key, err := strconv.Unquote(e.(*ast.KeyValueExpr).Key.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, key)
		}
		return false
	})
	return list
}

// selectors are the names that a file uses of other packages.
func selectors(t *testing.T, file string) []string {
	var list []string
	ast.Inspect(parse(t, file), func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			list = append(list, s.Sel.Name)
		}
		return true
	})
	return list
}
