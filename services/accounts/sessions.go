package accounts

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// sessionAge is how long a session lasts at most.
	sessionAge = 30 * 24 * time.Hour
	// sessionIdle is how long it lasts without use.
	sessionIdle = 7 * 24 * time.Hour
	// sessionTouch is how exactly a use is noted, so that not every call writes.
	sessionTouch = time.Hour
	// maxSessions is how many one account has at once; a new one ends the oldest.
	maxSessions = 20
	// sweepBatch is how many ended sessions one transaction forgets.
	sweepBatch = 500
	// tokenBytes is the length of a token before its encoding.
	tokenBytes = 32
)

// LogIn implements AccountsService.
func (s *Service) LogIn(ctx context.Context, req *accountsv1.LogInRequest) (*accountsv1.LogInResponse, error) {
	form := registration{login: req.GetLogin(), password: req.GetPassword()}.tidy()
	if missing := form.missing([]string{fieldLogin, fieldPassword}); len(missing) > 0 {
		return nil, problem(faultError{missing})
	}
	// Nobody's password hash is empty, which costs the same as a wrong password. A
	// database may not even take as a text what can be no login.
	var person Person
	if validLogin(form.login) {
		var err error
		if person, err = s.store.PersonByLogin(ctx, form.login); err != nil && !errors.Is(err, ErrNotFound) {
			return nil, problem(err)
		}
	}
	match, err := s.hasher.Verify(ctx, form.password, person.PasswordHash)
	if err != nil {
		return nil, problem(err)
	}
	if !match {
		s.failures.add(person.ID)
		return nil, rpc.Fail("invalid_login", "")
	}

	secret := make([]byte, tokenBytes)
	if _, err := io.ReadFull(s.random, secret); err != nil {
		return nil, fmt.Errorf("making a session token: %w", err)
	}
	token, now := base64.RawURLEncoding.EncodeToString(secret), s.now()
	session := Session{
		ID: s.newID(), Account: person.ID, TokenHash: hashToken(token),
		CreatedAt: now, ExpiresAt: now.Add(sessionAge), SeenAt: now,
	}
	if err := s.store.Open(ctx, session, maxSessions); err != nil {
		return nil, problem(err)
	}
	account, err := s.account(ctx, person.ID)
	if err != nil {
		return nil, err
	}
	return &accountsv1.LogInResponse{Token: token, Account: account, ExpiresAt: timestamppb.New(session.ExpiresAt)}, nil
}

// LogOut implements AccountsService.
func (s *Service) LogOut(ctx context.Context, req *accountsv1.LogOutRequest) (*accountsv1.LogOutResponse, error) {
	if err := s.store.End(ctx, hashToken(req.GetToken())); err != nil {
		return nil, problem(err)
	}
	return &accountsv1.LogOutResponse{}, nil
}

// Authenticate implements AccountsService.
func (s *Service) Authenticate(ctx context.Context, req *accountsv1.AuthenticateRequest) (*accountsv1.AuthenticateResponse, error) {
	session, account, err := s.store.Session(ctx, hashToken(req.GetToken()))
	if errors.Is(err, ErrNotFound) {
		return nil, rpc.Fail("session_ended", "")
	}
	if err != nil {
		return nil, problem(err)
	}
	now := s.now()
	if !session.live(now) {
		return nil, rpc.Fail("session_ended", "")
	}
	if now.Sub(session.SeenAt) >= sessionTouch {
		if err := s.store.Touch(ctx, session.ID, now); err != nil {
			return nil, problem(err)
		}
	}
	return &accountsv1.AuthenticateResponse{Account: account.ID, Session: session.ID, Roles: account.roles()}, nil
}

// SweepSessions forgets the sessions that have ended, and says how many.
func (s *Service) SweepSessions(ctx context.Context) (int, error) {
	total := 0
	for {
		now := s.now()
		swept, err := s.store.Sweep(ctx, now, now.Add(-sessionIdle), sweepBatch)
		total += swept
		if err != nil {
			return total, err
		}
		if swept < sweepBatch {
			return total, nil
		}
	}
}

// live says whether the session still holds at a moment.
func (s Session) live(now time.Time) bool {
	return now.Before(s.ExpiresAt) && now.Before(s.SeenAt.Add(sessionIdle))
}

// hashToken needs no salt and no cost: a token has 256 random bits.
func hashToken(token string) [32]byte { return sha256.Sum256([]byte(token)) }
