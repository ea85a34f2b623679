package identity

import (
	"bytes"
	"errors"
	"testing"
)

func TestSealing(t *testing.T) {
	dir := t.TempDir()
	sealer := func(purpose string) *Sealer {
		t.Helper()
		keys, err := LoadKeys(dir, []string{"accounts"})
		if err != nil {
			t.Fatal(err)
		}
		s, err := keys.Sealer("accounts", purpose)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	secret := []byte("a secret of twenty b")
	first := sealer("factors")
	sealed := first.Seal("ana", secret)
	if bytes.Contains(sealed, secret) {
		t.Error("the secret can be read")
	}
	if bytes.Equal(sealed, first.Seal("ana", secret)) {
		t.Error("two of the same secret look alike")
	}
	// Another process, or the same after a restart.
	if got, err := sealer("factors").Open("ana", sealed); err != nil || !bytes.Equal(got, secret) {
		t.Errorf("opened %q, %v", got, err)
	}
	for name, open := range map[string]func() ([]byte, error){
		"another's":       func() ([]byte, error) { return first.Open("bia", sealed) },
		"another purpose": func() ([]byte, error) { return sealer("others").Open("ana", sealed) },
		"changed":         func() ([]byte, error) { return first.Open("ana", append(bytes.Clone(sealed), 0)) },
		"cut":             func() ([]byte, error) { return first.Open("ana", sealed[:5]) },
	} {
		if _, err := open(); !errors.Is(err, ErrSealed) {
			t.Errorf("%s: got %v, want ErrSealed", name, err)
		}
	}
	if first.Mark("10.0.0.1 ana") != sealer("factors").Mark("10.0.0.1 ana") || first.Mark("10.0.0.1 ana") == sealer("others").Mark("10.0.0.1 ana") {
		t.Error("a mark is of its text and key")
	}
	keys, err := LoadKeys(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := keys.Sealer("accounts", "factors"); err == nil {
		t.Error("sealed without the private key")
	}
}
