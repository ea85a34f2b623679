package play

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrNeedsRuling is Decide's answer to a move that may be played now, as far
// as play knows, and that the rules service has not judged yet.
var ErrNeedsRuling = errors.New("the move needs a ruling")

// Decide is what a command does to a game: events, or a *Refused. Time on the
// server is an argument, and so is the ruling of the position after the move
// (or of the first position) for the commands that need one.
//
// Before anything that a player or the engine wants of a running game, time is
// looked at. When the flag of the side to move has fallen, Decide returns both
// the event that ends the game and the refusal of the command.
func Decide(s State, c Command, ruling *Ruling, now time.Time) ([]Event, error) {
	events, err := s.decide(c, ruling, max(now.UnixMilli(), s.ChangedAt))
	if err == nil && s.talkedOut() && onlyTalk(c, events) {
		return nil, refuse("asked_enough", "too much has been offered and taken back in this game")
	}
	return events, err
}

func (s State) decide(c Command, ruling *Ruling, at int64) ([]Event, error) {
	switch c := c.(type) {
	case Create:
		return decideCreate(s, c, ruling, at)
	case Accept:
		return decideAccept(s, c, at)
	case Cancel:
		return decideCancel(s, c, at)
	case Play:
		return decidePlay(s, c, ruling, at)
	case EnginePlay:
		return decideEngine(s, c, ruling, at)
	case Resign:
		return decideResign(s, c, at)
	case OfferDraw:
		return decideOffer(s, c, at)
	case AnswerDraw:
		return decideAnswer(s, c, at)
	case ClaimDraw:
		return decideClaim(s, c, at)
	case Flag:
		return decideFlag(s, at)
	case Gone:
		return decideGone(s, c, at)
	case Returned:
		return decideReturned(s, c, at)
	case ClaimWin:
		return decideClaimWin(s, c, at)
	case GiveTime:
		return decideGiveTime(s, c, at)
	case Suspend:
		return decideSuspend(s, c, at)
	case Resume:
		return decideResume(s, c, at)
	case Rate:
		return decideRate(s, c, at)
	case Audited:
		return decideAudited(s, c, at)
	case Decline:
		return decideDecline(s, c, at)
	case Abort:
		return decideAbort(s, c, at)
	case Expire:
		return decideExpire(s, at)
	case OfferTakeback:
		return decideTakeback(s, c, ruling, at)
	case AnswerTakeback:
		return decideTakebackAnswer(s, c, ruling, at)
	case Touch:
		return decideTouch(s, c, at)
	case OfferRematch:
		return decideRematch(s, c, at)
	case AnswerRematch:
		return decideRematchAnswer(s, c, at)
	case ChangeMatch:
		return decideChangeMatch(s, c, at)
	case PassMatch:
		return decidePassMatch(s, at)
	case Forget:
		return decideForget(s, c, at)
	case Adjudicate:
		return decideAdjudicate(s, c, at)
	default:
		return nil, fmt.Errorf("deciding: no such command %T", c)
	}
}

func decidePlay(s State, c Play, ruling *Ruling, at int64) ([]Event, error) {
	seat, lag, events, err := s.enterMove(c.Player, c.LagMS, at)
	if err != nil {
		return events, err
	}
	if err := s.answers(c.Turn); err != nil {
		return nil, err
	}
	if seat != s.ToMove() || s.Ruling.Outcome != nil {
		return nil, refuse("not_your_turn", "it is the other side's turn")
	}
	if ruling == nil {
		return nil, ErrNeedsRuling
	}
	if err := s.mayMove(c.Move); err != nil {
		return nil, err
	}
	return s.play(c.Move, ruling, lag, at), nil
}

func decideEngine(s State, c EnginePlay, ruling *Ruling, at int64) ([]Event, error) {
	if s.Status != StatusRunning {
		return nil, notRunning(s)
	}
	if s.Seats[s.ToMove()].Kind != SeatEngine {
		return nil, refuse("not_your_turn", "it is not the engine's turn")
	}
	if s.Clock.fallen(at) {
		return s.timeUp(at), timeIsUp()
	}
	if err := s.answers(c.Turn); err != nil {
		return nil, err
	}
	if ruling == nil {
		return nil, ErrNeedsRuling
	}
	return s.decideManners(c, ruling, at), nil
}

