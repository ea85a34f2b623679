package accounts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// Bounds of classes.
const (
	// maxClasses is how many a teacher has that are not archived.
	maxClasses = 100
	// maxPupils is how many a class has that are not archived.
	maxPupils = 400
	// maxTeachers is how many a class has.
	maxTeachers = 20
	// minSchoolYear is the first; 0 is none.
	minSchoolYear = 2000
	// listClasses is how many classes are listed unless asked otherwise.
	listClasses = 100
)

// classFor finds a class that the caller teaches or, where operators may, any as
// an operator. Every other class is not found.
func classFor(ctx context.Context, r SchoolReader, id string, operators bool) (Class, error) {
	caller, _ := identity.From(ctx)
	class, err := r.FindClass(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return Class{}, rpc.Fail("class_not_found", "")
	}
	if err != nil || operators && caller.Has(RoleOperator) {
		return class, err
	}
	teachers, err := r.TeachersOf(ctx, id)
	if err != nil {
		return Class{}, err
	}
	if !slices.Contains(teachers, caller.Account) {
		return Class{}, rpc.Fail("class_not_found", "")
	}
	return class, nil
}

// openClassFor is classFor where something is about to change.
func openClassFor(ctx context.Context, r SchoolReader, id string, operators bool) (Class, error) {
	class, err := classFor(ctx, r, id, operators)
	if err == nil && class.Archived() {
		err = rpc.Fail("class_archived", "")
	}
	return class, err
}

// active are the pupils that are not archived.
func active(pupils []Pupil) []Pupil {
	return slices.DeleteFunc(slices.Clone(pupils), func(p Pupil) bool { return !p.ArchivedAt.IsZero() })
}

// room refuses so many more pupils in a class than there is room for.
func room(ctx context.Context, r SchoolReader, class string, more int) error {
	pupils, err := r.PupilsOf(ctx, class)
	if err != nil {
		return err
	}
	if len(active(pupils))+more > maxPupils {
		return rpc.Fail("class_full", "a class has at most 400 pupils")
	}
	return nil
}

// placeIn finds a pupil of a class, archived or not. Errors: ErrNotFound.
func placeIn(ctx context.Context, r SchoolReader, class, account string) (Pupil, error) {
	pupils, err := r.PupilsOf(ctx, class)
	if err != nil {
		return Pupil{}, err
	}
	i := slices.IndexFunc(pupils, func(p Pupil) bool { return p.Account == account })
	if i < 0 {
		return Pupil{}, ErrNotFound
	}
	return pupils[i], nil
}

// className checks the name of a class.
func className(name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" || !validName(name) {
		return "", badField("name", "1 to 64 characters, none of them a control character")
	}
	return name, nil
}

func schoolYear(year int32) error {
	if year != 0 && year < minSchoolYear {
		return badField("school_year", "2000 to 2100, or 0 for none")
	}
	return nil
}

