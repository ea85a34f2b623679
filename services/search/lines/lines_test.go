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
