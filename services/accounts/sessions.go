package accounts

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// limits of a kind of session: without use, and at the latest.
type limits struct{ idle, age time.Duration }

// sessionLimits are the limits of each kind. A person's own device is convenient,
// whoever sees other people's data logs in every day, and at a PC that others sit
// down at next a lesson is long enough.
var sessionLimits = map[string]limits{
	SessionPersonal: {14 * 24 * time.Hour, 90 * 24 * time.Hour},
	SessionStaff:    {12 * time.Hour, 7 * 24 * time.Hour},
	SessionShared:   {30 * time.Minute, 8 * time.Hour},
	SessionPaired:   {30 * time.Minute, 8 * time.Hour},
}

const (
	// sessionTouches is into how many parts the idle time is cut to note a use, so
	// that not every call writes; sessionTouch bounds a part.
	sessionTouches = 12
	sessionTouch   = time.Hour
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
	guessed := req.GetGuesser() != ""
	var mark [32]byte
	var full time.Time
	if guessed {
		mark = s.sealer.Mark("password\n" + req.GetGuesser())
		err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) (err error) {
			full, err = r.Guesses(ctx, mark)
			return err
		})
		if err == nil {
			err = passwordGuesses.refuse(full, s.now())
		}
		if err != nil {
			return nil, problem(err)
		}
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
		if guessed {
			err := s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
				return passwordGuesses.missed(ctx, w, mark, s.now())
			})
			if err != nil {
				return nil, problem(err)
			}
		}
		return nil, rpc.Fail("invalid_login", "")
	}
	if err := s.secondFactor(ctx, person.ID, req.GetSecondFactor()); err != nil {
		return nil, err
	}
	kind := SessionPersonal
	switch {
	case req.GetShared():
		kind = SessionShared
	case person.staff():
		kind = SessionStaff
	}
	in, err := s.open(ctx, Session{
		Account: person.ID, Kind: kind, Device: req.GetDevice(), Network: req.GetNetwork(), IfPassword: person.PasswordHash,
	}, 0)
	switch {
	case errors.Is(err, ErrNotFound): // changed or deleted a moment ago
		return nil, rpc.Fail("invalid_login", "")
	case err != nil:
		return nil, problem(err)
	case !full.IsZero():
		err := s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error { return w.PutGuesses(ctx, mark, time.Time{}) })
		if err != nil {
			return nil, problem(err)
		}
	}
	return in, nil
}

// secondFactor asks for a code where the account has a second factor.
func (s *Service) secondFactor(ctx context.Context, account, code string) error {
	var has bool
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) (err error) {
		has, err = hasFactor(ctx, r, account)
		return err
	})
	switch {
	case err != nil || !has:
		return problem(err)
	case strings.TrimSpace(code) == "":
		return rpc.Fail("second_factor_required", "")
	}
	err = s.useCode(ctx, account, code, Factor.inUse)
	if wrong, ok := errors.AsType[*rpc.Problem](err); ok && wrong.Code == codeFactorWrong {
		s.failures.add(account)
		wrong.Fields = []rpc.Field{{Name: "second_factor", Code: codeFactorWrong}}
	}
	return problem(err)
}

// open makes a session of its kind, which ends after life unless that is 0. Errors:
// ErrNotFound.
func (s *Service) open(ctx context.Context, session Session, life time.Duration) (*accountsv1.LogInResponse, error) {
	token, err := s.secret("")
	if err != nil {
		return nil, err
	}
	limits, now := sessionLimits[session.Kind], s.now()
	if life == 0 {
		life = limits.age
	}
	session.ID, session.TokenHash = s.newID(), hashToken(token)
	session.CreatedAt, session.SeenAt, session.ExpiresAt, session.Idle = now, now, now.Add(life), limits.idle
	session.Device, session.Network = printable(session.Device), printable(session.Network)
	if err := s.store.Open(ctx, session, maxSessions); err != nil {
		return nil, err
	}
	account, err := s.account(ctx, session.Account)
	if err != nil {
		return nil, err
	}
	return &accountsv1.LogInResponse{Token: token, Account: account, ExpiresAt: timestamppb.New(session.ExpiresAt)}, nil
}

