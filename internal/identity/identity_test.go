package identity

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func generate(t *testing.T, names ...string) *Keys {
	t.Helper()
	k, err := Generate(names...)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func signer(t *testing.T, k *Keys, name string) *Signer {
	t.Helper()
	s, err := k.Signer(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sign(t *testing.T, s *Signer, c Caller) string {
	t.Helper()
	token, err := s.Sign(c, noon)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestSignedCallersComeBackWhole(t *testing.T) {
	k := generate(t, Gateway, "play")
	for _, c := range []Caller{
		{Account: "a-1", Session: "s-1", Roles: []string{"learner", "operator"}, Scopes: []string{"board"}},
		{Guest: true, Session: "g-1"},
		{Guest: true, Session: "g-2", Lag: 120 * time.Millisecond},
		{Service: Gateway},
		{Service: "play"},
	} {
		name := Gateway
		if c.Service != "" {
			name = c.Service
		}
		got, err := k.Verify(sign(t, signer(t, k, name), c), noon.Add(Lifetime-time.Millisecond))
		if err != nil {
			t.Errorf("Verify(%+v): %v", c, err)
		}
		want := c
		want.Expires = noon.Add(Lifetime)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

func TestSignerSpeaksOnlyForItself(t *testing.T) {
	k := generate(t, Gateway, "play")
	play := signer(t, k, "play")
	for _, c := range []Caller{{Account: "a", Session: "s"}, {Guest: true, Session: "g"}, {Service: "accounts"}, {Service: Gateway}} {
		if token, err := play.Sign(c, noon); err == nil {
			t.Errorf("play signed %+v: %s", c, token)
		}
	}
	// A play that signs what its own code forbids is still refused on arrival.
	rogue := play.seal(callerPurpose, claims{Account: "a", Session: "s", Expires: noon.Add(Lifetime).UnixMilli()})
	if c, err := k.Verify(rogue, noon); !errors.Is(err, ErrInvalid) {
		t.Errorf("rogue token: got %+v, %v; want ErrInvalid", c, err)
	}
}

func TestSignRefusesWhatIsNobodyOrTwo(t *testing.T) {
	gateway := signer(t, generate(t, Gateway), Gateway)
	for _, c := range []Caller{
		{}, {Session: "s"}, {Guest: true}, {Account: "a", Guest: true, Session: "s"}, {Account: "a", Service: "play"},
		{Service: "play", Session: "s"}, {Guest: true, Session: "g", Roles: []string{"operator"}},
		{Service: Gateway, Lag: time.Second}, {Account: "a", Lag: -time.Second},
	} {
		if _, err := gateway.Sign(c, noon); !errors.Is(err, ErrCaller) {
			t.Errorf("Sign(%+v): got %v, want ErrCaller", c, err)
		}
	}
}

func TestVerifyRefuses(t *testing.T) {
	k, other := generate(t, Gateway, "play"), generate(t, Gateway)
	gateway := signer(t, k, Gateway)
	good := sign(t, gateway, Caller{Account: "a", Session: "s"})
	parts := strings.Split(good, ".")
	forged := base64.RawURLEncoding.EncodeToString([]byte(`{"a":"a","s":"s","r":["operator"],"e":9999999999999}`))
	for name, tc := range map[string]struct {
		token string
		now   time.Time
		want  error
	}{
		"expired":            {good, noon.Add(Lifetime), ErrExpired},
		"empty":              {"", noon, ErrInvalid},
		"no dots":            {"gateway", noon, ErrInvalid},
		"one dot":            {"gateway.x", noon, ErrInvalid},
		"payload changed":    {parts[0] + "." + forged + "." + parts[2], noon, ErrInvalid},
		"signer changed":     {"play." + parts[1] + "." + parts[2], noon, ErrInvalid},
		"unknown signer":     {"nobody." + parts[1] + "." + parts[2], noon, ErrInvalid},
		"signature cut":      {good[:len(good)-1], noon, ErrInvalid},
		"no signature":       {parts[0] + "." + parts[1] + ".", noon, ErrInvalid},
		"other installation": {sign(t, signer(t, other, Gateway), Caller{Account: "a", Session: "s"}), noon, ErrInvalid},
		"a guest's cookie":   {gateway.SignGuest("g", noon, time.Hour), noon, ErrInvalid},
		"too long":           {good + strings.Repeat("A", maxToken), noon, ErrInvalid},
		"unknown claim":      {gateway.sealBytes(callerPurpose, []byte(`{"a":"a","e":9999999999999,"root":true}`)), noon, ErrInvalid},
	} {
		if c, err := k.Verify(tc.token, tc.now); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %+v, %v; want %v", name, c, err, tc.want)
		}
	}
}

// Every single changed character makes a token invalid.
func TestVerifyRefusesEveryTampering(t *testing.T) {
	k := generate(t, Gateway)
	good := sign(t, signer(t, k, Gateway), Caller{Account: "a", Session: "s"})
	for i := range good {
		bad := []byte(good)
		bad[i] ^= 1
		if c, err := k.Verify(string(bad), noon); err == nil {
			t.Errorf("character %d changed: got %+v", i, c)
		}
	}
}

func TestGuestTokens(t *testing.T) {
	k := generate(t, Gateway, "play")
	gateway := signer(t, k, Gateway)
	token := gateway.SignGuest("g-1", noon, time.Hour)
	if id, err := k.VerifyGuest(token, noon.Add(time.Hour-time.Millisecond)); id != "g-1" || err != nil {
		t.Errorf("got %q, %v; want g-1", id, err)
	}
	for name, tc := range map[string]struct {
		token string
		now   time.Time
		want  error
	}{
		"expired":        {token, noon.Add(time.Hour), ErrExpired},
		"a caller":       {sign(t, gateway, Caller{Guest: true, Session: "g-1"}), noon, ErrInvalid},
		"another signer": {signer(t, k, "play").SignGuest("g-1", noon, time.Hour), noon, ErrInvalid},
		"nobody":         {gateway.SignGuest("", noon, time.Hour), noon, ErrInvalid},
	} {
		if id, err := k.VerifyGuest(tc.token, tc.now); !errors.Is(err, tc.want) {
			t.Errorf("%s: got %q, %v; want %v", name, id, err, tc.want)
		}
	}
}

func TestPlayerAndRoles(t *testing.T) {
	for _, tc := range []struct {
		caller Caller
		player string
		has    bool
	}{
		{Caller{Account: "a", Session: "s", Roles: []string{"operator"}}, "a", true},
		{Caller{Guest: true, Session: "g", Roles: []string{"operator"}}, "guest:g", false},
		{Caller{Service: "play", Roles: []string{"operator"}}, "", false},
		{Caller{}, "", false},
	} {
		if got := tc.caller.Player(); got != tc.player {
			t.Errorf("%+v.Player() = %q, want %q", tc.caller, got, tc.player)
		}
		if got := tc.caller.Has("operator"); got != tc.has {
			t.Errorf("%+v.Has(operator) = %v, want %v", tc.caller, got, tc.has)
		}
	}
	if c, ok := From(context.Background()); ok {
		t.Errorf("From an empty context: %+v", c)
	}
	if c, ok := From(With(context.Background(), Caller{Account: "a"})); !ok || c.Account != "a" {
		t.Errorf("From(With(a)) = %+v, %v", c, ok)
	}
}

func TestLoadKeysKeepsWhatItMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	first, err := LoadKeys(dir, []string{Gateway, "play"})
	if err != nil {
		t.Fatal(err)
	}
	token := sign(t, signer(t, first, Gateway), Caller{Guest: true, Session: "g"})
	for path, want := range map[string]os.FileMode{
		dir: 0o700, filepath.Join(dir, "gateway.key"): 0o600, filepath.Join(dir, "gateway.pub"): 0o644,
	} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
	second, err := LoadKeys(dir, []string{"play"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := second.Verify(token, noon); err != nil {
		t.Errorf("a later process refuses the token: %v", err)
	}
	if _, err := second.Signer(Gateway); err == nil {
		t.Error("a process got a signer that it did not ask for")
	}
	if got, want := second.Names(), []string{Gateway, "play"}; !reflect.DeepEqual(got, want) {
		t.Errorf("Names() = %v, want %v", got, want)
	}
}

func TestKeyThatArrivesLaterIsFound(t *testing.T) {
	dir := t.TempDir()
	early, err := LoadKeys(dir, []string{"play"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := early.Verify("gateway.e30.AA", noon); !errors.Is(err, ErrInvalid) {
		t.Fatalf("got %v, want ErrInvalid", err)
	}
	late, err := LoadKeys(dir, []string{Gateway})
	if err != nil {
		t.Fatal(err)
	}
	token := sign(t, signer(t, late, Gateway), Caller{Service: Gateway})
	if _, err := early.Verify(token, noon.Add(2*time.Second)); err != nil {
		t.Errorf("token of the late signer: %v", err)
	}
}

// TestKeysThatArriveTogetherAreFound: after the first new signer the others were
// refused for a second, so that calls failed while a cluster started.
func TestKeysThatArriveTogetherAreFound(t *testing.T) {
	dir := t.TempDir()
	early, err := LoadKeys(dir, []string{"accounts"})
	if err != nil {
		t.Fatal(err)
	}
	late, err := LoadKeys(dir, []string{Gateway, "play", "tutor"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{Gateway, "play", "tutor"} {
		if _, err := early.Verify(sign(t, signer(t, late, name), Caller{Service: name}), noon); err != nil {
			t.Errorf("token of %s: %v", name, err)
		}
	}
}

func TestLoadKeysRefuses(t *testing.T) {
	write := func(t *testing.T, path, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		spoil func(t *testing.T, dir string)
		own   string
		want  string
	}{
		"a key for all eyes": {func(t *testing.T, dir string) {
			if err := os.Chmod(filepath.Join(dir, "play.key"), 0o604); err != nil {
				t.Fatal(err)
			}
		}, "play", "chmod 600"},
		"a key that is none": {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "play.key"), "x", 0o600) }, "play", "private key"},
		"a public half that is none": {func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "gateway.pub"), "x", 0o644)
		}, "play", "public key"},
		"halves of two keys": {func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "play.key")); err != nil {
				t.Fatal(err)
			}
		}, "play", "does not belong"},
		"a name that leaves the folder": {func(*testing.T, string) {}, "../play", "no name"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := LoadKeys(dir, []string{"play", Gateway}); err != nil {
				t.Fatal(err)
			}
			tc.spoil(t, dir)
			if _, err := LoadKeys(dir, []string{tc.own}); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// Processes that start together in an empty folder end with one key.
func TestLoadKeysAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	all := make([]*Keys, 8)
	var wg sync.WaitGroup
	for i := range all {
		wg.Go(func() {
			k, err := LoadKeys(dir, []string{"play"})
			if err != nil {
				t.Error(err)
			}
			all[i] = k
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	for _, k := range all {
		token := sign(t, signer(t, k, "play"), Caller{Service: "play"})
		if _, err := all[0].Verify(token, noon); err != nil {
			t.Errorf("two keys were made: %v", err)
		}
	}
}

func FuzzVerify(f *testing.F) {
	k, err := Generate(Gateway)
	if err != nil {
		f.Fatal(err)
	}
	s, err := k.Signer(Gateway)
	if err != nil {
		f.Fatal(err)
	}
	good, err := s.Sign(Caller{Service: Gateway}, noon)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add("gateway..")
	f.Fuzz(func(t *testing.T, token string) {
		if c, err := k.Verify(token, noon); err == nil && token != good {
			t.Errorf("Verify(%q) = %+v", token, c)
		}
	})
}

// The same Caller is signed once for a while; every token that is given out holds
// for half of its life at least, and says nothing but what it was asked for.
func TestSignedAgain(t *testing.T) {
	k := generate(t, Gateway)
	gateway := signer(t, k, Gateway)
	at := func(c Caller, now time.Time) (string, time.Time) {
		t.Helper()
		token, err := gateway.Sign(c, now)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.Verify(token, now)
		if err != nil {
			t.Fatal(err)
		}
		expires := got.Expires
		got.Expires = time.Time{}
		if !reflect.DeepEqual(got, c) {
			t.Errorf("got %+v, want %+v", got, c)
		}
		return token, expires
	}
	a := Caller{Account: "a", Session: "s", Roles: []string{"learner"}}
	first, _ := at(a, noon)
	if again, _ := at(a, noon.Add(renewAfter-1)); again != first {
		t.Error("signed anew within half of its life")
	}
	if later, expires := at(a, noon.Add(renewAfter)); later == first || expires != noon.Add(renewAfter+Lifetime) {
		t.Errorf("after half of its life: the same is %v, ends at %v", later == first, expires)
	}
	if _, expires := at(a, noon.Add(-time.Second)); expires != noon.Add(Lifetime-time.Second) {
		t.Errorf("a clock that went back: ends at %v", expires)
	}
	for _, other := range []Caller{
		{Account: "a", Session: "s"},
		{Account: "a", Session: "s2", Roles: a.Roles},
		{Account: "a", Session: "s", Roles: []string{"learner", "operator"}},
		{Account: "a", Session: "s", Roles: a.Roles, Scopes: []string{"board"}},
		{Account: "a", Session: "s", Roles: a.Roles, Lag: time.Millisecond},
	} {
		if token, _ := at(other, noon); token == first {
			t.Errorf("%+v has the token of %+v", other, a)
		}
	}
}

// What was found right once is right until it ends, and nothing else is.
func TestVerifiedAgain(t *testing.T) {
	k := generate(t, Gateway)
	good := sign(t, signer(t, k, Gateway), Caller{Account: "a", Session: "s", Roles: []string{"learner"}})
	for range 2 {
		got, err := k.Verify(good, noon)
		if err != nil || !reflect.DeepEqual(got.Roles, []string{"learner"}) {
			t.Fatalf("got %+v, %v", got, err)
		}
		got.Roles[0] = "operator" // nobody else gets to see that
	}
	for i := range good {
		bad := []byte(good)
		bad[i] ^= 1
		if c, err := k.Verify(string(bad), noon); err == nil {
			t.Errorf("character %d changed: got %+v", i, c)
		}
	}
	if c, err := k.Verify(good, noon.Add(Lifetime)); !errors.Is(err, ErrExpired) {
		t.Errorf("after its end: got %+v, %v", c, err)
	}
}

func TestMemoIsBounded(t *testing.T) {
	var m memo[int]
	for i := range 5*memoSize + 1 {
		m.put(string(rune(i)), i)
	}
	if n := len(m.now) + len(m.before); n > 2*memoSize {
		t.Errorf("%d are remembered", n)
	}
	if v, ok := m.get(string(rune(5 * memoSize))); !ok || v != 5*memoSize {
		t.Errorf("the newest: %d, %v", v, ok)
	}
	if _, ok := m.get(string(rune(1))); ok {
		t.Error("the oldest is remembered")
	}
}