// CreateClass implements ClassesService.
func (s *Service) CreateClass(ctx context.Context, req *accountsv1.CreateClassRequest) (*accountsv1.CreateClassResponse, error) {
	name, err := className(req.GetName())
	if err != nil {
		return nil, err
	}
	if err := schoolYear(req.GetSchoolYear()); err != nil {
		return nil, err
	}
	id := s.newID()
	var resp *accountsv1.CreateClassResponse
	err = s.carry(ctx, "CreateClass", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		taught, err := w.ClassesTaught(ctx, c.me.ID)
		if err != nil {
			return err
		}
		if len(slices.DeleteFunc(taught, Class.Archived)) >= maxClasses {
			return rpc.Fail("too_many_classes", "at most 100 that are not archived")
		}
		c.Object = id
		if err := w.PutClass(ctx, Class{ID: id, Name: name, Year: req.GetSchoolYear(), CreatedAt: c.At}); err != nil {
			return err
		}
		if err := w.PutTeacher(ctx, id, c.me.ID); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionClassMade, Class: id})
	}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := classFor(ctx, w, c.Object, false)
		if err != nil {
			return err
		}
		shown, err := class.proto(ctx, w, RoleTeacher)
		resp = &accountsv1.CreateClassResponse{Class: shown}
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// proto is the class as someone with this role sees it.
func (c Class) proto(ctx context.Context, r SchoolReader, role string) (*accountsv1.Class, error) {
	pupils, err := r.PupilsOf(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	shown := &accountsv1.Class{
		Id: c.ID, Name: c.Name, SchoolYear: c.Year, CreatedAt: timestamppb.New(c.CreatedAt),
		Pupils: int32(len(active(pupils))), Role: role,
	}
	if c.Archived() {
		shown.ArchivedAt = timestamppb.New(c.ArchivedAt)
	}
	if role == rolePupil {
		return shown, nil
	}
	leaving, first, err := r.Leaving(ctx, c.ID)
	if leaving > 0 {
		shown.Leaving, shown.LeavesAt = int32(leaving), timestamppb.New(leavesAt(first))
	}
	return shown, err
}

// shownTo is the class as a teacher of it or an operator sees it.
func (c Class) shownTo(ctx context.Context, r SchoolReader, viewer Account) (*accountsv1.Class, error) {
	_, roles, err := classesOf(ctx, r, viewer.ID)
	if err != nil {
		return nil, err
	}
	return c.proto(ctx, r, cmp.Or(roles[c.ID], RoleOperator))
}

// The roles in a class besides those of accounts.
const rolePupil = "pupil"

// ListClasses implements ClassesService.
func (s *Service) ListClasses(ctx context.Context, req *accountsv1.ListClassesRequest) (*accountsv1.ListClassesResponse, error) {
	caller, _ := identity.From(ctx)
	if req.GetAll() && !caller.Has(RoleOperator) {
		return nil, rpc.Fail("forbidden", "only an operator lists all classes")
	}
	limit := int(cmp.Or(req.GetLimit(), listClasses))
	var resp *accountsv1.ListClassesResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		resp = &accountsv1.ListClassesResponse{}
		if _, err := self(ctx, r); err != nil {
			return err
		}
		list, roles, err := classesOf(ctx, r, caller.Account)
		if err != nil {
			return err
		}
		if req.GetAll() {
			// Archived ones are left out below, so the page may be shorter.
			if list, err = r.AllClasses(ctx, req.GetBefore(), limit); err != nil {
				return err
			}
		}
		for _, class := range list {
			past := req.GetBefore() != "" && class.ID >= req.GetBefore()
			if past || len(resp.Classes) == limit || class.Archived() && (!req.GetArchived() || roles[class.ID] == rolePupil) {
				continue
			}
			shown, err := class.proto(ctx, r, cmp.Or(roles[class.ID], RoleOperator))
			if err != nil {
				return err
			}
			resp.Classes = append(resp.Classes, shown)
		}
		return nil
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}

// classesOf lists the classes of an account, newest first, with its role in each.
func classesOf(ctx context.Context, r SchoolReader, account string) ([]Class, map[string]string, error) {
	taught, err := r.ClassesTaught(ctx, account)
	if err != nil {
		return nil, nil, err
	}
	attended, err := r.ClassesAttended(ctx, account)
	if err != nil {
		return nil, nil, err
	}
	roles := map[string]string{}
	for _, class := range attended {
		roles[class.ID] = rolePupil
	}
	list := slices.Clone(attended)
	for _, class := range taught {
		if roles[class.ID] == "" {
			list = append(list, class)
		}
		roles[class.ID] = RoleTeacher
	}
	slices.SortFunc(list, func(a, b Class) int { return cmp.Compare(b.ID, a.ID) })
	return list, roles, nil
}

// GetClass implements ClassesService.
func (s *Service) GetClass(ctx context.Context, req *accountsv1.GetClassRequest) (*accountsv1.GetClassResponse, error) {
	caller, _ := identity.From(ctx)
	var resp *accountsv1.GetClassResponse
	var accounts []string
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		resp, accounts = &accountsv1.GetClassResponse{}, nil
		class, err := r.FindClass(ctx, req.GetClass())
		if errors.Is(err, ErrNotFound) {
			return rpc.Fail("class_not_found", "")
		}
		if err != nil {
			return err
		}
		teachers, err := r.TeachersOf(ctx, class.ID)
		if err != nil {
			return err
		}
		pupils, err := r.PupilsOf(ctx, class.ID)
		if err != nil {
			return err
		}
		role := ""
		switch mine := func(p Pupil) bool { return p.Account == caller.Account }; {
		case slices.Contains(teachers, caller.Account):
			role = RoleTeacher
		case caller.Has(RoleOperator):
			role = RoleOperator
		case !class.Archived() && slices.ContainsFunc(active(pupils), mine):
			role, pupils = rolePupil, active(pupils)
		default:
			return rpc.Fail("class_not_found", "")
		}
		if resp.Class, err = class.proto(ctx, r, role); err != nil {
			return err
		}
		if resp.Teachers, err = teachersOf(ctx, r, teachers); err != nil {
			return err
		}
		resp.Pupils, err = pupilsOf(ctx, r, pupils, role != rolePupil, s.now())
		for _, pupil := range resp.Pupils {
			accounts = append(accounts, pupil.Account)
		}
		return err
	})
	if err != nil {
		return nil, problem(err)
	}
	if resp.Class.Role == rolePupil {
		return resp, nil
	}
	standings, err := s.store.Standings(ctx, accounts)
	if err != nil {
		return nil, problem(err)
	}
	now := s.now()
	for _, pupil := range resp.Pupils {
		for _, standing := range standings {
			if standing.Account == pupil.Account {
				pupil.Ratings = append(pupil.Ratings, standing.proto(now))
			}
		}
	}
	return resp, nil
}

