package accounts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	"tabuleiro/internal/seeded"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// defaultChanges is how many rating changes are listed unless asked otherwise.
const defaultChanges = 50

// Rate implements AccountsService.
func (s *Service) Rate(ctx context.Context, req *accountsv1.RateRequest) (*accountsv1.RateResponse, error) {
	game, err := s.game(req)
	if err != nil {
		return nil, err
	}
	entry, err := s.store.Rate(ctx, game, start, func(table Table) (Decision, error) {
		if seeded.On("rated_twice") {
			return rateAgain(s, game, table)
		}
		return settle(game, s.levels, table, s.now())
	})
	var revision revisionError
	switch {
	case errors.Is(err, errConflict):
		return nil, rpc.Fail("rating_conflict", "")
	case errors.As(err, &revision):
		return nil, badField("revision", fmt.Sprintf("the next revision of this game is %d", revision.next))
	case err != nil:
		return nil, problem(err)
	}
	resp := &accountsv1.RateResponse{}
	for _, side := range entry.Sides {
		resp.Seats = append(resp.Seats, &accountsv1.SeatRating{
			Before: rounded(side.Before.Value), After: rounded(side.After.Value),
			Deviation: rounded(side.After.Deviation), Provisional: side.After.Provisional(),
		})
	}
	return resp, nil
}

// game checks what the contract's rules do not say. A game that seems to have
// ended in the future, by a clock that is ahead, ended now.
func (s *Service) game(req *accountsv1.RateRequest) (Game, error) {
	game := Game{
		ID: req.GetGame(), Revision: req.GetRevision(), Pool: Pool{Rules: req.GetRules(), Speed: req.GetSpeed()},
		HalfPoints: req.GetFirstHalfPoints(), Annulled: req.GetAnnulled(),
	}
	if game.Annulled {
		if game.Revision == 0 {
			return Game{}, badField("annulled", "only a game that was rated can be annulled")
		}
		game.HalfPoints = 0
	}
	if err := req.GetFinishedAt().CheckValid(); err != nil {
		return Game{}, badField("finished_at", "must be a time")
	}
	game.FinishedAt = req.GetFinishedAt().AsTime().Truncate(time.Millisecond)
	if now := s.now(); game.FinishedAt.After(now) {
		game.FinishedAt = now
	}
	for i, seat := range req.GetSeats() {
		account, level := seat.GetAccount(), seat.GetLevel()
		switch {
		case (account == "") == (level == ""):
			return Game{}, badField(fmt.Sprintf("seats[%d]", i), "must be an account or a level")
		case account != "" && !validID(account):
			return Game{}, badField(fmt.Sprintf("seats[%d].account", i), "must be a UUID in lower case")
		case level != "" && s.levels[level].Value == 0:
			return Game{}, badField(fmt.Sprintf("seats[%d].level", i), "is no level")
		}
		game.Seats[i] = Seat{Account: account, Level: level}
	}
	if game.Seats[0] == game.Seats[1] || game.Seats[0].Account == game.Seats[1].Account {
		return Game{}, badField("seats", "must be two different players, of whom one at least is an account")
	}
	return game, nil
}

// rateAgain is the seeded bug rated_twice: a result that is told again counts
// again.
func rateAgain(s *Service, game Game, table Table) (Decision, error) {
	again := game
	again.Revision = 0
	decision, err := settle(again, s.levels, Table{Standings: table.Standings}, s.now())
	decision.Entry.Revision = int32(len(table.Entries))
	return decision, err
}

// ListRatingChanges implements AccountsService.
func (s *Service) ListRatingChanges(ctx context.Context, req *accountsv1.ListRatingChangesRequest) (*accountsv1.ListRatingChangesResponse, error) {
	caller, _ := identity.From(ctx)
	limit := int(req.GetLimit())
	if limit == 0 {
		limit = defaultChanges
	}
	entries, err := s.store.Entries(ctx, caller.Account, req.GetRules(), 0, limit)
	if err != nil {
		return nil, problem(err)
	}
	resp := &accountsv1.ListRatingChangesResponse{}
	for _, entry := range entries {
		resp.Changes = append(resp.Changes, entry.changeOf(caller.Account))
	}
	return resp, nil
}

// changeOf is what the entry did to the rating of an account that it is about.
func (e Entry) changeOf(account string) *accountsv1.RatingChange {
	side := e.Sides[e.seatOf(account)]
	return &accountsv1.RatingChange{
		Game: e.ID, Rules: e.Pool.Rules, Speed: e.Pool.Speed,
		Before: rounded(side.Before.Value), After: rounded(side.After.Value),
		At: timestamppb.New(e.RatedAt), Revision: e.Revision,
	}
}

// seatOf is the seat of an account that is known to have one.
func (g Game) seatOf(account string) int {
	if g.Seats[0].Account == account {
		return 0
	}
	return 1
}

func badField(name, detail string) *rpc.Problem {
	return &rpc.Problem{Code: "bad_field", Fields: []rpc.Field{{Name: name, Code: "bad_field", Detail: detail}}}
}

func rounded(points float64) int32 { return int32(math.Round(points)) }

// validID takes ids as they are written here, and in no other of UUID's forms.
func validID(id string) bool {
	parsed, err := uuid.Parse(id)
	return err == nil && parsed.String() == id
}
