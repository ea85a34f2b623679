package bus_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"testing"
	"time"

	"tabuleiro/internal/bus"
)

// A worker elsewhere reaches a protected listener, and only with its certificate.
func TestTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:         true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(cert)

	keys, err := bus.LoadKeys(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := bus.StartEmbedded(bus.EmbeddedConfig{
		Keys: keys, Listen: "127.0.0.1:0",
		TLS: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for name, c := range map[string]struct {
		roots *x509.CertPool
		want  bool
	}{"known": {roots, true}, "unknown": {x509.NewCertPool(), false}} {
		conn, err := bus.Connect(bus.Config{
			URL: s.URL(), Role: bus.RoleWorker, Seed: keys.Seed(bus.RoleWorker),
			TLS: &tls.Config{RootCAs: c.roots, MinVersion: tls.VersionTLS12},
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := conn.Connected(); got != c.want {
			t.Errorf("certificate %s: connected %v, want %v", name, got, c.want)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}
