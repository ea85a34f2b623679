package rpc

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"tabuleiro/internal/identity"
	_ "tabuleiro/proto/tabuleiro/accounts/v1"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	_ "tabuleiro/proto/tabuleiro/play/v1"
	_ "tabuleiro/proto/tabuleiro/rules/v1"
	_ "tabuleiro/proto/tabuleiro/search/v1"
	_ "tabuleiro/proto/tabuleiro/tutor/v1"
)

// personal lists the methods that people call and that are not public: those with
// a verdict about access tokens.
func personal() []string {
	var list []string
	protoregistry.GlobalFiles.RangeFiles(func(file protoreflect.FileDescriptor) bool {
		if !strings.HasPrefix(string(file.Package()), "tabuleiro.") {
			return true
		}
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				method := service.Methods().Get(j)
				access, _ := proto.GetExtension(method.Options(), commonv1.E_Access).(*commonv1.Access)
				if !access.GetPublic() && (access.GetAccount() || access.GetGuest() || len(access.GetRoles()) > 0) {
					list = append(list, "/"+string(service.FullName())+"/"+string(method.Name()))
				}
			}
		}
		return true
	})
	slices.Sort(list)
	return list
}

// A new method needs a verdict: which scope lets an access token call it, or that
// none does.
func TestEveryMethodHasAVerdictAboutAccessTokens(t *testing.T) {
	methods := personal()
	if len(methods) < 30 {
		t.Fatalf("only %d methods were found", len(methods))
	}
	for _, method := range methods {
		if _, decided := scopes[method]; !decided {
			t.Errorf("%s has no verdict in scopes.go", method)
		}
	}
	for method, scope := range scopes {
		if !slices.Contains(methods, method) {
			t.Errorf("%s has a verdict and is no method that people call", method)
		}
		if scope != NoToken && !slices.Contains(identity.Scopes(), scope) {
			t.Errorf("%s needs the scope %q, which there is not", method, scope)
		}
	}
}

// What reads needs no scope that writes, and what changes something none that
// reads.
func TestScopesThatReadChangeNothing(t *testing.T) {
	for _, method := range slices.Sorted(maps.Keys(scopes)) {
		scope := scopes[method]
		m := readMethod(method)
		if m.access.GetCommand() && strings.HasSuffix(scope, ":read") {
			t.Errorf("%s is a command and needs only %s", method, scope)
		}
		rule := ruleOf(method)
		if rule.GetGet() != "" && scope != NoToken && !strings.HasSuffix(scope, ":read") {
			t.Errorf("%s reads and needs %s", method, scope)
		}
	}
}

func ruleOf(full string) *annotations.HttpRule {
	service, name, _ := strings.Cut(strings.TrimPrefix(full, "/"), "/")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service + "." + name))
	if err != nil {
		return nil
	}
	rule, _ := proto.GetExtension(found.Options(), annotations.E_Http).(*annotations.HttpRule)
	return rule
}

func TestAnAccessTokenIsHeldToItsScopes(t *testing.T) {
	person := identity.Caller{Account: "a", Session: "s"}
	narrowed := func(scopes ...string) identity.Caller {
		c := person
		c.Scopes = scopes
		return c
	}
	const move, me, password = "/tabuleiro.play.v1.PlayService/Move", "/tabuleiro.accounts.v1.AccountsService/GetMe", "/tabuleiro.accounts.v1.AccessService/ChangePassword"
	for _, tc := range []struct {
		method string
		caller identity.Caller
		allow  bool
	}{
		{move, person, true}, {password, person, true},
		{move, narrowed("games:play"), true}, {move, narrowed("games:read"), false}, {move, narrowed("account:read", "games:play"), true},
		{me, narrowed("account:read"), true}, {me, narrowed("games:read"), false},
		{password, narrowed(identity.Scopes()...), false},
		{"/tabuleiro.accounts.v1.AccountsService/Register", narrowed("games:read"), true}, // public
		{"/tabuleiro.play.v1.PlayService/NoSuchMethod", narrowed(identity.Scopes()...), false},
	} {
		problem := narrow(readMethod(tc.method), tc.caller)
		if (problem == nil) != tc.allow || problem != nil && problem.Code != "scope_missing" {
			t.Errorf("%s with %v: %v, want allowed %v", tc.method, tc.caller.Scopes, problem, tc.allow)
		}
	}
}
