package collections

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"tabuleiro/services/play/keyed"
)

// What a store answers, beside success, failures of its own and those of package
// keyed.
var (
	// ErrNotFound: the owner has no such collection.
	ErrNotFound = errors.New("collections: no such collection")
	// ErrNoRecord: the collection has no such record.
	ErrNoRecord = errors.New("collections: no such record")
	// ErrNoImport: the collection has no such import.
	ErrNoImport = errors.New("collections: no such import")
	// ErrTooMany: the owner has as many collections as may be.
	ErrTooMany = errors.New("collections: too many collections")
	// ErrTooManyShares: the collection is shared with as many classes as may be.
	ErrTooManyShares = errors.New("collections: too many shares")
	// ErrFull: the owner may keep no more.
	ErrFull = errors.New("collections: the owner may keep no more")
	// ErrTooManyImports: as many of the owner's imports run as may.
	ErrTooManyImports = errors.New("collections: too many imports")
)

// Store keeps collections. Its implementations pass one conformance suite.
type Store interface {
	// Create makes a collection unless its owner has limit of them: ErrTooMany.
	Create(ctx context.Context, c keyed.Command, new Collection, limit int) (Collection, error)
	// List is all collections of an owner, the oldest first.
	List(ctx context.Context, owner string) ([]Collection, error)
	// Get is one collection of an owner, or ErrNotFound.
	Get(ctx context.Context, owner, id string) (Collection, error)
	// Rename names a collection anew, or ErrNotFound.
	Rename(ctx context.Context, c keyed.Command, id, name string) (Collection, error)
	// Delete makes a collection invisible; Purge removes it. ErrNotFound.
	Delete(ctx context.Context, c keyed.Command, id string) error
	// Purge removes some of what deleted collections hold; true while there is
	// more.
	Purge(ctx context.Context) (more bool, err error)

	// Share lets a class see a collection, and Unshare lets it no more; both may be so
	// already. ErrNotFound, or ErrTooManyShares where limit other classes see it.
	Share(ctx context.Context, c keyed.Command, id, class string, limit int) (Collection, error)
	Unshare(ctx context.Context, c keyed.Command, id, class string) (Collection, error)
	// Shares are those of collections, in order.
	Shares(ctx context.Context, ids []string) ([]Share, error)
	// SharedWith are collections, the oldest first, that one of some classes sees, and
	// the shares of these classes in order.
	SharedWith(ctx context.Context, classes []string, limit int) ([]Collection, []Share, error)

	// BeginImport remembers an import: ErrNotFound, ErrFull where the owner keeps as
	// much as they may, or ErrTooManyImports where limit of the owner's run that were
	// changed since. Of the collection's imports the newest keep stay.
	BeginImport(ctx context.Context, c keyed.Command, new Import, most Most, limit, keep int, since int64) (Import, error)
	// Imports are the newest imports into a collection, the newest first.
	Imports(ctx context.Context, collection string, limit int) ([]Import, error)
	// Import is one of them, or ErrNoImport.
	Import(ctx context.Context, collection, id string) (Import, error)
	// AddPiece adds records and how far the import is, in one transaction, unless
	// the import is not where before says: then nothing happens. It is the import
	// as it is then. ErrNotFound, ErrNoImport.
	AddPiece(ctx context.Context, p Piece) (Import, error)

	// Search is a page of records, without texts, in the order of their numbers,
	// and the number to go on after: 0 after the last page.
	Search(ctx context.Context, q Query) (records []Record, next int32, err error)
	// Record is a record with its text, or ErrNoRecord.
	Record(ctx context.Context, collection string, number int32) (Record, error)
	// DeleteRecord removes a record: ErrNotFound, ErrNoRecord.
	DeleteRecord(ctx context.Context, c keyed.Command, collection string, number int32) error
	// Texts are the texts of records after a number: at least one, if there is one,
	// and then until they are size bytes long; and the number to go on after, 0
	// after the last.
	Texts(ctx context.Context, collection string, after int32, size int) (texts []string, next int32, err error)
}

// Collection is a number of recorded games of one kind.
type Collection struct {
	ID        string `json:"id"`
	Owner     string `json:"owner"`
	Rules     string `json:"rules"`
	Name      string `json:"name"`
	CreatedAt int64  `json:"created_at"`
	Records   int32  `json:"records"`
	// Bytes are those of the texts of its records.
	Bytes int64 `json:"bytes,omitempty"`
}

// Most is what an owner may keep in all their collections.
type Most struct {
	Records int
	Bytes   int64
}

// full tells whether an owner who keeps so much may add no text that is so long,
// and what a note on it says.
func (m Most) full(records, bytes int64, text int) (code, message string) {
	switch {
	case records >= int64(m.Records):
		return "too_many_records", "the owner may keep no more records"
	case bytes+int64(text) > m.Bytes:
		return "storage_full", "the owner may keep no more text"
	}
	return "", ""
}

// Record is one record.
type Record struct {
	Number int32
	// Hash tells it from all others of the collection: that of its start, moves,
	// players and result, or Other where the collection has such a record of another
	// date or round. Other and Round are not kept.
	Hash, Other, Round                      string
	White, Black, Event, Site, Date, Result string
	ECO, Opening                            string
	Plies                                   int32
	// Line is its first moves.
	Line string
	// Text is the whole of it; Positions are the hashes of its positions, each
	// once.
	Text      string
	Positions []uint64
}

