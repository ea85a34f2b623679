package accounts

import (
	"context"
	"encoding/hex"
	"slices"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

func hexOf(hash [32]byte) string { return hex.EncodeToString(hash[:]) }

// GiveRole implements ClassesService.
func (s *Service) GiveRole(ctx context.Context, req *accountsv1.GiveRoleRequest) (*accountsv1.GiveRoleResponse, error) {
	var resp *accountsv1.GiveRoleResponse
	err := s.carry(ctx, "GiveRole", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		account, err := living(ctx, w, req.GetAccount())
		if err != nil {
			return err
		}
		if !account.independent(c.At) {
			return rpc.Fail("adult_required", "")
		}
		if err := w.SetRole(ctx, account.ID, req.GetRole(), true); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionRoleGiven, Subject: account.ID, Why: "operator"})
	}, func(ctx context.Context, w SchoolWriter, _ *carried) error {
		account, err := living(ctx, w, req.GetAccount())
		resp = &accountsv1.GiveRoleResponse{Roles: account.roles()}
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// TakeRole implements ClassesService.
func (s *Service) TakeRole(ctx context.Context, req *accountsv1.TakeRoleRequest) (*accountsv1.TakeRoleResponse, error) {
	var resp *accountsv1.TakeRoleResponse
	err := s.carry(ctx, "TakeRole", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		account, err := living(ctx, w, req.GetAccount())
		if err != nil {
			return err
		}
		if err := leavesNoClass(ctx, w, account.ID); err != nil {
			return err
		}
		taught, err := w.ClassesTaught(ctx, account.ID)
		if err != nil {
			return err
		}
		for _, class := range taught {
			if err := w.DropTeacher(ctx, class.ID, account.ID); err != nil {
				return err
			}
			if err := c.note(ctx, w, Audit{Action: actionTeacherRemoved, Subject: account.ID, Class: class.ID}); err != nil {
				return err
			}
		}
		if err := w.SetRole(ctx, account.ID, req.GetRole(), false); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionRoleTaken, Subject: account.ID, Why: "operator"})
	}, func(ctx context.Context, w SchoolWriter, _ *carried) error {
		account, err := living(ctx, w, req.GetAccount())
		resp = &accountsv1.TakeRoleResponse{Roles: account.roles()}
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// AllowPublic implements ClassesService.
func (s *Service) AllowPublic(ctx context.Context, req *accountsv1.AllowPublicRequest) (*accountsv1.AllowPublicResponse, error) {
	err := s.carry(ctx, "AllowPublic", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		account, relation, err := related(ctx, w, c.At, c.me, req.GetAccount(), relationTeacher, relationGuardian, relationOperator)
		if err != nil {
			return err
		}
		if err := w.SetPublic(ctx, account.ID, req.GetAllowed()); err != nil {
			return err
		}
		action := actionPublicForbidden
		if req.GetAllowed() {
			action = actionPublicAllowed
		}
		return c.note(ctx, w, Audit{Action: action, Subject: account.ID, Why: relation})
	}, nil)
	if err != nil {
		return nil, err
	}
	return &accountsv1.AllowPublicResponse{Allowed: req.GetAllowed()}, nil
}

// EndGuardian implements ClassesService.
func (s *Service) EndGuardian(ctx context.Context, req *accountsv1.EndGuardianRequest) (*accountsv1.EndGuardianResponse, error) {
	err := s.carry(ctx, "EndGuardian", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		why := relationSelf
		if c.me.ID != req.GetGuardian() {
			var err error
			if _, why, err = related(ctx, w, c.At, c.me, req.GetAccount(), relationTeacher, relationOperator); err != nil {
				return err
			}
		}
		children, err := w.ChildrenOf(ctx, req.GetGuardian())
		if err != nil {
			return err
		}
		if !slices.Contains(children, req.GetAccount()) {
			return ErrNotFound
		}
		if err := w.DropGuardian(ctx, req.GetAccount(), req.GetGuardian()); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionGuardianEnded, Subject: req.GetAccount(), Object: req.GetGuardian(), Why: why})
	}, nil)
	if err != nil {
		return nil, err
	}
	return &accountsv1.EndGuardianResponse{}, nil
}

// FindPerson implements ClassesService.
func (s *Service) FindPerson(ctx context.Context, req *accountsv1.FindPersonRequest) (*accountsv1.FindPersonResponse, error) {
	if !validLogin(foldLogin(req.GetLogin())) {
		return nil, rpc.Fail("account_not_found", "")
	}
	var resp *accountsv1.FindPersonResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		person, err := r.FindLogin(ctx, req.GetLogin())
		if err == nil && !person.alive() {
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		has, err := hasFactor(ctx, r, person.ID)
		resp = &accountsv1.FindPersonResponse{
			Account: person.ID, Login: person.Login, Roles: person.roles(), CreatedAt: timestamppb.New(person.CreatedAt),
			MadeByClass: person.Managed, SecondFactor: has, Minor: person.minor(s.now()),
		}
		return err
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}
