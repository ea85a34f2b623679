package tournaments

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"tabuleiro/services/play/tournaments/pairing"
)

// Refused is why a command is refused, as a stable code and a sentence.
type Refused struct{ Code, Detail string }

func (r *Refused) Error() string { return r.Code + ": " + r.Detail }

func refuse(code, detail string) error { return &Refused{Code: code, Detail: detail} }

// MaxPlayers bounds a tournament.
const MaxPlayers = 200

// MaxRobin bounds a round robin, whose games grow with the square.
const MaxRobin = 40

// Command is what somebody, or the passing of time, wants of a tournament.
type Command interface{ command() }

// Create makes a tournament.
type Create struct{ Setup }

// Enter adds players or invites them, or answers an invitation: who is invited
// and enters with the state "in" plays.
type Enter struct{ Players []Player }

// Leave takes a player out: away before the start, withdrawn after it. Counts and
// Unrated are of the board that the player leaves, as of any ruling.
type Leave struct {
	Player          int
	Counts, Unrated bool
}

// Start begins with those who are in.
type Start struct{}

// Pair pairs the next round. IDs are for its games, one a board.
type Pair struct{ IDs []string }

// More gives a board another game.
type More struct {
	At Place
	ID string
}

// Made says that games exist.
type Made struct{ Games []Place }

// Ended says how a game ended: its result, or that and by whom it was aborted. Of a game that had another
// result it says what a person in charge has made of it since.
type Ended struct {
	At     Place
	Result string
}

// Rule decides boards in the players' place.
type Rule struct {
	Round  int
	Boards []Ruling
}

// Ruling is the result that a board is given.
type Ruling struct {
	Board  int
	Result string
	// Played is in rulings of before Counts was kept: the result counts as played,
	// as if it followed from the games.
	Played bool
	// Counts says that the result counts as played: both sides have moved, or the
	// organiser says that it was won, lost or drawn at the board.
	Counts bool `json:",omitempty"`
	// Unrated says that a game that runs counts for no rating.
	Unrated bool `json:",omitempty"`
}

// Closed says that games of decided boards are over.
type Closed struct{ Games []Place }

// Finish ends a tournament whose rounds are over.
type Finish struct{}

// Cancel ends a tournament without a table.
type Cancel struct{}

func (Create) command() {}
func (Enter) command()  {}
func (Leave) command()  {}
func (Start) command()  {}
func (Pair) command()   {}
func (More) command()   {}
func (Made) command()   {}
func (Ended) command()  {}
func (Rule) command()   {}
func (Closed) command() {}
func (Finish) command() {}
func (Cancel) command() {}

// Decide is what a command does to a tournament: events, or a *Refused. Time is
// milliseconds since 1970.
func Decide(s State, c Command, now int64) ([]Event, error) {
	at := max(now, s.ChangedAt)
	if _, new := c.(Create); !new && s.Version == 0 {
		return nil, refuse("tournament_not_found", "")
	}
	switch c := c.(type) {
	case Create:
		if s.Version != 0 {
			return nil, refuse("conflict", "the tournament exists")
		}
		return []Event{{Kind: KindCreated, At: at, Setup: &c.Setup}}, nil
	case Enter:
		return decideEnter(s, c, at)
	case Leave:
		return decideLeave(s, c, at)
	case Forget:
		return decideForget(s, c, at)
	case Start:
		return decideStart(s, at)
	case Pair:
		return decidePair(s, c, at)
	case More:
		if s.Status != StatusRunning || !s.has(c.At) || !s.board(c.At).wantsGame() {
			return nil, refuse("not_due", "the board wants no other game")
		}
		return []Event{{Kind: KindMore, At: at, Places: []Place{c.At}, IDs: []string{c.ID}}}, nil
	case Made:
		return mark(s, KindMade, c.Games, at, func(g Game) bool { return !g.Made })
	case Closed:
		return mark(s, KindClosed, c.Games, at, func(g Game) bool { return !g.Closed })
	case Ended:
		return decideEnded(s, c, at)
	case Rule:
		return decideRule(s, c, at)
	case Finish:
		if s.Status != StatusRunning || !s.complete() || !s.last() {
			return nil, refuse("not_due", "the tournament is not over")
		}
		return []Event{{Kind: KindFinished, At: at}}, nil
	case Cancel:
		if s.over() {
			return nil, over()
		}
		return []Event{{Kind: KindCancelled, At: at}}, nil
	}
	return nil, fmt.Errorf("deciding: no such command %T", c)
}

func (s *State) over() bool { return s.Status == StatusFinished || s.Status == StatusCancelled }

