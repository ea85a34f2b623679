package app

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Config is everything that an operator chooses, already parsed. The zero value
// plus Data is the embedded shape without any listener but HTTP's.
type Config struct {
	// Version is what was built.
	Version string
	// Embedded: every store and the bus live in this process, and the data folder
	// is locked. Otherwise they are at the URLs below.
	Embedded bool
	// Data is the folder of everything that is kept.
	Data string
	// Keys is the folder of keys; empty means keys/ in Data.
	Keys string
	HTTP HTTPConfig
	GRPC GRPCConfig
	// Admin is where the operator's door listens; empty: nowhere.
	Admin string
	// AdminHosts are the names that requests of that door may be for, besides
	// addresses and those of the loopback; "*" allows all.
	AdminHosts []string
	NATS       NATSConfig
	// PostgresURL is the database of the services that run here.
	PostgresURL string
	// RedisURL is the cache; empty means one in this process.
	RedisURL string
	// CacheBytes bounds the cache in this process; 0 means 64 MiB.
	CacheBytes int64
	// Drain is how long a process that stops still takes work after it has said
	// that it is not ready, so that balancers notice. 0 for none.
	Drain time.Duration
	// Grace bounds how long running work may take to end; 0 means 10 s.
	Grace time.Duration
	// AddrFile, where set, gets the addresses as JSON once all listen.
	AddrFile string
	// RequiredFields are those that registration asks for; nil means all.
	RequiredFields []string
	// SecondFactor says who has the rights of their role only with a second factor:
	// "" nobody, "operators", "staff".
	SecondFactor string
	// Retention is how long accounts that classes made are kept without a log-in; 0
	// for ever.
	Retention time.Duration
	// Stdout gets the ready line and what roles announce; nil: nothing does.
	Stdout io.Writer
	// Started, where set, is called once everything listens, before the ready line.
	Started func(Addresses)
}

// HTTPConfig is the door of clients.
type HTTPConfig struct {
	// Listen is HOST:PORT; port 0 takes a free one.
	Listen string
	// Hosts are the names that requests may be for; empty means those of this
	// machine.
	Hosts []string
	// Proxies are the addresses or networks of reverse proxies, which are believed
	// when they say where a request comes from and whether it came over https.
	Proxies []string
	// TLSCert and TLSKey are PEM files; TLSSelf makes a certificate of our own.
	TLSCert, TLSKey string
	TLSSelf         bool
	// InsecureLAN allows plain HTTP beyond the loopback, with a banner.
	InsecureLAN bool
}

// TLS says whether clients come over https.
func (c HTTPConfig) TLS() bool { return c.TLSSelf || c.TLSCert != "" }

// ProxyNetworks are the Proxies as networks; what cannot be read is left out, which
// Validate refuses.
func (c HTTPConfig) ProxyNetworks() []netip.Prefix {
	var networks []netip.Prefix
	for _, text := range c.Proxies {
		if network, ok := networkOf(text); ok {
			networks = append(networks, network)
		}
	}
	return networks
}

func networkOf(text string) (netip.Prefix, bool) {
	if ip, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(ip, ip.BitLen()), ip.Zone() == ""
	}
	network, err := netip.ParsePrefix(text)
	return network, err == nil
}

// Banner says whether every page must warn that the connection can be read.
func (c HTTPConfig) Banner() bool { return c.InsecureLAN && !c.TLS() && !loopback(c.Listen) }

// GRPCConfig is how roles in different processes meet.
type GRPCConfig struct {
	// Listen is HOST:PORT; empty: only roles of this process call each other.
	Listen string
	// Services are the addresses of the services that run elsewhere, by name.
	Services map[string]string
	// Cert, Key and CA are PEM files: both ends show a certificate of the CA.
	Cert, Key, CA string
	// Insecure allows calls beyond the loopback without TLS.
	Insecure bool
}

// NATSConfig is how roles reach the bus.
type NATSConfig struct {
	// URL is the servers' where they are not embedded.
	URL string
	// Listen lets processes elsewhere join the embedded server; empty: none do.
	Listen string
	// TLSCert and TLSKey are PEM files of the embedded server's listener; Insecure
	// allows one beyond the loopback without.
	TLSCert, TLSKey string
	Insecure        bool
	// Seed is the secret of the one role that runs here; empty: those of the
	// folder of keys.
	Seed []byte
}

