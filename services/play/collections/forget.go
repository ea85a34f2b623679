package collections

import (
	"context"
	"errors"
	"fmt"

	"tabuleiro/services/play/keyed"
)

// Forget deletes all collections of an account that was deleted. It may be done
// again.
func (s *Service) Forget(ctx context.Context, account string) error {
	list, err := s.deps.Store.List(ctx, account)
	if err != nil {
		return fmt.Errorf("list the collections of a deleted account: %w", err)
	}
	for _, c := range list {
		command := keyed.Command{Owner: account, Key: "forget:" + c.ID, Hash: "forget"}
		if err := s.deps.Store.Delete(ctx, command, c.ID); err != nil && !errors.Is(err, ErrNotFound) {
			return fmt.Errorf("delete a collection of a deleted account: %w", err)
		}
	}
	return nil
}