// secret makes 256 random bits as text, behind a prefix that says what it is.
func (s *Service) secret(prefix string) (string, error) {
	secret := make([]byte, tokenBytes)
	if _, err := io.ReadFull(s.random, secret); err != nil {
		return "", fmt.Errorf("making a secret: %w", err)
	}
	return prefix + base64.RawURLEncoding.EncodeToString(secret), nil
}

// printable drops what no database takes or no page should show.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '�' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// LogOut implements AccountsService.
func (s *Service) LogOut(ctx context.Context, req *accountsv1.LogOutRequest) (*accountsv1.LogOutResponse, error) {
	hash := hashToken(req.GetToken())
	session, _, err := s.store.Session(ctx, hash)
	switch {
	case errors.Is(err, ErrNotFound):
		return &accountsv1.LogOutResponse{}, nil
	case err != nil:
		return nil, problem(err)
	}
	if err := s.store.End(ctx, hash); err != nil {
		return nil, problem(err)
	}
	s.ended(session.Account)
	return &accountsv1.LogOutResponse{}, nil
}

// Authenticate implements AccountsService.
func (s *Service) Authenticate(ctx context.Context, req *accountsv1.AuthenticateRequest) (*accountsv1.AuthenticateResponse, error) {
	if strings.HasPrefix(req.GetToken(), tokenPrefix) {
		return s.authenticateToken(ctx, req.GetToken())
	}
	session, account, err := s.store.Session(ctx, hashToken(req.GetToken()))
	if errors.Is(err, ErrNotFound) {
		return nil, rpc.Fail("session_ended", "")
	}
	if err != nil {
		return nil, problem(err)
	}
	now := s.now()
	session = session.within(account)
	if !session.LapsesAt().After(now) {
		return nil, rpc.Fail("session_ended", "")
	}
	if now.Sub(session.SeenAt) >= min(sessionTouch, session.Idle/sessionTouches) {
		session.SeenAt = now
		if err := s.store.Touch(ctx, session.ID, now, session.LapsesAt()); err != nil {
			return nil, problem(err)
		}
	}
	roles := []string{RoleLearner}
	if session.Kind != SessionPaired {
		var err error
		if roles, err = s.rolesNow(ctx, account); err != nil {
			return nil, problem(err)
		}
	}
	return &accountsv1.AuthenticateResponse{Account: account.ID, Session: session.ID, Roles: roles}, nil
}

// within holds a session to the limits of staff where its account became that
// after it was opened.
func (s Session) within(account Account) Session {
	if !account.staff() || s.Kind != SessionPersonal {
		return s
	}
	staff := sessionLimits[SessionStaff]
	s.Idle = min(s.Idle, staff.idle)
	if latest := s.CreatedAt.Add(staff.age); latest.Before(s.ExpiresAt) {
		s.ExpiresAt = latest
	}
	return s
}

// staff says whether the account may see other people's data.
func (a Account) staff() bool {
	return slices.ContainsFunc(a.Roles, func(role string) bool { return role == RoleOperator || role == RoleTeacher })
}

// ListSessions implements AccessService.
func (s *Service) ListSessions(ctx context.Context, _ *accountsv1.ListSessionsRequest) (*accountsv1.ListSessionsResponse, error) {
	caller, _ := identity.From(ctx)
	now := s.now()
	list, err := s.store.SessionsOf(ctx, caller.Account, now)
	if err != nil {
		return nil, problem(err)
	}
	accounts, err := s.store.Accounts(ctx, []string{caller.Account})
	if err != nil {
		return nil, problem(err)
	}
	if len(accounts) == 0 {
		return nil, problem(ErrNotFound)
	}
	resp := &accountsv1.ListSessionsResponse{}
	for _, session := range list {
		if session = session.within(accounts[0]); !session.LapsesAt().After(now) {
			continue
		}
		kind := session.Kind
		if kind == SessionStaff {
			kind = SessionPersonal
		}
		resp.Sessions = append(resp.Sessions, &accountsv1.Session{
			Id: session.ID, Current: session.ID == caller.Session, Kind: kind, Device: session.Device, Network: session.Network,
			CreatedAt: timestamppb.New(session.CreatedAt), UsedAt: timestamppb.New(session.SeenAt),
			IdleEndsAt: timestamppb.New(session.LapsesAt()), ExpiresAt: timestamppb.New(session.ExpiresAt),
		})
	}
	return resp, nil
}