// OptionError refuses a configuration and names the option at fault.
type OptionError struct {
	// Option is the name of the flag, such as "--http".
	Option string
	// Fault is what is wrong and what to do.
	Fault string
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Fault }

// Validate finds what contradicts itself; the error joins all OptionErrors.
func (c Config) Validate() error {
	var faults []error
	fault := func(option, format string, args ...any) {
		faults = append(faults, &OptionError{option, fmt.Sprintf(format, args...)})
	}
	if c.Data == "" {
		fault("--data", "name a folder")
	}
	listeners := map[string]string{"--http": c.HTTP.Listen, "--grpc-listen": c.GRPC.Listen, "--admin": c.Admin, "--nats-listen": c.NATS.Listen}
	for _, option := range sortedKeys(listeners) {
		if address := listeners[option]; address != "" && !resolves(address) {
			fault(option, "%q is no HOST:PORT", address)
		}
	}
	switch {
	case (c.HTTP.TLSCert == "") != (c.HTTP.TLSKey == ""):
		fault("--tls-cert", "needs --tls-key, and the other way round")
	case c.HTTP.TLSCert != "" && c.HTTP.TLSSelf:
		fault("--tls", "is for a certificate of our own; leave out --tls-cert and --tls-key")
	case resolves(c.HTTP.Listen) && !loopback(c.HTTP.Listen) && !c.HTTP.TLS() && !c.HTTP.InsecureLAN:
		fault("--http", "%s can be reached from other machines: give --tls-cert and --tls-key, or --tls=self, or --insecure-lan for a network that you trust", c.HTTP.Listen)
	}
	switch tls := c.NATS.TLSCert != ""; {
	case tls != (c.NATS.TLSKey != ""):
		fault("--nats-tls-cert", "needs --nats-tls-key, and the other way round")
	case resolves(c.NATS.Listen) && !loopback(c.NATS.Listen) && !tls && !c.NATS.Insecure:
		fault("--nats-listen", "%s can be reached from other machines: give --nats-tls-cert and --nats-tls-key, or --insecure-nats for a network that you trust", c.NATS.Listen)
	}
	for _, text := range c.HTTP.Proxies {
		if _, ok := networkOf(text); !ok {
			fault("--http-proxies", "%q is no address and no network such as 10.0.0.0/8", text)
		}
	}
	for _, service := range sortedKeys(c.GRPC.Services) {
		// gRPC targets such as dns:///host:port are taken as they are.
		address := c.GRPC.Services[service]
		if _, _, err := net.SplitHostPort(address); err != nil && !strings.Contains(address, "://") {
			fault("--services", "%s at %q is no HOST:PORT", service, address)
		}
	}
	partial := c.GRPC.Cert != "" || c.GRPC.Key != "" || c.GRPC.CA != ""
	whole := c.GRPC.Cert != "" && c.GRPC.Key != "" && c.GRPC.CA != ""
	switch {
	case partial && !whole:
		fault("--grpc-tls-cert", "needs --grpc-tls-key and --grpc-tls-ca too")
	case whole || c.GRPC.Insecure:
	case resolves(c.GRPC.Listen) && !loopback(c.GRPC.Listen):
		fault("--grpc-listen", "%s can be reached from other machines: give --grpc-tls-cert, --grpc-tls-key and --grpc-tls-ca, or --insecure-grpc for a network that you trust", c.GRPC.Listen)
	default:
		for _, service := range sortedKeys(c.GRPC.Services) {
			if address := c.GRPC.Services[service]; address != "" && !loopback(address) {
				fault("--services", "%s at %s is on another machine: give --grpc-tls-cert, --grpc-tls-key and --grpc-tls-ca, or --insecure-grpc for a network that you trust", service, address)
			}
		}
	}
	return errors.Join(faults...)
}

// resolves says whether HOST:PORT can be listened on, as far as its text goes.
func resolves(address string) bool {
	_, err := net.ResolveTCPAddr("tcp", address)
	return address != "" && err == nil
}

// loopback says whether HOST:PORT stays on this machine. Names other than
// localhost do not count: they may change.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}
