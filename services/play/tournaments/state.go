// Package tournaments holds round robins, Swiss tournaments and knock-outs of
// people and levels of the engine. Every game in them is an ordinary game.
//
// The core is a pure pair, [Decide] and [Evolve], as that of games is: the events
// are the truth. What must still happen - games to make, results to take in, rounds
// to pair - follows from the state alone ([Owed]), so that a crash loses nothing
// and does nothing twice.
package tournaments

import (
	"cmp"
	"math"
	"slices"

	"tabuleiro/services/play/tournaments/pairing"
)

// The states of a tournament.
const (
	StatusOpen      = "open"
	StatusRunning   = "running"
	StatusFinished  = "finished"
	StatusCancelled = "cancelled"
)

// The kinds of tournaments.
const (
	RoundRobin       = "round_robin"
	DoubleRoundRobin = "double_round_robin"
	Swiss            = "swiss"
	Knockout         = "knockout"
)

// Who may join.
const (
	EntryInvited = "invited"
	EntryClass   = "class"
	EntryOpen    = "open"
)

// What decides a knock-out match that is level.
const (
	TieSeed = "seed"
	TieMore = "more"
)

// The states of a player.
const (
	PlayerInvited   = "invited"
	PlayerIn        = "in"
	PlayerWithdrawn = "withdrawn"
)

// The results of a board. White and Black are those of the board, whose first
// game they play with these colours.
const (
	WhiteWins = "1-0"
	BlackWins = "0-1"
	Drawn     = "1/2-1/2"
	BothLose  = "0-0"
	// Bye is a round without an opponent that counts as won, Rest one that counts
	// nothing.
	Bye  = "bye"
	Rest = "rest"
)

// Aborted is the result of a game that was aborted: another one takes its place.
// The others say which player did so, for whoever tells how a game ended.
const (
	Aborted        = "aborted"
	AbortedByWhite = "aborted_by_white"
	AbortedByBlack = "aborted_by_black"
)

const (
	// maxAborted is how many games of a board may be aborted before it is decided
	// against who did so more often; where nobody did, the organiser has to decide.
	maxAborted = 3
	// maxMore is how many more games a level match has before the better seed goes
	// on.
	maxMore = 10
)

// none is no player.
const none = pairing.None

// Setup is how a tournament is made.
type Setup struct {
	ID        string `json:"id"`
	Organiser string `json:"organiser"`
	Name      string `json:"name"`
	Rules     string `json:"rules"`
	Draws     string `json:"draws,omitempty"`
	Kind      string `json:"kind"`
	Entry     string `json:"entry"`
	// InitialMS and IncrementMS are the clock; 0 for none.
	InitialMS   int32 `json:"initial_ms,omitempty"`
	IncrementMS int32 `json:"increment_ms,omitempty"`
	Rated       bool  `json:"rated,omitempty"`
	// Rounds are those of a Swiss tournament; 0 until it starts, for as many as
	// its players need.
	Rounds int `json:"rounds,omitempty"`
	// Games and Tie are of knock-out matches.
	Games int    `json:"games,omitempty"`
	Tie   string `json:"tie,omitempty"`
	// Auto pairs each round when the one before is complete.
	Auto bool `json:"auto,omitempty"`
	// RoundMS is how long a round may take; 0 for as long as it does.
	RoundMS    int64 `json:"round_ms,omitempty"`
	MaxPlayers int   `json:"max_players"`
	// Late lets players enter a Swiss tournament that runs.
	Late bool `json:"late,omitempty"`
	// OrganiserName is the organiser's login; empty in tournaments of before it was
	// kept. Sheltered says that the organiser meets no strangers.
	OrganiserName string `json:"organiser_name,omitempty"`
	Sheltered     bool   `json:"sheltered,omitempty"`
	// Alternate says that the last two rounds of the first of two cycles change
	// places; those of before it was kept go on as they began.
	Alternate bool `json:"alternate,omitempty"`
	// Seed decides what would be a lot.
	Seed int64 `json:"seed"`
}

// State is a tournament after some number of events. States are values.
type State struct {
	Setup
	Status  string   `json:"status"`
	Version int32    `json:"version"`
	Players []Player `json:"players,omitempty"`
	// Numbers is how many numbers players have been given; 0 in tournaments of
	// before they were kept.
	Numbers int     `json:"numbers,omitempty"`
	Played  []Round `json:"played,omitempty"`

	CreatedAt  int64 `json:"created_at"`
	ChangedAt  int64 `json:"changed_at"`
	StartedAt  int64 `json:"started_at,omitempty"`
	FinishedAt int64 `json:"finished_at,omitempty"`
}

