package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tabuleiro/internal/app"
	"tabuleiro/internal/telemetry"
)

// common are the options of every process that runs roles.
type common struct {
	Data           string        `default:"${data}" placeholder:"FOLDER" help:"Folder of everything that is kept (${default})."`
	Keys           string        `placeholder:"FOLDER" help:"Folder of keys; keys/ in the data folder unless given."`
	HTTP           string        `name:"http" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where clients come in (${default}); port 0 takes a free one."`
	HTTPHosts      []string      `name:"http-hosts" placeholder:"NAME,..." help:"Names that requests may be for; those of this machine unless given; * for any."`
	HTTPProxies    []string      `name:"http-proxies" placeholder:"ADDRESS,..." help:"Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; nobody's unless given."`
	AdminHosts     []string      `name:"admin-hosts" placeholder:"NAME,..." help:"Names that requests to --admin may be for, besides addresses and localhost; * for any."`
	TLS            string        `name:"tls" enum:",self" default:"" placeholder:"self" help:"self: serve https with a certificate made here."`
	TLSCert        string        `name:"tls-cert" placeholder:"FILE" help:"Serve https with this certificate (PEM)."`
	TLSKey         string        `name:"tls-key" placeholder:"FILE" help:"The key of the certificate (PEM)."`
	InsecureLAN    bool          `name:"insecure-lan" help:"Allow plain http from other machines, on a network that you trust. Every page shows a banner."`
	RequiredFields []string      `name:"accounts-required-fields" placeholder:"FIELD,..." help:"Fields that registration asks for; all unless given."`
	SecondFactor   string        `name:"accounts-second-factor" enum:",operators,staff" default:"" placeholder:"WHO" help:"Give the rights of operators (operators), or of teachers too (staff), only to who has set up a second factor."`
	RetentionDays  int           `name:"accounts-retention-days" default:"730" placeholder:"DAYS" help:"Days without a log-in after which an account that a class made is deleted, 60 days after its teachers were told (${default}); at least 180, or 0 for never."`
	Drain          time.Duration `default:"0s" help:"How long to go on after saying that it is not ready (${default}); 5s behind a balancer."`
	Grace          time.Duration `default:"10s" help:"How long running work may take to end (${default})."`
	AddrFile       string        `name:"addr-file" placeholder:"FILE" help:"Write the addresses there as JSON once all listen."`
	LogFormat      string        `name:"log-format" enum:"text,json" default:"text" help:"text or json (${default})."`
	LogLevel       string        `name:"log-level" enum:"debug,info,warn,error" default:"info" help:"debug, info, warn or error (${default})."`
}

func (c common) config(s streams) app.Config {
	return app.Config{
		Version: builtVersion(), Data: c.Data, Keys: c.Keys,
		HTTP: app.HTTPConfig{
			Listen: c.HTTP, Hosts: c.HTTPHosts, Proxies: c.HTTPProxies, TLSCert: c.TLSCert, TLSKey: c.TLSKey,
			TLSSelf: c.TLS == "self", InsecureLAN: c.InsecureLAN,
		},
		AdminHosts: c.AdminHosts, Drain: c.Drain, Grace: c.Grace, AddrFile: c.AddrFile, RequiredFields: c.RequiredFields,
		SecondFactor: c.SecondFactor, Retention: time.Duration(c.RetentionDays) * 24 * time.Hour, Stdout: s.Out,
	}
}

func (c common) logger(w io.Writer) (*slog.Logger, error) {
	log, err := telemetry.NewLogger(w, telemetry.LogConfig{Format: c.LogFormat, Level: c.LogLevel})
	if err == nil {
		slog.SetDefault(log) // for what logs by itself, such as the standard library
	}
	return log, err
}

// stores are the options of stores that are processes of their own. Their URLs
// hold passwords, so they come from the environment or from files, never from
// the command line, which others can read.
type stores struct {
	PostgresURLFile string `name:"postgres-url-file" placeholder:"FILE" help:"File with the URL of PostgreSQL, or set TABULEIRO_POSTGRES_URL."`
	RedisURLFile    string `name:"redis-url-file" placeholder:"FILE" help:"File with the URL of Redis, or set TABULEIRO_REDIS_URL; without either the cache is in memory."`
}

func (o stores) fill(cfg *app.Config) (err error) {
	if cfg.PostgresURL, err = secret("postgres-url", o.PostgresURLFile); err != nil {
		return err
	}
	cfg.RedisURL, err = secret("redis-url", o.RedisURLFile)
	return err
}

// secret reads what stands in the environment or in a file.
func secret(name, file string) (string, error) {
	inherited := os.Getenv(variable(name))
	switch {
	case file == "":
		return inherited, nil
	case inherited != "":
		return "", &app.OptionError{Option: "--" + name + "-file", Fault: "is given together with " + variable(name) + "; leave one out"}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", &app.OptionError{Option: "--" + name + "-file", Fault: err.Error()}
	}
	return strings.TrimSpace(string(text)), nil
}

// variable is the environment's name of an option.
func variable(name string) string {
	return "TABULEIRO_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

func defaultData() string {
	base := os.Getenv("XDG_DATA_HOME")
	if base == "" {
		base = ".local/share"
		if home, err := os.UserHomeDir(); err == nil {
			base = filepath.Join(home, base)
		}
	}
	return filepath.Join(base, "tabuleiro")
}

// bound is the least that an option takes.
type bound struct {
	option       string
	value, least int64
}

// atLeast refuses the first option that is below its bound.
func atLeast(bounds ...bound) error {
	for _, b := range bounds {
		if b.value < b.least {
			return fmt.Errorf("%s is at least %d, not %d", b.option, b.least, b.value)
		}
	}
	return nil
}