func over() error { return refuse("tournament_over", "the tournament is over") }

func (s *State) has(p Place) bool {
	return p.Round >= 0 && p.Round < len(s.Played) && p.Board >= 0 && p.Board < len(s.Played[p.Round].Boards)
}

func (s *State) board(p Place) *Board { return &s.Played[p.Round].Boards[p.Board] }

// takes tells whether a tournament takes players in.
func (s *State) takes() bool {
	return s.Status == StatusOpen || s.Status == StatusRunning && s.Kind == Swiss && s.Late
}

// limit is how many players it may have.
func (s *State) limit() int {
	if s.Kind == RoundRobin || s.Kind == DoubleRoundRobin {
		return min(s.MaxPlayers, MaxRobin)
	}
	return s.MaxPlayers
}

func decideEnter(s State, c Enter, at int64) ([]Event, error) {
	switch {
	case s.over():
		return nil, over()
	case !s.takes():
		return nil, refuse("tournament_started", "the tournament has started and takes nobody else in")
	}
	limit := s.limit()
	var events []Event
	after := s
	for _, p := range c.Players {
		i := after.Find(p.Account)
		if i >= 0 && (after.Players[i].Status != PlayerInvited || p.Status == PlayerInvited) {
			return nil, refuse("already_joined", "the player is in the tournament, or has left it")
		}
		if i < 0 && len(after.Players) >= limit {
			return nil, refuse("tournament_full", fmt.Sprintf("the tournament has %d players", limit))
		}
		if i >= 0 {
			p.Number = after.number(i)
		} else {
			p.Number = max(after.Numbers, len(after.Players)) + 1
		}
		event := Event{Kind: KindEntered, At: at, Player: &p}
		events = append(events, event)
		after = Evolve(after, event)
	}
	if len(events) == 0 {
		return nil, refuse("bad_field", "nobody is named")
	}
	return events, nil
}

func decideLeave(s State, c Leave, at int64) ([]Event, error) {
	switch {
	case s.over():
		return nil, over()
	case c.Player < 0 || c.Player >= len(s.Players):
		return nil, refuse("player_not_found", "")
	case s.Players[c.Player].Status == PlayerWithdrawn:
		return nil, refuse("player_not_found", "the player has left before")
	}
	events := []Event{{Kind: KindLeft, At: at, Number: c.Player, Keeps: s.Status == StatusOpen}}
	if i, b := s.playing(c.Player); b != nil {
		// The game that the player leaves is the opponent's.
		ruling := Ruling{Board: i, Result: WhiteWins, Counts: c.Counts, Unrated: c.Unrated}
		if b.White == c.Player {
			ruling.Result = BlackWins
		}
		events = append(events, Event{Kind: KindRuled, At: at, Number: len(s.Played) - 1, Rulings: []Ruling{ruling}})
	}
	return events, nil
}

// playing is the board at which a player plays now; nil for none.
func (s *State) playing(player int) (int, *Board) {
	r := s.current()
	if s.Status != StatusRunning || r == nil || player == none {
		return 0, nil
	}
	for i := range r.Boards {
		if b := &r.Boards[i]; b.Result == "" && b.seats(player) {
			return i, b
		}
	}
	return 0, nil
}

// seats tells whether a player sits at a board.
func (b *Board) seats(player int) bool { return b.White == player || b.Black == player }

func decideStart(s State, at int64) ([]Event, error) {
	switch {
	case s.over():
		return nil, over()
	case s.Status != StatusOpen:
		return nil, refuse("tournament_started", "the tournament has started")
	case s.In() < 2:
		return nil, refuse("too_few_players", "a tournament needs two players")
	}
	n := s.In()
	rounds := s.Rounds
	switch s.Kind {
	case RoundRobin:
		rounds = pairing.Rounds(n)
	case DoubleRoundRobin:
		rounds = 2 * pairing.Rounds(n)
	case Knockout:
		rounds = log2(n)
	default:
		if rounds == 0 {
			rounds = min(log2(n)+1, most(n))
		}
		if rounds > most(n) {
			return nil, refuse("too_few_players", fmt.Sprintf("%d players can play %d rounds without meeting again", n, most(n)))
		}
	}
	return []Event{{Kind: KindStarted, At: at, Number: rounds, Order: s.seeds()}}, nil
}

// most is how many rounds n players can play so that a pairing without rematches
// surely exists: while everybody has met fewer than half of the others.
func most(n int) int { return max(1, (n+1)/2) }

// log2 is how many rounds a knock-out has.
func log2(n int) int {
	rounds := 0
	for 1<<rounds < n {
		rounds++
	}
	return rounds
}

