package accounts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// factorWaits is how long a secret waits for its first code.
	factorWaits = 30 * time.Minute
	// recoveryCodes is how many recovery codes an account has at first.
	recoveryCodes = 10
	// proofBurst is how many passwords an account may try at once to prove itself, and
	// proofEvery how long each further one takes.
	proofBurst = 10
	proofEvery = time.Minute
	// sealPurpose is what the key is derived for that seals the secrets.
	sealPurpose = "second factors"
)

// Who has to have a second factor to use the rights of their role.
const (
	// FactorOptional leaves it to each.
	FactorOptional = ""
	// FactorOperators asks it of operators, FactorStaff of teachers too.
	FactorOperators = "operators"
	FactorStaff     = "staff"
)

// mayHaveFactor says whether an account may have a second factor: children keep to
// what they can remember, and a class's teacher must be able to reset their access.
func (a Account) mayHaveFactor(now time.Time) bool { return a.independent(now) }

// needsFactor says whether the installation gives the account the rights of its
// roles only with a second factor.
func (s *Service) needsFactor(a Account) bool {
	switch s.factorFor {
	case FactorOperators:
		return slices.Contains(a.Roles, RoleOperator)
	case FactorStaff:
		return a.staff()
	}
	return false
}

// rolesNow are the roles whose rights an account has: only a learner's where the
// installation wants a second factor and there is none.
func (s *Service) rolesNow(ctx context.Context, a Account) (roles []string, err error) {
	if !s.needsFactor(a) {
		return a.roles(), nil
	}
	err = s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		has, err := hasFactor(ctx, r, a.ID)
		roles = []string{RoleLearner}
		if has {
			roles = a.roles()
		}
		return err
	})
	return roles, err
}

// hasFactor says whether a log-in to the account needs a code.
func hasFactor(ctx context.Context, r SchoolReader, account string) (bool, error) {
	factor, err := r.Factor(ctx, account)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return factor.Confirmed(), err
}

// GetSecondFactor implements SecondFactorService.
func (s *Service) GetSecondFactor(ctx context.Context, _ *accountsv1.GetSecondFactorRequest) (*accountsv1.GetSecondFactorResponse, error) {
	var resp *accountsv1.GetSecondFactorResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		me, err := self(ctx, r)
		if err != nil {
			return err
		}
		resp = &accountsv1.GetSecondFactorResponse{Allowed: me.mayHaveFactor(s.now()), Required: s.needsFactor(me)}
		factor, err := r.Factor(ctx, me.ID)
		if errors.Is(err, ErrNotFound) || err == nil && !factor.Confirmed() {
			return nil
		}
		if err != nil {
			return err
		}
		left, err := r.CountRecovery(ctx, me.ID)
		resp.Since, resp.RecoveryCodes = timestamppb.New(factor.ConfirmedAt), int32(left)
		return err
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}

// BeginSecondFactor implements SecondFactorService.
func (s *Service) BeginSecondFactor(ctx context.Context, req *accountsv1.BeginSecondFactorRequest) (*accountsv1.BeginSecondFactorResponse, error) {
	caller, _ := identity.From(ctx)
	if err := s.provePassword(ctx, caller.Account, req.GetPassword()); err != nil {
		return nil, err
	}
	fresh := make([]byte, totpSecret)
	if _, err := io.ReadFull(s.random, fresh); err != nil {
		return nil, fmt.Errorf("making a secret: %w", err)
	}
	var me Account
	var secret []byte
	var made time.Time
	err := s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		now := s.now()
		var err error
		if me, err = self(ctx, w); err != nil {
			return err
		}
		if !me.mayHaveFactor(now) {
			return rpc.Fail("adult_required", "")
		}
		switch old, err := w.Factor(ctx, me.ID); {
		case errors.Is(err, ErrNotFound):
		case err != nil:
			return err
		case old.Confirmed():
			return rpc.Fail("second_factor_set", "")
		case old.MadeAt.Add(factorWaits).After(now):
			made = old.MadeAt
			secret, err = s.sealer.Open(me.ID, old.Sealed)
			return err
		}
		secret, made = fresh, now
		return w.PutFactor(ctx, Factor{Account: me.ID, Sealed: s.sealer.Seal(me.ID, fresh), MadeAt: now})
	})
	if err != nil {
		return nil, problem(err)
	}
	uri := totpURI(secret, me.Login)
	rows, err := qrRows(uri)
	if err != nil {
		return nil, err
	}
	return &accountsv1.BeginSecondFactorResponse{
		Secret: totpText(secret), Uri: uri, Qr: rows, ExpiresAt: timestamppb.New(made.Add(factorWaits)),
	}, nil
}

