// Package lines reads and writes the lines of text protocols, whatever the other
// side sends.
package lines

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// Most is the longest line that is read; of a longer one nothing is.
const Most = 1 << 20

// Reader reads line after line.
type Reader struct{ in *bufio.Reader }

// NewReader reads from a stream.
func NewReader(in io.Reader) *Reader { return &Reader{bufio.NewReaderSize(in, 1<<16)} }

// Next is the next line without its end. A line longer than Most is tooLong and
// comes without its text. The error is that of the stream; what stands behind the
// last line end is a line too.
func (r *Reader) Next() (line string, tooLong bool, err error) {
	var text []byte
	for {
		part, more, err := r.in.ReadLine()
		if err != nil {
			return "", false, err
		}
		if tooLong = tooLong || len(text)+len(part) > Most; tooLong {
			text = nil
		} else {
			text = append(text, part...)
		}
		if !more {
			return string(text), tooLong, nil
		}
	}
}

// Serve gives every line of a stream to hear until it wants no more, the stream
// ends, or out cannot be written any more. The exit code is 0, or 1 where a stream
// failed, which stderr is told.
func Serve(in io.Reader, out *Writer, stderr io.Writer, hear func(line string, tooLong bool) (more bool)) int {
	reader := NewReader(in)
	for {
		line, tooLong, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			return 0
		case err != nil:
			fmt.Fprintf(stderr, "tabuleiro: reading: %v\n", err)
			return 1
		case !hear(line, tooLong):
			return 0
		}
		if err := out.Err(); err != nil {
			fmt.Fprintf(stderr, "tabuleiro: writing: %v\n", err)
			return 1
		}
	}
}

// Writer writes lines from several goroutines, each at once and whole.
type Writer struct {
	mu  sync.Mutex
	out io.Writer
	err error
}

// NewWriter writes to a stream.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Say writes a line. Line ends within it, which would make two of it, become
// blanks. Once writing has failed, nothing is written any more.
func (w *Writer) Say(format string, args ...any) {
	text := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, fmt.Sprintf(format, args...))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		_, w.err = io.WriteString(w.out, text+"\n")
	}
}

// Write writes what may be several whole lines.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.out.Write(text)
	w.err = err
	return n, err
}

// Err is why writing failed.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