// seeds are those who are in, by their ratings; of equal ones a lot decides.
func (s *State) seeds() []int {
	var order []int
	for i, p := range s.Players {
		if p.Status == PlayerIn {
			order = append(order, i)
		}
	}
	random := rand.New(rand.NewPCG(uint64(s.Seed), 0))
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Players[b].Rating, s.Players[a].Rating) })
	return order
}

func decidePair(s State, c Pair, at int64) ([]Event, error) {
	switch {
	case s.Status == StatusOpen:
		return nil, refuse("tournament_not_started", "the tournament has not started")
	case s.over():
		return nil, over()
	case !s.complete():
		return nil, refuse("round_not_complete", "games of the round are being played")
	case s.last():
		return nil, refuse("tournament_over", "there are no more rounds")
	}
	boards := s.boards()
	round := Round{At: at}
	if s.RoundMS > 0 {
		round.Deadline = at + s.RoundMS
	}
	for i, b := range boards {
		if b.Result == "" {
			if len(c.IDs) <= i {
				return nil, fmt.Errorf("pairing: %d ids for %d boards", len(c.IDs), len(boards))
			}
			b.Games = []Game{{ID: c.IDs[i]}}
		}
		round.Boards = append(round.Boards, b)
	}
	return []Event{{Kind: KindPaired, At: at, Round: &round}}, nil
}

func decideEnded(s State, c Ended, at int64) ([]Event, error) {
	if !s.has(c.At) || c.At.Game >= len(s.board(c.At).Games) {
		return nil, refuse("not_due", "there is no such game")
	}
	b := s.board(c.At)
	result, aborter := c.Result, 0
	switch c.Result {
	case WhiteWins, BlackWins, Drawn, Aborted:
	case AbortedByWhite:
		result, aborter = Aborted, 1
	case AbortedByBlack:
		result, aborter = Aborted, 2
	default:
		return nil, refuse("bad_field", "no game ends so")
	}
	switch before := b.Games[c.At.Game].Result; {
	case before == result, s.Status == StatusCancelled:
		return nil, refuse("not_due", "the game has its result")
	case before != "": // a person in charge has decided it since
		return []Event{{Kind: KindCorrected, At: at, Places: []Place{c.At}, Result: result}}, nil
	case s.Status != StatusRunning || b.Result != "":
		return nil, refuse("not_due", "the board has its result")
	}
	events := []Event{{Kind: KindEnded, At: at, Places: []Place{c.At}, Result: result, Aborter: aborter}}
	after := Fold(s, events)
	if won := after.board(c.At).unplayable(); won != "" {
		events = append(events, Event{Kind: KindRuled, At: at, Number: c.At.Round, Rulings: []Ruling{{Board: c.At.Board, Result: won}}})
	}
	return events, nil
}

func decideRule(s State, c Rule, at int64) ([]Event, error) {
	switch {
	case s.over():
		return nil, over()
	case c.Round < 0 || c.Round >= len(s.Played):
		return nil, refuse("board_not_found", "the round has not been paired")
	case s.Kind == Knockout && c.Round != len(s.Played)-1:
		return nil, refuse("round_over", "who went on has played since: only boards of the current round are decided")
	}
	var rulings []Ruling
	for _, r := range c.Boards {
		if r.Board < 0 || r.Board >= len(s.Played[c.Round].Boards) || s.Played[c.Round].Boards[r.Board].Black == none {
			return nil, refuse("board_not_found", "")
		}
		switch r.Result {
		case WhiteWins, BlackWins:
		case Drawn, BothLose:
			if s.Kind == Knockout {
				return nil, refuse("bad_field", "somebody goes on from a knock-out match")
			}
		default:
			return nil, refuse("bad_field", "no board is decided so")
		}
		if b := s.Played[c.Round].Boards[r.Board]; b.Result == r.Result && b.played() == (r.Played || r.Counts) {
			continue
		}
		rulings = append(rulings, r)
	}
	if len(rulings) == 0 {
		return nil, refuse("no_change", "the boards have these results")
	}
	return []Event{{Kind: KindRuled, At: at, Number: c.Round, Rulings: rulings}}, nil
}

// mark notes something of games, where it is not noted yet.
func mark(s State, kind string, games []Place, at int64, missing func(Game) bool) ([]Event, error) {
	var places []Place
	for _, p := range games {
		if s.has(p) && p.Game < len(s.board(p).Games) && missing(s.board(p).Games[p.Game]) {
			places = append(places, p)
		}
	}
	if len(places) == 0 {
		return nil, refuse("not_due", "it is known")
	}
	return []Event{{Kind: kind, At: at, Places: places}}, nil
}
