package play

import (
	"context"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// paced makes the PaceService of a Service.
type paced struct {
	playv1.UnimplementedPaceServiceServer
	*Service
}

// Pace is the part of the service that is about time beyond the clock.
func (s *Service) Pace() playv1.PaceServiceServer { return paced{Service: s} }

// ClaimWin implements playv1.PaceServiceServer.
func (p paced) ClaimWin(ctx context.Context, in *playv1.ClaimWinRequest) (*playv1.ClaimWinResponse, error) {
	r, err := p.request(ctx, "ClaimWin", in)
	if err != nil {
		return nil, err
	}
	state, err := p.run(ctx, p.onGame(r, in.GetGame(), func(_ context.Context, state State) (Command, error) {
		if seat := state.SeatOf(r.player); seat >= 0 && p.presence.here(state.ID, state.Seats[1-seat].Side, p.now()) {
			return nil, refuse("not_gone", "the opponent is here again")
		}
		return ClaimWin{Player: r.player, Draw: in.GetResult() == "draw"}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.ClaimWinResponse{Game: state.whole(r.player)}, nil
}

// GiveTime implements playv1.PaceServiceServer.
func (p paced) GiveTime(ctx context.Context, in *playv1.GiveTimeRequest) (*playv1.GiveTimeResponse, error) {
	r, err := p.request(ctx, "GiveTime", in)
	if err != nil {
		return nil, err
	}
	state, err := p.run(ctx, p.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return GiveTime{Player: r.player}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.GiveTimeResponse{Game: state.whole(r.player)}, nil
}

// SuspendGame implements playv1.PaceServiceServer.
func (p paced) SuspendGame(ctx context.Context, in *playv1.SuspendGameRequest) (*playv1.SuspendGameResponse, error) {
	r, err := p.request(ctx, "SuspendGame", in)
	if err != nil {
		return nil, err
	}
	state, err := p.run(ctx, p.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return Suspend{Player: r.player}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.SuspendGameResponse{Game: state.whole(r.player)}, nil
}

// ResumeGame implements playv1.PaceServiceServer.
func (p paced) ResumeGame(ctx context.Context, in *playv1.ResumeGameRequest) (*playv1.ResumeGameResponse, error) {
	r, err := p.request(ctx, "ResumeGame", in)
	if err != nil {
		return nil, err
	}
	// A saved game has its place among the player's games; it needs no other.
	state, err := p.run(ctx, p.onGame(r, in.GetGame(), func(context.Context, State) (Command, error) {
		return Resume{Player: r.player}, nil
	}))
	if err != nil {
		return nil, err
	}
	return &playv1.ResumeGameResponse{Game: state.whole(r.player)}, nil
}

// paceWire adds to a game what this file is about.
func (s State) paceWire(g *playv1.Game) {
	g.MoveSeconds = s.MoveSeconds
	if s.unfinished() { // games that ended before the end took the offer away have it still
		g.PauseOffer = s.Pause
	}
	if s.Status != StatusRunning {
		return
	}
	if from := s.claimFrom(); from != 0 {
		g.ClaimFrom = stamp(from)
	}
	for i, since := range s.Gone {
		if since != 0 {
			g.Gone = append(g.Gone, &playv1.Gone{Side: s.Seats[i].Side, Since: stamp(since)})
		}
	}
}