func decideResign(s State, c Resign, at int64) ([]Event, error) {
	running := s
	if s.Status == StatusSuspended {
		running.Status = StatusRunning // nobody has to wait for the other to go on
	}
	seat, events, err := running.enter(c.Player, at)
	if err != nil {
		return events, err
	}
	return s.finish(s.Seats[seat].Side, Outcome{Winner: s.Seats[1-seat].Side, Reason: "resignation"}, at), nil
}

func decideFlag(s State, at int64) ([]Event, error) {
	if s.Status != StatusRunning {
		return nil, notRunning(s)
	}
	if !s.Clock.fallen(at) {
		return nil, refuse("not_due", "there is time left")
	}
	return s.timeUp(at), nil
}

func decideRate(s State, c Rate, at int64) ([]Event, error) {
	if !owesRating(s) {
		return nil, refuse("not_due", "the game is not waiting to be rated")
	}
	after := c.After
	return []Event{{Kind: KindRated, At: at, After: &after}}, nil
}

// enter finds the seat of a player who wants something of a running game, and
// looks at the clock.
func (s State) enter(player string, at int64) (seat int, events []Event, err error) {
	seat = s.SeatOf(player)
	if seat < 0 {
		return -1, nil, refuse("not_your_seat", "the caller plays no side of this game")
	}
	if s.Status != StatusRunning {
		return -1, nil, notRunning(s)
	}
	if s.Clock.fallen(at) {
		return -1, s.timeUp(at), timeIsUp()
	}
	return seat, nil, nil
}

// answers refuses a command that was meant for another turn.
func (s State) answers(turn int32) error {
	if turn != s.Turn {
		return refuse("stale_turn", fmt.Sprintf("the command answers turn %d, the game is at turn %d", turn, s.Turn))
	}
	return nil
}

func (s State) play(move Move, ruling *Ruling, lag *Lag, at int64) []Event {
	mover := s.Seats[s.ToMove()].Side
	ply := Ply{Number: int32(len(s.Plies)) + 1, Side: mover, Move: move}
	event := Event{Kind: KindMoved, At: at, Side: mover, Ply: &ply, Ruling: ruling}
	if s.Clock != nil {
		ply.TookMS, ply.CreditedMS = int32(s.Clock.elapsed(at)-lag.credit()), int32(lag.credit())
		left := s.Clock.afterMove(at, lag.credit())
		event.Remaining, event.Lag = &left, lag
	}
	after := Evolve(s, event)
	outcome := after.ended()
	if outcome == nil {
		return []Event{event}
	}
	return append([]Event{event}, after.finish("", *outcome, at)...)
}

func (s State) finish(side string, outcome Outcome, at int64) []Event {
	event := Event{Kind: KindFinished, At: at, Side: side, Outcome: &outcome}
	if s.Clock != nil {
		left := s.Clock.settled(at)
		event.Remaining = &left
	}
	return []Event{event}
}

// timeUp ends a game whose flag has fallen. The opponent wins unless its
// material cannot win at all, as the ruling says.
func (s State) timeUp(at int64) []Event {
	opponent := s.Seats[1-s.Clock.Running].Side
	if slices.Contains(s.Ruling.CanWin, opponent) {
		return s.finish("", Outcome{Winner: opponent, Reason: "time"}, at)
	}
	return s.finish("", Outcome{Reason: "time_insufficient"}, at)
}

func timeIsUp() error { return refuse("game_over", "the time of the side to move was up") }

func notRunning(s State) error {
	switch s.Status {
	case StatusOpen:
		return refuse("game_not_started", "a seat of the game is still open")
	case StatusCancelled:
		return refuse("game_over", "the game was withdrawn")
	case StatusSuspended:
		return refuse("game_suspended", "the game is saved for later")
	default:
		return refuse("game_over", "the game has ended")
	}
}
