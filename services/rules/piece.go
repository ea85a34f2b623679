package rules

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/proto"

	"tabuleiro/games"
	"tabuleiro/games/chess/pgn"
	"tabuleiro/internal/rpc"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// The bounds of the records that are read for keeping.
const (
	// maxRecords is how many games one call reads.
	maxRecords = 250
	// maxPiece is the longest piece of a file, in bytes; a game must fit into one.
	maxPiece = 512 << 10
	// maxRecordPlies and maxRecordText bound one game; the longest of masters has
	// 538 plies.
	maxRecordPlies = 2000
	maxRecordText  = 128 << 10
	// maxRead bounds an answer, in bytes: one more record may pass it.
	maxRead = 2 << 20
	// maxTagValue bounds the tags of an answer; the text of the record has them
	// whole.
	maxTagValue = 255
)

// kept are the tags that are told apart from the text of a record.
var kept = []string{"Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "Opening", "WhiteElo", "BlackElo"}

// piece is the games of a piece of a file in one format, one at a time.
type piece interface {
	// next goes to the next game; io.EOF after the last.
	next() error
	// place is where the next game begins.
	place() (offset int64, line, column int)
	// tagged tells that the game has a header.
	tagged() bool
	// record is the game, which begins on a line; valid until next.
	record(line int) *rulesv1.Record
}

func openPiece(rules string, text []byte) (piece, error) {
	switch rules {
	case "chess":
		return newChessPiece(text), nil
	case "draughts":
		return newDraughtsPiece(text)
	}
	return nil, noFormat("rules")
}

func noFormat(field string) error {
	return &rpc.Problem{Code: "bad_field", Fields: []rpc.Field{{
		Name: field, Code: "not_allowed", Detail: "there is no format for records of this game",
	}}}
}

// ReadRecords reads the games of a piece of a file. What a fault spoils is one
// game and not the next.
func (s *Service) ReadRecords(ctx context.Context, in *rulesv1.ReadRecordsRequest) (*rulesv1.ReadRecordsResponse, error) {
	text := in.GetText()
	if !in.GetLast() {
		text = wholeLines(text)
	}
	all, err := openPiece(in.GetRules(), text)
	if err != nil {
		return nil, err
	}
	r := reading{in: in, text: text, all: all}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	return r.out, nil
}

// wholeLines is the text without its last, cut line, so that no token is cut.
func wholeLines(text []byte) []byte {
	if n := bytes.LastIndexByte(text, '\n'); n >= 0 {
		return text[:n+1]
	}
	// A file of old Macs: a CR at the very end may be half of a CRLF.
	if n := bytes.LastIndexByte(text[:max(0, len(text)-1)], '\r'); n >= 0 {
		return text[:n+1]
	}
	return nil
}

// reading is one call of ReadRecords.
type reading struct {
	in   *rulesv1.ReadRecordsRequest
	text []byte
	all  piece
	out  *rulesv1.ReadRecordsResponse
	// held is the last game read: another must follow before it is whole.
	held *rulesv1.Record
	// done and size count the records and bytes of the answer.
	done, size int
}

func (r *reading) run(ctx context.Context) error {
	r.out = &rulesv1.ReadRecordsResponse{Line: r.in.GetLine(), Column: r.in.GetColumn(), Inside: r.in.GetInside()}
	limit := int(r.in.GetLimit())
	if limit == 0 {
		limit = maxRecords
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		offset, line, column := r.all.place()
		err := r.all.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read records: %w", err)
		}
		ended := err != nil
		if ended && r.in.GetLast() {
			r.emit()
			r.consume(int64(len(r.text)), line, column)
			return nil
		}
		if ended {
			return r.tooLong()
		}
		if r.out.Inside && !r.all.tagged() {
			// Still the game that was given up; nothing of it is held.
			r.consume(offset, line, column)
			continue
		}
		r.out.Inside = false
		r.emit()
		r.consume(offset, line, column)
		if r.done >= limit || r.size >= maxRead {
			return nil
		}
		r.held = r.all.record(line + blankLines(r.text[offset:]))
		r.held.Line = r.lineOf(int(r.held.GetLine()))
		for _, f := range r.held.GetFaults() {
			f.Line, f.Column = r.lineOf(int(f.Line)), r.columnOf(int(f.Line), int(f.Column))
		}
	}
}

// blankLines counts the line ends before the first text.
func blankLines(text []byte) int {
	n := 0
	for _, c := range text {
		switch c {
		case '\n':
			n++
		case ' ', '\t', '\r':
		default:
			return n
		}
	}
	return n
}

