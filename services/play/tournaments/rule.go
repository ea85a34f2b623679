package tournaments

import (
	"context"
	"slices"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// WithdrawPlayer implements playv1.TournamentsServiceServer.
func (s *Service) WithdrawPlayer(ctx context.Context, in *playv1.WithdrawPlayerRequest) (*playv1.WithdrawPlayerResponse, error) {
	t, err := s.run(ctx, change{method: "WithdrawPlayer", message: in, id: in.GetTournament(), command: func(ctx context.Context, account string, state State) (Command, error) {
		player := state.Find(account)
		if n := int(in.GetPlayer()); n > 0 {
			other := state.numbered(n)
			if other != player && state.Organiser != account {
				return nil, rpc.Fail("forbidden", "only the organiser may withdraw others")
			}
			player = other
		}
		return s.leave(ctx, state, player, account)
	}})
	return &playv1.WithdrawPlayerResponse{Tournament: t}, err
}

// leave takes a player out. Who leaves gives up; the organiser decides the game of
// anybody else.
func (s *Service) leave(ctx context.Context, state State, player int, account string) (Command, error) {
	leave := Leave{Player: player}
	_, b := state.playing(player)
	if b == nil {
		return leave, nil
	}
	var err error
	if leave.Counts, err = s.moved(ctx, b); err != nil {
		return nil, err
	}
	if state.Players[player].Account != account {
		leave.Unrated, err = s.unrated(ctx, state, b)
	}
	return leave, err
}

// DecideBoard implements playv1.TournamentsServiceServer.
func (s *Service) DecideBoard(ctx context.Context, in *playv1.DecideBoardRequest) (*playv1.DecideBoardResponse, error) {
	t, err := s.run(ctx, change{method: "DecideBoard", message: in, id: in.GetTournament(), command: organised(func(ctx context.Context, state State) (Command, error) {
		return s.rule(ctx, state, in)
	})})
	return &playv1.DecideBoardResponse{Tournament: t}, err
}

func (s *Service) rule(ctx context.Context, state State, in *playv1.DecideBoardRequest) (Command, error) {
	at := Place{Round: int(in.GetRound()) - 1, Board: int(in.GetBoard()) - 1}
	ruling := Ruling{Board: at.Board, Result: in.GetResult(), Counts: in.GetPlayed()}
	if !state.over() && state.has(at) && state.board(at).Black != none {
		b := state.board(at)
		if state.organiserAt(b) {
			return nil, rpc.Fail("forbidden", "nobody decides a board of their own; a teacher of a player or an operator may decide the game")
		}
		moved, err := s.moved(ctx, b)
		if err != nil {
			return nil, err
		}
		ruling.Counts = ruling.Counts || moved
		if ruling.Unrated, err = s.unrated(ctx, state, b); err != nil {
			return nil, err
		}
	}
	return Rule{Round: at.Round, Boards: []Ruling{ruling}}, nil
}

// organiserAt tells whether the organiser sits at a board.
func (s *State) organiserAt(b *Board) bool {
	you := s.Find(s.Organiser)
	return you != none && b.seats(you)
}

// moved tells whether both sides have moved in a game of a board.
func (s *Service) moved(ctx context.Context, b *Board) (bool, error) {
	for _, game := range b.Games {
		progress, err := s.deps.Games.Progress(ctx, game.ID)
		if err != nil || progress.Moved {
			return progress.Moved, err
		}
	}
	return false, nil
}

// unrated tells whether a game of a board that may run counts for no rating when
// the organiser, who asks, decides the board. Anybody may organise: a result that
// was decided is rated by the rule for single games, where an operator decides, or
// a teacher of one who plays, and nobody a game of their own.
func (s *Service) unrated(ctx context.Context, state State, b *Board) (bool, error) {
	running := slices.ContainsFunc(b.Games, func(g Game) bool { return !g.Closed })
	if !state.Rated || !running {
		return false, nil
	}
	caller, _ := identity.From(ctx)
	switch {
	case state.organiserAt(b):
		return true, nil
	case caller.Has("operator"):
		return false, nil
	case !caller.Has("teacher"):
		return true, nil
	}
	var persons []string
	for _, i := range []int{b.White, b.Black} {
		if account := state.Players[i].Account; account != "" {
			persons = append(persons, account)
		}
	}
	if len(persons) == 0 {
		return true, nil
	}
	related, err := s.deps.People.Relations(ctx, caller.Account, persons)
	return !slices.ContainsFunc(related, func(p Person) bool { return p.Relation == "teacher" }), err
}