// ConfirmSecondFactor implements SecondFactorService.
func (s *Service) ConfirmSecondFactor(ctx context.Context, req *accountsv1.ConfirmSecondFactorRequest) (*accountsv1.ConfirmSecondFactorResponse, error) {
	const method = "ConfirmSecondFactor"
	caller, _ := identity.From(ctx)
	if err := s.proveCode(ctx, req.GetCode(), Factor.waiting); err != nil {
		return nil, err
	}
	resp := &accountsv1.ConfirmSecondFactorResponse{}
	// The code is no part of what is stored of the command.
	err := s.carry(ctx, method, &accountsv1.ConfirmSecondFactorRequest{}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		factor, err := w.Factor(ctx, c.me.ID)
		if err != nil || factor.Confirmed() {
			return cmp.Or[error](orNoFactor(err), rpc.Fail("second_factor_set", ""))
		}
		factor.ConfirmedAt = c.At
		if err := w.PutFactor(ctx, factor); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionFactorSet, Subject: c.me.ID})
	}, func(ctx context.Context, w SchoolWriter, c *carried) (err error) {
		resp.RecoveryCodes, err = s.newRecovery(ctx, w, c)
		return err
	})
	if err != nil {
		return nil, err
	}
	// Asked again it is done again, so that it is done where the answer was given.
	if _, err := s.store.EndAll(ctx, caller.Account, caller.Session); err != nil {
		return nil, problem(err)
	}
	s.ended(caller.Account)
	return resp, nil
}

// RenewRecoveryCodes implements SecondFactorService.
func (s *Service) RenewRecoveryCodes(ctx context.Context, req *accountsv1.RenewRecoveryCodesRequest) (*accountsv1.RenewRecoveryCodesResponse, error) {
	if err := s.proveBoth(ctx, req.GetPassword(), req.GetCode()); err != nil {
		return nil, err
	}
	resp := &accountsv1.RenewRecoveryCodesResponse{}
	err := s.carry(ctx, "RenewRecoveryCodes", &accountsv1.RenewRecoveryCodesRequest{}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		if has, err := hasFactor(ctx, w, c.me.ID); err != nil || !has {
			return cmp.Or[error](err, rpc.Fail("no_second_factor", ""))
		}
		return c.note(ctx, w, Audit{Action: actionRecoveryMade, Subject: c.me.ID})
	}, func(ctx context.Context, w SchoolWriter, c *carried) (err error) {
		resp.RecoveryCodes, err = s.newRecovery(ctx, w, c)
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// newRecovery gives an account new recovery codes; a command that was carried out
// before only as long as none of its codes was used and the factor is still there.
func (s *Service) newRecovery(ctx context.Context, w SchoolWriter, c *carried) ([]string, error) {
	if c.repeated {
		left, err := w.CountRecovery(ctx, c.me.ID)
		if err != nil || left < recoveryCodes {
			return nil, err
		}
	}
	texts, hashes := make([]string, recoveryCodes), make([][32]byte, recoveryCodes)
	for i := range texts {
		var err error
		if texts[i], err = s.newCode(); err != nil {
			return nil, err
		}
		hashes[i] = hashRecovery(c.me.ID, texts[i])
	}
	return texts, w.PutRecovery(ctx, c.me.ID, hashes)
}

// hashRecovery needs no cost: a code has 60 random bits, and is hashed for its
// account alone.
func hashRecovery(account, code string) [32]byte {
	return sha256.Sum256([]byte("recovery\n" + account + "\n" + typedCode(code)))
}

// EndSecondFactor implements SecondFactorService.
func (s *Service) EndSecondFactor(ctx context.Context, req *accountsv1.EndSecondFactorRequest) (*accountsv1.EndSecondFactorResponse, error) {
	if err := s.proveBoth(ctx, req.GetPassword(), req.GetCode()); err != nil {
		return nil, err
	}
	err := s.carry(ctx, "EndSecondFactor", &accountsv1.EndSecondFactorRequest{}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		return c.dropFactor(ctx, w, c.me.ID)
	}, nil)
	if err != nil {
		return nil, err
	}
	return &accountsv1.EndSecondFactorResponse{}, nil
}

// ResetSecondFactor implements SecondFactorService.
func (s *Service) ResetSecondFactor(ctx context.Context, req *accountsv1.ResetSecondFactorRequest) (*accountsv1.ResetSecondFactorResponse, error) {
	caller, _ := identity.From(ctx)
	if caller.Account == req.GetAccount() {
		return nil, badField("account", "one's own is ended with its password and a code, at /v1/me/second-factor/end")
	}
	err := s.carry(ctx, "ResetSecondFactor", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		account, err := living(ctx, w, req.GetAccount())
		if err != nil {
			return err
		}
		if err := c.dropFactor(ctx, w, account.ID); err != nil {
			return err
		}
		return w.EndAll(ctx, account.ID)
	}, nil)
	if err != nil {
		return nil, err
	}
	return &accountsv1.ResetSecondFactorResponse{}, nil
}

