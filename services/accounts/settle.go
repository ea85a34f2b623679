package accounts

import (
	"errors"
	"fmt"
	"slices"
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
// A first result rates both players. A correction replaces the effect of the
// earlier revisions of its game: each player's rating becomes what it would be
// had every game of theirs ended as its last revision says (see refold).
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
		if next == 0 {
			decision.Standings[i] = table.Standings[i].play(entry, entry.HalfPoints)
		} else {
			past := table.Pasts[i]
			decision.Standings[i] = refold(past.Start, append(slices.Clone(past.Entries), entry))
		}
		entry.Sides[i].After = decision.Standings[i].Rating
	}
	decision.Entry = entry
	return decision, nil
}

// sameContent says whether two results are the same result.
func sameContent(a, b Game) bool {
	return a.Seats == b.Seats && a.Pool == b.Pool && a.HalfPoints == b.HalfPoints && a.Annulled == b.Annulled
}

// enter is the rating as it enters a game: less certain by the time since the
// last. A correction comes to the rating as it is.
func (s Standing) enter(game Game) glicko.Rating {
	if game.Revision > 0 || s.unplayed() {
		return s.Rating
	}
	return glicko.Grow(s.Rating, glicko.Periods(game.FinishedAt.Sub(s.At))).Clamp()
}

// refold is the standing after all entries of its account in its pool, which come
// in the order of their changes, from the standing before the first. Each game is
// taken where it was first rated, with the half points of its last revision and
// the opponent as it came to the game then: what is found out later about an
// opponent's earlier games does not travel on. So a rating is a function of the
// first results and the last revisions, and corrections of different games
// commute. A game that is annulled is as if it had not been played.
func refold(start Standing, entries []Entry) Standing {
	last := make(map[string]Game, len(entries))
	for _, entry := range entries {
		last[entry.ID] = entry.Game
	}
	standing := start
	for _, entry := range entries {
		if entry.Revision == 0 && !last[entry.ID].Annulled {
			standing = standing.play(entry, last[entry.ID].HalfPoints)
		}
	}
	standing.Changes = start.Changes + int32(len(entries))
	return standing
}

// play is the standing after a game that ended with these half points, of which
// entry is the first revision.
func (s Standing) play(entry Entry, halfPoints int32) Standing {
	i := entry.seatOf(s.Account)
	var seats [2]glicko.Seat
	for n := range seats {
		seats[n] = glicko.Seat{Rating: entry.Sides[n].Before, Fixed: entry.Seats[n].Level != ""}
	}
	seats[i].Rating = s.enter(entry.Game)
	first, second := glicko.Match(seats[0], seats[1], float64(halfPoints)/2)
	s.Rating = [2]glicko.Rating{first, second}[i]
	s.Changes++
	if i == 1 {
		halfPoints = 2 - halfPoints
	}
	switch halfPoints {
	case 2:
		s.Wins++
	case 1:
		s.Draws++
	default:
		s.Losses++
	}
	if entry.FinishedAt.After(s.At) {
		s.At = entry.FinishedAt
	}
	return s
}

// now is the standing's rating at a moment: less certain by the time without a
// game.
func (s Standing) now(at time.Time) glicko.Rating {
	if s.unplayed() {
		return s.Rating
	}
	return glicko.Grow(s.Rating, glicko.Periods(at.Sub(s.At))).Clamp()
}

// unplayed tells that no game counts in the standing: a deviation that is that of
// the start does not grow.
func (s Standing) unplayed() bool { return s.Changes == 0 || s.Wins+s.Draws+s.Losses == 0 }
