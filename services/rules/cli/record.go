package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"tabuleiro/games"
)

// Record is the command that reads a file of recorded games leniently and says
// what it holds, or writes it again strictly.
type Record struct {
	// Rules is chess (also when empty), whose records are PGN, or draughts, whose
	// are PDN.
	Rules string
	// FEN is where games begin that do not say so; nil is the start.
	FEN *string
	// Draws names the set of draw rules; empty is the game's default.
	Draws string
	// Chess960 reads every game as Chess960.
	Chess960 bool
	// File is the file's name; "-" is standard input.
	File string
	// Convert writes the games instead of a line about each.
	Convert bool
}

// record is a line of output about a game of any rules, in the order of the
// contract.
type record struct {
	// Index counts the games of the file from 1.
	Index int    `json:"index"`
	Rules string `json:"rules"`
	// Tags are names and values.
	Tags  [][2]string `json:"tags"`
	Plies int         `json:"plies"`
	// Moves are the exact texts of the main line's moves.
	Moves    []string      `json:"moves"`
	Result   string        `json:"result"`
	FinalFEN string        `json:"final_fen"`
	Errors   []recordFault `json:"errors"`
}

// append appends the line as JSON. It is what encoding/json writes, which takes
// longer over it than the reading of the game.
func (r *record) append(out []byte) []byte {
	out = strconv.AppendInt(append(out, `{"index":`...), int64(r.Index), 10)
	out = appendJSON(append(out, `,"rules":`...), r.Rules)
	out = append(out, `,"tags":[`...)
	for i, t := range r.Tags {
		out = appendJSON(append(appendComma(out, i), '['), t[0])
		out = append(appendJSON(append(out, ','), t[1]), ']')
	}
	out = strconv.AppendInt(append(out, `],"plies":`...), int64(r.Plies), 10)
	out = append(out, `,"moves":[`...)
	for i, m := range r.Moves {
		out = appendJSON(appendComma(out, i), m)
	}
	out = appendJSON(append(out, `],"result":`...), r.Result)
	out = appendJSON(append(out, `,"final_fen":`...), r.FinalFEN)
	out = append(out, `,"errors":[`...)
	for i, f := range r.Errors {
		out = appendJSON(append(appendComma(out, i), `{"code":`...), string(f.Code))
		out = strconv.AppendInt(append(out, `,"line":`...), int64(f.Line), 10)
		out = strconv.AppendInt(append(out, `,"column":`...), int64(f.Column), 10)
		out = strconv.AppendInt(append(out, `,"ply":`...), int64(f.Ply), 10)
		out = append(appendJSON(append(out, `,"message":`...), f.Message), '}')
	}
	return append(out, "]}\n"...)
}

func appendComma(out []byte, i int) []byte {
	if i > 0 {
		out = append(out, ',')
	}
	return out
}

// appendJSON appends a text as a JSON string.
func appendJSON(out []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			var quoted bytes.Buffer
			if err := writeLine(&quoted, text); err != nil {
				return append(out, `""`...) // no text fails to encode
			}
			return append(out, bytes.TrimSuffix(quoted.Bytes(), []byte("\n"))...)
		}
	}
	return append(append(append(out, '"'), text...), '"')
}

// recordFault is a fault in a record; Line and Column count from 1, columns in
// bytes, Ply from 1 with 0 for the header.
type recordFault struct {
	Code    games.Code `json:"code"`
	Line    int        `json:"line"`
	Column  int        `json:"column"`
	Ply     int        `json:"ply"`
	Message string     `json:"message"`
}

// records are the games of a file in one format, one at a time.
type records interface {
	// next goes to the next game; io.EOF after the last, any other error is that
	// of the stream.
	next() error
	// record is the game, all but its index, valid until next.
	record() record
	// spoiled tells that the game's main line is cut short by a fault.
	spoiled() bool
	// write writes the game strictly. The error is why it cannot be written.
	write(out *bytes.Buffer) error
}

// Run goes through the games. Faults in records count as refused; a file that
// cannot be read is bad input.
func (c Record) Run(stdin io.Reader, stdout, stderr io.Writer) int {
	code, err := c.run(stdin, stdout, stderr)
	if err != nil {
		return fail(stderr, "record", err)
	}
	return code
}

func (c Record) run(stdin io.Reader, stdout, stderr io.Writer) (code int, err error) {
	g, err := gameOf(c.Rules, c.Chess960)
	if err != nil {
		return exitInput, err
	}
	if err := checkDraws(g, c.Draws); err != nil {
		return exitInput, err
	}
	in := stdin
	if c.File != "-" {
		file, err := os.Open(c.File)
		if err != nil {
			return exitInput, err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		in = file
	}
	all, err := c.open(g, in)
	if err != nil {
		return exitInput, err
	}
	out := bufio.NewWriterSize(stdout, maxLine)
	if c.Convert {
		code, err = convert(all, out, stderr)
	} else {
		code, err = check(all, out)
	}
	return code, errors.Join(err, out.Flush())
}

// check writes a line about each game.
func check(all records, out io.Writer) (code int, err error) {
	var text []byte
	for index := 1; ; index++ {
		if err := all.next(); err == io.EOF {
			return code, nil
		} else if err != nil {
			return code, fmt.Errorf("reading game %d: %w", index, err)
		}
		line := all.record()
		line.Index = index
		if len(line.Errors) > 0 {
			code = exitRefused
		}
		text = line.append(text[:0])
		if _, err := out.Write(text); err != nil {
			return code, err
		}
	}
}

// convert writes each game strictly, but for those whose main line is cut short:
// half a game would pass for a whole one.
func convert(all records, out, stderr io.Writer) (code int, err error) {
	var text bytes.Buffer
	for index := 1; ; index++ {
		if err := all.next(); err == io.EOF {
			return code, nil
		} else if err != nil {
			return code, fmt.Errorf("reading game %d: %w", index, err)
		}
		for _, f := range all.record().Errors {
			code = exitRefused
			explain(stderr, "record", fmt.Errorf("game %d, line %d, column %d: %s: %s", index, f.Line, f.Column, f.Code, f.Message))
		}
		reason := errSpoiled
		if !all.spoiled() {
			text.Reset()
			reason = all.write(&text)
		}
		if reason != nil {
			code = exitRefused
			explain(stderr, "record", fmt.Errorf("game %d is left out: %w", index, reason))
			continue
		}
		if _, err := out.Write(text.Bytes()); err != nil {
			return code, err
		}
	}
}

var errSpoiled = errors.New("its moves cannot all be read")
