package play

// Command is something that a player, the engine or the passing of time wants
// of a game.
type Command interface{ command() }

// Create makes a game. The ruling is that of its first position.
type Create struct {
	ID         string
	Rules      string
	Visibility string
	Rated      bool
	Seats      [2]Seat
	Clock      *Settings
	// MoveSeconds bounds the engine's thinking for a move; 0 for its default.
	MoveSeconds int32
	// Position is the first position. In a game that goes on from a record, Plies
	// are its moves and Start the text of the position before them.
	Position Position
	Plies    []Ply
	Start    string

	Opponent string
	// Maker is the player who makes the game.
	Maker string
	// Sheltered keeps an open seat for those who are related to the maker.
	Sheltered bool
	Options   Options
	MaxPlies  int32
	Values    map[string]int32
	Match     *Match
	// Tournament is the id of the tournament that the game belongs to.
	Tournament string
	// Side is the side of the player who makes the game.
	Side string
}

// Accept takes the open seat. Profiles are what the game shows of the persons
// on its seats from here on; a seat whose profile has no name keeps its own.
type Accept struct {
	Player   string
	Account  string
	Profiles [2]Profile
}

// Profile is what a game shows of a person.
type Profile struct {
	// Account is empty for guests and levels.
	Account     string
	Name        string
	Rating      int32
	Provisional bool
	// Public is true for who may play where anyone may watch.
	Public bool
	// Protected is true for who must not be found by strangers.
	Protected bool
}

// Cancel withdraws a game whose seat is open.
type Cancel struct{ Player string }

// Play plays a move. Beside the ruling of the position after it, Move is how the
// rules service writes it; before that, only its text is there, as it was sent.
type Play struct {
	Player string
	Turn   int32
	Move   Move
	// LagMS is the round trip of the player's client, as the gateway measured it;
	// 0 for unknown.
	LagMS int32
}

// EnginePlay is the engine's move in answer to a turn.
type EnginePlay struct {
	Turn int32
	Move Move
	// Score is that of its search, in centipawns for its side; nil for unknown.
	Score *int32
}

// Resign gives the game up.
type Resign struct{ Player string }

// OfferDraw offers a draw, or accepts the opponent's offer where one stands.
type OfferDraw struct {
	Player string
	Turn   int32
}

// AnswerDraw answers the opponent's offer.
type AnswerDraw struct {
	Player string
	Turn   int32
	Accept bool
}

// ClaimDraw claims a draw that the rules allow.
type ClaimDraw struct {
	Player string
	Turn   int32
}

// Flag says that time may be up.
type Flag struct{}

// Rate records what accounts made of a finished game; 0 where a rating does
// not move.
type Rate struct{ After [2]int32 }

func (Create) command()     {}
func (Accept) command()     {}
func (Cancel) command()     {}
func (Play) command()       {}
func (EnginePlay) command() {}
func (Resign) command()     {}
func (OfferDraw) command()  {}
func (AnswerDraw) command() {}
func (ClaimDraw) command()  {}
func (Flag) command()       {}
func (Rate) command()       {}

// Refused is why a command is refused, as a stable code and a sentence, with
// the fields of the request that it is about.
type Refused struct {
	Code, Detail string
	Fields       []string
	Squares      []string
}

func (r *Refused) Error() string { return r.Code + ": " + r.Detail }

func refuse(code, detail string) error { return &Refused{Code: code, Detail: detail} }
