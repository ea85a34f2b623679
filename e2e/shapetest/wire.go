package shapetest

// What of the interface's JSON the tests read, written down once more here: a
// change of the contracts that breaks clients breaks these tests.

// Game is the state of a game.
type Game struct {
	ID         string   `json:"id"`
	Rules      string   `json:"rules"`
	Status     string   `json:"status"`
	Turn       int32    `json:"turn"`
	Version    int32    `json:"version"`
	Seats      []Seat   `json:"seats"`
	Position   Position `json:"position"`
	Side       string   `json:"side"`
	Pieces     []Piece  `json:"pieces"`
	Moves      []Move   `json:"moves"`
	Plies      []Ply    `json:"plies"`
	Claims     []string `json:"claims"`
	Clock      *Clock   `json:"clock"`
	DrawOffer  string   `json:"draw_offer"`
	Outcome    *Outcome `json:"outcome"`
	Result     string   `json:"result"`
	Rated      bool     `json:"rated"`
	Visibility string   `json:"visibility"`
	Speed      string   `json:"speed"`
	YourSide   string   `json:"your_side"`
	Line       []string `json:"line"`

	Opponent    string     `json:"opponent"`
	PlyCount    int32      `json:"ply_count"`
	LoadedPlies int32      `json:"loaded_plies"`
	Start       string     `json:"start"`
	Touched     string     `json:"touched"`
	Captured    []Captured `json:"captured"`
	Material    []int32    `json:"material"`
	Match       *Match     `json:"match"`
	NextGame    string     `json:"next_game"`
	Closed      *Closed    `json:"closed"`
}

// Captured is what one side has taken.
type Captured struct {
	Side  string   `json:"side"`
	Kinds []string `json:"kinds"`
}

// Match is a series of games.
type Match struct {
	ID         string  `json:"id"`
	Number     int32   `json:"number"`
	HalfPoints []int32 `json:"half_points"`
}

// Closed is why a game is cancelled.
type Closed struct {
	Why    string `json:"why"`
	Side   string `json:"side"`
	Reason string `json:"reason"`
}

// Seat is one side of a game.
type Seat struct {
	Side        string `json:"side"`
	Kind        string `json:"kind"`
	Account     string `json:"account"`
	Name        string `json:"name"`
	Level       string `json:"level"`
	Rating      int32  `json:"rating"`
	Provisional bool   `json:"provisional"`
	RatingAfter int32  `json:"rating_after"`
}

// Position is what stands on the board, as text.
type Position struct {
	Rules string `json:"rules"`
	Text  string `json:"text"`
}

// Piece stands on a square.
type Piece struct {
	Square string `json:"square"`
	Side   string `json:"side"`
	Kind   string `json:"kind"`
}

// Move is a way to move.
type Move struct {
	Text     string   `json:"text"`
	Notation string   `json:"notation"`
	From     string   `json:"from"`
	To       string   `json:"to"`
	Path     []string `json:"path"`
	Captures []string `json:"captures"`
}

// Ply is a move that was played.
type Ply struct {
	Ply  int32  `json:"ply"`
	Side string `json:"side"`
	Move Move   `json:"move"`
}

// Clock is the time of both sides.
type Clock struct {
	InitialMS   int32   `json:"initial_ms"`
	IncrementMS int32   `json:"increment_ms"`
	RemainingMS []int32 `json:"remaining_ms"`
	Running     string  `json:"running"`
}

// Outcome is how a game ended.
type Outcome struct {
	Winner string `json:"winner"`
	Reason string `json:"reason"`
}

// Event is one change of a game.
type Event struct {
	GameID  string `json:"game_id"`
	Version int32  `json:"version"`
	Kind    string `json:"kind"`
	At      string `json:"at"`
	Side    string `json:"side"`
	Ply     *Ply   `json:"ply"`
	Game    Game   `json:"game"`
	// CreditedMS is what an outage gave back.
	CreditedMS int32 `json:"credited_ms"`
}

// Account is a person.
type Account struct {
	ID        string   `json:"id"`
	Login     string   `json:"login"`
	BirthDate string   `json:"birth_date"`
	Policy    string   `json:"policy"`
	Roles     []string `json:"roles"`
	Ratings   []Rating `json:"ratings"`
}

// Rating is a person's standing in one game at one speed.
type Rating struct {
	Rules       string `json:"rules"`
	Speed       string `json:"speed"`
	Rating      int32  `json:"rating"`
	Deviation   int32  `json:"deviation"`
	Provisional bool   `json:"provisional"`
	Wins        int32  `json:"wins"`
	Draws       int32  `json:"draws"`
	Losses      int32  `json:"losses"`
}

// RatingChange is what one game did to a rating.
type RatingChange struct {
	Game   string `json:"game"`
	Rules  string `json:"rules"`
	Speed  string `json:"speed"`
	Before int32  `json:"before"`
	After  int32  `json:"after"`
}

// Problem is what an error says.
type Problem struct {
	Code      string   `json:"code"`
	Title     string   `json:"title"`
	Status    int      `json:"status"`
	Detail    string   `json:"detail"`
	Fields    []Field  `json:"fields"`
	Squares   []string `json:"squares"`
	Lessons   []string `json:"lessons"`
	RequestID string   `json:"request_id"`
}

// Field is what is wrong with one field.
type Field struct {
	Field string `json:"field"`
	Code  string `json:"code"`
}

// FieldNames are the fields that a problem names.
func (p Problem) FieldNames() []string {
	var names []string
	for _, f := range p.Fields {
		names = append(names, f.Field)
	}
	return names
}
