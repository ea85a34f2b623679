package play

import "slices"

// The states of a game.
const (
	StatusOpen      = "open"
	StatusRunning   = "running"
	StatusFinished  = "finished"
	StatusCancelled = "cancelled"
)

// What may sit on a seat.
const (
	SeatPerson = "person"
	SeatEngine = "engine"
	SeatOpen   = "open"
)

// State is a game after some number of events. States are values: Evolve makes
// a new one and never changes what an older one shares with it.
type State struct {
	ID         string `json:"id"`
	Rules      string `json:"rules"`
	Status     string `json:"status"`
	Visibility string `json:"visibility"`
	Speed      string `json:"speed"`
	Rated      bool   `json:"rated,omitempty"`

	// Version is the number of events, Turn the number of moves that stand.
	Version int32 `json:"version"`
	Turn    int32 `json:"turn"`
	// Began is the version of the event that began the running turn or, in a
	// finished game, that ended it: it tells one obligation from the next.
	Began int32 `json:"began"`

	// Seats hold the side that moves first first.
	Seats  [2]Seat `json:"seats"`
	Ruling Ruling  `json:"ruling"`
	Plies  []Ply   `json:"plies,omitempty"`
	Clock  *Clock  `json:"clock,omitempty"`

	// Offer is the side whose draw offer stands. Offered tells who has offered
	// since their last own move and so may not offer again.
	Offer   string  `json:"offer,omitempty"`
	Offered [2]bool `json:"offered"`

	Outcome *Outcome `json:"outcome,omitempty"`
	// Counted is true once a rated game has been rated.
	Counted bool `json:"counted,omitempty"`

	// Milliseconds since 1970 on the server's clock: of the first and of the
	// last event, and of the end of the game.
	CreatedAt  int64 `json:"created_at"`
	ChangedAt  int64 `json:"changed_at"`
	FinishedAt int64 `json:"finished_at,omitempty"`
}

// Seat is one side of a game.
type Seat struct {
	Side string `json:"side"`
	Kind string `json:"kind"`
	// Player is an account or "guest:<id>"; empty for the engine and open seats.
	Player string `json:"player,omitempty"`
	// Account is the player's account; empty for guests.
	Account string `json:"account,omitempty"`
	Name    string `json:"name,omitempty"`
	// Level and Seed are the engine's.
	Level string `json:"level,omitempty"`
	Seed  int32  `json:"seed,omitempty"`
	// Rating is what the player had when the game began, rounded; 0 for none.
	Rating      int32 `json:"rating,omitempty"`
	Provisional bool  `json:"provisional,omitempty"`
	// After is the rating after the game; 0 until it is rated.
	After int32 `json:"after,omitempty"`
}

// Ruling is what the rules service said of a position, kept as it came. Nothing
// here is ever computed by play.
type Ruling struct {
	Position   Position `json:"position"`
	Side       string   `json:"side"`
	Moves      []Move   `json:"moves,omitempty"`
	Outcome    *Outcome `json:"outcome,omitempty"`
	Claims     []string `json:"claims,omitempty"`
	CanWin     []string `json:"can_win,omitempty"`
	Key        string   `json:"key,omitempty"`
	Repetition int32    `json:"repetition,omitempty"`
	Check      []string `json:"check,omitempty"`
	Line       []string `json:"line,omitempty"`
	Pieces     []Piece  `json:"pieces,omitempty"`
}

// Position is a position as the rules service writes it.
type Position struct {
	Rules   string `json:"rules"`
	Text    string `json:"text"`
	Draws   string `json:"draws,omitempty"`
	History string `json:"history,omitempty"`
}

// Move is a move as the rules service writes it.
type Move struct {
	Text      string   `json:"text"`
	Notation  string   `json:"notation,omitempty"`
	From      string   `json:"from,omitempty"`
	To        string   `json:"to,omitempty"`
	Path      []string `json:"path,omitempty"`
	Captures  []string `json:"captures,omitempty"`
	Promotion string   `json:"promotion,omitempty"`
}

// Piece stands on a square.
type Piece struct {
	Square string `json:"square"`
	Side   string `json:"side"`
	Kind   string `json:"kind"`
}

// Outcome is how a game ended; Winner is empty for a draw.
type Outcome struct {
	Winner string `json:"winner,omitempty"`
	Reason string `json:"reason"`
}

// Ply is one move as it was played.
type Ply struct {
	Number int32  `json:"number"`
	Side   string `json:"side"`
	Move   Move   `json:"move"`
	// TookMS is 0 without a clock; CreditedMS was given back for latency.
	TookMS     int32 `json:"took_ms,omitempty"`
	CreditedMS int32 `json:"credited_ms,omitempty"`
}

// SeatOf is the index of the seat of a player, -1 for a stranger.
func (s State) SeatOf(player string) int {
	if player == "" {
		return -1
	}
	return slices.IndexFunc(s.Seats[:], func(seat Seat) bool { return seat.Player == player })
}

// ToMove is the index of the side to move.
func (s State) ToMove() int {
	if s.Ruling.Side == s.Seats[1].Side {
		return 1
	}
	return 0
}

// OpenSeat is the index of the seat that is free, -1 for none.
func (s State) OpenSeat() int {
	return slices.IndexFunc(s.Seats[:], func(seat Seat) bool { return seat.Kind == SeatOpen })
}

// Result is the result as records write it.
func (s State) Result() string {
	switch {
	case s.Outcome == nil:
		return "*"
	case s.Outcome.Winner == "":
		return "1/2-1/2"
	case s.Outcome.Winner == s.Seats[0].Side:
		return "1-0"
	default:
		return "0-1"
	}
}
