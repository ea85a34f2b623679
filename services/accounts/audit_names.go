package accounts

import (
	"cmp"
	"context"
	"slices"
	"strings"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// auditNames are the people and classes in rows of the audit log whom the viewer may
// know: the log itself has ids alone, so a name goes with its account.
func auditNames(ctx context.Context, r SchoolReader, viewer Account, operator bool, rows []Audit) ([]*accountsv1.RelatedPerson, []*accountsv1.AuditClass, error) {
	var ids, classIDs []string
	for _, row := range rows {
		for _, id := range []string{row.Actor, row.Subject} {
			if id != "" && !strings.HasPrefix(id, servicePrefix) {
				ids = append(ids, id)
			}
		}
		if row.Class != "" {
			classIDs = append(classIDs, row.Class)
		}
	}
	slices.Sort(ids)
	accounts, err := r.FindAccounts(ctx, slices.Compact(ids))
	if err != nil {
		return nil, nil, err
	}
	taught, err := r.ClassesTaught(ctx, viewer.ID)
	if err != nil {
		return nil, nil, err
	}
	known, err := knownTo(ctx, r, viewer, taught)
	if err != nil {
		return nil, nil, err
	}
	var people []*accountsv1.RelatedPerson
	for _, account := range accounts {
		person := &accountsv1.RelatedPerson{Account: account.ID, Login: account.Login}
		how, seen := known[account.ID]
		switch {
		case !account.alive(): // a tombstone tells of nobody
		case operator || how == rolePupil:
			person.Name = account.FirstName
		case seen:
		default:
			guards, err := guardsOne(ctx, r, account.ID, known)
			if err != nil {
				return nil, nil, err
			}
			if !guards {
				continue
			}
		}
		people = append(people, person)
	}
	slices.SortFunc(people, func(a, b *accountsv1.RelatedPerson) int { return cmp.Compare(a.Account, b.Account) })

	var classes []*accountsv1.AuditClass
	slices.Sort(classIDs)
	for _, id := range slices.Compact(classIDs) {
		if !operator && !slices.ContainsFunc(taught, func(c Class) bool { return c.ID == id }) {
			continue
		}
		class, err := r.FindClass(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		classes = append(classes, &accountsv1.AuditClass{Id: class.ID, Name: class.Name, SchoolYear: class.Year})
	}
	return people, classes, nil
}

// knownTo is whom a teacher knows by their classes that are not archived, as what.
func knownTo(ctx context.Context, r SchoolReader, viewer Account, taught []Class) (map[string]string, error) {
	known := map[string]string{viewer.ID: RoleTeacher}
	for _, class := range taught {
		if class.Archived() {
			continue
		}
		teachers, err := r.TeachersOf(ctx, class.ID)
		if err != nil {
			return nil, err
		}
		for _, teacher := range teachers {
			known[teacher] = RoleTeacher
		}
		pupils, err := r.PupilsOf(ctx, class.ID)
		if err != nil {
			return nil, err
		}
		for _, pupil := range pupils {
			known[pupil.Account] = rolePupil
		}
	}
	return known, nil
}

// guardsOne says whether an account is a guardian of a known pupil.
func guardsOne(ctx context.Context, r SchoolReader, account string, known map[string]string) (bool, error) {
	children, err := r.ChildrenOf(ctx, account)
	return slices.ContainsFunc(children, func(child string) bool { return known[child] == rolePupil }), err
}
