package play

import (
	"context"
	"fmt"
	"slices"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// Relate says what an account is to others, by theirs: "teacher", "guardian",
// "same_class", ... as accounts has it.
type Relate func(ctx context.Context, viewer string, subjects []string) (map[string]string, error)

// relateBy asks accounts.
func relateBy(classes accountsv1.ClassesServiceClient) Relate {
	return func(ctx context.Context, viewer string, subjects []string) (map[string]string, error) {
		answer, err := classes.Relations(ctx, &accountsv1.RelationsRequest{Viewer: viewer, Subjects: subjects})
		if err != nil {
			return nil, fmt.Errorf("ask for relations: %w", err)
		}
		relations := map[string]string{}
		for _, r := range answer.GetRelations() {
			relations[r.GetSubject()] = r.GetRelation()
		}
		return relations, nil
	}
}

// overseers may see the games of others; acquainted may challenge those who are
// protected.
var (
	overseers  = []string{"teacher", "guardian", "operator"}
	acquainted = []string{"teacher", "guardian", "same_class"}
)

// relatedAs tells whether an account is one of these to one of others.
func (s *Service) relatedAs(ctx context.Context, caller identity.Caller, as []string, others ...string) (bool, error) {
	if caller.Account == "" || s.deps.Relate == nil || len(others) == 0 {
		return false, nil
	}
	relations, err := s.deps.Relate(ctx, caller.Account, others)
	if err != nil {
		return false, err
	}
	for _, relation := range relations {
		if slices.Contains(as, relation) {
			return true, nil
		}
	}
	return false, nil
}

// oversees tells whether the caller may see the games of one of others. An access
// token needs a scope of its own for that.
func (s *Service) oversees(ctx context.Context, caller identity.Caller, others ...string) (bool, error) {
	if !caller.Allows(identity.ScopeClassRead) {
		return false, nil
	}
	return s.relatedAs(ctx, caller, overseers, others...)
}

// accounts are those of the people in a game.
func (s State) accounts() []string {
	var all []string
	for _, seat := range s.Seats {
		if seat.Account != "" && !slices.Contains(all, seat.Account) {
			all = append(all, seat.Account)
		}
	}
	return all
}

// listed is whose games are listed: the caller's, or somebody's whom they oversee.
func (s *Service) listed(ctx context.Context, caller identity.Caller, player, list string) (string, error) {
	if player == "" || player == caller.Account {
		return caller.Player(), nil
	}
	if list != "" && list != "mine" {
		return "", badField("player", `only for "mine"`)
	}
	may, err := s.oversees(ctx, caller, player)
	if err != nil {
		return "", err
	}
	if !may {
		return "", rpc.Fail("account_not_found", "")
	}
	return player, nil
}

// mayInvite refuses an invitation of somebody who is protected by a stranger, in
// the words for a login that nobody has.
func (s *Service) mayInvite(ctx context.Context, caller identity.Caller, guest Profile) error {
	if !guest.Protected || guest.Account == caller.Account {
		return nil
	}
	may, err := s.relatedAs(ctx, caller, acquainted, guest.Account)
	if err == nil && !may {
		err = nobodyCalled()
	}
	return err
}

func nobodyCalled() error { return rpc.Fail("account_not_found", "there is nobody with this login") }