// EndSession implements AccessService.
func (s *Service) EndSession(ctx context.Context, req *accountsv1.EndSessionRequest) (*accountsv1.EndSessionResponse, error) {
	caller, _ := identity.From(ctx)
	if err := s.store.EndByID(ctx, caller.Account, req.GetSession()); err != nil {
		return nil, problem(err)
	}
	s.ended(caller.Account)
	return &accountsv1.EndSessionResponse{}, nil
}

// EndOtherSessions implements AccessService.
func (s *Service) EndOtherSessions(ctx context.Context, _ *accountsv1.EndOtherSessionsRequest) (*accountsv1.EndOtherSessionsResponse, error) {
	caller, _ := identity.From(ctx)
	n, err := s.store.EndAll(ctx, caller.Account, caller.Session)
	if err != nil {
		return nil, problem(err)
	}
	s.ended(caller.Account)
	return &accountsv1.EndOtherSessionsResponse{Ended: int32(n)}, nil
}

// ChangePassword implements AccessService.
func (s *Service) ChangePassword(ctx context.Context, req *accountsv1.ChangePasswordRequest) (*accountsv1.ChangePasswordResponse, error) {
	caller, _ := identity.From(ctx)
	if err := tried(s.passwords, caller.Account, s.now()); err != nil {
		return nil, err
	}
	person, err := s.store.Person(ctx, caller.Account)
	if err != nil {
		return nil, problem(err)
	}
	command := s.command(ctx, "ChangePassword", fmt.Sprint(req.GetRevokeTokens()))
	command.Account = caller.Account
	switch _, err := s.repeated(ctx, command); {
	case err == nil: // the same change, if the new password opens the account
		same, err := s.hasher.Verify(ctx, req.GetNewPassword(), person.PasswordHash)
		if err == nil && !same {
			err = rpc.Fail("key_reused", "")
		}
		return &accountsv1.ChangePasswordResponse{}, problem(err)
	case !errors.Is(err, ErrNotFound):
		return nil, problem(err)
	}
	switch match, err := s.hasher.Verify(ctx, req.GetOldPassword(), person.PasswordHash); {
	case err != nil:
		return nil, problem(err)
	case !match:
		return nil, &rpc.Problem{Code: "wrong_password", Fields: []rpc.Field{{Name: "old_password", Code: "wrong_password"}}}
	}
	if faults := checkPassword("new_password", req.GetNewPassword(), person.Login, person.staff()); len(faults) > 0 {
		return nil, problem(faultError{faults})
	}
	hash, err := s.hasher.Hash(ctx, req.GetNewPassword())
	if err != nil {
		return nil, problem(err)
	}
	err = s.store.ChangePassword(ctx, PasswordChange{
		Account: person.ID, OldHash: person.PasswordHash, NewHash: hash, RevokeTokens: req.GetRevokeTokens(),
	}, command)
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrKeyUsed):
		return nil, rpc.Fail("conflict", "") // another change came first
	case err != nil:
		return nil, problem(err)
	}
	s.ended(person.ID)
	return &accountsv1.ChangePasswordResponse{}, nil
}

// tried takes a try of an account, or says when the next may be.
func tried(a *attempts, account string, now time.Time) error {
	ok, wait := a.try(account, now)
	if ok {
		return nil
	}
	p := rpc.Fail("too_many_requests", "")
	p.RetryAfter = wait
	return p
}

// SweepSessions forgets the sessions, tokens and pairings that have ended, and says
// how many.
func (s *Service) SweepSessions(ctx context.Context) (int, error) {
	total := 0
	for _, sweep := range []func(context.Context, time.Time, int) (int, error){
		s.store.Sweep, s.store.SweepTokens, s.store.SweepPairings,
	} {
		for {
			swept, err := sweep(ctx, s.now(), sweepBatch)
			total += swept
			if err != nil {
				return total, err
			}
			if swept < sweepBatch {
				break
			}
		}
	}
	return total, nil
}

// hashToken needs no salt and no cost: a token has 256 random bits.
func hashToken(token string) [32]byte { return sha256.Sum256([]byte(token)) }
