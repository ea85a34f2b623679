package tutor

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// Relations is what the tutor asks of the accounts service about two people.
type Relations interface {
	Relations(ctx context.Context, in *accountsv1.RelationsRequest, opts ...grpc.CallOption) (*accountsv1.RelationsResponse, error)
}

// viewers are those who may see another's lessons, by what they are to them.
var viewers = []string{"self", "teacher", "guardian", "operator"}

// subject is the account that a question is about: the caller's unless another is
// named that they may see. Any other account is not found.
func (s *Service) subject(ctx context.Context, account string) (string, error) {
	caller, _ := identity.From(ctx)
	if account == "" || account == caller.Account {
		return caller.Account, nil
	}
	answer, err := s.relations.Relations(ctx, &accountsv1.RelationsRequest{Viewer: caller.Account, Subjects: []string{account}})
	if err != nil {
		return "", fmt.Errorf("%w: asking for a relation: %w", rpc.Fail("unavailable", ""), err)
	}
	for _, r := range answer.GetRelations() {
		if r.GetSubject() == account && slices.Contains(viewers, r.GetRelation()) {
			return account, nil
		}
	}
	return "", rpc.Fail("account_not_found", "")
}
