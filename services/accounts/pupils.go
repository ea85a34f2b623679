package accounts

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// accessAge is how long a code on a printed slip lasts.
const accessAge = 30 * 24 * time.Hour

// loginTries is how many logins are tried for one name before its number grows.
const loginTries = 50

// AddPupils implements ClassesService.
func (s *Service) AddPupils(ctx context.Context, req *accountsv1.AddPupilsRequest) (*accountsv1.AddPupilsResponse, error) {
	names := make([]string, len(req.GetNames()))
	for i, name := range req.GetNames() {
		names[i] = strings.Join(strings.Fields(name), " ")
		if names[i] == "" || !validName(names[i]) {
			return nil, badField(fmt.Sprintf("names[%d]", i), "1 to 64 characters, none of them a control character")
		}
	}
	var resp *accountsv1.AddPupilsResponse
	err := s.carry(ctx, "AddPupils", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := openClassFor(ctx, w, req.GetClass(), false)
		if err != nil {
			return err
		}
		if err := room(ctx, w, class.ID, len(names)); err != nil {
			return err
		}
		for i, name := range names {
			account, err := s.makePupil(ctx, w, name, c.At)
			if err != nil {
				return err
			}
			place := Pupil{Class: class.ID, Account: account, Batch: c.batch, Place: int32(i + 1), JoinedAt: c.At}
			if err := w.PutPupil(ctx, place); err != nil {
				return err
			}
			if err := c.note(ctx, w, Audit{Action: actionPupilAdded, Class: class.ID, Subject: account}); err != nil {
				return err
			}
		}
		return nil
	}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		resp = &accountsv1.AddPupilsResponse{}
		class, err := openClassFor(ctx, w, req.GetClass(), false)
		if err != nil {
			return err
		}
		made, err := w.BatchOf(ctx, c.batch)
		if err != nil {
			return err
		}
		var accounts []string
		for _, pupil := range made {
			if pupil.Class == class.ID {
				accounts = append(accounts, pupil.Account)
			}
		}
		resp.Slips, err = s.slips(ctx, w, c, accounts)
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// makePupil makes an account with a name, a free login, and nothing else.
func (s *Service) makePupil(ctx context.Context, w SchoolWriter, name string, now time.Time) (string, error) {
	id := s.newID()
	random := make([]byte, 6)
	for try := range 2 * loginTries {
		if _, err := io.ReadFull(s.random, random); err != nil {
			return "", fmt.Errorf("making a login: %w", err)
		}
		login := suggestLogin(name, binary.BigEndian.Uint16(random), binary.BigEndian.Uint16(random[2:]))
		if try >= loginTries { // a name that very many have
			login += fmt.Sprintf("%04d", binary.BigEndian.Uint16(random[4:])%10000)
		}
		if reserved(login) {
			continue
		}
		err := w.InsertAccount(ctx, Person{Account: Account{
			ID: id, Login: login, FirstName: name, Policy: PolicyGuided, Managed: true, CreatedAt: now,
		}})
		if !errors.Is(err, ErrLoginTaken) {
			return id, err
		}
	}
	return "", errors.New("no free login found for a pupil")
}

// slips gives new codes to those of the accounts that have no password.
func (s *Service) slips(ctx context.Context, w SchoolWriter, c *carried, ids []string) ([]*accountsv1.AccessSlip, error) {
	accounts, err := w.FindAccounts(ctx, ids)
	if err != nil {
		return nil, err
	}
	bare, err := w.WithoutPassword(ctx, ids)
	if err != nil {
		return nil, err
	}
	var slips []*accountsv1.AccessSlip
	for _, id := range ids {
		i := slices.IndexFunc(accounts, func(a Account) bool { return a.ID == id })
		if i < 0 {
			continue
		}
		slip := &accountsv1.AccessSlip{Account: id, Name: accounts[i].FirstName, Login: accounts[i].Login}
		if slices.Contains(bare, id) {
			if slip.Code, err = s.newCode(); err != nil {
				return nil, err
			}
			code := Code{
				Hash: hashAccess(id, slip.Code), Purpose: CodeAccess, Account: id, MadeBy: c.me.ID, Batch: c.batch,
				ExpiresAt: s.now().Add(accessAge),
			}
			if err := w.PutCode(ctx, code); err != nil {
				return nil, err
			}
			slip.ExpiresAt = timestamppb.New(code.ExpiresAt)
		}
		slips = append(slips, slip)
	}
	return slips, nil
}

// UpdatePupil implements ClassesService.
func (s *Service) UpdatePupil(ctx context.Context, req *accountsv1.UpdatePupilRequest) (*accountsv1.UpdatePupilResponse, error) {
	name := strings.Join(strings.Fields(req.GetName()), " ")
	if req.Name != nil && (name == "" || !validName(name)) {
		return nil, badField("name", "1 to 64 characters, none of them a control character")
	}
	var resp *accountsv1.UpdatePupilResponse
	err := s.carry(ctx, "UpdatePupil", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := openClassFor(ctx, w, req.GetClass(), false)
		if err != nil {
			return err
		}
		pupil, err := placeIn(ctx, w, class.ID, req.GetAccount())
		if err != nil {
			return err
		}
		if req.Name != nil {
			if err := s.renamePupil(ctx, w, c, pupil, name); err != nil {
				return err
			}
		}
		if archived := !pupil.ArchivedAt.IsZero(); req.Archived == nil || req.GetArchived() == archived {
			return nil
		}
		action := actionPupilArchived
		pupil.ArchivedAt = c.At
		if !req.GetArchived() {
			action, pupil.ArchivedAt = actionPupilRestored, time.Time{}
			if err := room(ctx, w, class.ID, 1); err != nil {
				return err
			}
		}
		if err := w.PutPupil(ctx, pupil); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: action, Class: class.ID, Subject: pupil.Account})
	}, func(ctx context.Context, w SchoolWriter, _ *carried) error {
		class, err := classFor(ctx, w, req.GetClass(), false)
		if err != nil {
			return err
		}
		pupil, err := placeIn(ctx, w, class.ID, req.GetAccount())
		if err != nil {
			return err
		}
		shown, err := pupilsOf(ctx, w, []Pupil{pupil}, true, s.now())
		if err != nil || len(shown) == 0 {
			return cmp.Or(err, ErrNotFound)
		}
		resp = &accountsv1.UpdatePupilResponse{Pupil: shown[0]}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

func (s *Service) renamePupil(ctx context.Context, w SchoolWriter, c *carried, pupil Pupil, name string) error {
	account, err := living(ctx, w, pupil.Account)
	if err != nil {
		return err
	}
	if !account.Managed {
		return rpc.Fail("not_made_by_class", "")
	}
	if err := w.SetFirstName(ctx, account.ID, name); err != nil {
		return err
	}
	return c.note(ctx, w, Audit{Action: actionPupilChanged, Class: pupil.Class, Subject: account.ID})
}

// MovePupil implements ClassesService.
func (s *Service) MovePupil(ctx context.Context, req *accountsv1.MovePupilRequest) (*accountsv1.MovePupilResponse, error) {
	if req.GetClass() == req.GetTo() {
		return nil, badField("to", "must be another class")
	}
	err := s.carry(ctx, "MovePupil", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		from, err := openClassFor(ctx, w, req.GetClass(), false)
		if err != nil {
			return err
		}
		to, err := openClassFor(ctx, w, req.GetTo(), false)
		if err != nil {
			return err
		}
		pupil, err := placeIn(ctx, w, from.ID, req.GetAccount())
		if err != nil {
			return err
		}
		if err := room(ctx, w, to.ID, 1); err != nil {
			return err
		}
		if err := w.DropPupil(ctx, from.ID, pupil.Account); err != nil {
			return err
		}
		pupil.Class, pupil.JoinedAt, pupil.ArchivedAt = to.ID, c.At, time.Time{}
		if err := w.PutPupil(ctx, pupil); err != nil {
			return err
		}
		// A row each, so that the teachers of either class see it.
		for _, classes := range [][2]string{{from.ID, to.ID}, {to.ID, from.ID}} {
			row := Audit{Action: actionPupilMoved, Subject: pupil.Account, Class: classes[0], Object: classes[1]}
			if err := c.note(ctx, w, row); err != nil {
				return err
			}
		}
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	return &accountsv1.MovePupilResponse{}, nil
}

// RemovePupil implements ClassesService.
func (s *Service) RemovePupil(ctx context.Context, req *accountsv1.RemovePupilRequest) (*accountsv1.RemovePupilResponse, error) {
	err := s.carry(ctx, "RemovePupil", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := openClassFor(ctx, w, req.GetClass(), false)
		if err != nil {
			return err
		}
		pupil, err := placeIn(ctx, w, class.ID, req.GetAccount())
		if err != nil {
			return err
		}
		if err := w.DropPupil(ctx, class.ID, pupil.Account); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionPupilRemoved, Class: class.ID, Subject: pupil.Account})
	}, nil)
	if err != nil {
		return nil, err
	}
	return &accountsv1.RemovePupilResponse{}, nil
}

