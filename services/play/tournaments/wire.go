package tournaments

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

func stamp(ms int64) *timestamppb.Timestamp {
	if ms == 0 {
		return nil
	}
	return timestamppb.New(time.UnixMilli(ms))
}

// wire is a tournament as an account sees it; whole adds players, rounds and table.
func wire(s State, account string, whole bool) *playv1.Tournament {
	t := &playv1.Tournament{
		Id: s.ID, Name: s.Name, Rules: s.Rules, Draws: s.Draws, Kind: s.Kind, Status: s.Status, Entry: s.Entry, Rated: s.Rated,
		Rounds: int32(s.Rounds), Paired: int32(len(s.Played)), Games: int32(s.Games), Tie: s.Tie, Auto: s.Auto,
		RoundMinutes: int32(s.RoundMS / 60_000), MaxPlayers: int32(s.MaxPlayers), Late: s.Late, Version: s.Version,
		CreatedAt: stamp(s.CreatedAt), StartedAt: stamp(s.StartedAt), FinishedAt: stamp(s.FinishedAt),
		Organiser: s.Organiser == account, You: int32(s.number(s.Find(account))), OrganiserName: s.OrganiserName,
	}
	if s.InitialMS > 0 {
		t.Clock = &playv1.ClockSettings{InitialMs: s.InitialMS, IncrementMs: s.IncrementMS}
	}
	if !whole {
		return t
	}
	for i, p := range s.Players {
		t.Players = append(t.Players, &playv1.TournamentPlayer{
			Number: int32(s.number(i)), Account: p.Account, Level: p.Level, Name: p.Name, Rating: p.Rating, Status: p.Status, Seed: int32(p.Seed),
		})
	}
	for i := range s.Played {
		t.Played = append(t.Played, s.roundWire(i))
	}
	if s.Status == StatusOpen || s.StartedAt == 0 {
		return t
	}
	if s.Kind != Knockout {
		t.Breaks = breaks(s.Kind)
	}
	for _, line := range Table(s) {
		row := &playv1.TournamentStanding{
			Place: int32(line.Place), Player: int32(s.number(line.Player)), Points: float64(line.Points) / 2, Games: int32(line.Games), Wins: int32(line.Wins),
		}
		for _, b := range line.Breaks {
			row.Breaks = append(row.Breaks, float64(b)/4)
		}
		t.Table = append(t.Table, row)
	}
	return t
}

func (s *State) roundWire(index int) *playv1.TournamentRound {
	r := &s.Played[index]
	out := &playv1.TournamentRound{Number: int32(index) + 1, PairedAt: stamp(r.At), Deadline: stamp(r.Deadline)}
	for i := range r.Boards {
		b := &r.Boards[i]
		board := &playv1.TournamentBoard{
			Number: int32(i) + 1, White: int32(s.number(b.White)), Black: int32(s.number(b.Black)), Result: b.Result, Decided: !b.played(),
		}
		for _, g := range b.Games {
			board.Games = append(board.Games, &playv1.TournamentGame{Id: g.ID, Reversed: g.Reversed, Result: g.Result})
		}
		out.Boards = append(out.Boards, board)
	}
	return out
}
