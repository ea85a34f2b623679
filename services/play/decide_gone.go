package play

// How long a player may be gone from a running game before the opponent may claim
// it, in milliseconds by speed: as long as a broken line usually needs to come
// back, and a part of the game that is bearable for who waits. In a game without a
// clock nobody has to wait at the board, and the right comes after days (stillLimit).
var goneLimits = map[string]int64{"bullet": 15_000, "blitz": 30_000, "rapid": 60_000, "classical": 120_000}

// stillLimit is after how long without any event the side to move of a game without
// a clock may be claimed to have left it, in milliseconds: longer than a holiday at
// school lasts between two lessons, and so long that nobody is surprised.
const stillLimit = int64(14 * 24 * 3600 * 1000)

// claimFrom is when the side that is not to move may claim a game without a clock;
// 0 in other games.
func (s State) claimFrom() int64 {
	if s.Status != StatusRunning || s.Clock != nil || s.Ruling.Outcome != nil || !s.between() {
		return 0
	}
	return s.ChangedAt + stillLimit
}

// hasLeft tells whether a seat's opponent may claim the game.
func (s State) hasLeft(seat int, at int64) bool {
	from := s.claimFrom()
	return s.Gone[seat] != 0 || from != 0 && seat == s.ToMove() && at >= from
}

// goneLimit is the limit of a game; 0 where being gone gives no right.
func (s State) goneLimit() int64 {
	if s.Status != StatusRunning || s.Clock == nil || s.Clock.Running < 0 || !s.between() {
		return 0
	}
	if goneEarly() {
		return goneLimits[s.Speed] / 4
	}
	return goneLimits[s.Speed]
}

// between tells a game of two different persons.
func (s State) between() bool {
	a, b := s.Seats[0], s.Seats[1]
	return a.Kind == SeatPerson && b.Kind == SeatPerson && a.Player != b.Player
}

// Gone says that a side has been gone since a time, for its limit.
type Gone struct {
	Side  string
	Since int64
}

// Returned says that a side is here again.
type Returned struct{ Side string }

// ClaimWin ends a game whose opponent is gone.
type ClaimWin struct {
	Player string
	Draw   bool
}

// GiveTime gives the opponent time.
type GiveTime struct{ Player string }

// Suspend saves a game for later, Resume goes on with it.
type Suspend struct{ Player string }

// Resume goes on with a game that was saved.
type Resume struct{ Player string }

func (Gone) command()     {}
func (Returned) command() {}
func (ClaimWin) command() {}
func (GiveTime) command() {}
func (Suspend) command()  {}
func (Resume) command()   {}

func decideGone(s State, c Gone, at int64) ([]Event, error) {
	limit := s.goneLimit()
	side := s.side(c.Side)
	switch {
	case limit == 0 || s.Seats[side].Side != c.Side || s.Gone[side] != 0 || at < c.Since+limit:
		return nil, refuse("not_due", "nobody has been gone for so long")
	case s.Stirred[side] > c.Since:
		return nil, refuse("not_due", "the side has done something since")
	case s.Clock.fallen(at):
		return nil, refuse("not_due", "the time of the side to move was up")
	}
	return []Event{{Kind: KindGone, At: at, Side: c.Side, SinceMS: c.Since}}, nil
}

func decideReturned(s State, c Returned, at int64) ([]Event, error) {
	if s.Status != StatusRunning || s.Gone[s.side(c.Side)] == 0 {
		return nil, refuse("not_due", "nobody was gone")
	}
	return []Event{{Kind: KindReturned, At: at, Side: c.Side}}, nil
}

func decideClaimWin(s State, c ClaimWin, at int64) ([]Event, error) {
	seat, events, err := s.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	if !s.hasLeft(1-seat, at) {
		return nil, refuse("not_gone", "the opponent has not been gone for long enough")
	}
	own := s.Seats[seat].Side
	outcome := Outcome{Reason: "abandoned"}
	if !c.Draw && contained(s.Ruling.CanWin, own) {
		outcome.Winner = own
	}
	return s.finish(own, outcome, at), nil
}

func contained(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// stirred is a state after an event of a side: who does something is here, and not
// gone. A game that begins has both sides, if only since then.
func (s State) stirred(e Event) State {
	if s.Clock == nil || e.Kind == KindGone {
		return s
	}
	if e.Kind == KindAccepted {
		s.Stirred = [2]int64{e.At, e.At}
	}
	if e.Side != "" {
		side := s.side(e.Side)
		s.Gone[side], s.Stirred[side] = 0, e.At
	}
	return s
}
