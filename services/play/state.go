package play

import "slices"

// The states of a game.
const (
	StatusOpen      = "open"
	StatusRunning   = "running"
	StatusFinished  = "finished"
	StatusCancelled = "cancelled"
	// StatusSuspended is a game that was saved for later.
	StatusSuspended = "suspended"
)

// What may sit on a seat.
const (
	SeatPerson = "person"
	SeatEngine = "engine"
	SeatOpen   = "open"
	// SeatInvited is kept for one account, which has not taken it.
	SeatInvited = "invited"
)

// What a game is made as.
const (
	OpponentEngine = "engine"
	OpponentPerson = "person"
	// OpponentSelf is two persons at one screen: one player moves both sides.
	OpponentSelf = "self"
	// OpponentEngines is the engine against itself; its maker watches.
	OpponentEngines = "engines"
)

// The reasons why a game is cancelled.
const (
	WhyWithdrawn = "withdrawn"
	WhyDeclined  = "declined"
	WhyExpired   = "expired"
	WhyAborted   = "aborted"
	WhyAnnulled  = "annulled"
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
	// Opponent is what the game was made as, and Maker who made it; both are
	// empty in games of before they were kept.
	Opponent string  `json:"opponent,omitempty"`
	Maker    string  `json:"maker,omitempty"`
	Options  Options `json:"options,omitzero"`
	// Sheltered keeps an open seat for those who are related to the maker.
	Sheltered bool `json:"sheltered,omitempty"`
	// Start is the text of the position before the first move; Loaded how many
	// plies came with the record that the game went on from.
	Start  string `json:"start,omitempty"`
	Loaded int32  `json:"loaded,omitempty"`
	// MaxPlies ends a game of the engine with itself; 0 elsewhere.
	MaxPlies int32 `json:"max_plies,omitempty"`
	// Values are what kinds of pieces are worth, as the rules service says.
	Values map[string]int32 `json:"values,omitempty"`
	Match  *Match           `json:"match,omitempty"`
	// Tournament is the id of the tournament that the game belongs to.
	Tournament string `json:"tournament,omitempty"`

	// Version is the number of events, Turn the number of moves and take-backs.
	Version int32 `json:"version"`
	Turn    int32 `json:"turn"`
	// Began is the version of the event that began the running turn or, in a
	// finished game, that ended it: it tells one obligation from the next.
	Began int32 `json:"began"`

	// Seats hold the side that moves first first.
	Seats  [2]Seat `json:"seats"`
	Ruling Ruling  `json:"ruling"`
	Plies  Plies   `json:"plies,omitempty"`
	Clock  *Clock  `json:"clock,omitempty"`

	// Offer is the side whose draw offer stands. Offered tells who has offered
	// since their last own move and so may not offer again.
	Offer   string  `json:"offer,omitempty"`
	Offered [2]bool `json:"offered"`
	// Takeback is the side whose wish to take a move back stands. Wished is to it
	// what Offered is to Offer.
	Takeback string  `json:"takeback,omitempty"`
	Wished   [2]bool `json:"wished,omitzero"`
	// Touched is the square of the piece that has to move in this turn.
	Touched string `json:"touched,omitempty"`

	// MoveSeconds bounds the engine's thinking for a move; 0 for its default.
	MoveSeconds int32 `json:"move_seconds,omitempty"`
	// Gone is since when each side is gone, in milliseconds since 1970, where its
	// opponent has the right to claim the game; 0 where not.
	Gone [2]int64 `json:"gone,omitzero"`
	// Stirred is when each side did something last, or its game began.
	Stirred [2]int64 `json:"stirred,omitzero"`
	// Given is how often each side has given the other time.
	Given [2]int32 `json:"given,omitzero"`
	// Pause is the side that offers to save the game or to go on with it.
	Pause string `json:"pause,omitempty"`
	// Scores are the engine's last ones, for its own side, and EngineOffer the turn
	// at which it offered a draw last; nobody else is shown them.
	Scores      []int32 `json:"scores,omitempty"`
	EngineOffer int32   `json:"engine_offer,omitempty"`

	Outcome *Outcome `json:"outcome,omitempty"`
	// Counted is true once a rated game has been rated.
	Counted bool `json:"counted,omitempty"`
	// Revision is the number of the rating that comes next, Rulings how often a
	// person in charge has decided the game, and Ruled the last such decision.
	Revision int32  `json:"revision,omitempty"`
	Rulings  int32  `json:"rulings,omitempty"`
	Ruled    *Ruled `json:"ruled,omitempty"`
	// Audits are those decisions that the audit log has not heard of, in order.
	Audits []Audit `json:"audits,omitempty"`
	// Closed is why the game is cancelled; nil where it is not, and in games that
	// were withdrawn before it was kept.
	Closed *Closed `json:"closed,omitempty"`
	// Rematch is the side that offers another game, Next the id of that game and
	// Followed the version at which it was made.
	Rematch  string `json:"rematch,omitempty"`
	Next     string `json:"next,omitempty"`
	Followed int32  `json:"followed,omitempty"`
	// Rescored is the version at which the score that the next game began with came
	// to be wrong; 0 where it is right.
	Rescored int32 `json:"rescored,omitempty"`

	// Milliseconds since 1970 on the server's clock: of the first and of the
	// last event, and of the end of the game.
	CreatedAt  int64 `json:"created_at"`
	ChangedAt  int64 `json:"changed_at"`
	FinishedAt int64 `json:"finished_at,omitempty"`
}