func teachersOf(ctx context.Context, r SchoolReader, ids []string) ([]*accountsv1.ClassTeacher, error) {
	accounts, err := r.FindAccounts(ctx, ids)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(accounts, func(a, b Account) int { return compareFolded(a.Login, b.Login) })
	var list []*accountsv1.ClassTeacher
	for _, account := range accounts {
		list = append(list, &accountsv1.ClassTeacher{Account: account.ID, Login: account.Login})
	}
	return list, nil
}

// pupilsOf are pupils as a teacher sees them, by name, or as a classmate does, by
// login.
func pupilsOf(ctx context.Context, r SchoolReader, pupils []Pupil, whole bool, now time.Time) ([]*accountsv1.ClassPupil, error) {
	ids := make([]string, len(pupils))
	places := map[string]Pupil{}
	for i, pupil := range pupils {
		ids[i], places[pupil.Account] = pupil.Account, pupil
	}
	accounts, err := r.FindAccounts(ctx, ids)
	if err != nil {
		return nil, err
	}
	bare, err := r.WithoutPassword(ctx, ids)
	if err != nil {
		return nil, err
	}
	codes, err := r.AccessCodes(ctx, bare)
	if err != nil {
		return nil, err
	}
	var list []*accountsv1.ClassPupil
	for _, account := range accounts {
		pupil := &accountsv1.ClassPupil{Account: account.ID, Login: account.Login}
		if whole {
			pupil.Name, pupil.MadeByClass = account.FirstName, account.Managed
			pupil.PublicAllowed, pupil.Policy = account.PublicAllowed, account.Policy
			pupil.Access = "ready"
			if slices.Contains(bare, account.ID) {
				pupil.Access = "expired"
				if slices.ContainsFunc(codes, func(c Code) bool { return c.Account == account.ID && c.usable(now) }) {
					pupil.Access = "code"
				}
			}
			if !account.NoticedAt.IsZero() {
				pupil.LeavesAt = timestamppb.New(leavesAt(account.NoticedAt))
			}
			if at := places[account.ID].ArchivedAt; !at.IsZero() {
				pupil.ArchivedAt = timestamppb.New(at)
			}
		}
		list = append(list, pupil)
	}
	slices.SortFunc(list, func(a, b *accountsv1.ClassPupil) int {
		return cmp.Or(compareFolded(a.Name, b.Name), compareFolded(a.Login, b.Login))
	})
	return list, nil
}

