package shapetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tabuleiro/internal/bus"
)

// The PostgreSQL and the Redis of the tests (scripts/with-services.sh).
const (
	postgresEnv = "TABULEIRO_TEST_POSTGRES"
	redisEnv    = "TABULEIRO_TEST_REDIS"
)

const gateway = "gateway"

// roles of a cluster, with how many processes each has and what they call.
var roles = []struct {
	name   string
	count  int
	serves bool
	needs  []string
}{
	{"rules", 1, true, nil},
	{"accounts", 1, true, nil},
	{"search", 1, true, nil},
	{"worker", 2, false, nil},
	{"tutor", 1, true, []string{"rules", "search", "accounts"}},
	{"play", 2, true, []string{"rules", "search", "accounts", "tutor"}},
	{gateway, 1, false, []string{"rules", "accounts", "tutor", "play"}},
}

// StartCluster starts every role as a process of its own.
func StartCluster(o Options) (*Shape, error) {
	postgres, redis := os.Getenv(postgresEnv), os.Getenv(redisEnv)
	if postgres == "" || redis == "" {
		return nil, fmt.Errorf("%s and %s are not set: run the tests by `make test`, or `scripts/with-services.sh go test ...`", postgresEnv, redisEnv)
	}
	s, err := newShape(cluster)
	if err != nil {
		return nil, err
	}
	s.Data = filepath.Join(s.dir, "keys")
	return s, s.begin(func() error { return s.prepareCluster(o, postgres, redis) })
}

func (s *Shape) prepareCluster(o Options, postgres, redis string) error {
	path, err := binary()
	if err != nil {
		return err
	}
	own, err := os.Executable()
	if err != nil {
		return err
	}
	if err := os.Mkdir(s.Data, 0o700); err != nil {
		return err
	}
	if _, err := bus.LoadKeys(s.Data); err != nil {
		return err
	}
	database, err := s.newDatabase(postgres)
	if err != nil {
		return err
	}
	// By ways of their own, that can be cut.
	if database, err = s.way("postgres", database); err != nil {
		return err
	}
	if redis, err = s.way("redis", redis); err != nil {
		return err
	}
	nats, err := s.newFront()
	if err != nil {
		return err
	}
	s.Units = append(s.Units, &Unit{Name: "nats", path: own, env: []string{natsEnv + "=" + s.Data}, door: "nats", front: nats})

	fronts := map[string]*Front{}
	for _, r := range roles {
		if r.serves {
			if fronts[r.name], err = s.newFront(); err != nil {
				return err
			}
		}
	}
	// Secrets go by the environment, where other users cannot read them.
	env := append([]string{"TABULEIRO_POSTGRES_URL=" + database, "TABULEIRO_REDIS_URL=" + redis}, o.Env...)
	for _, r := range roles {
		count := r.count
		if r.name == gateway {
			count = max(count, o.Gateways)
		}
		for i := range count {
			name := r.name
			if count > 1 {
				name = fmt.Sprintf("%s-%d", r.name, i+1)
			}
			args := []string{"run", r.name, "--data", filepath.Join(s.dir, "data-"+name), "--keys", s.Data,
				"--nats-url", "nats://" + nats.Addr(), "--grpc-listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"}
			var services []string
			for _, need := range r.needs {
				services = append(services, need+"="+fronts[need].Addr())
			}
			if len(services) > 0 {
				args = append(args, "--services", strings.Join(services, ","))
			}
			u := &Unit{Name: name, path: path, args: args, env: env}
			if skew, ok := o.Skews[name]; ok {
				if u.path, err = skewed(); err != nil {
					return err
				}
				u.env = append(slices.Clone(env), fmt.Sprintf("%s=%d", skewEnv, int64(skew.Seconds())))
			}
			switch {
			case r.serves:
				u.door, u.front = "grpc", fronts[r.name]
			case r.name == gateway:
				u.args = append(u.args, "--http", "127.0.0.1:0")
				u.door, u.front = "http", s.door
			}
			s.Units = append(s.Units, u)
		}
	}
	return nil
}

// way puts a front before a store and returns the URL that goes through it.
func (s *Shape) way(name, store string) (string, error) {
	u, err := url.Parse(store)
	if err != nil {
		return "", err
	}
	f, err := s.newFront()
	if err != nil {
		return "", err
	}
	f.add(u.Host)
	if s.stores == nil {
		s.stores = map[string]*Front{}
	}
	s.stores[name] = f
	u.Host = f.Addr()
	return u.String(), nil
}

// newDatabase makes a database that only this cluster uses.
func (s *Shape) newDatabase(postgres string) (string, error) {
	admin, err := sql.Open("pgx", postgres)
	if err != nil {
		return "", err
	}
	name := "e2e_" + strings.ToLower(rand.Text())
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	if _, err := admin.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return "", errors.Join(fmt.Errorf("making a database: %w", err), admin.Close())
	}
	s.drop = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		_, err := admin.ExecContext(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		return errors.Join(err, admin.Close())
	}
	u, err := url.Parse(postgres)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	s.open = func(service string) (*sql.DB, error) {
		own := *u
		query := own.Query()
		query.Set("search_path", service)
		own.RawQuery = query.Encode()
		return sql.Open("pgx", own.String())
	}
	return u.String(), nil
}
