package accounts

import (
	"errors"
	"fmt"
	"time"

	"tabuleiro/services/accounts/glicko"
)

// errConflict says that a revision of a game was rated with another content.
var errConflict = errors.New("the game was rated otherwise")

// revisionError says which revision may come next.
type revisionError struct{ next int32 }

func (e revisionError) Error() string {
	return fmt.Sprintf("the next revision of the game is %d", e.next)
}

// start is the standing of someone never rated in the pool. A pupil starts lower
// and less certain than an adult; someone whose age is not known counts as a
// pupil.
func start(account Account, pool Pool) Standing {
	rating := glicko.Rating{Value: 800, Deviation: 400, Volatility: glicko.StartVolatility}
	if account.Adult {
		rating.Value, rating.Deviation = 1500, 350
	}
	return Standing{Account: account.ID, Pool: pool, Rating: rating}
}

// settle decides what a result does to the ratings. A revision that is in the
// ledger is answered from it; the time of the result is no part of its content.
//
// A first result rates both players. A correction moves each by the difference
// between what the game should have given and what it gave, as of then: games
// rated in between stand, and deviations stay.
func settle(game Game, levels map[string]glicko.Rating, table Table, now time.Time) (Decision, error) {
	next := int32(len(table.Entries))
	if game.Revision < next {
		entry := table.Entries[game.Revision]
		if !sameContent(entry.Game, game) {
			return Decision{}, errConflict
		}
		return Decision{Entry: entry}, nil
	}
	if game.Revision > next {
		return Decision{}, revisionError{next: next}
	}
	if next > 0 && (table.Entries[0].Seats != game.Seats || table.Entries[0].Pool != game.Pool) {
		return Decision{}, errConflict
	}

	entry := Entry{Game: game, RatedAt: now}
	for i, seat := range game.Seats {
		if seat.Level != "" {
			fixed := levels[seat.Level]
			if next > 0 {
				fixed = table.Entries[0].Sides[i].Before
			}
			entry.Sides[i] = Side{Before: fixed, After: fixed}
			continue
		}
		entry.Sides[i] = Side{
			Change: table.Standings[i].Changes + 1,
			Before: table.Standings[i].enter(game),
		}
	}
	decision := Decision{Fresh: true}
	for i, seat := range game.Seats {
		if seat.Level != "" {
			continue
		}
		entry.Sides[i].After = outcome(entry, table.Entries, i)
		decision.Standings[i] = table.Standings[i].fold(entry, table.Entries, i)
	}
	decision.Entry = entry
	return decision, nil
}

// sameContent says whether two results are the same result.
func sameContent(a, b Game) bool {
	return a.Seats == b.Seats && a.Pool == b.Pool && a.HalfPoints == b.HalfPoints
}

// enter is the rating as it enters a game: less certain by the time since the
// last. A correction comes to the rating as it is.
func (s Standing) enter(game Game) glicko.Rating {
	if game.Revision > 0 || s.Changes == 0 {
		return s.Rating
	}
	return glicko.Grow(s.Rating, glicko.Periods(game.FinishedAt.Sub(s.At))).Clamp()
}

// outcome is the rating of side i after the entry, from both ratings before it
// and the earlier revisions of its game.
func outcome(entry Entry, earlier []Entry, i int) glicko.Rating {
	if entry.Revision == 0 {
		return match(entry, entry.HalfPoints)[i]
	}
	first, last := earlier[0], earlier[entry.Revision-1]
	given, due := match(first, last.HalfPoints)[i], match(first, entry.HalfPoints)[i]
	rating := entry.Sides[i].Before
	rating.Value += due.Value - given.Value
	return rating.Clamp()
}

// match rates a first result as if it had ended with these half points.
func match(first Entry, halfPoints int32) [2]glicko.Rating {
	var seats [2]glicko.Seat
	for i := range seats {
		seats[i] = glicko.Seat{Rating: first.Sides[i].Before, Fixed: first.Seats[i].Level != ""}
	}
	a, b := glicko.Match(seats[0], seats[1], float64(halfPoints)/2)
	return [2]glicko.Rating{a, b}
}

// fold is the standing after an entry in which its account has side i.
func (s Standing) fold(entry Entry, earlier []Entry, i int) Standing {
	s.Rating = entry.Sides[i].After
	s.Changes = entry.Sides[i].Change
	s.count(entry.HalfPoints, i, 1)
	if entry.Revision > 0 {
		s.count(earlier[entry.Revision-1].HalfPoints, i, -1)
	} else if entry.FinishedAt.After(s.At) {
		s.At = entry.FinishedAt
	}
	return s
}

// count adds so many games with the first seat's half points, seen from seat i.
func (s *Standing) count(halfPoints int32, i int, games int32) {
	if i == 1 {
		halfPoints = 2 - halfPoints
	}
	switch halfPoints {
	case 2:
		s.Wins += games
	case 1:
		s.Draws += games
	default:
		s.Losses += games
	}
}

// now is the standing's rating at a moment: less certain by the time without a
// game.
func (s Standing) now(at time.Time) glicko.Rating {
	if s.Changes == 0 {
		return s.Rating
	}
	return glicko.Grow(s.Rating, glicko.Periods(at.Sub(s.At))).Clamp()
}