// ResetAccess implements ClassesService.
func (s *Service) ResetAccess(ctx context.Context, req *accountsv1.ResetAccessRequest) (*accountsv1.ResetAccessResponse, error) {
	var resp *accountsv1.ResetAccessResponse
	err := s.carry(ctx, "ResetAccess", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := openClassFor(ctx, w, req.GetClass(), false)
		if err != nil {
			return err
		}
		if err := mayReset(ctx, w, class.ID, req.GetAccounts()); err != nil {
			return err
		}
		for _, account := range req.GetAccounts() {
			if err := w.SetPassword(ctx, account, ""); err != nil {
				return err
			}
			if err := w.EndAll(ctx, account); err != nil {
				return err
			}
			if err := c.note(ctx, w, Audit{Action: actionAccessReset, Class: class.ID, Subject: account}); err != nil {
				return err
			}
		}
		return nil
	}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := openClassFor(ctx, w, req.GetClass(), false)
		if err != nil {
			return err
		}
		// Once more: a pupil may have left the class since the first answer.
		if err := mayReset(ctx, w, class.ID, req.GetAccounts()); err != nil {
			return err
		}
		slips, err := s.slips(ctx, w, c, req.GetAccounts())
		resp = &accountsv1.ResetAccessResponse{Slips: slips}
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// mayReset refuses accounts that are not in the class, and those that no class
// made: their password is their own.
func mayReset(ctx context.Context, r SchoolReader, class string, ids []string) error {
	pupils, err := r.PupilsOf(ctx, class)
	if err != nil {
		return err
	}
	accounts, err := r.FindAccounts(ctx, ids)
	if err != nil {
		return err
	}
	pupils = active(pupils)
	for _, id := range ids {
		i := slices.IndexFunc(accounts, func(a Account) bool { return a.ID == id && a.alive() })
		if i < 0 || !slices.ContainsFunc(pupils, func(p Pupil) bool { return p.Account == id }) {
			return ErrNotFound
		}
		if !accounts[i].Managed {
			return rpc.Fail("not_made_by_class", "")
		}
	}
	return nil
}
