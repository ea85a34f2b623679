package accounts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// codeAge is how long a code lasts that is no access code.
	codeAge = 7 * 24 * time.Hour
	// maxCodes is how many of them one person has made that wait to be used.
	maxCodes = 200
	// maxGuesses is how many wrong guesses end an access code.
	maxGuesses = 20
	// accessScope is the scope of the keys of access codes, which nobody uses while
	// logged in.
	accessScope = "access"
	// fieldCode is the field of a code.
	fieldCode = "code"
)

// hashAccess hashes an access code for its account alone, so that whoever has the
// hashes must guess for each by itself.
func hashAccess(account, code string) [32]byte {
	return sha256.Sum256([]byte(account + "\n" + typedCode(code)))
}

// usable says whether a code can still be used.
func (c Code) usable(now time.Time) bool { return now.Before(c.ExpiresAt) && c.Tries < maxGuesses }

// mayMake says whether an account may make, and so answer for, a code. Asked again
// when the code is used: who has lost the right gives nothing any more.
func mayMake(ctx context.Context, r SchoolReader, now time.Time, maker Account, purpose, account, class string) (bool, error) {
	operator := slices.Contains(maker.Roles, RoleOperator)
	switch purpose {
	case CodeTeacher:
		return operator, nil
	case CodeGuardian, CodeAccess:
		_, _, err := related(ctx, r, now, maker, account, relationTeacher, relationOperator)
		if errors.Is(err, ErrNotFound) {
			return false, nil
		}
		return err == nil, err
	default:
		teachers, err := r.TeachersOf(ctx, class)
		return slices.Contains(teachers, maker.ID), err
	}
}

// stands refuses a code whose maker could not make it now.
func (c Code) stands(ctx context.Context, r SchoolReader, now time.Time) error {
	maker, err := living(ctx, r, c.MadeBy)
	if err != nil {
		return wrongIfGone(err)
	}
	if may, err := mayMake(ctx, r, now, maker, c.Purpose, c.Account, c.Class); err != nil || !may {
		return cmp.Or(err, ErrWrongCode)
	}
	return nil
}

