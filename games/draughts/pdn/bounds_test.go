package pdn

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
)

// repeated is a stream of a text over and over.
type repeated struct {
	text        string
	times, from int
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.times == 0 {
		return 0, io.EOF
	}
	n := copy(b, r.text[r.from:])
	if r.from += n; r.from == len(r.text) {
		r.from = 0
		r.times--
	}
	return n, nil
}

// Whatever a game piles up, it is read to its end, its size stays bounded, and
// the next game is right. Each of these would be large, deep or slow without a
// bound.
func TestHugeGames(t *testing.T) {
	const times = 100_000 // more than maxGame has room for
	for name, text := range map[string]string{
		"moves":            "c3-d4 ",
		"forced moves":     "c3-d4* ",
		"legal moves":      "/FEN \"W:WKa1:BKb8\"/ a1-b2 b8-a7 ",
		"word":             "c3d4",
		"comments":         "{0123456789} ",
		"comment":          "{ a long one without an end ",
		"glyphs":           "$1 ",
		"marks":            "!",
		"brackets":         "( ",
		"closing brackets": ") ",
		"variations":       "(c3-d5) ",
		"numbers":          "22-18 (1-1-1) ",
		"setups":           "/FEN \"B::\"/ ",
		"tags":             "[Event \"x\"] ",
		"broken tags":      "[Event \n",
	} {
		in := io.MultiReader(&repeated{text: text, times: times}, strings.NewReader("}\n\n[Event \"next\"]\n\n1. c3-d4 *"))
		r, err := NewReader(in, Config{})
		if err != nil {
			t.Fatal(err)
		}
		var g Game
		for {
			var next Game
			if err := r.Next(&next); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if len(next.Errors) > maxErrors {
				t.Errorf("%s: %d faults", name, len(next.Errors))
			}
			g = next
		}
		if event, _ := g.Tag("Event"); event != "next" && name != "tags" || joined(&g.Line) != "c3-d4" {
			t.Errorf("%s: the last game is %v, %s, %v", name, g.Tags, joined(&g.Line), g.Errors)
		}
	}
}

// Many games take no more memory than one.
func TestStreamInConstantMemory(t *testing.T) {
	text := "[Event \"x\"]\n\n1. c3-d4 {[%clk 0:01:00]} b6-a5 (1... d6-c5 2. g3-f4) 2. d4-c5 d6xb4 3. a3xc5 1-0\n\n"
	r, err := NewReader(&repeated{text: text, times: 20_000}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	var before, now runtime.MemStats
	var g Game
	for n := 0; ; n++ {
		if err := r.Next(&g); errors.Is(err, io.EOF) {
			if n != 20_000 {
				t.Errorf("got %d games", n)
			}
			return
		} else if err != nil || len(g.Errors) > 0 {
			t.Fatal(err, g.Errors)
		}
		switch n {
		case 1_000:
			runtime.GC()
			runtime.ReadMemStats(&before)
		case 19_000:
			runtime.GC()
			runtime.ReadMemStats(&now)
			if now.HeapAlloc > before.HeapAlloc+1<<20 {
				t.Errorf("the heap grew from %d to %d bytes", before.HeapAlloc, now.HeapAlloc)
			}
		}
	}
}

// BenchmarkRead reads whole games with comments, every move validated.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	plies := 0
	for _, c := range readLines[gameCase](b, "testdata/draughts_games.jsonl") {
		text.WriteString("[Event \"x\"]\n\n" + movetext(c.Moves) + " " + c.Result + "\n\n")
		plies += c.Plies
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		drain(b, strings.NewReader(text.String()), Config{})
	}
	b.ReportMetric(float64(plies)*float64(b.N)/b.Elapsed().Seconds(), "plies/s")
}
