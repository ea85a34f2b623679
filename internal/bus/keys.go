package bus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nats-io/nkeys"
)

// Keys are the roles' keys of one installation.
type Keys struct {
	seeds  map[Role][]byte
	public map[Role]string
}

// LoadKeys reads nats-<role>.seed in dir for every role and makes those missing,
// readable to their owner only. Processes that start at once agree.
func LoadKeys(dir string) (*Keys, error) {
	k := &Keys{seeds: map[Role][]byte{}, public: map[Role]string{}}
	for _, role := range Roles() {
		path := filepath.Join(dir, "nats-"+string(role)+".seed")
		seed, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			if err = makeSeed(path); err == nil {
				seed, err = os.ReadFile(path)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("bus: key of %s: %w", role, err)
		}
		pair, err := nkeys.ParseDecoratedNKey(seed)
		if err != nil {
			return nil, fmt.Errorf("bus: read %s: %w", path, err)
		}
		if k.public[role], err = pair.PublicKey(); err != nil {
			return nil, fmt.Errorf("bus: read %s: %w", path, err)
		}
		pair.Wipe()
		k.seeds[role] = seed
	}
	return k, nil
}

// makeSeed writes a new seed whole or not at all; another process's wins.
func makeSeed(path string) error {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return err
	}
	defer pair.Wipe()
	seed, err := pair.Seed()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".nats-*.seed") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(append(seed, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Public is the role's public key.
func (k *Keys) Public(role Role) string { return k.public[role] }

// Seed is the role's secret, as Config.Seed takes it.
func (k *Keys) Seed(role Role) []byte { return k.seeds[role] }

// WriteCredentials writes a new file that lets a process elsewhere join the bus
// as role; its content is a Config.Seed. It never overwrites.
func (k *Keys) WriteCredentials(path string, role Role) error {
	seed, ok := k.seeds[role]
	if !ok {
		return fmt.Errorf("bus: unknown role %q", role)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("bus: write credentials: %w", err)
	}
	_, err = fmt.Fprintf(f, "# Lets its holder join Tabuleiro's bus as %s. Keep it secret.\n%s", role, seed)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("bus: write credentials: %w", err)
	}
	return nil
}
