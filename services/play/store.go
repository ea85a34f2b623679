package play

import (
	"context"
	"errors"
	"fmt"
)

// What a store answers, beside success and failures of its own.
var (
	// ErrNotFound: there is no such game.
	ErrNotFound = errors.New("play: no such game")
	// ErrStale: the game has moved on since it was loaded.
	ErrStale = errors.New("play: the game has moved on")
	// ErrKeyTaken: a command with this key has been carried out.
	ErrKeyTaken = errors.New("play: the key was used before")
	// ErrGone: the obligation that the commit depends on no longer stands.
	ErrGone = errors.New("play: the obligation is gone")
	// ErrUnknown: the commit may have happened; read again.
	ErrUnknown = errors.New("play: the outcome of the commit is unknown")
	// ErrUnavailable: nothing happened; the same may work later.
	ErrUnavailable = errors.New("play: the store is unavailable")
	// ErrFull: a player would have too many games. It is wrapped in a *FullError.
	ErrFull = errors.New("play: too many games")
)

// FullError says which limit a commit would overstep.
type FullError struct{ Limit Limit }

func (e *FullError) Error() string {
	return fmt.Sprintf("play: too many games: at most %d %s", e.Limit.Most, e.Limit.Of)
}

func (e *FullError) Unwrap() error { return ErrFull }

// Store keeps games. Its implementations pass one conformance suite.
type Store interface {
	GameStore
	ListStore
	DueStore
	GateStore
	BeatStore
	PurgeStore
	ForgetStore
}

// GameStore keeps single games.
type GameStore interface {
	// Load is the game's state, or ErrNotFound.
	Load(ctx context.Context, game string) (State, error)
	// Events are the events from version after+1 on, at most limit, oldest
	// first; none for an unknown game.
	Events(ctx context.Context, game string, after, limit int32) ([]Event, error)
	// Command finds a command that was carried out.
	Command(ctx context.Context, owner, key string) (CommandRecord, bool, error)
	// Commit writes all of it or nothing: ErrStale, ErrKeyTaken, ErrGone,
	// ErrUnknown, ErrUnavailable.
	Commit(ctx context.Context, c Commit) error
}

// ListStore finds games.
type ListStore interface {
	// List is one page, newest first.
	List(ctx context.Context, q ListQuery) ([]State, error)
	// Live counts a player's open, running and saved games.
	Live(ctx context.Context, player string) (int, error)
}

// PurgeStore forgets what nobody needs any more.
type PurgeStore interface {
	// PurgeCommands forgets commands that were carried out before a time,
	// PurgeGuests games of guests alone that ended before it; both at most so
	// many, and tell how many there were.
	PurgeCommands(ctx context.Context, before int64, limit int) (int, error)
	PurgeGuests(ctx context.Context, before int64, limit int) (int, error)
}

// DueStore keeps what must still happen.
type DueStore interface {
	// Overdue are obligations due at or before a time: flags first, which must
	// not wait behind a crowd of others, and of each the oldest first.
	Overdue(ctx context.Context, at int64, limit int) ([]Due, error)
	// Claim puts an obligation off until a later time, if it is still as it was
	// read, and counts an attempt. Who gets it may act on it until then.
	Claim(ctx context.Context, due Due, until int64) (Due, bool, error)
	// Postpone moves an obligation that the caller has claimed.
	Postpone(ctx context.Context, due Due, until int64) error
	// Drop removes an obligation that the caller has claimed.
	Drop(ctx context.Context, due Due) error
}

// GateStore remembers gates that were seen open.
type GateStore interface {
	GateOpen(ctx context.Context, account, rules string) (bool, error)
	OpenGate(ctx context.Context, account, rules string, at int64) error
}

// BeatStore notes that play is up.
type BeatStore interface {
	// Beat notes that a replica could write at a time, and returns the outages so
	// far, the oldest first: the times longer than gap in which none could, the one
	// that this beat ends included. All in milliseconds; a beat that comes late
	// changes nothing.
	Beat(ctx context.Context, at, gap int64) ([]Outage, error)
	// Clocked are games whose clock runs, in the order of their ids after one.
	Clocked(ctx context.Context, after string, limit int) ([]string, error)
}