// The states of an import.
const (
	ImportRunning   = "running"
	ImportFinished  = "finished"
	ImportBrokenOff = "broken_off"
)

// Import is a file on its way into a collection.
type Import struct {
	ID         string `json:"id"`
	Collection string `json:"collection"`
	Owner      string `json:"owner"`
	Status     string `json:"status"`
	Bytes      int32  `json:"bytes,omitempty"`
	// Read is how many bytes are done with; Line, Column and Inside are for the
	// reader of the next piece.
	Read   int32 `json:"read"`
	Line   int32 `json:"line"`
	Column int32 `json:"column"`
	Inside bool  `json:"inside,omitempty"`

	Found      int32  `json:"found"`
	Added      int32  `json:"added"`
	Duplicates int32  `json:"duplicates"`
	Spoiled    int32  `json:"spoiled"`
	Flawed     int32  `json:"flawed"`
	Over       int32  `json:"over"`
	Notes      []Note `json:"notes,omitempty"`

	CreatedAt int64 `json:"created_at"`
	// ChangedAt is when the last piece came.
	ChangedAt int64 `json:"changed_at"`
}

// Note is what is to be said of one record of a file.
type Note struct {
	Index   int32  `json:"index"`
	Code    string `json:"code"`
	Line    int32  `json:"line"`
	Column  int32  `json:"column"`
	Ply     int32  `json:"ply,omitempty"`
	Message string `json:"message"`
	LeftOut bool   `json:"left_out,omitempty"`
	Record  int32  `json:"record,omitempty"`
	Players string `json:"players,omitempty"`
}

// maxNotes bounds the notes of an import.
const maxNotes = 100

func (i *Import) note(n Note) {
	if len(i.Notes) < maxNotes {
		i.Notes = append(i.Notes, n)
	}
}

// Piece is what a piece of a file brings.
type Piece struct {
	// Before is the import that the piece was read for, After the import behind it
	// but for what the store counts: what is added, double, or over the limit.
	Before, After Import
	// Records are those to add; Found tells of each which record of the file it
	// is, and where.
	Records []Record
	Found   []Note
	// Most is what the owner may keep in all.
	Most Most
}

// over counts the i-th record of a piece as one too many.
func (p *Piece) over(into *Import, i int, code, message string) {
	n := p.Found[i]
	into.Over++
	n.Code, n.Message, n.LeftOut = code, message, true
	into.note(n)
}

// added counts the i-th record of a piece, which the collection may have already.
func (p *Piece) added(into *Import, i int, double bool, number int32) {
	n := p.Found[i]
	switch {
	case double:
		into.Duplicates++
		n.Code, n.Message, n.LeftOut, n.Record = "duplicate", "the collection has this game", true, number
		into.note(n)
	default:
		into.Added++
	}
}

// differs tells that a record is another game than the one with the same start,
// moves, players and result that has a date and a text: what both give of when and
// in which round it was played is not the same.
func (r *Record) differs(date, text string) bool {
	if known := min(len(r.Date), len(date)); r.Date[:known] != date[:known] {
		return true // of a date the year alone may be known, or the month
	}
	round := roundOf(text)
	return r.Round != "" && round != "" && r.Round != round
}

var roundTag = regexp.MustCompile(`(?m)^\[Round "([^"]*)"\]`)

// roundOf is the round that the text of a record gives; "" for none.
func roundOf(text string) string {
	if m := roundTag.FindStringSubmatch(text); m != nil {
		return known(m[1])
	}
	return ""
}

// Query chooses records.
type Query struct {
	Collection string
	// Player, Opening and Event are folded; Side is white, black or empty.
	Player, Side, Opening, Event string
	Result, ECO, Line            string
	// From and To are dates, or parts of dates.
	From, To string
	// Position is the hash of a position; nil for none.
	Position *uint64
	After    int32
	Limit    int
}

// matches tells whether a record is what a query looks for, its position left
// out.
func (q *Query) matches(r *Record) bool {
	white, black := fold(r.White), fold(r.Black)
	switch {
	case q.Player == "":
	case q.Side == "white" && !strings.Contains(white, q.Player),
		q.Side == "black" && !strings.Contains(black, q.Player),
		q.Side == "" && !strings.Contains(white, q.Player) && !strings.Contains(black, q.Player):
		return false
	}
	return (q.Result == "" || r.Result == q.Result) &&
		strings.HasPrefix(r.ECO, q.ECO) &&
		strings.Contains(fold(r.Opening), q.Opening) &&
		strings.Contains(fold(r.Event), q.Event) &&
		strings.HasPrefix(r.Line+" ", q.linePrefix()) &&
		(q.From == "" || r.Date >= q.From) &&
		(q.To == "" || r.Date != "" && r.Date <= q.toBound())
}

// finds tells whether a record with its positions is what a query looks for.
func (q *Query) finds(r *Record) bool {
	if q.Position != nil && !slices.Contains(r.Positions, *q.Position) {
		return false
	}
	return q.matches(r)
}

// linePrefix ends with a blank, so that no move is cut.
func (q *Query) linePrefix() string {
	if q.Line == "" {
		return ""
	}
	return q.Line + " "
}

// toBound is greater than every date that begins like To.
func (q *Query) toBound() string { return q.To + "~" }

// sorted puts hashes in order, each once.
func sorted(hashes []uint64) []uint64 {
	slices.Sort(hashes)
	return slices.Compact(hashes)
}
