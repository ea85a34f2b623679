package identity

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
)

// Sealer keeps secrets of a service in its database such that the database alone
// gives nothing away. Its keys are derived from the service's private key, which
// all replicas share and a backup of the database does not have.
type Sealer struct {
	aead cipher.AEAD
	mac  []byte
}

// ErrSealed says that a text was not sealed with this key, or for something else.
var ErrSealed = errors.New("sealed with another key")

// Sealer returns the sealer of an own key for one purpose.
func (k *Keys) Sealer(name, purpose string) (*Sealer, error) {
	key, ok := k.own[name]
	if !ok {
		return nil, fmt.Errorf("no private key of %q is held here", name)
	}
	derived, err := hkdf.Key(sha256.New, key.Seed(), nil, "tabuleiro seal 1\n"+purpose, 2*sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("deriving a key: %w", err)
	}
	block, err := aes.NewCipher(derived[:sha256.Size])
	if err != nil {
		return nil, fmt.Errorf("making a cipher: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("making a cipher: %w", err)
	}
	return &Sealer{aead: aead, mac: derived[sha256.Size:]}, nil
}

// Seal encrypts a secret of something, such as an account, whose name it takes to
// open it again.
func (s *Sealer) Seal(of string, secret []byte) []byte {
	return s.aead.Seal(nil, nil, secret, []byte(of))
}

// Open decrypts. Errors: ErrSealed.
func (s *Sealer) Open(of string, sealed []byte) ([]byte, error) {
	secret, err := s.aead.Open(nil, nil, sealed, []byte(of))
	if err != nil {
		return nil, ErrSealed
	}
	return secret, nil
}

// Mark stands for a text that could be guessed, such as an address: nobody without
// the key can tell which.
func (s *Sealer) Mark(text string) [32]byte {
	mac := hmac.New(sha256.New, s.mac)
	mac.Write([]byte(text))
	return [32]byte(mac.Sum(nil))
}
