package accounts

import (
	"context"
	"errors"
	"time"

	"tabuleiro/services/accounts/glicko"
)

// What a Store answers besides success; anything else is a fault of the store.
var (
	// ErrNotFound says that there is no such account, login, session or key.
	ErrNotFound = errors.New("not found")
	// ErrLoginTaken says that another account has the login.
	ErrLoginTaken = errors.New("login taken")
	// ErrKeyUsed says that the command's key was used before, by whatever body.
	ErrKeyUsed = errors.New("idempotency key used")
	// ErrWrongCode says that a code is not the one stored, or was used.
	ErrWrongCode = errors.New("wrong operator code")
)

// Policies of an account about play against the engine.
const (
	PolicyGuided = "guided"
	PolicyOpen   = "open"
)

// Roles of an account. Everyone is a learner; the others are given.
const (
	RoleLearner  = "learner"
	RoleTeacher  = "teacher"
	RoleOperator = "operator"
)

// Account is a person.
type Account struct {
	ID    string
	Login string
	// FirstName, Surname, BirthDate (ISO) and Sex are empty where the
	// installation did not ask.
	FirstName, Surname, BirthDate, Sex string
	// Policy is PolicyGuided or PolicyOpen; it only ever moves to open.
	Policy string
	// Adult says that the person was known to be 18 when registering. It fixes
	// the rating that they start from.
	Adult bool
	// Roles are those given beyond RoleLearner, sorted.
	Roles []string
	// CreatedAt has milliseconds.
	CreatedAt time.Time
	// Managed says that a class made the account.
	Managed bool
	// PublicAllowed says that a teacher or guardian allows public games.
	PublicAllowed bool
	// DeletedAt is when the account became a tombstone, of which only the id is
	// left; zero for one that lives.
	DeletedAt time.Time
	// NoticedAt is when it was announced that the account will be deleted for want of
	// use; zero unless it was.
	NoticedAt time.Time
}

// Details are what the form of a registration asks about a person.
type Details struct{ FirstName, Surname, BirthDate, Sex string }

// details are those of an account.
func (a Account) details() Details { return Details{a.FirstName, a.Surname, a.BirthDate, a.Sex} }

func (a *Account) setDetails(d Details) {
	a.FirstName, a.Surname, a.BirthDate, a.Sex = d.FirstName, d.Surname, d.BirthDate, d.Sex
}

// Person is an account with the hash of its password.
type Person struct {
	Account
	PasswordHash string
}

// Command remembers that a command was carried out, so that the same key gives
// the first answer again.
type Command struct {
	// Scope is the account that asked, or the method where nobody is logged in.
	Scope string
	Key   string
	// Body is a hash of what was asked, without passwords.
	Body [32]byte
	// Account is the account that the command made or changed.
	Account string
	// Object is what else it made, where its answer needs that.
	Object string
	At     time.Time
}

// Kinds of sessions, which have limits of their own.
const (
	// SessionPersonal is a person's at a device of their own.
	SessionPersonal = "personal"
	// SessionStaff is a teacher's or operator's.
	SessionStaff = "staff"
	// SessionShared was opened with the password at a PC that others use too.
	SessionShared = "shared"
	// SessionPaired was let in by a code; it has no role but that of a learner.
	SessionPaired = "paired"
)

// Session is one log-in. Its token is known only as a SHA-256.
type Session struct {
	ID        string
	Account   string
	TokenHash [32]byte
	// Kind is one of those above.
	Kind string
	// Device and Network say in words and coarsely what it was opened from.
	Device, Network string
	CreatedAt       time.Time
	// ExpiresAt is the end at the latest.
	ExpiresAt time.Time
	// Idle is how long it lasts without use, in whole milliseconds.
	Idle time.Duration
	// SeenAt is a recent use.
	SeenAt time.Time
	// IfPassword is the hash that the account's password must have for the session to
	// be opened; empty for any. It is not stored.
	IfPassword string
}

// LapsesAt is when the session ends unless it is used before.
func (s Session) LapsesAt() time.Time {
	if idle := s.SeenAt.Add(s.Idle); idle.Before(s.ExpiresAt) {
		return idle
	}
	return s.ExpiresAt
}

// Pool is what a rating belongs to besides its account.
type Pool struct{ Rules, Speed string }

// Seat is who sat at one side of a rated game: an account or a level.
type Seat struct{ Account, Level string }

// Game is the result of a finished game, as play tells it.
type Game struct {
	ID string
	// Revision is 0 for the first result; a correction is the next number.
	Revision int32
	Pool     Pool
	Seats    [2]Seat
	// HalfPoints are the first seat's: 2 won, 1 drawn, 0 lost.
	HalfPoints int32
	// Annulled is true for a correction by which the game does not count; its
	// HalfPoints are 0 then and say nothing.
	Annulled bool
	// FinishedAt has milliseconds.
	FinishedAt time.Time
}

// Side is what a game did to one seat.
type Side struct {
	// Change numbers the changes of one rating from 1; 0 for a level.
	Change int32
	// Before is the rating as it entered the game, growth of the deviation
	// included; a level's is its fixed rating.
	Before, After glicko.Rating
}

// Entry is one row of the ledger: a revision of a game and both ratings.
type Entry struct {
	Game
	Sides   [2]Side
	RatedAt time.Time
}

// Standing is one account's rating in one pool: the fold of its entries.
type Standing struct {
	Account string
	Pool    Pool
	Rating  glicko.Rating
	// Changes is the number of entries folded; 0 means never rated.
	Changes             int32
	Wins, Draws, Losses int32
	// At is the end of the latest game, from which the deviation grows; zero
	// before the first.
	At time.Time
}