// dropFactor takes a second factor away.
func (c *carried) dropFactor(ctx context.Context, w SchoolWriter, account string) error {
	has, err := hasFactor(ctx, w, account)
	if err != nil || !has {
		return cmp.Or[error](err, rpc.Fail("no_second_factor", ""))
	}
	if _, err := w.DropFactor(ctx, account); err != nil {
		return err
	}
	return c.note(ctx, w, Audit{Action: actionFactorEnded, Subject: account})
}

func orNoFactor(err error) error {
	if errors.Is(err, ErrNotFound) {
		return rpc.Fail("no_second_factor", "")
	}
	return err
}

// proveBoth proves by password and code that it is the person.
func (s *Service) proveBoth(ctx context.Context, password, code string) error {
	caller, _ := identity.From(ctx)
	if err := s.provePassword(ctx, caller.Account, password); err != nil {
		return err
	}
	return s.proveCode(ctx, code, Factor.inUse)
}

// provePassword checks the caller's own password.
func (s *Service) provePassword(ctx context.Context, account, password string) error {
	if err := tried(s.proofs, account, s.now()); err != nil {
		return err
	}
	person, err := s.store.Person(ctx, account)
	if err != nil {
		return problem(err)
	}
	switch match, err := s.hasher.Verify(ctx, password, person.PasswordHash); {
	case err != nil:
		return problem(err)
	case !match:
		return &rpc.Problem{Code: "wrong_password", Fields: []rpc.Field{{Name: fieldPassword, Code: "wrong_password"}}}
	}
	return nil
}

// waiting and inUse are the states in which a code proves something.
func (f Factor) waiting(now time.Time) error {
	switch {
	case f.Confirmed():
		return rpc.Fail("second_factor_set", "")
	case !f.MadeAt.Add(factorWaits).After(now):
		return rpc.Fail("no_second_factor", "the secret waited too long; begin again")
	}
	return nil
}

func (f Factor) inUse(time.Time) error {
	if !f.Confirmed() {
		return rpc.Fail("no_second_factor", "")
	}
	return nil
}

// proveCode uses a code of the caller up, unless their command was carried out
// before: then the code is used up already.
func (s *Service) proveCode(ctx context.Context, code string, state func(Factor, time.Time) error) error {
	caller, _ := identity.From(ctx)
	switch _, err := s.store.Command(ctx, caller.Account, rpc.Key(ctx)); {
	case err == nil:
		return nil
	case !errors.Is(err, ErrNotFound):
		return problem(err)
	}
	err := s.useCode(ctx, caller.Account, code, state)
	if wrong, ok := errors.AsType[*rpc.Problem](err); ok && wrong.Code == codeFactorWrong {
		wrong.Fields = []rpc.Field{{Name: fieldCode, Code: codeFactorWrong}}
	}
	return problem(err)
}

// codeFactorWrong is the problem of a code that opens nothing.
const codeFactorWrong = "second_factor_wrong"

// useCode uses a code of an account up: one of the app, which opens once, or a
// recovery code. Errors: second_factor_wrong, too_many_requests, and those of state.
func (s *Service) useCode(ctx context.Context, account, typed string, state func(Factor, time.Time) error) error {
	mark := s.sealer.Mark("factor\n" + account)
	var refusal error // what is refused is counted too, so the transaction must stand
	err := s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		refusal = nil
		now := s.now()
		factor, err := w.Factor(ctx, account)
		if err != nil {
			return orNoFactor(err)
		}
		if err := state(factor, now); err != nil {
			return err
		}
		code, ofApp := totpCode(typed)
		if !ofApp {
			used, err := w.UseRecovery(ctx, account, hashRecovery(account, typed))
			if err != nil || used {
				return err
			}
			refusal = rpc.Fail(codeFactorWrong, "")
			return nil
		}
		full, err := w.Guesses(ctx, mark)
		if err != nil {
			return err
		}
		if refusal = factorGuesses.refuse(full, now); refusal != nil {
			return nil
		}
		secret, err := s.sealer.Open(account, factor.Sealed)
		if err != nil {
			return fmt.Errorf("opening a second factor: %w", err)
		}
		step, right, err := totpMatch(secret, code, now, factor.LastStep)
		switch {
		case err != nil:
			return err
		case !right:
			refusal = rpc.Fail(codeFactorWrong, "")
			return factorGuesses.missed(ctx, w, mark, now)
		}
		factor.LastStep = step
		if err := w.PutFactor(ctx, factor); err != nil {
			return err
		}
		return w.PutGuesses(ctx, mark, time.Time{})
	})
	return cmp.Or(err, refusal)
}
