package play

import (
	"context"

	"tabuleiro/internal/identity"
	"tabuleiro/services/play/tournaments"
)

// Competitions are the tournaments that games belong to.
type Competitions interface {
	// Attends tells whether somebody may see all games of a tournament.
	Attends(ctx context.Context, caller identity.Caller, tournament string) (bool, error)
	// Organises tells whether an account organises a tournament.
	Organises(ctx context.Context, account, tournament string) (bool, error)
	// GameOver says that a game of a tournament is over, or that a person in charge
	// has decided it since. How it stands the tournament asks by itself: who says so
	// may be slow. What is known changes nothing.
	GameOver(ctx context.Context, tournament, game string) error
}

// CompeteIn tells the service of the tournaments that its games belong to, before
// it serves anything: tournaments need games, and games their tournaments.
func (s *Service) CompeteIn(c Competitions) { s.competitions = c }

// attends tells whether the caller may see a game for its tournament's sake.
func (s *Service) attends(ctx context.Context, caller identity.Caller, state State) (bool, error) {
	if state.Tournament == "" || caller.Account == "" || s.competitions == nil {
		return false, nil
	}
	return s.competitions.Attends(ctx, caller, state.Tournament)
}

// tellTournament tells the tournament of a game that it is over, or over otherwise.
func (s *Service) tellTournament(ctx context.Context, due Due) error {
	state, owed, err := s.owed(ctx, due)
	if err != nil || !owed {
		return err
	}
	if s.competitions != nil {
		if err := s.competitions.GameOver(ctx, state.Tournament, state.ID); err != nil {
			return err
		}
	}
	return s.deps.Store.Drop(ctx, due)
}

// tournamentResult is the result of a game that is over, as its tournament counts
// it: of one that a player aborted, by whom.
func (s State) tournamentResult() string {
	switch {
	case s.Status != StatusCancelled:
		return s.Result()
	case s.Closed == nil || s.Closed.Why != WhyAborted || s.Closed.Side == "":
		return tournaments.Aborted
	case s.side(s.Closed.Side) == 0:
		return tournaments.AbortedByWhite
	}
	return tournaments.AbortedByBlack
}