// Point is a rating at the end of a day on which it changed.
type Point struct {
	// Day is the number of days since 1970-01-01 (UTC).
	Day    int64
	Rating glicko.Rating
	// Changes is how many entries the day has.
	Changes int32
}

// Table is what the ledger knows when a game comes to be rated, read and kept
// still until the decision is stored.
type Table struct {
	// Entries are all revisions of the game so far, in order.
	Entries []Entry
	// Standings are of the two seats; that of a level is empty.
	Standings [2]Standing
	// Pasts are of the two seats, for a correction only.
	Pasts [2]Past
}

// Past is everything that an account's rating in a pool comes from.
type Past struct {
	// Start is the standing before the first entry.
	Start Standing
	// Entries are all of the account in the pool, in the order of their changes.
	Entries []Entry
}

// Decision is what to store; nothing when Entry was there before.
type Decision struct {
	Entry     Entry
	Fresh     bool
	Standings [2]Standing
}

// People keeps accounts, their roles, and the commands carried out.
type People interface {
	// Create stores the account and the command in one transaction. A login is
	// taken that looks like another's (see skeleton). Errors: ErrKeyUsed before
	// ErrLoginTaken.
	Create(ctx context.Context, person Person, command Command) error
	// Command finds a command carried out. Errors: ErrNotFound.
	Command(ctx context.Context, scope, key string) (Command, error)
	// Person finds an account by its id. Errors: ErrNotFound.
	Person(ctx context.Context, id string) (Person, error)
	// PersonByLogin finds an account by its login without regard to case.
	// Errors: ErrNotFound.
	PersonByLogin(ctx context.Context, login string) (Person, error)
	// Accounts finds those of the ids that exist, in no order.
	Accounts(ctx context.Context, ids []string) ([]Account, error)
	// OpenPolicy moves an account to PolicyOpen. Errors: ErrKeyUsed,
	// ErrNotFound.
	OpenPolicy(ctx context.Context, account string, command Command) error
}

// Operators keeps the one-time code and who claimed it.
type Operators interface {
	// KeepCode stores the hash of a new code unless one is stored or an
	// operator exists, and says whether it did.
	KeepCode(ctx context.Context, hash [32]byte, now time.Time) (bool, error)
	// Claim gives the account the role of operator and uses the code up.
	// Errors: ErrKeyUsed, ErrWrongCode, ErrNotFound.
	Claim(ctx context.Context, account string, hash [32]byte, command Command) error
}

// Sessions keeps log-ins.
type Sessions interface {
	// Open stores a session and, of the account's older ones, drops all but the
	// keep-1 newest. The account has been seen then. Errors: ErrNotFound where the password is another by now.
	Open(ctx context.Context, session Session, keep int) error
	// Session finds a session and its account. Errors: ErrNotFound.
	Session(ctx context.Context, token [32]byte) (Session, Account, error)
	// SessionsOf lists those of an account that last beyond now, the one used last
	// first.
	SessionsOf(ctx context.Context, account string, now time.Time) ([]Session, error)
	// Touch notes a use of a session that lasts until lapses unless it is used again.
	Touch(ctx context.Context, id string, seen, lapses time.Time) error
	// End forgets a session; one that is not there is no error.
	End(ctx context.Context, token [32]byte) error
	// EndByID forgets a session of the account; one that is not there is no error.
	EndByID(ctx context.Context, account, id string) error
	// EndAll forgets all sessions of an account but the one with the id keep, and
	// says how many.
	EndAll(ctx context.Context, account, keep string) (int, error)
	// ChangePassword stores the hash of a new password in place of that of the old
	// one, and forgets all sessions of the account and, if asked, its tokens. Errors:
	// ErrKeyUsed, and ErrNotFound where the hash is another by now.
	ChangePassword(ctx context.Context, change PasswordChange, command Command) error
	// Sweep forgets at most limit sessions that lapsed, and says how many.
	Sweep(ctx context.Context, now time.Time, limit int) (int, error)
}

// PasswordChange is a new password for an account.
type PasswordChange struct {
	Account          string
	OldHash, NewHash string
	RevokeTokens     bool
}

// Ratings keeps the ledger and its fold.
type Ratings interface {
	// Rate reads the table of a game, holds its ratings against every other
	// Rate, and stores what decide makes of it, all in one transaction. The
	// table has the pasts where game is a revision above 0. A seat
	// never rated has the standing that start gives. Errors: ErrNotFound for an
	// account that does not exist, and those of decide. decide may run again.
	Rate(ctx context.Context, game Game, start func(Account, Pool) Standing, decide func(Table) (Decision, error)) (Entry, error)
	// Standings lists the ratings of the accounts in every pool, sorted by
	// account, rules and speed.
	Standings(ctx context.Context, accounts []string) ([]Standing, error)
	// Entries lists the entries of an account, newest first, but for the first few
	// that are to be skipped; rules narrows the list unless empty, and limit bounds it
	// unless 0.
	Entries(ctx context.Context, account, rules string, skip, limit int) ([]Entry, error)
	// Points sums up the changes of a rating since a moment by days (UTC), oldest
	// first, at most limit of them, the latest.
	Points(ctx context.Context, account string, pool Pool, since time.Time, limit int) ([]Point, error)
	// Rated lists at most limit accounts that have a rating, in order, above
	// after.
	Rated(ctx context.Context, after string, limit int) ([]string, error)
}

// Store is everything that accounts keeps. Every implementation passes the
// suite in store_test.go.
type Store interface {
	People
	Operators
	Sessions
	Ratings
	School
	Tokens
	Pairings
	Daily
}
