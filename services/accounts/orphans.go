package accounts

import (
	"context"
	"slices"

	"tabuleiro/internal/rpc"
)

// leavesNoClass refuses where somebody is the only teacher of a class that goes on,
// and names all such classes: nobody could help its pupils, nor see who they are.
// Whoever takes a teacher away, an operator too, sees to another before.
func leavesNoClass(ctx context.Context, r SchoolReader, teacher string) error {
	taught, err := r.ClassesTaught(ctx, teacher)
	if err != nil {
		return err
	}
	var orphans []string
	for _, class := range taught {
		if class.Archived() {
			continue
		}
		teachers, err := r.TeachersOf(ctx, class.ID)
		if err != nil {
			return err
		}
		if len(teachers) == 1 {
			orphans = append(orphans, class.Name)
		}
	}
	if len(orphans) == 0 {
		return nil
	}
	slices.SortFunc(orphans, compareFolded)
	return &rpc.Problem{
		Code: "last_teacher", Detail: "add another teacher to each of these classes, or archive it, before", Classes: orphans,
	}
}

// taughtAgain refuses to restore a class whose teachers have all gone since it was
// archived.
func taughtAgain(ctx context.Context, r SchoolReader, class Class) error {
	teachers, err := r.TeachersOf(ctx, class.ID)
	if err != nil || len(teachers) > 0 {
		return err
	}
	return &rpc.Problem{
		Code: "last_teacher", Detail: "add a teacher to the class before it is restored", Classes: []string{class.Name},
	}
}
