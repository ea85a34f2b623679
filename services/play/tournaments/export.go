package tournaments

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// exportPage is how many tournaments one page of an export has: each is read whole.
const exportPage = 20

// exporters are what somebody must be to whom they export tournaments of.
var exporters = []string{"teacher", "guardian", "operator"}

// ExportTournaments implements playv1.TournamentsServiceServer.
func (s *Service) ExportTournaments(ctx context.Context, in *playv1.ExportTournamentsRequest) (*playv1.ExportTournamentsResponse, error) {
	caller, err := callerOf(ctx)
	if err != nil {
		return nil, err
	}
	if strings.ContainsFunc(in.GetBefore(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, badField("before", "must be the id of a tournament")
	}
	account := cmp.Or(in.GetAccount(), caller.Account)
	if err := s.mayExport(ctx, caller, account); err != nil {
		return nil, problemOf(err)
	}
	states, err := s.deps.Store.Of(ctx, account, in.GetOrganised(), in.GetBefore(), exportPage)
	if err != nil {
		return nil, problemOf(err)
	}
	out := &playv1.ExportTournamentsResponse{}
	for _, state := range states {
		out.Tournaments = append(out.Tournaments, ownOf(wire(state, account, true)))
	}
	if len(states) == exportPage {
		out.Next = states[exportPage-1].ID
	}
	return out, nil
}

// mayExport refuses whoever may not see what an account plays. An access token needs
// a scope of its own for others.
func (s *Service) mayExport(ctx context.Context, caller identity.Caller, account string) error {
	if account == caller.Account {
		return nil
	}
	if !caller.Allows(identity.ScopeClassRead) {
		return rpc.Fail("account_not_found", "")
	}
	related, err := s.deps.People.Relations(ctx, caller.Account, []string{account})
	if err == nil && !slices.ContainsFunc(related, func(p Person) bool { return slices.Contains(exporters, p.Relation) }) {
		err = rpc.Fail("account_not_found", "")
	}
	return err
}

// ownOf leaves of a tournament what is about the account that it was written for: its
// entry, its boards and its line of the table. Opponents are numbers there.
func ownOf(t *playv1.Tournament) *playv1.Tournament {
	if !t.GetOrganiser() {
		t.OrganiserName = ""
	}
	t.Players = slices.DeleteFunc(t.Players, func(p *playv1.TournamentPlayer) bool { return p.GetNumber() != t.GetYou() })
	t.Table = slices.DeleteFunc(t.Table, func(line *playv1.TournamentStanding) bool { return line.GetPlayer() != t.GetYou() })
	for _, round := range t.Played {
		round.Boards = slices.DeleteFunc(round.Boards, func(b *playv1.TournamentBoard) bool {
			return t.GetYou() == 0 || b.GetWhite() != t.GetYou() && b.GetBlack() != t.GetYou()
		})
	}
	t.Played = slices.DeleteFunc(t.Played, func(round *playv1.TournamentRound) bool { return len(round.GetBoards()) == 0 })
	return t
}
