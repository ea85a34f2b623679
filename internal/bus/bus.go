// Package bus carries messages between roles over NATS: copies of game events,
// presence, search tasks and board traffic. Nothing on it is the truth, and
// nothing on it is kept.
//
// The server runs inside the process (StartEmbedded) or apart; in both, every
// role is a user with a key of its own and may use only its own subjects. A
// message can be lost: when its subscriber is slow (Sub.OnDrop tells), and while
// a connection is away (OnReconnect tells). Who must not miss anything reads the
// owner's state again then.
package bus

import (
	"errors"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

var (
	// ErrDisconnected means that the connection is away; nothing was sent.
	ErrDisconnected = errors.New("bus: not connected")
	// ErrNotAllowed means that the role may not use the subject; nothing was sent.
	ErrNotAllowed = errors.New("bus: subject not allowed to this role")
	// ErrNoResponder means that nobody listens for the request.
	ErrNoResponder = errors.New("bus: nobody answers")
	// ErrTooLarge means that the message exceeds MaxPayload.
	ErrTooLarge = errors.New("bus: message too large")
	// ErrNoReply means that the message was no request.
	ErrNoReply = errors.New("bus: message wants no answer")
)

// MaxPayload bounds a message, in bytes.
const MaxPayload = 256 << 10

// Subjects without a variable part.
const (
	// SearchOpen announces searches that want helpers.
	SearchOpen = "search.open"
	// SearchWorker is where workers say that they live.
	SearchWorker = "search.worker"
)

// AllAccess matches Access of every account.
const AllAccess = "access.*"

// Access says that sessions or tokens of an account may have ended.
func Access(account string) string { return "access." + account }

// AllGameEvents matches GameEvent of every game.
const AllGameEvents = "game.*.event"

// GameEvent carries copies of a game's committed events.
func GameEvent(game string) string { return "game." + game + ".event" }

// TournamentEvent says that a tournament has changed.
func TournamentEvent(tournament string) string { return "tournament." + tournament + ".event" }

// Presence carries who watches a game.
func Presence(game string) string { return "presence." + game }

// SearchTask is where a search's coordinator hands out tasks on request.
func SearchTask(search string) string { return "search." + search + ".task" }

// SearchTT carries a search's deep table entries.
func SearchTT(search string) string { return "search." + search + ".tt" }

// SearchWindow carries a search's improved bounds.
func SearchWindow(search string) string { return "search." + search + ".window" }

// SearchStop ends a search for its helpers.
func SearchStop(search string) string { return "search." + search + ".stop" }

// Board is one of a board's subjects; what is "sensor", "command", "hello",
// "desired", "replay" or "lease".
func Board(board, what string) string { return "board." + board + "." + what }

// Token says whether s may stand between the dots of a subject: what comes from
// outside is checked with it before it becomes part of one.
func Token(s string) bool {
	if s == "" || len(s) > 128 {
		return false
	}
	for _, r := range s {
		if r <= ' ' || r > '~' || r == '.' || r == '*' || r == '>' {
			return false
		}
	}
	return true
}

// asJSON says whether a subject carries proto JSON, so that small boards and
// people can read it; all others carry protobuf.
func asJSON(subject string) bool { return strings.HasPrefix(subject, "board.") }

func encode(subject string, m proto.Message) ([]byte, error) {
	var data []byte
	var err error
	if asJSON(subject) {
		data, err = protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	} else {
		data, err = proto.Marshal(m)
	}
	if err == nil && len(data) > MaxPayload {
		return nil, ErrTooLarge
	}
	return data, err
}

// decode ignores fields that it does not know: the other end may be newer.
func decode(subject string, data []byte, into proto.Message) error {
	if asJSON(subject) {
		return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, into)
	}
	return proto.Unmarshal(data, into)
}
