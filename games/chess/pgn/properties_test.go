package pgn

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games/chess"
)

// checkRoundTrip: what the writer makes of a game is the game again, and stays
// as it is when it is written once more.
func checkRoundTrip(t failer, g Game) {
	t.Helper()
	var out strings.Builder
	if err := NewWriter(&out).Write(&g); err != nil {
		t.Fatalf("%s: %v", brief(g), err)
	}
	again, err := readFrom(strings.NewReader(out.String()))
	if err != nil || len(again) != 1 || len(again[0].Errors) > 0 || again[0].Spoiled {
		t.Fatalf("%s\nreads as %+v, %v", out.String(), again, err)
	}
	b := again[0]
	if b.Start != g.Start || b.Final != g.Final || b.Result != g.Result || !reflect.DeepEqual(clip(b.Line), clip(g.Line)) {
		t.Fatalf("%s\nreads as %s\nwant     %s", out.String(), brief(b), brief(g))
	}
	for _, tag := range g.Tags {
		switch tag.Name {
		case "FEN", "SetUp", "Variant", "Result":
		default:
			if value, ok := b.Tag(tag.Name); !ok || value != tag.Value {
				t.Fatalf("%s\ntag %s is %q, want %q", out.String(), tag.Name, value, tag.Value)
			}
		}
	}
	var twice strings.Builder
	if err := NewWriter(&twice).Write(&b); err != nil || twice.String() != out.String() {
		t.Fatalf("written again, %v:\n%s\nwant\n%s", err, twice.String(), out.String())
	}
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > maxColumns && strings.ContainsAny(strings.Trim(line, "\n"), " ") && line[0] != '[' && line[0] != ';' && !strings.Contains(line, " [") && !strings.Contains(line, " %") {
			t.Fatalf("a line of %d characters: %s", n, line)
		}
	}
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// clip makes lines without moves or notes comparable.
func clip(l Line) Line {
	if len(l.Moves) == 0 {
		l.Moves = nil
	}
	if len(l.Notes) == 0 {
		l.Notes = nil
	}
	return l
}

var drawText = rapid.StringOfN(rapid.SampledFrom([]rune("ab ée{};%[]()\"\\*10-.\n\tж$!")), 0, 120, -1)

// drawLine draws a line of legal moves with notes.
func drawLine(t *rapid.T, p chess.Position, depth int) Line {
	var l Line
	var before chess.Position
	for i := range rapid.IntRange(0, 12/(depth+1)).Draw(t, "plies") + 1 {
		if n := drawNote(t, &l, before, depth); n != nil {
			l.Notes = append(l.Notes, *n)
		}
		var list chess.MoveList
		if p.Legal(&list); list.Len() == 0 || i == 30 {
			break
		}
		m := list.At(rapid.IntRange(0, list.Len()-1).Draw(t, "move"))
		if depth > 0 && !p.InCheck() && rapid.IntRange(0, 9).Draw(t, "null") == 0 {
			m = chess.NoMove
		}
		before = p
		l.Moves = append(l.Moves, m)
		if m == chess.NoMove {
			p = p.PlayNull()
		} else {
			p = p.Play(m)
		}
	}
	if n := drawNote(t, &l, before, depth); n != nil {
		l.Notes = append(l.Notes, *n)
	}
	return l
}

func drawNote(t *rapid.T, l *Line, before chess.Position, depth int) *Note {
	said := len(l.Notes) > 0 && l.Notes[len(l.Notes)-1].After == len(l.Moves)
	if said || rapid.IntRange(0, 2).Draw(t, "plain") > 0 {
		return nil
	}
	n := &Note{After: len(l.Moves)}
	n.Glyphs = append(n.Glyphs, rapid.SliceOfNDistinct(rapid.Byte(), 0, 2, rapid.ID[byte]).Draw(t, "glyphs")...)
	for range rapid.IntRange(0, 2).Draw(t, "comments") {
		if text := comment([]byte(drawText.Draw(t, "comment"))); text != "" {
			n.Comments = append(n.Comments, text)
		}
	}
	if depth < 3 && n.After > 0 {
		for range rapid.IntRange(0, 2).Draw(t, "variations") {
			if v := drawLine(t, before, depth+1); len(v.Moves) > 0 {
				n.Variations = append(n.Variations, v)
			}
		}
	}
	if n.Glyphs == nil && n.Comments == nil && n.Variations == nil {
		return nil
	}
	return n
}

var starts = []string{
	chess.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 3 17",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
	"8/8/4k3/8/8/3K4/8/8 b - - 149 9998",
}

// drawGame draws any game that can be written.
func drawGame(t *rapid.T) Game {
	setup, err := chess.ParseFEN(rapid.SampledFrom(starts).Draw(t, "start"))
	if err != nil {
		t.Fatal(err)
	}
	setup.Chess960 = setup.Chess960 || rapid.Bool().Draw(t, "960")
	g := Game{Result: rapid.SampledFrom([]Result{WhiteWins, BlackWins, Drawn, Unknown}).Draw(t, "result")}
	if g.Start, err = setup.Position(); err != nil {
		t.Fatal(err)
	}
	g.Line = drawLine(t, g.Start, 0)
	g.Final = g.Start
	for _, m := range g.Moves {
		g.Final = g.Final.Play(m)
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Event", "White", "Opening", "White-Elo", "A", "2x", "Date"}), 0, 5, rapid.ID[string]).Draw(t, "tags") {
		value := strings.Map(func(c rune) rune {
			if isControl(c) {
				return ' '
			}
			return c
		}, drawText.Draw(t, "value"))
		g.Tags = append(g.Tags, Tag{name, value})
	}
	return g
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRoundTrip(t, drawGame(t)) })
}