// Commit is one change of a game.
type Commit struct {
	// Before is the state that was loaded, the zero State for a new game; After
	// is the state once Events have happened.
	Before, After State
	Events        []Event
	// Command is the command to remember; nil where nobody sent one.
	Command *CommandRecord
	// Due are the obligations that begin with After, those that Before had not.
	Due []Due
	// Done are the kinds of obligations that end.
	Done []string
	// Requires is the obligation that must still stand; nil for none.
	Requires *Due
	// Limits are what must hold once it is written: a *FullError otherwise.
	Limits []Limit
	// With is a change of another game that happens or fails together with this
	// one; nil for none. It has no command, no limits and nothing with it.
	With *Commit
}

// What a limit counts.
const (
	// LimitLive are a player's open, running and saved games, LimitOpen those whose seat
	// is open, LimitEngines the running games of the engine with itself that a
	// player has made.
	LimitLive    = "open, running and saved games"
	LimitOpen    = "open games"
	LimitEngines = "running games of the engine with itself"
)

// Limit is how many games of a kind a player may have.
type Limit struct {
	Player string
	Of     string
	Most   int
}

// counts tells whether a limit counts a game.
func (l Limit) counts(s State) bool {
	if !s.Involves(l.Player) {
		return false
	}
	switch l.Of {
	case LimitOpen:
		return s.Status == StatusOpen
	case LimitEngines:
		return s.Status == StatusRunning && s.Engines()
	default:
		return s.Status == StatusOpen || s.Status == StatusRunning || s.Status == StatusSuspended
	}
}

// owners are the players whose game it is, as the store finds it by them. That
// of a game of the engine with itself is its maker.
func (s State) owners() (first, second string) {
	if s.Engines() {
		return s.Maker, ""
	}
	return s.Seats[0].Player, s.Seats[1].Player
}

// CommandRecord is a command that was carried out.
type CommandRecord struct {
	// Owner is the player who sent it, Key its Idempotency-Key.
	Owner, Key string
	// Hash is of the method and the request.
	Hash string
	// Game and Version are the state that it was answered with.
	Game    string
	Version int32
}

// Due is an obligation of a game as a store keeps it.
type Due struct {
	Game    string
	Kind    string
	Version int32
	// At is when it is due or, once claimed, when the claim ends.
	At int64
	// Attempts counts the claims.
	Attempts int32
}

// ListQuery chooses games.
type ListQuery struct {
	// Player lists the games of a player, Invited the open games that keep a seat
	// for an account, Live public games that run. Without any of them, open seats
	// are listed.
	Player  string
	Invited string
	Live    bool
	// Guest narrows open seats to those that a guest may take.
	Guest bool
	// Rules narrows every list, Status that of a player, Speed and Rated ("yes" or
	// "no") all others; empty for all.
	Rules, Status, Speed, Rated string
	// Before is the id of the last game of the page before; empty for the first.
	Before string
	Limit  int
}

// changeDue is what a commit does to the obligations of a game.
func changeDue(before, after State) (begin []Obligation, done []string) {
	old := Obligations(before)
	for _, o := range Obligations(after) {
		if !contains(old, o) {
			begin = append(begin, o)
		}
	}
	for _, o := range old {
		if !stands(Obligations(after), o.Kind) {
			done = append(done, o.Kind)
		}
	}
	return begin, done
}

// contains tells whether an obligation is among others. When it is due does not
// matter: claims move that.
func contains(all []Obligation, o Obligation) bool {
	for _, other := range all {
		if other.Kind == o.Kind && other.Version == o.Version {
			return true
		}
	}
	return false
}

func stands(all []Obligation, kind string) bool {
	for _, o := range all {
		if o.Kind == kind {
			return true
		}
	}
	return false
}
