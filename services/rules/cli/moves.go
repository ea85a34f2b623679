package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tabuleiro/games"
)

// maxLine bounds a line of input in bytes; a longer one is a fault of its own
// and spoils no other.
const maxLine = 64 << 10

// Moves is the command that lists the legal moves of a position, or of one
// position a line of standard input.
type Moves struct {
	// Rules is chess (also when empty), draughts or tictactoe.
	Rules string
	// FEN is the position; nil is the start.
	FEN *string
	// JSON writes the line of the contract instead of a line a move.
	JSON bool
	// Stdin reads lines of JSON and answers each with one; it implies JSON.
	Stdin bool
	// Chess960 reads positions as Chess960; a line of input may say so itself.
	Chess960 bool
}

// request is a line of input. Other fields are passed over.
type request struct {
	FEN      *string `json:"fen"`
	Chess960 *bool   `json:"chess960"`
}

// answer is a line of output.
type answer struct {
	FEN     string   `json:"fen"`
	Side    string   `json:"side"`
	Moves   []move   `json:"moves"`
	Claims  []string `json:"claims"` // always empty: claims belong to a game
	Outcome *outcome `json:"outcome"`
}

// refusal is a line of output for what is no position.
type refusal struct {
	Error *fault `json:"error"`
}

// Run lists the moves. A position that is none is bad input; on a stream, where
// the others are answered, it counts as refused.
func (c Moves) Run(stdin io.Reader, stdout, stderr io.Writer) int {
	g, err := gameOf(c.Rules, c.Chess960)
	if err != nil {
		return fail(stderr, "moves", err)
	}
	out := bufio.NewWriterSize(stdout, maxLine)
	code := exitRight
	if c.Stdin {
		if c.FEN != nil {
			return fail(stderr, "moves", errors.New("--fen and --stdin exclude each other"))
		}
		code, err = c.stream(g, stdin, out)
	} else {
		code, err = c.one(g, out, stderr)
	}
	if err = errors.Join(err, out.Flush()); err != nil {
		return fail(stderr, "moves", err)
	}
	return code
}

func (c Moves) one(g games.Game, out *bufio.Writer, stderr io.Writer) (int, error) {
	p, err := readOption(g, c.FEN, c.Chess960)
	if err != nil {
		explain(stderr, "moves", err)
		if c.JSON {
			return exitInput, writeLine(out, refusal{faultOf(err)})
		}
		return exitInput, nil
	}
	if c.JSON {
		return exitRight, writeLine(out, answerOf(g, p))
	}
	for _, m := range p.moves() {
		if _, err := fmt.Fprintf(out, "%s\t%s\n", m.Notation, m.FENAfter); err != nil {
			return exitRight, err
		}
	}
	return exitRight, c.end(g, p, out)
}

// end says to people that the position ends the game.
func (Moves) end(g games.Game, p position, out io.Writer) error {
	o := outcomeOf(p.outcome(), g.Sides())
	if o == nil {
		return nil
	}
	result := "draw"
	if o.Winner != nil {
		result = *o.Winner + " wins"
	}
	_, err := fmt.Fprintf(out, "game over: %s, %s\n", o.Reason, result)
	return err
}

// stream answers line by line, in constant memory, and lets each answer go
// before it waits for more input.
func (c Moves) stream(g games.Game, stdin io.Reader, out *bufio.Writer) (int, error) {
	in := bufio.NewReaderSize(stdin, maxLine)
	code := exitRight
	for first := true; ; first = false {
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return code, err
			}
		}
		line, err := nextLine(in)
		if err == io.EOF {
			return code, nil
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return code, fmt.Errorf("reading standard input: %w", err)
		}
		if first {
			line = bytes.TrimPrefix(line, []byte(byteOrderMark))
		}
		if line = bytes.TrimSpace(line); len(line) == 0 && err == nil {
			continue
		}
		var p position
		if err == nil {
			p, err = c.readLine(g, line)
		}
		if err != nil {
			code = exitRefused
			err = writeLine(out, refusal{faultOf(err)})
		} else {
			err = writeLine(out, answerOf(g, p))
		}
		if err != nil {
			return code, err
		}
	}
}

// byteOrderMark is what some editors put before a text.
const byteOrderMark = "\ufeff"

var errLongLine = fmt.Errorf("the line has more than %d bytes", maxLine)

// nextLine is the next line, valid until the next call. A line that is too long
// is skipped to its end.
func nextLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	switch {
	case err == nil, err == io.EOF && len(line) > 0:
		return line, nil
	case err != bufio.ErrBufferFull:
		return nil, err
	}
	for err == bufio.ErrBufferFull {
		_, err = in.ReadSlice('\n')
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	return nil, errLongLine
}

func (c Moves) readLine(g games.Game, line []byte) (position, error) {
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, notSo(wrong.Field, wrong.Value)
		}
		return nil, fmt.Errorf("%w: %w", errNotSo, err)
	}
	if line[0] != '{' { // null reads as an empty request
		return nil, notSo("", string(line))
	}
	chess960 := c.Chess960
	if r.Chess960 != nil {
		chess960 = *r.Chess960
	}
	return read(g, r.FEN, chess960)
}

var errNotSo = errors.New(`a line is {"fen":...,"chess960":false}`)

// notSo says that a line, or a field of it, has a value of another type.
func notSo(field, value string) error {
	if field != "" {
		return fmt.Errorf("%w: %s is no %s", errNotSo, field, value)
	}
	return fmt.Errorf("%w, not %s", errNotSo, value)
}

func answerOf(g games.Game, p position) answer {
	sides := g.Sides()
	return answer{
		FEN: p.text(), Side: sides[p.side()], Moves: list(p.moves()), Claims: []string{},
		Outcome: outcomeOf(p.outcome(), sides),
	}
}

// writeLine writes a value as one line of JSON.
func writeLine(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