// Player is one who plays, or is invited to. Players are never removed once the
// tournament has started: others point at them by their place.
type Player struct {
	// Account is a person's, Level the engine's.
	Account string `json:"account,omitempty"`
	Level   string `json:"level,omitempty"`
	Name    string `json:"name"`
	Rating  int32  `json:"rating,omitempty"`
	Status  string `json:"status"`
	// Number is what others call the player by, from 1. Nobody else gets it, also
	// when the player leaves before the start: who takes somebody out must not hit
	// who moved up. 0 in tournaments of before it was kept, where it is the place.
	Number int `json:"number,omitempty"`
	// Seed is from 1, the strongest first; 0 before the start.
	Seed int `json:"seed,omitempty"`
	// Sheltered says that the player meets no strangers.
	Sheltered bool `json:"sheltered,omitempty"`
}

// Round is a round that was paired.
type Round struct {
	At int64 `json:"at"`
	// Deadline is when what is not over is decided; 0 for never.
	Deadline int64   `json:"deadline,omitempty"`
	Boards   []Board `json:"boards"`
}

// Board is two players of a round; Black is none where White has no opponent.
type Board struct {
	White int    `json:"white"`
	Black int    `json:"black"`
	Games []Game `json:"games,omitempty"`
	// Result is empty while the board is being played.
	Result string `json:"result,omitempty"`
	// Decided says that the result was decided and does not follow from the games,
	// Counts that it counts as played all the same.
	Decided bool `json:"decided,omitempty"`
	Counts  bool `json:"counts,omitempty"`
	// Unrated says that a game that ran when it was decided counts for no rating.
	Unrated bool `json:"unrated,omitempty"`
}

// Game is a game of a board. Of a match, every second one has the colours
// reversed.
type Game struct {
	ID       string `json:"id"`
	Reversed bool   `json:"reversed,omitempty"`
	// Result is that of the game: White is who has White in it.
	Result string `json:"result,omitempty"`
	// Aborter is who aborted it: 1 for who has White in it, 2 for the other, 0 for
	// nobody of them.
	Aborter int `json:"aborter,omitempty"`
	// Made says that the game exists, Closed that nothing is to be done about it
	// any more.
	Made   bool `json:"made,omitempty"`
	Closed bool `json:"closed,omitempty"`
}

// Find is the place of an account among the players, none for a stranger.
func (s *State) Find(account string) int {
	if account == "" {
		return none
	}
	return slices.IndexFunc(s.Players, func(p Player) bool { return p.Account == account })
}

// number is what the player at a place is called by; 0 for none.
func (s *State) number(place int) int {
	if place == none {
		return 0
	}
	return cmp.Or(s.Players[place].Number, place+1)
}

// numbered is the place of the player with a number; none where there is none.
func (s *State) numbered(number int) int {
	for place := range s.Players {
		if s.number(place) == number {
			return place
		}
	}
	return none
}

// In counts the players who play.
func (s *State) In() int {
	n := 0
	for _, p := range s.Players {
		if p.Status == PlayerIn {
			n++
		}
	}
	return n
}

// order are the players by their seeds, the strongest first.
func (s *State) order() []int {
	var order []int
	for i, p := range s.Players {
		if p.Seed > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.Players[a].Seed, s.Players[b].Seed) })
	return order
}

// current is the round that is being played; nil before the first.
func (s *State) current() *Round {
	if len(s.Played) == 0 {
		return nil
	}
	return &s.Played[len(s.Played)-1]
}

// complete tells that no board of the current round is being played.
func (s *State) complete() bool {
	r := s.current()
	return r == nil || !slices.ContainsFunc(r.Boards, func(b Board) bool { return b.Result == "" })
}

// Place is where a game is: the indices of its round, its board and itself, all
// from 0.
type Place struct{ Round, Board, Game int }

// played tells that the result of a board counts as played.
func (b *Board) played() bool { return !b.Decided || b.Counts }

// points are the half points of the players of a board, and whether it was
// played.
func (b *Board) points() (white, black int, played bool) {
	played = b.played() && b.Black != none
	switch b.Result {
	case WhiteWins:
		return 2, 0, played
	case BlackWins:
		return 0, 2, played
	case Drawn:
		return 1, 1, played
	case Bye:
		return 2, 0, false
	}
	return 0, 0, played
}

// score are the half points of a match so far, and how many of its games count.
func (b *Board) score() (white, black, counted int) {
	for _, g := range b.Games {
		w, k := 0, 0
		switch g.Result {
		case WhiteWins:
			w = 2
		case BlackWins:
			k = 2
		case Drawn:
			w, k = 1, 1
		default:
			continue
		}
		counted++
		if g.Reversed {
			w, k = k, w
		}
		white += w
		black += k
	}
	return white, black, counted
}

