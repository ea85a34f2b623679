package tournaments

import "slices"

// The kinds of events.
const (
	KindCreated   = "created"
	KindEntered   = "entered"
	KindLeft      = "left"
	KindStarted   = "started"
	KindPaired    = "paired"
	KindMore      = "more"
	KindMade      = "made"
	KindEnded     = "ended"
	KindRuled     = "ruled"
	KindClosed    = "closed"
	KindFinished  = "finished"
	KindCancelled = "cancelled"
	KindCorrected = "corrected"

	KindPlayerDeleted    = "player_deleted"
	KindOrganiserDeleted = "organiser_deleted"
)

// Event is one change of a tournament. Kind tells which parts are there.
type Event struct {
	Kind string `json:"kind"`
	At   int64  `json:"at"`
	// Created.
	Setup *Setup `json:"setup,omitempty"`
	// Entered: the player. Left, player_deleted: which one. Started: how many rounds. Ruled: which
	// round.
	Player *Player `json:"player,omitempty"`
	Number int     `json:"number,omitempty"`
	// Left before the start: the others keep their numbers.
	Keeps bool `json:"keeps,omitempty"`
	// Started: the players by their seeds.
	Order []int `json:"order,omitempty"`
	// Paired.
	Round *Round `json:"round,omitempty"`
	// More, made, ended, closed, corrected: which games.
	Places []Place  `json:"places,omitempty"`
	IDs    []string `json:"ids,omitempty"`
	// Ended, corrected: how. Ended: who aborted the game, as Game says it.
	Result  string   `json:"result,omitempty"`
	Aborter int      `json:"aborter,omitempty"`
	Rulings []Ruling `json:"rulings,omitempty"`
}

// Fold is the state after a run of events.
func Fold(s State, events []Event) State {
	for _, e := range events {
		s = Evolve(s, e)
	}
	return s
}

// Evolve is the state after one more event. It trusts the event.
func Evolve(s State, e Event) State {
	s.Version++
	s.ChangedAt = e.At
	switch e.Kind {
	case KindCreated:
		s.Setup, s.Status, s.CreatedAt = *e.Setup, StatusOpen, e.At
	case KindEntered:
		s = entered(s, *e.Player)
	case KindLeft:
		s.Players = slices.Clone(s.Players)
		if e.Keeps {
			s = s.numberAll(0)
		}
		if s.Status == StatusOpen {
			s.Players = slices.Delete(s.Players, e.Number, e.Number+1)
		} else {
			s.Players[e.Number].Status = PlayerWithdrawn
		}
	case KindPlayerDeleted:
		s.Players = slices.Clone(s.Players)
		s.Players[e.Number].Name = deletedName
	case KindOrganiserDeleted:
		s.OrganiserName = deletedName
	case KindStarted:
		s = started(s, e)
	case KindPaired:
		s.Played = append(slices.Clip(s.Played), *e.Round)
	case KindFinished:
		s.Status, s.FinishedAt = StatusFinished, e.At
	case KindCancelled:
		s.Status, s.FinishedAt = StatusCancelled, e.At
	case KindRuled:
		for _, r := range e.Rulings {
			s = s.change(Place{Round: e.Number, Board: r.Board}, func(b *Board) {
				b.Result, b.Decided, b.Counts = r.Result, !r.Played, r.Counts
				// For good: the game that ran may not have been ended yet.
				b.Unrated = b.Unrated || r.Unrated
			})
		}
	default:
		for i, p := range e.Places {
			s = s.change(p, func(b *Board) { s.played(b, p.Game, e, i) })
		}
	}
	return s
}

// played changes a game of a board.
func (s State) played(b *Board, game int, e Event, i int) {
	switch e.Kind {
	case KindMore:
		b.Games = append(b.Games, Game{ID: e.IDs[i], Reversed: b.reversed()})
	case KindMade:
		b.Games[game].Made = true
	case KindClosed:
		b.Games[game].Closed = true
	case KindEnded:
		b.Games[game].Result, b.Games[game].Closed, b.Games[game].Aborter = e.Result, true, e.Aborter
		b.Result = s.result(b)
	case KindCorrected:
		b.Games[game].Result = e.Result
		b.Result, b.Decided = s.corrected(b, e.Places[i].Round)
	}
}

// corrected is the result of a board one of whose games has another result since.
// What the organiser has decided stands, and who went on in a knock-out has played
// since. A game that does not count any more is played anew while its round goes
// on; later nobody has won.
func (s *State) corrected(b *Board, round int) (result string, decided bool) {
	current := round == len(s.Played)-1
	again := s.result(b)
	switch {
	case b.Decided, s.Kind == Knockout && !current:
		return b.Result, b.Decided
	case again != "", current && s.Status == StatusRunning:
		return again, false
	case s.Kind == Knockout: // somebody has won the last match
		return b.Result, b.Decided
	}
	return BothLose, true
}

// change changes a copy of a board.
func (s State) change(p Place, f func(*Board)) State {
	s.Played = slices.Clone(s.Played)
	round := &s.Played[p.Round]
	round.Boards = slices.Clone(round.Boards)
	board := &round.Boards[p.Board]
	board.Games = slices.Clone(board.Games)
	f(board)
	return s
}

func entered(s State, p Player) State {
	s.Players = slices.Clone(s.Players)
	if p.Number > 0 {
		s = s.numberAll(p.Number)
	}
	if s.Status == StatusRunning && p.Status == PlayerIn {
		p.Seed = 1
		for _, o := range s.Players {
			p.Seed = max(p.Seed, o.Seed+1)
		}
	}
	if i := s.Find(p.Account); i >= 0 {
		s.Players[i] = p
		return s
	}
	s.Players = append(s.Players, p)
	return s
}

// numberAll gives the numbers of their places to those who have none, and keeps
// all up to a given one. The players are the state's own.
func (s State) numberAll(given int) State {
	for i := range s.Players {
		s.Players[i].Number = s.number(i)
	}
	s.Numbers = max(s.Numbers, len(s.Players), given)
	return s
}

// started seeds the players. Who was invited and did not come may still come late
// where that is allowed.
func started(s State, e Event) State {
	s.Players = slices.Clone(s.Players)
	for seed, i := range e.Order {
		s.Players[i].Seed = seed + 1
	}
	s.Status, s.StartedAt, s.Rounds = StatusRunning, e.At, e.Number
	return s
}
