package lines

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestReader(t *testing.T) {
	r := NewReader(strings.NewReader("one\r\n\n" + strings.Repeat("x", Most+1) + "\ntwo\nthree"))
	for _, want := range []struct {
		text string
		long bool
	}{{"one", false}, {"", false}, {"", true}, {"two", false}, {"three", false}} {
		text, long, err := r.Next()
		if err != nil || text != want.text || long != want.long {
			t.Errorf("%.10q %v %v, want %q %v", text, long, err, want.text, want.long)
		}
	}
	if _, _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriter(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Say("%s", "a\nb")
	if b.String() != "a b\n" {
		t.Errorf("%q", b.String())
	}
	w = NewWriter(broken{})
	w.Say("x")
	if !errors.Is(w.Err(), io.ErrClosedPipe) {
		t.Errorf("%v", w.Err())
	}
}

type torn struct{}

func (torn) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestServe(t *testing.T) {
	for _, tt := range []struct {
		in    io.Reader
		out   io.Writer
		heard string
		code  int
		said  string
	}{
		{strings.NewReader("a\nb"), io.Discard, "a|b|", 0, ""},
		{strings.NewReader("a\nquit\nb\n"), io.Discard, "a|quit|", 0, ""},
		{strings.NewReader("a\n" + strings.Repeat("x", Most+1) + "\nb\n"), io.Discard, "a|long|b|", 0, ""},
		{torn{}, io.Discard, "", 1, "tabuleiro: reading: unexpected EOF\n"},
		{strings.NewReader("a\nb\n"), broken{}, "a|", 1, "tabuleiro: writing: io: read/write on closed pipe\n"},
	} {
		out := NewWriter(tt.out)
		heard := ""
		var said bytes.Buffer
		code := Serve(tt.in, out, &said, func(line string, tooLong bool) bool {
			if tooLong {
				line = "long"
			}
			heard += line + "|"
			out.Say("%s", line)
			return line != "quit"
		})
		if heard != tt.heard || code != tt.code || said.String() != tt.said {
			t.Errorf("%q, %d, %q, want %q, %d, %q", heard, code, said.String(), tt.heard, tt.code, tt.said)
		}
	}
}