// result is that of a board by its games; empty while it is not over.
func (s *State) result(b *Board) string {
	white, black, counted := b.score()
	games := 1
	if s.Kind == Knockout {
		games = s.Games
	}
	switch {
	case white > games || counted >= games && white > black:
		return WhiteWins
	case black > games || counted >= games && black > white:
		return BlackWins
	case counted < games:
		return ""
	case s.Kind != Knockout:
		return Drawn
	case s.Tie == TieMore && counted < games+maxMore:
		return ""
	case s.Players[b.White].Seed < s.Players[b.Black].Seed:
		return WhiteWins
	}
	return BlackWins
}

// wantsGame tells that a board is to have one more game.
func (b *Board) wantsGame() bool {
	if b.Result != "" || b.Black == none {
		return false
	}
	lost := 0
	for _, g := range b.Games {
		if g.Result == "" {
			return false
		}
		if g.Result == Aborted {
			lost++
		}
	}
	return lost < maxAborted
}

// aborters are how many games White and Black have aborted, and how many were in
// all.
func (b *Board) aborters() (white, black, all int) {
	for _, g := range b.Games {
		if g.Result != Aborted {
			continue
		}
		all++
		switch {
		case g.Aborter == 0:
		case (g.Aborter == 1) != g.Reversed:
			white++
		default:
			black++
		}
	}
	return white, black, all
}

// unplayable is the result of a board that got as many games as it may, of which
// too many were aborted: who did so more often loses. It is empty where the board
// goes on, or where neither did so more often.
func (b *Board) unplayable() string {
	white, black, all := b.aborters()
	switch {
	case b.Result != "" || all < maxAborted || white == black:
		return ""
	case white > black:
		return BlackWins
	}
	return WhiteWins
}

// late is the result of a board whose time is up while no game of it runs: who
// leads a match wins it, then who aborted more often loses. Else nobody wins, and
// in a knock-out the better seed goes on.
func (s *State) late(b *Board) string {
	white, black, _ := b.score()
	aborts, others, _ := b.aborters()
	if white == black {
		white, black = others, aborts
	}
	if white == black && s.Kind == Knockout {
		white, black = s.Players[b.Black].Seed, s.Players[b.White].Seed
	}
	switch {
	case white > black:
		return WhiteWins
	case black > white:
		return BlackWins
	}
	return BothLose
}

// reversed tells whether the next game of a board has the colours reversed.
func (b *Board) reversed() bool {
	_, _, counted := b.score()
	return counted%2 == 1
}

// winner is who goes on from a board of a knock-out; none where nobody does.
func (b *Board) winner() int {
	switch b.Result {
	case WhiteWins, Bye:
		return b.White
	case BlackWins:
		return b.Black
	}
	return none
}

// Owed is what a tournament must still do though nobody asks.
type Owed struct {
	// Make are games that do not exist yet, Await those whose end is awaited,
	// Close those whose board is decided while they run.
	Make, Await, Close []Place
	// More are boards that want another game; Games has no meaning in them.
	More []Place
	// Pair says that a round is to be paired, Finish that all have been.
	Pair, Finish bool
	// Overdue says that the round has passed its deadline.
	Overdue bool
}

// Owes is what a state owes at a moment.
func Owes(s State, now int64) Owed {
	var o Owed
	for r := range s.Played {
		for b := range s.Played[r].Boards {
			board := &s.Played[r].Boards[b]
			for g, game := range board.Games {
				at := Place{r, b, g}
				running := s.Status == StatusRunning && board.Result == ""
				switch {
				case game.Closed:
				case !running && game.Result == "":
					o.Close = append(o.Close, at)
				case running && !game.Made:
					o.Make = append(o.Make, at)
				case running && game.Result == "":
					o.Await = append(o.Await, at)
				}
			}
			if s.Status == StatusRunning && board.wantsGame() {
				o.More = append(o.More, Place{Round: r, Board: b})
			}
		}
	}
	if s.Status != StatusRunning {
		return o
	}
	switch {
	case !s.complete():
		o.Overdue = s.current().Deadline > 0 && now >= s.current().Deadline
	case s.last():
		o.Finish = true
	case s.Auto || len(s.Played) == 0:
		o.Pair = true
	}
	return o
}

// never is when a tournament looks after itself again that waits for its games.
const never = math.MaxInt64

// dueAt is when a tournament must do something though nobody asks, as far as the
// state says: what ends a game is no matter of time.
func dueAt(s State) int64 {
	o := Owes(s, s.ChangedAt)
	switch {
	case len(o.Make)+len(o.Close)+len(o.More) > 0, o.Pair, o.Finish, o.Overdue:
		return s.ChangedAt
	case s.Status == StatusRunning && !s.complete() && s.current().Deadline > 0:
		return s.current().Deadline
	}
	return never
}

// last tells that no round comes after those that were paired.
func (s *State) last() bool {
	return len(s.Played) >= s.Rounds || s.Kind != Knockout && s.In() < 2
}
