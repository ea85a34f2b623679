package play

// The kinds of events.
const (
	KindCreated      = "created"
	KindAccepted     = "accepted"
	KindCancelled    = "cancelled"
	KindMoved        = "moved"
	KindDrawOffered  = "draw_offered"
	KindDrawDeclined = "draw_declined"
	KindFinished     = "finished"
	KindRated        = "rated"
	KindTimeCredited = "time_credited"

	KindTakebackOffered  = "takeback_offered"
	KindTakebackDeclined = "takeback_declined"
	KindTakenBack        = "taken_back"
	KindTouched          = "touched"
	KindRematchOffered   = "rematch_offered"
	KindRematchDeclined  = "rematch_declined"
	KindRematched        = "rematched"
	KindMatchChanged     = "match_changed"
	KindMatchPassed      = "match_passed"
	KindAdjudicated      = "adjudicated"
	KindAudited          = "audited"
	KindPlayerDeleted    = "player_deleted"

	KindGone           = "gone"
	KindReturned       = "returned"
	KindTimeGiven      = "time_given"
	KindSuspendOffered = "suspend_offered"
	KindSuspended      = "suspended"
	KindResumeOffered  = "resume_offered"
	KindResumed        = "resumed"
)

// Event is one change of a game. It holds all that its change needs, the
// ruling included, so that a replay asks nobody. Kind tells which of the
// optional parts are there.
type Event struct {
	Kind string `json:"kind"`
	// At is milliseconds since 1970 on the server's clock; it never goes back
	// within a game.
	At int64 `json:"at"`
	// Side is the side that acted; empty where none did.
	Side string `json:"side,omitempty"`

	// Created: how the game was made.
	Created *Setup `json:"created,omitempty"`
	// Accepted: both seats as they are from here on.
	Seats *[2]Seat `json:"seats,omitempty"`
	// Moved: the move, and the ruling of the position after it.
	Ply    *Ply    `json:"ply,omitempty"`
	Ruling *Ruling `json:"ruling,omitempty"`
	// Moved, finished, time_credited and time_given, in games with a clock: what
	// both sides have left; after time_given, when the clock was set last.
	Remaining *[2]int32 `json:"remaining,omitempty"`
	// Moved: what the move got back for its client's latency; nil for nothing.
	Lag *Lag `json:"lag,omitempty"`
	// Moved, by the engine: the score of its search in centipawns for its side.
	Score *int32 `json:"score,omitempty"`
	// Gone: since when, in milliseconds since 1970.
	SinceMS int64 `json:"since_ms,omitempty"`
	// TimeCredited: milliseconds given back after an outage; Remaining holds them.
	CreditMS int32 `json:"credit_ms,omitempty"`
	// Finished: how. Adjudicated: the same, nil where the game is annulled.
	Outcome *Outcome `json:"outcome,omitempty"`
	// Rated: the ratings after the game; 0 where a seat's does not move.
	After *[2]int32 `json:"after,omitempty"`

	// Cancelled: why; nil in events of before it was kept.
	Closed *Closed `json:"closed,omitempty"`
	// TakenBack: how many plies. Ruling and, in games with a clock, Remaining are
	// those of the position that is there again.
	Back int32 `json:"back,omitempty"`
	// Touched: the square.
	Square string `json:"square,omitempty"`
	// Rematched: the next game.
	Next string `json:"next,omitempty"`
	// MatchChanged: the score of the match before this game.
	Points *[2]int32 `json:"points,omitempty"`
	// Adjudicated: who decided and why.
	Ruled *Ruled `json:"ruled,omitempty"`
	// Audited: the version of the decision that the audit log has.
	Decision int32 `json:"decision,omitempty"`
	// PlayerDeleted: whose account was deleted.
	Account string `json:"account,omitempty"`
}

// Setup is how a game is made.
type Setup struct {
	ID         string    `json:"id"`
	Rules      string    `json:"rules"`
	Visibility string    `json:"visibility"`
	Rated      bool      `json:"rated,omitempty"`
	Seats      [2]Seat   `json:"seats"`
	Clock      *Settings `json:"clock,omitempty"`
	// MoveSeconds bounds the engine's thinking; 0 for its default.
	MoveSeconds int32  `json:"move_seconds,omitempty"`
	Ruling      Ruling `json:"ruling"`

	Opponent string           `json:"opponent,omitempty"`
	Maker    string           `json:"maker,omitempty"`
	Options  Options          `json:"options,omitzero"`
	Start    string           `json:"start,omitempty"`
	Plies    Plies            `json:"plies,omitempty"`
	MaxPlies int32            `json:"max_plies,omitempty"`
	Values   map[string]int32 `json:"values,omitempty"`
	Match    *Match           `json:"match,omitempty"`

	Sheltered  bool   `json:"sheltered,omitempty"`
	Tournament string `json:"tournament,omitempty"`
}