// emit answers with the game that is held.
func (r *reading) emit() {
	if r.held == nil {
		return
	}
	r.out.Records = append(r.out.Records, r.held)
	r.done++
	r.size += proto.Size(r.held)
	r.held = nil
}

// consume is done with the text up to a place.
func (r *reading) consume(offset int64, line, column int) {
	r.out.Consumed = int32(offset)
	r.out.Line, r.out.Column = r.lineOf(line), r.columnOf(line, column)
}

func (r *reading) lineOf(line int) int32 { return r.in.GetLine() + int32(line) - 1 }

func (r *reading) columnOf(line, column int) int32 {
	if line == 1 {
		return r.in.GetColumn() + int32(column) - 1
	}
	return int32(column)
}

// tooLong gives a game up that fills a whole piece without an end. What is left
// of a game that was given up before is passed over.
func (r *reading) tooLong() error {
	full := len(r.in.GetText()) >= maxPiece
	_, line, column := r.all.place()
	switch {
	case r.out.Inside && (r.held == nil):
		// Nothing but the rest of the long game: all of it is done with.
		r.consume(int64(len(r.text)), line, column)
		if len(r.text) == 0 && full {
			r.consume(int64(len(r.in.GetText())), line, column)
		}
	case full && r.done == 0 && r.out.Consumed == 0:
		at, result := r.in.GetLine(), "*"
		var tags []*rulesv1.RecordTag
		if r.held != nil {
			at, tags, result = r.held.GetLine(), r.held.GetTags(), r.held.GetResult()
		}
		r.held = &rulesv1.Record{Line: at, Tags: tags, Result: result}
		r.held = spoil(r.held, pgn.TooLong, "the game is longer than 512 KiB, or the file has no line ends")
		r.emit()
		r.out.Inside = true
		consumed := len(r.text)
		if consumed == 0 {
			consumed = len(r.in.GetText())
		}
		r.consume(int64(consumed), line, column)
	}
	return nil
}

// WriteRecord writes one game strictly.
func (s *Service) WriteRecord(_ context.Context, in *rulesv1.WriteRecordRequest) (*rulesv1.WriteRecordResponse, error) {
	_, start, err := s.position(in.GetStart())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	switch start.Rules {
	case "chess":
		err = writeChess(&out, start, in)
	case "draughts":
		err = writeDraughts(&out, start, in)
	default:
		return nil, noFormat("start.rules")
	}
	if err != nil {
		return nil, err
	}
	return &rulesv1.WriteRecordResponse{Text: out.String()}, nil
}

// badTags is the refusal of a game that cannot be written.
func badTags(err error) error {
	return &rpc.Problem{Code: "bad_field", Detail: err.Error(), Fields: []rpc.Field{{
		Name: "tags", Code: "not_allowed", Detail: err.Error(),
	}}}
}

// keep finishes a record: its text, within the bounds.
func keep(r *rulesv1.Record, spoiled bool, write func(io.Writer) error) *rulesv1.Record {
	if !spoiled && r.Plies > maxRecordPlies {
		return spoil(r, pgn.TooLong, fmt.Sprintf("the game has more than %d plies", maxRecordPlies))
	}
	if spoiled {
		r.Spoiled = true
		return r
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return spoil(r, pgn.Unexpected, err.Error())
	}
	if text.Len() > maxRecordText {
		return spoil(r, pgn.TooLong, fmt.Sprintf("the game with its comments is longer than %d KiB", maxRecordText>>10))
	}
	r.Text = text.String()
	return r
}

func spoil(r *rulesv1.Record, code games.Code, message string) *rulesv1.Record {
	r.Spoiled, r.Moves, r.Hashes = true, "", nil
	r.Faults = append(r.Faults, fault(string(code), int(r.GetLine()), 1, 0, message))
	return r
}

// hashOf is the position in indexes: the beginning of the SHA-256 of its
// repetition key.
func hashOf(key string) [8]byte {
	sum := sha256.Sum256([]byte(key))
	return [8]byte(sum[:8])
}

// appendTag adds a tag to a record, if it is one that is told.
func appendTag(tags []*rulesv1.RecordTag, name, value string) []*rulesv1.RecordTag {
	for _, k := range kept {
		if k == name {
			return append(tags, &rulesv1.RecordTag{Name: name, Value: clipText(value, maxTagValue)})
		}
	}
	return tags
}

// clipText cuts a text at the end of a character.
func clipText(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