// MakeCode implements ClassesService.
func (s *Service) MakeCode(ctx context.Context, req *accountsv1.MakeCodeRequest) (*accountsv1.MakeCodeResponse, error) {
	switch purpose := req.GetPurpose(); {
	case (purpose == CodeGuardian) != (req.GetAccount() != ""):
		return nil, badField("account", `the child's, for "guardian" alone`)
	case (purpose == CodePupil) != (req.GetClass() != ""):
		return nil, badField("class", `for "pupil" alone`)
	}
	var resp *accountsv1.MakeCodeResponse
	err := s.carry(ctx, "MakeCode", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		if err := refuseCode(ctx, w, c.At, c.me, req); err != nil {
			return err
		}
		waiting, err := w.CountCodes(ctx, c.me.ID)
		if err != nil {
			return err
		}
		if waiting >= maxCodes {
			return rpc.Fail("too_many_codes", "at most 200 that wait to be used")
		}
		return c.note(ctx, w, Audit{Action: actionCodeMade, Subject: req.GetAccount(), Class: req.GetClass(), Why: req.GetPurpose()})
	}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		resp = &accountsv1.MakeCodeResponse{}
		if err := refuseCode(ctx, w, c.At, c.me, req); err != nil {
			return err
		}
		old, err := w.CodesOf(ctx, c.batch)
		if err != nil {
			return err
		}
		if c.repeated && len(old) == 0 {
			return nil // used, or ended
		}
		for _, code := range old {
			if err := w.DropCode(ctx, code.Hash); err != nil {
				return err
			}
		}
		text, err := s.newCode()
		if err != nil {
			return err
		}
		code := Code{
			Hash: hashCode(text), Purpose: req.GetPurpose(), Account: req.GetAccount(), Class: req.GetClass(),
			MadeBy: c.me.ID, Batch: c.batch, ExpiresAt: s.now().Add(codeAge),
		}
		resp.Code, resp.ExpiresAt = text, timestamppb.New(code.ExpiresAt)
		return w.PutCode(ctx, code)
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// refuseCode says why a code cannot be made.
func refuseCode(ctx context.Context, r SchoolReader, now time.Time, me Account, req *accountsv1.MakeCodeRequest) error {
	may, err := mayMake(ctx, r, now, me, req.GetPurpose(), req.GetAccount(), req.GetClass())
	if err != nil {
		return err
	}
	switch {
	case req.GetPurpose() == CodePupil:
		_, err = openClassFor(ctx, r, req.GetClass(), false)
		return err
	case may:
		return nil
	case req.GetPurpose() == CodeGuardian:
		return ErrNotFound
	}
	return rpc.Fail("forbidden", "only an operator makes teachers")
}

// ClaimCode implements ClassesService.
func (s *Service) ClaimCode(ctx context.Context, req *accountsv1.ClaimCodeRequest) (*accountsv1.ClaimCodeResponse, error) {
	caller, _ := identity.From(ctx)
	if ok, wait := s.claims.try(caller.Account, s.now()); !ok {
		return nil, &rpc.Problem{Code: "too_many_requests", RetryAfter: wait}
	}
	var resp *accountsv1.ClaimCodeResponse
	// The code itself is no part of the stored command: its hash is.
	hash := hashCode(req.GetCode())
	err := s.carry(ctx, "ClaimCode", &accountsv1.ClaimCodeRequest{Code: hexOf(hash)}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		code, err := w.FindCode(ctx, hash)
		if errors.Is(err, ErrNotFound) || err == nil && (!code.usable(c.At) || code.Purpose == CodeAccess) {
			return ErrWrongCode
		}
		if err != nil {
			return err
		}
		if err := code.stands(ctx, w, c.At); err != nil {
			return err
		}
		c.Object = code.Purpose + ":" + code.Account + code.Class
		if err := s.claim(ctx, w, c, code); err != nil {
			return err
		}
		return w.DropCode(ctx, hash)
	}, func(_ context.Context, _ SchoolWriter, c *carried) error {
		purpose, id, _ := strings.Cut(c.Object, ":")
		resp = &accountsv1.ClaimCodeResponse{Purpose: purpose}
		switch purpose {
		case CodeGuardian:
			resp.Account = id
		case CodePupil:
			resp.Class = id
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

func wrongIfGone(err error) error {
	if errors.Is(err, ErrNotFound) {
		return ErrWrongCode
	}
	return err
}

// claim does what a code is for.
func (s *Service) claim(ctx context.Context, w SchoolWriter, c *carried, code Code) error {
	switch code.Purpose {
	case CodeTeacher:
		if !c.me.independent(c.At) {
			return rpc.Fail("adult_required", "")
		}
		if err := w.SetRole(ctx, c.me.ID, RoleTeacher, true); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionRoleGiven, Subject: c.me.ID, Object: code.MadeBy, Why: "code"})
	case CodeGuardian:
		if !c.me.independent(c.At) || c.me.ID == code.Account {
			return rpc.Fail("adult_required", "")
		}
		if err := w.PutGuardian(ctx, code.Account, c.me.ID, c.At); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionGuardianAdded, Subject: code.Account, Object: code.MadeBy, Why: "code"})
	default:
		class, err := w.FindClass(ctx, code.Class)
		if err != nil {
			return wrongIfGone(err)
		}
		if class.Archived() {
			return rpc.Fail("class_archived", "")
		}
		if err := room(ctx, w, class.ID, 1); err != nil {
			return err
		}
		if err := w.PutPupil(ctx, Pupil{Class: class.ID, Account: c.me.ID, JoinedAt: c.At}); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionPupilJoined, Subject: c.me.ID, Class: class.ID, Object: code.MadeBy, Why: "code"})
	}
}

