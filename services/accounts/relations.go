package accounts

import (
	"context"
	"errors"
	"slices"
	"time"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// What a viewer is to a subject, the first that holds.
const (
	relationSelf      = "self"
	relationTeacher   = "teacher"
	relationGuardian  = "guardian"
	relationOperator  = "operator"
	relationSameClass = "same_class"
	relationNone      = "none"
)

// alive says whether the account is no tombstone.
func (a Account) alive() bool { return a.DeletedAt.IsZero() }

// born is the birth date; false where it is not known.
func (a Account) born() (time.Time, bool) {
	date, err := time.Parse(time.DateOnly, a.BirthDate)
	return date, err == nil
}

// minor says whether the person is known to be a child: by the birth date or, where
// nobody has said it, because a class made the account.
func (a Account) minor(now time.Time) bool {
	if born, known := a.born(); known {
		return born.AddDate(adultAge, 0, 0).After(now)
	}
	return a.Managed
}

// independent says whether the person may answer for others, and with more than a
// password for themselves: adults, but for those whose access a class's teachers reset.
func (a Account) independent(now time.Time) bool { return a.alive() && !a.minor(now) && !a.Managed }

// protected says whether the defaults for minors hold. Someone whose age is not
// known counts as one, but for those whom the installation trusts with others.
func (a Account) protected(now time.Time) bool {
	_, known := a.born()
	trusted := slices.Contains(a.Roles, RoleTeacher) || slices.Contains(a.Roles, RoleOperator)
	return a.minor(now) || !known && !trusted
}

// publicGames says whether the person may play games that everybody sees.
func (a Account) publicGames(now time.Time) bool { return a.PublicAllowed || !a.protected(now) }

// living finds an account that is no tombstone. Errors: ErrNotFound.
func living(ctx context.Context, r SchoolReader, id string) (Account, error) {
	found, err := r.FindAccounts(ctx, []string{id})
	if err != nil {
		return Account{}, err
	}
	if len(found) == 0 || !found[0].alive() {
		return Account{}, ErrNotFound
	}
	return found[0], nil
}

// self is the account of the caller, who may have been deleted a moment ago.
func self(ctx context.Context, r SchoolReader) (Account, error) {
	caller, _ := identity.From(ctx)
	account, err := living(ctx, r, caller.Account)
	if errors.Is(err, ErrNotFound) {
		return Account{}, rpc.Fail("session_ended", "")
	}
	return account, err
}

// relate says what a viewer is to subjects, all alive, in their order. Guardians are
// somebody's as long as the protection of minors lasts.
func relate(ctx context.Context, r SchoolReader, now time.Time, viewer Account, subjects []string) ([]string, error) {
	places, err := r.Places(ctx, append(slices.Clone(subjects), viewer.ID))
	if err != nil {
		return nil, err
	}
	taught, err := r.ClassesTaught(ctx, viewer.ID)
	if err != nil {
		return nil, err
	}
	children, err := childrenOf(ctx, r, now, viewer.ID)
	if err != nil {
		return nil, err
	}
	classes := map[string][]string{} // by account
	for _, place := range places {
		classes[place.Account] = append(classes[place.Account], place.Class)
	}
	teaches := func(class string) bool {
		return slices.ContainsFunc(taught, func(c Class) bool { return c.ID == class && !c.Archived() })
	}
	attends := func(class string) bool { return slices.Contains(classes[viewer.ID], class) }
	relations := make([]string, len(subjects))
	for i, subject := range subjects {
		switch {
		case subject == viewer.ID:
			relations[i] = relationSelf
		case slices.ContainsFunc(classes[subject], teaches):
			relations[i] = relationTeacher
		case slices.ContainsFunc(children, func(child Account) bool { return child.ID == subject }):
			relations[i] = relationGuardian
		case slices.Contains(viewer.Roles, RoleOperator):
			relations[i] = relationOperator
		case slices.ContainsFunc(classes[subject], attends):
			relations[i] = relationSameClass
		default:
			relations[i] = relationNone
		}
	}
	return relations, nil
}

// childrenOf are those whom an account is a guardian of, as long as they are protected.
func childrenOf(ctx context.Context, r SchoolReader, now time.Time, guardian string) ([]Account, error) {
	ids, err := r.ChildrenOf(ctx, guardian)
	if err != nil {
		return nil, err
	}
	children, err := r.FindAccounts(ctx, ids)
	return slices.DeleteFunc(children, func(child Account) bool { return !child.protected(now) }), err
}

// related finds another account and what the viewer is to it, which must be one
// of these; any other account is not found. Errors: ErrNotFound.
func related(ctx context.Context, r SchoolReader, now time.Time, viewer Account, subject string, as ...string) (Account, string, error) {
	account, err := living(ctx, r, subject)
	if err != nil {
		return Account{}, "", err
	}
	relations, err := relate(ctx, r, now, viewer, []string{subject})
	if err != nil {
		return Account{}, "", err
	}
	if !slices.Contains(as, relations[0]) {
		return Account{}, "", ErrNotFound
	}
	return account, relations[0], nil
}

// Relations implements ClassesService.
func (s *Service) Relations(ctx context.Context, req *accountsv1.RelationsRequest) (*accountsv1.RelationsResponse, error) {
	now := s.now()
	var resp *accountsv1.RelationsResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		resp = &accountsv1.RelationsResponse{}
		accounts, err := r.FindAccounts(ctx, append(slices.Clone(req.GetSubjects()), req.GetViewer()))
		if err != nil {
			return err
		}
		byID := map[string]Account{}
		for _, account := range accounts {
			if account.alive() {
				byID[account.ID] = account
			}
		}
		viewer, known := byID[req.GetViewer()]
		relations := make([]string, len(req.GetSubjects()))
		if known {
			if relations, err = relate(ctx, r, now, viewer, req.GetSubjects()); err != nil {
				return err
			}
		}
		for i, subject := range req.GetSubjects() {
			relation := &accountsv1.Relation{Subject: subject, Relation: relationNone}
			if account, ok := byID[subject]; ok {
				relation.Protected, relation.PublicGames = account.protected(now), account.publicGames(now)
				if known {
					relation.Relation = relations[i]
				}
			}
			resp.Relations = append(resp.Relations, relation)
		}
		return nil
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}

// ClassesOf implements ClassesService.
func (s *Service) ClassesOf(ctx context.Context, req *accountsv1.ClassesOfRequest) (*accountsv1.ClassesOfResponse, error) {
	var resp *accountsv1.ClassesOfResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		resp = &accountsv1.ClassesOfResponse{}
		taught, err := r.ClassesTaught(ctx, req.GetAccount())
		if err != nil {
			return err
		}
		attended, err := r.ClassesAttended(ctx, req.GetAccount())
		if err != nil {
			return err
		}
		for i, class := range append(taught, attended...) {
			if class.Archived() {
				continue
			}
			people := &accountsv1.ClassPeople{Class: class.ID, Name: class.Name, Teaches: i < len(taught)}
			if people.Teachers, err = r.TeachersOf(ctx, class.ID); err != nil {
				return err
			}
			resp.Classes = append(resp.Classes, people)
			if !people.Teaches {
				continue
			}
			pupils, err := r.PupilsOf(ctx, class.ID)
			if err != nil {
				return err
			}
			for _, p := range pupils {
				if p.ArchivedAt.IsZero() {
					people.Pupils = append(people.Pupils, p.Account)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}

// ListRelations implements ClassesService.
func (s *Service) ListRelations(ctx context.Context, _ *accountsv1.ListRelationsRequest) (*accountsv1.ListRelationsResponse, error) {
	var resp *accountsv1.ListRelationsResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		me, err := self(ctx, r)
		if err != nil {
			return err
		}
		resp, err = relationsOf(ctx, r, me, s.now())
		return err
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}

func relationsOf(ctx context.Context, r SchoolReader, me Account, now time.Time) (*accountsv1.ListRelationsResponse, error) {
	resp := &accountsv1.ListRelationsResponse{Protected: me.protected(now), PublicGames: me.publicGames(now)}
	places, err := r.Places(ctx, []string{me.ID})
	if err != nil {
		return nil, err
	}
	var teachers []string
	for _, place := range places {
		of, err := r.TeachersOf(ctx, place.Class)
		if err != nil {
			return nil, err
		}
		teachers = append(teachers, of...)
	}
	var guardians []string
	if resp.Protected {
		if guardians, err = r.GuardiansOf(ctx, me.ID); err != nil {
			return nil, err
		}
	}
	protected, err := childrenOf(ctx, r, now, me.ID)
	if err != nil {
		return nil, err
	}
	var children []string
	for _, child := range protected {
		children = append(children, child.ID)
	}
	for _, side := range []struct {
		ids   []string
		into  *[]*accountsv1.RelatedPerson
		names bool
	}{{teachers, &resp.Teachers, false}, {guardians, &resp.Guardians, false}, {children, &resp.Children, true}} {
		accounts, err := r.FindAccounts(ctx, slices.Compact(slices.Sorted(slices.Values(side.ids))))
		if err != nil {
			return nil, err
		}
		slices.SortFunc(accounts, func(a, b Account) int { return compareFolded(a.Login, b.Login) })
		for _, account := range accounts {
			person := &accountsv1.RelatedPerson{Account: account.ID, Login: account.Login}
			if side.names {
				person.Name, person.PublicGames = account.FirstName, account.publicGames(now)
			}
			*side.into = append(*side.into, person)
		}
	}
	return resp, nil
}
