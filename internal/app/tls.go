package app

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/credentials"
)

// Times of a certificate of our own.
const (
	selfValid = 365 * 24 * time.Hour
	selfRenew = 30 * 24 * time.Hour // before its end, at a start
)

// mutualTLS makes both ends show a certificate of the one CA.
func mutualTLS(cfg GRPCConfig) (credentials.TransportCredentials, error) {
	own, err := tls.LoadX509KeyPair(cfg.Cert, cfg.Key)
	if err != nil {
		return nil, &OptionError{"--grpc-tls-cert", err.Error()}
	}
	text, err := os.ReadFile(cfg.CA)
	if err != nil {
		return nil, &OptionError{"--grpc-tls-ca", err.Error()}
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, &OptionError{"--grpc-tls-ca", cfg.CA + " holds no certificate"}
	}
	return credentials.NewTLS(&tls.Config{
		Certificates: []tls.Certificate{own}, RootCAs: pool,
		ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS13,
	}), nil
}

// hosts are the names under which clients may ask: those given, or beyond the
// loopback those of this machine.
func hosts(cfg HTTPConfig) ([]string, error) {
	if len(cfg.Hosts) > 0 || cfg.Listen == "" || loopback(cfg.Listen) {
		return cfg.Hosts, nil
	}
	name, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("name of this machine: %w", err)
	}
	name = strings.ToLower(name)
	names := []string{name}
	if !strings.Contains(name, ".") {
		names = append(names, name+".local")
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil, fmt.Errorf("addresses of this machine: %w", err)
	}
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); ok {
			names = append(names, network.IP.String())
		}
	}
	return names, nil
}

func serverCertificate(cfg HTTPConfig, data string, now time.Time) (tls.Certificate, error) {
	if !cfg.TLSSelf {
		certificate, err := tls.LoadX509KeyPair(cfg.TLSCert, cfg.TLSKey)
		if err != nil {
			return tls.Certificate{}, &OptionError{"--tls-cert", err.Error()}
		}
		return certificate, nil
	}
	path := filepath.Join(data, "tls", "self.pem")
	names := append([]string{"localhost", "127.0.0.1", "::1"}, cfg.Hosts...)
	if certificate, err := tls.LoadX509KeyPair(path, path); err == nil && stillGood(certificate, names, now) {
		return certificate, nil
	}
	text, err := selfMade(names, now)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a certificate: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return tls.Certificate{}, fmt.Errorf("keeping a certificate: %w", err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return tls.Certificate{}, fmt.Errorf("keeping a certificate: %w", err)
	}
	return tls.X509KeyPair(text, text)
}

// stillGood: people have told their browsers to trust it, so it is kept while it
// can be.
func stillGood(c tls.Certificate, names []string, now time.Time) bool {
	return c.Leaf != nil && now.Before(c.Leaf.NotAfter.Add(-selfRenew)) &&
		!slices.ContainsFunc(names, func(name string) bool { return name != "*" && c.Leaf.VerifyHostname(name) != nil })
}

func selfMade(names []string, now time.Time) ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Tabuleiro"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(selfValid),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	for _, name := range names {
		switch ip := net.ParseIP(name); {
		case ip != nil:
			template.IPAddresses = append(template.IPAddresses, ip)
		case name != "*":
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return append(text, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})...), nil
}
