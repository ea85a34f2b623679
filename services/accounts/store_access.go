package accounts

import (
	"context"
	"errors"
	"time"
)

// What a Store answers about access besides success.
var (
	// ErrFull says that there are as many of a kind as there may be.
	ErrFull = errors.New("as many as there may be")
	// ErrTaken says that a code is in use.
	ErrTaken = errors.New("taken")
	// ErrOtherKind says that a pairing is of the other kind.
	ErrOtherKind = errors.New("a pairing of the other kind")
)

// AccessToken is what programs of an account show. Its text is known only as a
// SHA-256.
type AccessToken struct {
	ID      string
	Account string
	Name    string
	Hash    [32]byte
	// Scopes are sorted.
	Scopes               []string
	CreatedAt, ExpiresAt time.Time
	// UsedAt is a recent use; zero before the first.
	UsedAt time.Time
}

// Kinds of devices that are paired.
const (
	DeviceBoard    = "board"
	DeviceSharedPC = "shared_pc"
)

// States of a pairing.
const (
	PairingOpen      = "open"
	PairingConfirmed = "confirmed"
	PairingDenied    = "denied"
)

// Pairing is a device that wants in.
type Pairing struct {
	// DeviceHash is the SHA-256 of the device code.
	DeviceHash [32]byte
	// UserCode is folded (foldUserCode).
	UserCode string
	// Kind is DeviceBoard or DeviceSharedPC.
	Kind          string
	Name, Network string
	Status        string
	// Account is whoever answered; Board and SessionLife are what they gave.
	Account              string
	Board                string
	SessionLife          time.Duration
	CreatedAt, ExpiresAt time.Time
	// PolledAt is the last poll; zero before the first.
	PolledAt time.Time
}

// Board is a paired board.
type Board struct {
	ID, Account, Name string
	CreatedAt         time.Time
}

// Tokens keeps access tokens.
type Tokens interface {
	// CreateToken stores a token unless the account has keep that have not expired,
	// and the command. Errors: ErrKeyUsed before ErrFull.
	CreateToken(ctx context.Context, token AccessToken, keep int, command Command) error
	// RenewToken gives a token that was never used another hash, and says whether
	// there is one.
	RenewToken(ctx context.Context, id string, hash [32]byte) (bool, error)
	// Token finds a token and its account. Errors: ErrNotFound.
	Token(ctx context.Context, hash [32]byte) (AccessToken, Account, error)
	// TokensOf lists those of an account that expire after now, newest first.
	TokensOf(ctx context.Context, account string, now time.Time) ([]AccessToken, error)
	// TouchToken notes a use.
	TouchToken(ctx context.Context, id string, used time.Time) error
	// RevokeToken forgets a token of the account; one that is not there is no error.
	RevokeToken(ctx context.Context, account, id string) error
	// SweepTokens forgets at most limit that expired, and says how many.
	SweepTokens(ctx context.Context, now time.Time, limit int) (int, error)
}

// Pairings keeps devices that want in, and the boards that were let in.
type Pairings interface {
	// OpenPairing stores a pairing unless most are open. Errors: ErrFull, ErrTaken
	// for its user code.
	OpenPairing(ctx context.Context, pairing Pairing, most int) error
	// Pairing finds one by its user code. Errors: ErrNotFound.
	Pairing(ctx context.Context, userCode string) (Pairing, error)
	// AnswerPairing confirms or denies one that is open, of this kind unless kind is
	// empty, and not expired; a board that is confirmed is stored unless the account
	// has keep. Errors: ErrKeyUsed for a command with a key, ErrNotFound,
	// ErrOtherKind, ErrFull.
	AnswerPairing(ctx context.Context, answer PairingAnswer, keep int, command Command) error
	// PollPairing finds a pairing by its device, notes the poll, and says when the
	// one before was. One that was answered is forgotten, and of a board the hash of
	// its secret is kept. Errors: ErrNotFound.
	PollPairing(ctx context.Context, device [32]byte, secret [32]byte, now, notBefore time.Time) (Pairing, error)
	// SweepPairings forgets at most limit that expired, and says how many.
	SweepPairings(ctx context.Context, now time.Time, limit int) (int, error)
	// Boards lists those of an account, newest first.
	Boards(ctx context.Context, account string) ([]Board, error)
	// RevokeBoard forgets a board of the account; one that is not there is no error.
	RevokeBoard(ctx context.Context, account, id string) error
}

// PairingAnswer is what a person says to a device.
type PairingAnswer struct {
	UserCode, Kind, Status, Account string
	SessionLife                     time.Duration
	// Board is the board to store; its name is the device's where empty. No id
	// stores none.
	Board Board
	Now   time.Time
}

// Daily keeps what is done once a day by one of all replicas.
type Daily interface {
	// ClaimDay says whether the caller is the first to ask for the job of the day
	// (yyyy-mm-dd). Days long gone are forgotten.
	ClaimDay(ctx context.Context, job, day string, now time.Time) (bool, error)
}
