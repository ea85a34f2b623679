package play

import (
	"context"
	"fmt"

	"google.golang.org/grpc"

	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// AuditLog notes what was done to whom; the same key notes it once.
type AuditLog interface {
	RecordAudit(ctx context.Context, in *accountsv1.RecordAuditRequest, opts ...grpc.CallOption) (*accountsv1.RecordAuditResponse, error)
}

// audit tells the audit log of a decision, and the game that it has heard. The key
// is the decision's, so that whoever asks again after a crash changes nothing.
func (s *Service) audit(ctx context.Context, due Due) error {
	state, owed, err := s.owed(ctx, due)
	if err != nil || !owed {
		return err
	}
	next := state.Audits[0]
	if s.deps.Audit != nil {
		_, err := s.deps.Audit.RecordAudit(rpc.WithKey(ctx, fmt.Sprintf("ruling-%s-%d", state.ID, next.Version)), &accountsv1.RecordAuditRequest{
			Actor: next.By, Action: "game_adjudicated", Subjects: state.accounts(), Object: state.ID, Why: next.Why,
		})
		if problem, ok := rpc.ProblemOf(err); ok && problem.Code == "account_not_found" {
			// Asking again would not change it.
			s.deps.Log.Error("decision cannot be audited", "game", state.ID, "version", next.Version, "by", next.By, "err", err)
		} else if err != nil {
			return fmt.Errorf("audit a decision: %w", err)
		}
	}
	return s.settle(ctx, due, Audited{Decision: next.Version})
}
