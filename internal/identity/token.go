package identity

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Lifetime is how long a signed Caller is valid.
const Lifetime = time.Minute

// maxToken bounds what is decoded, in bytes.
const maxToken = 4096

// Why a token is refused. Both mean that the caller is not known.
var (
	ErrInvalid = errors.New("the token is not valid")
	ErrExpired = errors.New("the token has expired")
)

// Each kind of token signs its own prefix, so that none passes for another.
const (
	callerPurpose = "tabuleiro caller 1\n"
	guestPurpose  = "tabuleiro guest 1\n"
	devicePurpose = "tabuleiro device 1\n"
)

// renewAfter is how long a signed Caller is used again for the same one: every
// token that is given out holds for at least the rest of Lifetime.
const renewAfter = Lifetime / 2

// Signer signs with one private key. It is safe for concurrent use.
type Signer struct {
	name   string
	key    ed25519.PrivateKey
	signed memo[signed] // by the claims without their end
}

// signed is a token with when it was made.
type signed struct {
	token string
	at    time.Time
}

// Name is the service that the key belongs to.
func (s *Signer) Name() string { return s.name }

// claims is a Caller as it stands in a token; its form is private to this package.
type claims struct {
	Account string   `json:"a,omitempty"`
	Session string   `json:"s,omitempty"`
	Guest   bool     `json:"g,omitempty"`
	Service string   `json:"v,omitempty"`
	Roles   []string `json:"r,omitempty"`
	Scopes  []string `json:"c,omitempty"`
	LagMS   int64    `json:"l,omitempty"`
	Logins  []string `json:"d,omitempty"`
	Expires int64    `json:"e"` // Unix milliseconds
}

// Sign proves the Caller from now on, for Lifetime at most and half of it at
// least. The gateway may sign any Caller, another signer only that of its own
// service.
func (s *Signer) Sign(c Caller, now time.Time) (string, error) {
	if err := c.check(); err != nil {
		return "", fmt.Errorf("signing a caller: %w", err)
	}
	if !maySign(s.name, c) {
		return "", fmt.Errorf("signing a caller: %s may not sign for another", s.name)
	}
	body := claims{
		Account: c.Account, Session: c.Session, Guest: c.Guest, Service: c.Service,
		Roles: c.Roles, Scopes: c.Scopes, LagMS: c.Lag.Milliseconds(),
	}
	who := string(body.bytes())
	if made, ok := s.signed.get(who); ok && !now.Before(made.at) && now.Sub(made.at) < renewAfter {
		return made.token, nil
	}
	body.Expires = now.Add(Lifetime).UnixMilli()
	token := s.seal(callerPurpose, body)
	s.signed.put(who, signed{token, now})
	return token, nil
}

// SignGuest proves that a visitor is the guest with this UUID for ttl: the
// value of a cookie, so that guests need no table. Only the gateway's counts.
func (s *Signer) SignGuest(id string, now time.Time, ttl time.Duration) string {
	return s.seal(guestPurpose, claims{Guest: true, Session: id, Expires: now.Add(ttl).UnixMilli()})
}

// Device is a browser in which people have logged in.
type Device struct {
	// ID is a UUID.
	ID string
	// Logins are marks of their IDs.
	Logins []string
}

// SignDevice proves for ttl what is known of a browser: the value of a cookie. Only
// the gateway's counts.
func (s *Signer) SignDevice(d Device, now time.Time, ttl time.Duration) string {
	return s.seal(devicePurpose, claims{Session: d.ID, Logins: d.Logins, Expires: now.Add(ttl).UnixMilli()})
}

func maySign(signer string, c Caller) bool {
	return signer == Gateway || c.Service == signer
}

func (c claims) bytes() []byte {
	payload, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings, a bool and a number always marshal
	}
	return payload
}

func (s *Signer) seal(purpose string, c claims) string { return s.sealBytes(purpose, c.bytes()) }

func (s *Signer) sealBytes(purpose string, payload []byte) string {
	body := s.name + "." + base64.RawURLEncoding.EncodeToString(payload)
	sig := ed25519.Sign(s.key, []byte(purpose+body))
	return body + "." + base64.RawURLEncoding.EncodeToString(sig)
}

// Verify returns the Caller that the token proves at the time now. The error is
// ErrInvalid or ErrExpired.
func (k *Keys) Verify(token string, now time.Time) (Caller, error) {
	if known, ok := k.verified.get(token); ok {
		if !now.Before(known.Expires) {
			return Caller{}, ErrExpired
		}
		return known.copy(), nil
	}
	signer, c, err := k.open(callerPurpose, token, now)
	if err != nil {
		return Caller{}, err
	}
	caller := Caller{
		Account: c.Account, Session: c.Session, Guest: c.Guest, Service: c.Service,
		Roles: c.Roles, Scopes: c.Scopes, Lag: time.Duration(c.LagMS) * time.Millisecond, Expires: time.UnixMilli(c.Expires).UTC(),
	}
	if caller.check() != nil || !maySign(signer, caller) {
		return Caller{}, ErrInvalid
	}
	k.verified.put(token, caller.copy())
	return caller, nil
}

// copy shares nothing with the Caller.
func (c Caller) copy() Caller {
	c.Roles, c.Scopes = slices.Clone(c.Roles), slices.Clone(c.Scopes)
	return c
}

// VerifyGuest returns the UUID of the guest that the gateway's token proves at
// the time now. The error is ErrInvalid or ErrExpired.
func (k *Keys) VerifyGuest(token string, now time.Time) (string, error) {
	signer, c, err := k.open(guestPurpose, token, now)
	if err != nil {
		return "", err
	}
	if signer != Gateway || !c.Guest || c.Session == "" {
		return "", ErrInvalid
	}
	return c.Session, nil
}

// VerifyDevice returns the browser that the gateway's token proves at the time now.
// The error is ErrInvalid or ErrExpired.
func (k *Keys) VerifyDevice(token string, now time.Time) (Device, error) {
	signer, c, err := k.open(devicePurpose, token, now)
	if err != nil {
		return Device{}, err
	}
	if signer != Gateway || c.Session == "" {
		return Device{}, ErrInvalid
	}
	return Device{ID: c.Session, Logins: c.Logins}, nil
}

// open checks the signature before it decodes anything.
func (k *Keys) open(purpose, token string, now time.Time) (string, claims, error) {
	if len(token) > maxToken {
		return "", claims{}, ErrInvalid
	}
	dot := strings.LastIndexByte(token, '.')
	if dot < 0 {
		return "", claims{}, ErrInvalid
	}
	body := token[:dot]
	signer, encoded, ok := strings.Cut(body, ".")
	if !ok {
		return "", claims{}, ErrInvalid
	}
	// Strict: no two texts for one signature.
	strict := base64.RawURLEncoding.Strict()
	sig, err := strict.DecodeString(token[dot+1:])
	if err != nil {
		return "", claims{}, ErrInvalid
	}
	public, ok := k.public(signer, now)
	if !ok || !ed25519.Verify(public, []byte(purpose+body), sig) {
		return "", claims{}, ErrInvalid
	}
	payload, err := strict.DecodeString(encoded)
	if err != nil {
		return "", claims{}, ErrInvalid
	}
	var c claims
	dec := json.NewDecoder(bytes.NewReader(payload))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return "", claims{}, ErrInvalid
	}
	if now.UnixMilli() >= c.Expires {
		return "", claims{}, ErrExpired
	}
	return signer, c, nil
}
