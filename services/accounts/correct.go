package accounts

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// GetDetails implements PrivacyService.
func (s *Service) GetDetails(ctx context.Context, req *accountsv1.GetDetailsRequest) (*accountsv1.GetDetailsResponse, error) {
	var resp *accountsv1.GetDetailsResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		me, err := self(ctx, r)
		if err != nil {
			return err
		}
		account, _, err := mayManage(ctx, r, s.now(), me, req.GetAccount())
		resp = &accountsv1.GetDetailsResponse{Details: account.detailsProto(s.now())}
		return err
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}

// CorrectDetails implements PrivacyService.
func (s *Service) CorrectDetails(ctx context.Context, req *accountsv1.CorrectDetailsRequest) (*accountsv1.CorrectDetailsResponse, error) {
	var resp *accountsv1.CorrectDetailsResponse
	err := s.carry(ctx, "CorrectDetails", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		account, relation, err := mayManage(ctx, w, c.At, c.me, req.GetAccount())
		if err != nil {
			return err
		}
		if relation == relationSelf && account.Managed && account.protected(c.At) {
			// By its name the teacher knows whose slip to print, and whose data to delete.
			return rpc.Fail("forbidden", "a guardian, a teacher or the operator corrects an account that a class made")
		}
		after, err := s.corrected(account, req, c.At)
		if err != nil || after.details() == account.details() {
			return err
		}
		if relation == relationSelf && account.escapes(after, c.At) {
			return rpc.Fail("protection_kept", "")
		}
		if err := answersForNobody(ctx, w, account, after, c.At); err != nil {
			return err
		}
		if err := w.SetDetails(ctx, account.ID, after.details()); err != nil {
			return err
		}
		return noteCorrection(ctx, w, c, account, after, relation)
	}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		resp = &accountsv1.CorrectDetailsResponse{}
		account, _, err := mayManage(ctx, w, c.At, c.me, req.GetAccount())
		if errors.Is(err, ErrNotFound) {
			return nil // a guardian's relation has ended with it, or another since
		}
		resp.Details = account.detailsProto(c.At)
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// corrected is an account with what was asked for in place of what was there.
func (s *Service) corrected(account Account, req *accountsv1.CorrectDetailsRequest, now time.Time) (Account, error) {
	details := account.details()
	required := s.required
	if account.Managed {
		required = []string{fieldFirstName} // all that the teacher gave
	}
	var faults []fault
	for _, change := range []struct {
		field string
		asked *string
		into  *string
	}{
		{fieldFirstName, req.FirstName, &details.FirstName}, {fieldSurname, req.Surname, &details.Surname},
		{fieldBirthDate, req.BirthDate, &details.BirthDate}, {fieldSex, req.Sex, &details.Sex},
	} {
		if change.asked == nil {
			continue
		}
		*change.into = strings.TrimSpace(*change.asked)
		if *change.into == "" && slices.Contains(required, change.field) {
			faults = append(faults, fault{change.field, codeFieldsMissing, "must not be empty"})
		}
	}
	if len(faults) > 0 {
		return Account{}, faultError{faults}
	}
	birth, faults := details.check(now)
	if len(faults) > 0 {
		return Account{}, faultError{faults}
	}
	if !birth.IsZero() {
		details.BirthDate = birth.Format(time.DateOnly)
	}
	account.setDetails(details)
	return account, nil
}

// escapes says whether the protection of minors would end by a correction, or earlier
// than it does: a child could grow up by typing. Of an age that is not known it never
// ends by itself, but neither is somebody a known child then, whom others answer for.
func (a Account) escapes(after Account, now time.Time) bool {
	if !a.protected(now) || a.BirthDate == after.BirthDate {
		return false
	}
	if !after.protected(now) {
		return true
	}
	will, known := after.born()
	was, before := a.born()
	if !known {
		return before
	}
	return !before || will.Before(was)
}

// answersForNobody refuses to make a minor of somebody who answers for others.
func answersForNobody(ctx context.Context, r SchoolReader, account, after Account, now time.Time) error {
	if account.minor(now) || !after.minor(now) {
		return nil
	}
	children, err := childrenOf(ctx, r, now, account.ID)
	if err == nil && (account.staff() || len(children) > 0) {
		err = rpc.Fail("adult_required", "teachers, operators and guardians are adults")
	}
	return err
}

// noteCorrection writes that something was corrected, and by whom, but not what: the
// log has no names and dates. Where it is the protection that changes, it says so.
func noteCorrection(ctx context.Context, w SchoolWriter, c *carried, account, after Account, why string) error {
	actions := []string{actionCorrected}
	switch was, is := account.protected(c.At), after.protected(c.At); {
	case was && !is:
		actions = append(actions, actionUnshielded)
	case !was && is:
		actions = append(actions, actionShielded)
	}
	places, err := w.Places(ctx, []string{account.ID})
	if err != nil {
		return err
	}
	class := ""
	if len(places) > 0 {
		class = places[0].Class
	}
	for _, action := range actions {
		if err := c.note(ctx, w, Audit{Action: action, Subject: account.ID, Class: class, Why: why}); err != nil {
			return err
		}
	}
	return nil
}

// detailsProto is what the form asks, as those see it who may correct it.
func (a Account) detailsProto(now time.Time) *accountsv1.PersonDetails {
	return &accountsv1.PersonDetails{
		Account: a.ID, Login: a.Login, FirstName: a.FirstName, Surname: a.Surname, BirthDate: a.BirthDate, Sex: a.Sex,
		MadeByClass: a.Managed, Protected: a.protected(now),
	}
}