// UseAccessCode implements ClassesService.
func (s *Service) UseAccessCode(ctx context.Context, req *accountsv1.UseAccessCodeRequest) (*accountsv1.UseAccessCodeResponse, error) {
	login, text := strings.TrimSpace(req.GetLogin()), strings.TrimSpace(req.GetCode())
	var missing []fault
	for _, field := range []struct{ name, value string }{{fieldLogin, login}, {fieldCode, text}, {fieldPassword, req.GetPassword()}} {
		if field.value == "" {
			missing = append(missing, fault{field.name, codeFieldsMissing, "must not be empty"})
		}
	}
	if len(missing) > 0 {
		return nil, problem(faultError{missing})
	}
	if faults := checkPassword(fieldPassword, req.GetPassword(), login, false); len(faults) > 0 {
		return nil, problem(faultError{faults})
	}
	command := Command{
		Scope: accessScope, Key: rpc.Key(ctx), At: s.now(),
		Body: sha256.Sum256([]byte(foldLogin(login) + "\n" + typedCode(text))),
	}
	done, err := s.accessKnown(ctx, command, req.GetPassword())
	if err != nil || done {
		return answerAccess(err)
	}
	// The code comes first: hashing a password costs much, and only a right code
	// is worth it.
	account, err := s.guess(ctx, login, text)
	if err != nil {
		return answerAccess(err)
	}
	hash, err := s.hasher.Hash(ctx, req.GetPassword())
	if err != nil {
		return answerAccess(err)
	}
	command.Account = account
	err = s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		if _, err := w.FindCommand(ctx, command.Scope, command.Key); !errors.Is(err, ErrNotFound) {
			return orUsed(err)
		}
		return setAccess(ctx, w, command, hashAccess(account, text), hash)
	})
	if errors.Is(err, ErrKeyUsed) {
		if done, err = s.accessKnown(ctx, command, req.GetPassword()); err == nil && !done {
			err = ErrWrongCode
		}
	}
	return answerAccess(err)
}

func answerAccess(err error) (*accountsv1.UseAccessCodeResponse, error) {
	if err != nil {
		return nil, problem(err)
	}
	return &accountsv1.UseAccessCodeResponse{}, nil
}

// setAccess sets a password in the place of a code.
func setAccess(ctx context.Context, w SchoolWriter, command Command, code [32]byte, password string) error {
	codes, err := w.AccessCodes(ctx, []string{command.Account})
	if err != nil {
		return err
	}
	if len(codes) == 0 || codes[0].Hash != code || !codes[0].usable(command.At) {
		return ErrWrongCode // replaced or used a moment ago
	}
	if err := codes[0].stands(ctx, w, command.At); err != nil {
		return err
	}
	if err := w.DropCode(ctx, code); err != nil {
		return err
	}
	if err := w.SetPassword(ctx, command.Account, password); err != nil {
		return err
	}
	if err := w.EndAll(ctx, command.Account); err != nil {
		return err
	}
	row := Audit{At: command.At, Actor: command.Account, Action: actionAccessSet, Subject: command.Account, Object: codes[0].MadeBy, Times: 1}
	if err := w.Append(ctx, row); err != nil {
		return err
	}
	return w.Keep(ctx, command)
}

// accessKnown says whether an access code was used under this key, with the same
// password. Errors: key_reused.
func (s *Service) accessKnown(ctx context.Context, asked Command, password string) (bool, error) {
	first, err := s.store.Command(ctx, asked.Scope, asked.Key)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	person, err := s.store.Person(ctx, first.Account)
	if err != nil {
		return false, err
	}
	same, err := s.hasher.Verify(ctx, password, person.PasswordHash)
	if err != nil {
		return false, err
	}
	if first.Body != asked.Body || !same {
		return false, rpc.Fail("key_reused", "")
	}
	return true, nil
}

// guess compares an access code with what its login waits for and counts a wrong
// guess. It says the same of a login that is not there, and returns the account.
func (s *Service) guess(ctx context.Context, login, text string) (string, error) {
	if !validLogin(login) {
		return "", ErrWrongCode
	}
	right, account := false, ""
	err := s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		right, account = false, ""
		person, err := w.FindLogin(ctx, login)
		if err != nil {
			return wrongIfGone(err)
		}
		codes, err := w.AccessCodes(ctx, []string{person.ID})
		if err != nil || len(codes) == 0 || !codes[0].usable(s.now()) {
			return cmp.Or(err, ErrWrongCode)
		}
		if err := codes[0].stands(ctx, w, s.now()); err != nil {
			return err
		}
		account = person.ID
		hash := hashAccess(person.ID, text)
		if right = subtle.ConstantTimeCompare(hash[:], codes[0].Hash[:]) == 1; right {
			return nil
		}
		if err := w.CountTry(ctx, person.ID); err != nil {
			return err
		}
		if codes[0].Tries+1 < maxGuesses {
			return nil
		}
		return w.Append(ctx, Audit{At: s.now(), Action: actionAccessGuessed, Subject: person.ID, Times: maxGuesses})
	})
	if err == nil && !right {
		err = ErrWrongCode
	}
	return account, err
}