// Options are what a game is made with.
type Options struct {
	Takebacks   bool `json:"takebacks,omitempty"`
	Hints       bool `json:"hints,omitempty"`
	TouchMove   bool `json:"touch_move,omitempty"`
	ConfirmMove bool `json:"confirm_move,omitempty"`
}

// Match is the series that a game belongs to.
type Match struct {
	// ID is the first game, Number counts from 1.
	ID     string `json:"id"`
	Number int32  `json:"number"`
	// Points are the half points of the players of the seats before this game.
	Points [2]int32 `json:"points"`
}

// Closed is why a game is cancelled.
type Closed struct {
	Why    string `json:"why"`
	Side   string `json:"side,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Ruled is a decision of a person in charge.
type Ruled struct {
	By   string `json:"by"`
	At   int64  `json:"at"`
	Note string `json:"note"`
}

// Audit is what the audit log is to hear of a decision.
type Audit struct {
	// Version is the event that decided.
	Version int32  `json:"version"`
	At      int64  `json:"at"`
	By      string `json:"by"`
	Why     string `json:"why"`
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
	Moves      Moves    `json:"moves,omitempty"`
	Outcome    *Outcome `json:"outcome,omitempty"`
	Claims     []string `json:"claims,omitempty"`
	CanWin     []string `json:"can_win,omitempty"`
	Key        string   `json:"key,omitempty"`
	Repetition int32    `json:"repetition,omitempty"`
	Check      []string `json:"check,omitempty"`
	Line       []string `json:"line,omitempty"`
	Pieces     Pieces   `json:"pieces,omitempty"`
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
	// Taken are the kinds of the pieces that the move took. Evolve fills it in;
	// only in plies of a record does it come with the event.
	Taken []string `json:"taken,omitempty"`
}

// SeatOf is the index of the seat of a player, -1 for a stranger. Who moves both
// sides sits where the next move is.
func (s State) SeatOf(player string) int {
	if player == "" {
		return -1
	}
	if s.Seats[0].Player == player && s.Seats[1].Player == player {
		return s.ToMove()
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

// OpenSeat is the index of the seat that is free or kept for somebody, -1 for
// none.
func (s State) OpenSeat() int {
	return slices.IndexFunc(s.Seats[:], func(seat Seat) bool { return seat.Kind == SeatOpen || seat.Kind == SeatInvited })
}

// Invited is the account that a seat is kept for; empty for none.
func (s State) Invited() string {
	for _, seat := range s.Seats {
		if seat.Kind == SeatInvited {
			return seat.Account
		}
	}
	return ""
}

// Engines tells a game of the engine with itself.
func (s State) Engines() bool {
	return s.Seats[0].Kind == SeatEngine && s.Seats[1].Kind == SeatEngine
}

// Self tells a game in which one player moves both sides.
func (s State) Self() bool {
	return s.Seats[0].Player != "" && s.Seats[0].Player == s.Seats[1].Player
}

// Involves tells whether a game is among a player's own: as one of its players,
// or as the maker of a game of the engine with itself.
func (s State) Involves(player string) bool {
	return s.SeatOf(player) >= 0 || player != "" && s.Engines() && s.Maker == player
}

// Result is the result as records write it.
func (s State) Result() string {
	switch {
	case s.Outcome == nil || s.Status == StatusCancelled:
		return "*"
	case s.Outcome.Winner == "":
		return "1/2-1/2"
	case s.Outcome.Winner == s.Seats[0].Side:
		return "1-0"
	default:
		return "0-1"
	}
}