// TestManyGames: games written one behind another are read one by one.
func TestManyGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		games := rapid.SliceOfN(rapid.Custom(drawGame), 0, 4).Draw(t, "games")
		var out strings.Builder
		w := NewWriter(&out)
		for i := range games {
			if err := w.Write(&games[i]); err != nil {
				t.Fatal(err)
			}
		}
		got, err := readFrom(strings.NewReader(out.String()))
		if err != nil || len(got) != len(games) {
			t.Fatalf("%d games, %v, want %d\n%s", len(got), err, len(games), out.String())
		}
		for i := range games {
			if !reflect.DeepEqual(clip(got[i].Line), clip(games[i].Line)) {
				t.Fatalf("game %d is %s, want %s", i, brief(got[i]), brief(games[i]))
			}
		}
	})
}

// TestAnyText: no text, well formed or not, does more than make faults, and what
// is read is legal and can be written.
func TestAnyText(t *testing.T) {
	tokens := []string{"e4", "e5", "Nf3", "Nc6", "O-O", "1.", "1...", "2.", "--", "1-0", "*", "(", ")", "{", "}", "{x}", ";", "%", "\n", "\n\n", "\r",
		"$3", "$", "!", "!?", "[", "]", "[Event \"a\"]", "[FEN \"8/8/4k3/8/8/3K4/8/8 w - - 0 1\"]", "\"", "\\", "\x00", "\xff", "e8(Q)", "0-0", "0000", "…", ".", "ep"}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 60).Draw(t, "tokens") {
			b.WriteString(rapid.SampledFrom(tokens).Draw(t, "token"))
			if rapid.Bool().Draw(t, "blank") {
				b.WriteByte(' ')
			}
		}
		checkAny(t, b.String())
	})
}

// checkAny reads any text and checks what must always hold.
func checkAny(t failer, text string) {
	t.Helper()
	r := NewReader(strings.NewReader(text), Config{})
	lines := 1 + strings.Count(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	for count := 0; ; count++ {
		var g Game
		err := r.Next(&g)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil || count > len(text) {
			t.Fatalf("%q: %d games, %v", text, count, err)
		}
		if g.Spoiled && len(g.Errors) == 0 {
			t.Fatalf("%q: spoiled without a fault: %s", text, brief(g))
		}
		for _, e := range g.Errors {
			if e.Code == "" || e.Message == "" || e.Line < 1 || e.Line > lines || e.Column < 1 || e.Column > len(text)+1 {
				t.Fatalf("%q: fault %+v", text, e)
			}
		}
		final := g.Start
		for _, m := range g.Moves {
			if got, why := final.Find(m.From(), m.To(), m.Promotion()); why != nil || got != m {
				t.Fatalf("%q: %v is not legal in %s", text, m, final.FEN())
			}
			final = final.Play(m)
		}
		if final != g.Final {
			t.Fatalf("%q: ends with %s, want %s", text, g.Final.FEN(), final.FEN())
		}
		if value, ok := g.Tag("Variant"); ok {
			if _, known := variant(value); !known {
				continue
			}
		}
		checkRoundTrip(t, g)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(kitchenSink)
	for _, c := range readCases(f) {
		f.Add(c.PGN)
	}
	f.Add("[FEN \"8/8\"]\n\n1. e4 (1. d4 {x} -- ) $1 1-0\n\n1. a3 *")
	f.Add("1. e4 {\n\n[Event \"x\"]\n% y\n; z\n[Variant \"960\"]\nO-O")
	f.Fuzz(func(t *testing.T, text string) { checkAny(t, text) })
}

// FuzzDecode: the fast reading of a move is the slow one's.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"e4", "Nf3+", "exd8=Q#", "Ng1xf3 ", "R1a3!", "bxc6", "Kd1d2)", "N3f", "Qh4e1", "Nx1f3", "a8=K", "exe5"} {
		for _, fen := range starts {
			f.Add(fen, text)
		}
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, err := chess.ReadFEN(fen)
		if err != nil {
			return
		}
		checkDecode(t, &p, text)
	})
}

func checkDecode(t failer, p *chess.Position, text string) {
	t.Helper()
	if text == "" || marks[text[0]] != pieceMark {
		return
	}
	var window [maxPlain]byte
	copy(window[:], text)
	m, n := decode(p, window[:])
	if m == chess.NoMove {
		return
	}
	slow, why := p.ParseSAN(string(window[:n]))
	if why != nil || slow != m {
		t.Fatalf("%s: %q is %s, but read slowly %s, %v", p.FEN(), window[:n], p.UCI(m), p.UCI(slow), why)
	}
}

// TestDecode: all that the writer writes is read fast, but for castling, and all
// that is read fast is right.
func TestDecode(t *testing.T) {
	letters := []byte("abcdefgh12345678xNBRQK=+#-")
	rapid.Check(t, func(t *rapid.T) {
		p, err := chess.ReadFEN(rapid.SampledFrom(starts).Draw(t, "start"))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 30).Draw(t, "plies") {
			var list chess.MoveList
			if p.Legal(&list); list.Len() == 0 {
				break
			}
			for _, m := range list.All() {
				var window [maxPlain]byte
				copy(window[:], p.SAN(m))
				if got, _ := decode(&p, window[:]); got != m && !m.IsCastling() {
					t.Fatalf("%s: %s is %v", p.FEN(), p.SAN(m), got)
				}
			}
			for range 20 {
				checkDecode(t, &p, string(rapid.SliceOfN(rapid.SampledFrom(letters), 2, 7).Draw(t, "text")))
			}
			p = p.Play(list.At(rapid.IntRange(0, list.Len()-1).Draw(t, "move")))
		}
	})
}
