package identity

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// rereadEvery bounds how often one unknown signer makes Verify look at the
	// folder, maxUnknown how many are remembered.
	rereadEvery = time.Second
	maxUnknown  = 64
)

var signerName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// Keys holds the own private keys and everyone's public ones. It is safe for
// concurrent use.
type Keys struct {
	dir string // empty: only what is in memory
	own map[string]ed25519.PrivateKey

	mu     sync.RWMutex
	all    map[string]ed25519.PublicKey
	reread map[string]time.Time // by signer: several may be new at once

	// verified are Callers by the tokens that prove them: only those whose signature
	// was found right.
	verified memo[Caller]
}

// LoadKeys reads every public key of the folder (NAME.pub) and the private keys
// of the own signers (NAME.key, 0600), making those that are missing. A signer
// whose public key arrives later is found when its first token is verified.
func LoadKeys(dir string, own []string) (*Keys, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of keys: %w", err)
	}
	k := &Keys{dir: dir, own: map[string]ed25519.PrivateKey{}}
	for _, name := range own {
		key, err := loadOwn(dir, name)
		if err != nil {
			return nil, fmt.Errorf("key of %s: %w", name, err)
		}
		k.own[name] = key
	}
	all, err := readPublic(dir)
	if err != nil {
		return nil, fmt.Errorf("public keys: %w", err)
	}
	k.all = all
	return k, nil
}

// Generate makes new keys that live in memory only, for tests and simulations.
func Generate(names ...string) (*Keys, error) {
	k := &Keys{own: map[string]ed25519.PrivateKey{}, all: map[string]ed25519.PublicKey{}}
	for _, name := range names {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			return nil, fmt.Errorf("making a key: %w", err)
		}
		k.own[name], k.all[name] = private, public
	}
	return k, nil
}

// Signer returns the signer of an own key.
func (k *Keys) Signer(name string) (*Signer, error) {
	key, ok := k.own[name]
	if !ok {
		return nil, fmt.Errorf("no private key of %q is held here", name)
	}
	return &Signer{name: name, key: key}, nil
}

func (k *Keys) public(name string, now time.Time) (ed25519.PublicKey, bool) {
	k.mu.RLock()
	key, ok := k.all[name]
	k.mu.RUnlock()
	if ok || k.dir == "" || !signerName.MatchString(name) {
		return key, ok
	}
	// Roles start in any order: the signer may have made its key after we read.
	k.mu.Lock()
	defer k.mu.Unlock()
	if key, ok = k.all[name]; ok {
		return key, ok
	}
	if last, asked := k.reread[name]; asked && now.Sub(last) < rereadEvery {
		return nil, false
	}
	path := filepath.Join(k.dir, name+".pub")
	if fresh, err := readPublicFile(path); err == nil {
		k.all[name] = fresh
		delete(k.reread, name)
		return fresh, true
	}
	if k.reread == nil || len(k.reread) >= maxUnknown {
		k.reread = map[string]time.Time{}
	}
	k.reread[name] = now
	return nil, false
}

func loadOwn(dir, name string) (ed25519.PrivateKey, error) {
	if !signerName.MatchString(name) {
		return nil, fmt.Errorf("%q is no name for a signer", name)
	}
	path := filepath.Join(dir, name+".key")
	key, err := readPrivateFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makePrivateFile(path); err == nil {
			key, err = readPrivateFile(path)
		}
	}
	if err != nil {
		return nil, err
	}
	return key, publish(filepath.Join(dir, name+".pub"), key.Public().(ed25519.PublicKey))
}

// makePrivateFile makes a key; a key that another process makes at the same
// moment wins, so that both use one.
func makePrivateFile(path string) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	err = writeNew(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// publish writes the public half unless it is there; another key there is a
// mistake that must not be repaired silently.
func publish(path string, key ed25519.PublicKey) error {
	old, err := readPublicFile(path)
	switch {
	case err == nil && old.Equal(key):
		return nil
	case err == nil:
		return fmt.Errorf("%s does not belong to the private key beside it", filepath.Base(path))
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return err
	}
	err = writeNew(path, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// writeNew writes a whole file or none, and never over another: a reader can
// not see half of it.
func writeNew(path string, data []byte, mode fs.FileMode) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}

func readPrivateFile(path string) (ed25519.PrivateKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o007 != 0 {
		return nil, fmt.Errorf("%s can be read by anyone; chmod 600 it", path)
	}
	der, err := readPEM(path, "PRIVATE KEY")
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if key, ok := parsed.(ed25519.PrivateKey); err == nil && ok {
		return key, nil
	}
	return nil, fmt.Errorf("%s holds no Ed25519 private key", path)
}

func readPublic(dir string) (map[string]ed25519.PublicKey, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	all := map[string]ed25519.PublicKey{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".pub")
		if !ok || !signerName.MatchString(name) {
			continue
		}
		key, err := readPublicFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		all[name] = key
	}
	return all, nil
}

func readPublicFile(path string) (ed25519.PublicKey, error) {
	der, err := readPEM(path, "PUBLIC KEY")
	if err != nil {
		return nil, err
	}
	parsed, err := x509.ParsePKIXPublicKey(der)
	if key, ok := parsed.(ed25519.PublicKey); err == nil && ok {
		return key, nil
	}
	return nil, fmt.Errorf("%s holds no Ed25519 public key", path)
}

func readPEM(path, kind string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil || block.Type != kind {
		return nil, fmt.Errorf("%s holds no %s in PEM", path, strings.ToLower(kind))
	}
	return block.Bytes, nil
}

// Names lists the signers whose public keys are known, sorted.
func (k *Keys) Names() []string {
	k.mu.RLock()
	defer k.mu.RUnlock()
	names := make([]string, 0, len(k.all))
	for name := range k.all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
