// Package accounts keeps people: who they are, that they are logged in, what
// they may do, and how well they play.
//
// A rating is the fold of a ledger that has one row for every revision of a
// finished game, so that a game counts exactly once whatever is repeated or
// lost. Passwords are kept as argon2id hashes and session tokens as SHA-256;
// neither they nor people's names are ever logged. How many attempts to log in
// one address may make is the gateway's to bound; here the number of passwords
// hashed at once is bounded.
package accounts

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc"

	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	"tabuleiro/services/accounts/glicko"
)

// Config is the policy of the installation.
type Config struct {
	// RequiredFields are those of FoundingFields that a registration must fill;
	// nil means all. The login and the password are required in any case.
	RequiredFields []string
	// Levels are the fixed ratings of the engine's levels; nil means
	// DefaultLevels.
	Levels map[string]float64
	// SecondFactor says who has the rights of their role only with a second factor:
	// FactorOptional, FactorOperators or FactorStaff.
	SecondFactor string
	// Retention is how long an account that a class made is kept without a log-in; 0
	// for ever. At least MinRetention.
	Retention time.Duration
}

// DefaultLevels are the ratings of the engine's levels until matches between
// them have measured them.
func DefaultLevels() map[string]float64 {
	return map[string]float64{"plies-2": 900, "plies-4": 1300, "plies-6": 1600, "full": 1900}
}

// Deps are what the service works with. Only the Store has no default.
type Deps struct {
	Store Store
	// Hasher defaults to NewArgon2 with one hashing a core.
	Hasher Hasher
	// Now is the database's time; it defaults to the process's.
	Now func() time.Time
	// NewID makes ids; it defaults to UUIDv7.
	NewID func() string
	// Random gives secrets; it defaults to the system's source.
	Random io.Reader
	// Ended is told of accounts of which sessions or tokens may have ended, so that
	// streams are cut at once. It must not wait; nil tells nobody.
	Ended func(account string)
	// Sealer keeps what is stored encrypted. Without it nobody can have a second
	// factor, and LogIn must not say who guesses.
	Sealer *identity.Sealer
}

// Service implements AccountsService, AccessService, ClassesService, PrivacyService
// and SecondFactorService.
type Service struct {
	accountsv1.UnimplementedAccountsServiceServer
	accountsv1.UnimplementedAccessServiceServer
	accountsv1.UnimplementedClassesServiceServer
	accountsv1.UnimplementedPrivacyServiceServer
	accountsv1.UnimplementedSecondFactorServiceServer

	store    Store
	hasher   Hasher
	clock    func() time.Time
	newID    func() string
	random   io.Reader
	required []string
	levels   map[string]glicko.Rating
	// deletes bounds the passwords tried to delete an account.
	deletes *attempts
	// failures are failed log-ins that the audit log has not noted yet.
	failures failures
	ended    func(account string)
	sealer   *identity.Sealer
	// factorFor is Config.SecondFactor.
	factorFor string
	// retention is Config.Retention.
	retention time.Duration
	// What each account may try now and then: operator codes, its own password,
	// pairing codes, its password to change the second factor.
	claims, passwords, codes, proofs *attempts
}

// OptionRequiredFields is the name of Config.RequiredFields among the options.
const OptionRequiredFields = "--accounts-required-fields"

// UnknownFieldError says that Config.RequiredFields names no field of a
// registration.
type UnknownFieldError struct{ Field string }

func (e *UnknownFieldError) Error() string {
	return fmt.Sprintf("there is no field %q; choose of %s", e.Field, strings.Join(FoundingFields(), ", "))
}

// New makes the service. It starts nothing. Errors: *UnknownFieldError.
func New(cfg Config, deps Deps) (*Service, error) {
	required := FoundingFields()
	if cfg.RequiredFields != nil {
		for _, field := range cfg.RequiredFields {
			if !slices.Contains(required, field) {
				return nil, &UnknownFieldError{Field: field}
			}
		}
		required = append([]string{fieldLogin, fieldPassword}, cfg.RequiredFields...)
	}
	s := &Service{
		store: deps.Store, hasher: deps.Hasher, clock: deps.Now, newID: deps.NewID, random: deps.Random,
		required: required, levels: map[string]glicko.Rating{}, ended: deps.Ended,
		sealer: deps.Sealer, factorFor: cfg.SecondFactor, retention: cfg.Retention,
		claims: newAttempts(claimBurst, claimEvery), passwords: newAttempts(claimBurst, claimEvery),
		codes:   newAttempts(pairingBurst, pairingEvery),
		deletes: newAttempts(claimBurst, claimEvery),
		proofs:  newAttempts(proofBurst, proofEvery),
	}
	levels := cfg.Levels
	if levels == nil {
		levels = DefaultLevels()
	}
	for name, value := range maps.All(levels) {
		s.levels[name] = glicko.Rating{Value: value, Deviation: glicko.MinDeviation, Volatility: glicko.StartVolatility}
	}
	if s.hasher == nil {
		s.hasher = NewArgon2(0)
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.newID == nil {
		s.newID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	if s.ended == nil {
		s.ended = func(string) {}
	}
	s.store = telling{Store: s.store, ended: s.ended}
	if s.random == nil {
		s.random = rand.Reader
	}
	return s, nil
}

// RegisterWith serves all of the service's contracts.
func (s *Service) RegisterWith(r grpc.ServiceRegistrar) {
	accountsv1.RegisterAccountsServiceServer(r, s)
	accountsv1.RegisterAccessServiceServer(r, s)
	accountsv1.RegisterClassesServiceServer(r, s)
	accountsv1.RegisterPrivacyServiceServer(r, s)
	accountsv1.RegisterSecondFactorServiceServer(r, s)
}

// now is the time in milliseconds, as everything is stored.
func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Millisecond) }

// problem is what a client is told of an error that no case of its own names.
// The cause stays in the chain for the log.
func problem(err error) error {
	var fault faultError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &fault):
		p := rpc.Fail(fault.faults[0].code, "")
		for _, f := range fault.faults {
			p.Fields = append(p.Fields, rpc.Field{Name: f.field, Code: f.code, Detail: f.detail})
		}
		return p
	case errors.Is(err, ErrBusy):
		p := rpc.Fail("too_many_logins", "")
		p.RetryAfter = busyRetryAfter
		return p
	case errors.Is(err, ErrLoginTaken):
		return &rpc.Problem{Code: "login_taken", Fields: []rpc.Field{
			{Name: fieldLogin, Code: "login_taken", Detail: "another account has this ID"},
		}}
	case errors.Is(err, ErrNotFound):
		return rpc.Fail("account_not_found", "")
	case errors.Is(err, ErrWrongCode):
		return rpc.Fail("bad_code", "")
	case errors.Is(err, db.ErrUnavailable), errors.Is(err, db.ErrUnknown):
		// Unknown too: the command may be repeated under its key.
		return fmt.Errorf("%w: %w", rpc.Fail("unavailable", ""), err)
	}
	return err
}

// repeated answers a command whose key was used: nil when the body is the same.
func (s *Service) repeated(ctx context.Context, asked Command) (Command, error) {
	first, err := s.store.Command(ctx, asked.Scope, asked.Key)
	if err != nil {
		return Command{}, fmt.Errorf("reading a command carried out: %w", err)
	}
	if first.Body != asked.Body {
		return Command{}, rpc.Fail("key_reused", "")
	}
	return first, nil
}
