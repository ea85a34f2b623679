package play

import "context"

// purgeBatch is how many rows are forgotten at once: few enough to keep nobody
// waiting for the writer.
const purgeBatch = 200

// purge forgets one batch of commands and one of guests' games that are over.
// Commands come first: they name games.
func (s *Service) purge(ctx context.Context) error {
	before := s.deps.Time.Now().Add(-s.cfg.KeepFor).UnixMilli()
	commands, err := s.deps.Store.PurgeCommands(ctx, before, purgeBatch)
	s.deps.Metrics.purged("command", commands)
	if err != nil || commands == purgeBatch {
		return err
	}
	games, err := s.deps.Store.PurgeGuests(ctx, before, purgeBatch)
	s.deps.Metrics.purged("guest_game", games)
	return err
}