// UpdateClass implements ClassesService.
func (s *Service) UpdateClass(ctx context.Context, req *accountsv1.UpdateClassRequest) (*accountsv1.UpdateClassResponse, error) {
	name := req.GetName()
	if req.Name != nil {
		var err error
		if name, err = className(name); err != nil {
			return nil, err
		}
	}
	if err := schoolYear(req.GetSchoolYear()); err != nil {
		return nil, err
	}
	var resp *accountsv1.UpdateClassResponse
	err := s.carry(ctx, "UpdateClass", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := classFor(ctx, w, req.GetClass(), true)
		if err != nil {
			return err
		}
		var actions []string
		if req.Archived != nil && req.GetArchived() != class.Archived() {
			class.ArchivedAt, actions = time.Time{}, append(actions, actionClassRestored)
			if req.GetArchived() {
				class.ArchivedAt, actions = c.At, []string{actionClassArchived}
			} else if err := taughtAgain(ctx, w, class); err != nil {
				return err
			}
		}
		if req.Name != nil && name != class.Name || req.SchoolYear != nil && req.GetSchoolYear() != class.Year {
			if class.Archived() && !req.GetArchived() {
				return rpc.Fail("class_archived", "")
			}
			class.Name = cmp.Or(name, class.Name)
			if req.SchoolYear != nil {
				class.Year = req.GetSchoolYear()
			}
			actions = append(actions, actionClassChanged)
		}
		for _, action := range actions {
			if err := c.note(ctx, w, Audit{Action: action, Class: class.ID}); err != nil {
				return err
			}
		}
		return w.PutClass(ctx, class)
	}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := classFor(ctx, w, req.GetClass(), true)
		if err != nil {
			return err
		}
		shown, err := class.shownTo(ctx, w, c.me)
		resp = &accountsv1.UpdateClassResponse{Class: shown}
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// AddTeacher implements ClassesService.
func (s *Service) AddTeacher(ctx context.Context, req *accountsv1.AddTeacherRequest) (*accountsv1.AddTeacherResponse, error) {
	if !validLogin(req.GetLogin()) {
		return nil, rpc.Fail("account_not_found", "no teacher has this ID")
	}
	var resp *accountsv1.AddTeacherResponse
	err := s.carry(ctx, "AddTeacher", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := classFor(ctx, w, req.GetClass(), true)
		if err != nil {
			return err
		}
		teachers, err := w.TeachersOf(ctx, class.ID)
		if err != nil {
			return err
		}
		if class.Archived() && len(teachers) > 0 { // without any it could never be restored
			return rpc.Fail("class_archived", "")
		}
		teacher, err := teacherByLogin(ctx, w, req.GetLogin())
		if err != nil {
			return err
		}
		if slices.Contains(teachers, teacher.ID) {
			return nil
		}
		if len(teachers) >= maxTeachers {
			return rpc.Fail("class_full", "a class has at most 20 teachers")
		}
		if err := w.PutTeacher(ctx, class.ID, teacher.ID); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionTeacherAdded, Class: class.ID, Subject: teacher.ID})
	}, func(ctx context.Context, w SchoolWriter, _ *carried) error {
		teacher, err := teacherByLogin(ctx, w, req.GetLogin())
		resp = &accountsv1.AddTeacherResponse{Teacher: &accountsv1.ClassTeacher{Account: teacher.ID, Login: teacher.Login}}
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// teacherByLogin says the same of who does not exist and of who is no teacher.
func teacherByLogin(ctx context.Context, r SchoolReader, login string) (Account, error) {
	person, err := r.FindLogin(ctx, login)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Account{}, err
	}
	if err != nil || !slices.Contains(person.Roles, RoleTeacher) {
		return Account{}, rpc.Fail("account_not_found", "no teacher has this ID")
	}
	return person.Account, nil
}

// RemoveTeacher implements ClassesService.
func (s *Service) RemoveTeacher(ctx context.Context, req *accountsv1.RemoveTeacherRequest) (*accountsv1.RemoveTeacherResponse, error) {
	err := s.carry(ctx, "RemoveTeacher", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		class, err := classFor(ctx, w, req.GetClass(), true)
		if err != nil {
			return err
		}
		teachers, err := w.TeachersOf(ctx, class.ID)
		if err != nil {
			return err
		}
		if !slices.Contains(teachers, req.GetAccount()) {
			return ErrNotFound
		}
		if len(teachers) == 1 {
			return &rpc.Problem{Code: "last_teacher", Classes: []string{class.Name}}
		}
		if err := w.DropTeacher(ctx, class.ID, req.GetAccount()); err != nil {
			return err
		}
		return c.note(ctx, w, Audit{Action: actionTeacherRemoved, Class: class.ID, Subject: req.GetAccount()})
	}, nil)
	if err != nil {
		return nil, err
	}
	return &accountsv1.RemoveTeacherResponse{}, nil
}
