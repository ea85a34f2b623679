package chess

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"tabuleiro/games"
)

// playAll plays moves from a position through the text interface.
func playAll(t *testing.T, g Game, fen string, moves ...string) (games.Move, games.Ruling) {
	t.Helper()
	r, err := g.Rule(games.Position{Text: fen})
	if err != nil {
		t.Fatal(err)
	}
	var m games.Move
	for _, text := range moves {
		if m, r, err = g.Apply(r.Position, text); err != nil {
			t.Fatalf("%s after %s: %v", text, r.Position.Text, err)
		}
	}
	return m, r
}

func TestApplySaysEverything(t *testing.T) {
	for _, c := range []struct {
		what, fen, move string
		want            games.Move
	}{
		{"a quiet move", StartFEN, "Nf3",
			games.Move{Text: "g1f3", Notation: "Nf3", From: "g1", To: "f3", Path: []string{"g1", "f3"}}},
		{"a capture", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5",
			games.Move{Text: "e4d5", Notation: "exd5", From: "e4", To: "d5", Path: []string{"e4", "d5"}, Captures: []string{"d5"}}},
		{"en passant", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "dxe6",
			games.Move{Text: "d5e6", Notation: "dxe6", From: "d5", To: "e6", Path: []string{"d5", "e6"}, Captures: []string{"e5"}}},
		{"a promotion", "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=R",
			games.Move{Text: "e7d8r", Notation: "exd8=R+", From: "e7", To: "d8", Path: []string{"e7", "d8"}, Captures: []string{"d8"}, Promotion: "r"}},
		{"castling", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0-0-0",
			games.Move{Text: "e8c8", Notation: "O-O-O", From: "e8", To: "c8", Path: []string{"e8", "c8"}}},
		{"castling in Chess960", "4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "O-O",
			games.Move{Text: "b1h1", Notation: "O-O", From: "b1", To: "h1", Path: []string{"b1", "h1"}}},
	} {
		t.Run(c.what, func(t *testing.T) {
			if got, _ := playAll(t, New(), c.fen, c.move); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestRulingIsWhole(t *testing.T) {
	got, err := New().Rule(games.Position{Text: "7k/P7/8/8/8/8/8/K6r w - - 4 30"})
	if err != nil {
		t.Fatal(err)
	}
	king := func(text, notation string) games.Move {
		return games.Move{Text: text, Notation: notation, From: text[:2], To: text[2:], Path: []string{text[:2], text[2:]}}
	}
	want := games.Ruling{
		Position:   games.Position{Rules: "chess", Text: "7k/P7/8/8/8/8/8/K6r w - - 4 30", Draws: "fide"},
		Side:       games.First,
		Moves:      []games.Move{king("a1a2", "Ka2"), king("a1b2", "Kb2")},
		CanWin:     [2]bool{true, true},
		Key:        got.Key,
		Repetition: 1,
		Check:      []string{"h1"},
		Pieces: []games.Piece{
			{Square: "a1", Side: games.First, Kind: "king"},
			{Square: "a7", Side: games.First, Kind: "pawn"},
			{Square: "h1", Side: games.Second, Kind: "rook"},
			{Square: "h8", Side: games.Second, Kind: "king"},
		},
	}
	if !reflect.DeepEqual(got, want) || len(got.Key) != 16 {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	again, err := New().Rule(got.Position)
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("ruled on again %+v, %v", again, err)
	}
}

func TestPromotionsAreOneMoveAPiece(t *testing.T) {
	_, r := playAll(t, New(), "7k/P7/8/8/8/8/8/K7 w - - 0 1")
	var got []string
	for _, m := range r.Moves {
		got = append(got, m.Text+" "+m.Notation+" "+m.Promotion)
	}
	want := []string{"a1a2 Ka2 ", "a1b1 Kb1 ", "a1b2 Kb2 ", "a7a8b a8=B b", "a7a8n a8=N n", "a7a8q a8=Q+ q", "a7a8r a8=R+ r"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRepetition(t *testing.T) {
	shuffle := []string{"Nf3", "Nf6", "Ng1", "Ng8"}
	moves := []string{}
	for round := 2; round <= 5; round++ {
		moves = append(moves, shuffle...)
		_, r := playAll(t, New(), StartFEN, moves...)
		claims := strings.Join(r.Claims, " ")
		if r.Repetition != round || (claims == "repetition_3") != (round == 3 || round == 4) || (r.Outcome != nil) != (round == 5) {
			t.Errorf("occurrence %d: %d, claims %q, outcome %v", round, r.Repetition, claims, r.Outcome)
		}
		if round == 5 && (*r.Outcome != games.Outcome{Draw: true, Reason: "repetition_5"} || r.Moves != nil || r.Claims != nil) {
			t.Errorf("ended with %+v, %d moves, claims %v", r.Outcome, len(r.Moves), r.Claims)
		}
	}
}

func TestHistoryForgetsWhatCannotComeBack(t *testing.T) {
	_, r := playAll(t, New(), StartFEN, "Nf3", "Nf6", "Rg1")
	if r.Position.History != "" {
		t.Errorf("after a lost castling right %q, want none", r.Position.History)
	}
	if _, r = playAll(t, New(), StartFEN, "Nf3", "Nf6"); len(r.Position.History) != 33 {
		t.Errorf("after two plies %q, want two keys", r.Position.History)
	}
	if _, r = playAll(t, New(), StartFEN, "Nf3", "Nf6", "e4"); r.Position.History != "" {
		t.Errorf("after a pawn move %q, want none", r.Position.History)
	}
}

func TestBadHistory(t *testing.T) {
	const key = "0123456789abcdef"
	fen := func(halfmove string) string { return "4k3/8/8/8/8/8/P7/4K3 w - - " + halfmove + " 50" }
	for _, c := range []struct{ halfmove, history string }{
		{"5", "x"}, {"5", key + "."}, {"5", "." + key}, {"5", key + key}, {"5", "0123456789ABCDEF"}, {"5", "123"},
		{"5", key + ".+123456789abcde"}, {"0", key}, {"1", key + "." + key}, {"9999", strings.Repeat(key+".", 200) + key},
		{"5", strings.Repeat("é", 8)},
	} {
		_, err := New().Rule(games.Position{Text: fen(c.halfmove), History: c.history})
		var got *games.Invalid
		if !errors.As(err, &got) || !reflect.DeepEqual(got.Reasons, []string{"bad_history"}) {
			t.Errorf("%q at %s: %v, want bad_history", c.history, c.halfmove, err)
		}
	}
	if _, err := New().Rule(games.Position{Text: fen("2"), History: key + "." + key}); err != nil {
		t.Error(err)
	}
}

func TestOtherRulesAreRefused(t *testing.T) {
	for _, c := range []struct {
		position games.Position
		want     string
	}{
		{games.Position{Rules: "draughts", Text: StartFEN}, "unknown_rules"},
		{games.Position{Draws: "cbd", Text: StartFEN}, "unknown_draws"},
	} {
		_, err := New().Rule(c.position)
		var got *games.Invalid
		if !errors.As(err, &got) || got.Reasons[0] != c.want {
			t.Errorf("%+v: %v, want %s", c.position, err, c.want)
		}
		if _, _, err := New().Apply(c.position, "e4"); !errors.As(err, &got) {
			t.Errorf("%+v: %v", c.position, err)
		}
	}
	if _, err := New().Start("cbd"); err == nil {
		t.Error("started with the draw rules of draughts")
	}
}

func TestStart(t *testing.T) {
	for _, c := range []struct {
		game Game
		want string
	}{
		{New(), StartFEN},
		{Game{Chess960: true}, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1"},
	} {
		got, err := c.game.Start("")
		if want := (games.Position{Rules: "chess", Text: c.want, Draws: "fide"}); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		fen, move string
		want      *games.Outcome
	}{
		{"6k1/5ppp/8/8/8/8/8/K6R w - - 0 1", "Rg1", nil},
		{"6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "Re8", &games.Outcome{Winner: games.First, Reason: "checkmate"}},
		{"7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6", &games.Outcome{Draw: true, Reason: "stalemate"}},
		{"7k/8/8/8/8/8/1p6/K7 w - - 0 1", "Kxb2", &games.Outcome{Draw: true, Reason: "insufficient_material"}},
		{"4k3/8/8/8/8/8/P7/R3K3 w - - 149 90", "Rb1", &games.Outcome{Draw: true, Reason: "moves_75"}},
		{"4k3/8/8/8/8/8/P7/R3K3 w - - 149 90", "a3", nil},
		{"6k1/5ppp/8/8/8/8/8/K3R3 w - - 149 90", "Re8", &games.Outcome{Winner: games.First, Reason: "checkmate"}},
	} {
		if _, r := playAll(t, New(), c.fen, c.move); !reflect.DeepEqual(r.Outcome, c.want) {
			t.Errorf("%s %s: %+v, want %+v", c.fen, c.move, r.Outcome, c.want)
		}
	}
}

func TestCanWin(t *testing.T) {
	for _, c := range []struct {
		what, fen    string
		white, black bool
	}{
		{"K v K", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", false, false},
		{"KN v K", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", false, false},
		{"KB v K", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", false, false},
		{"KNN v K", "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", true, false},
		{"KBN v K", "4k3/8/8/8/8/8/8/3NKB2 w - - 0 1", true, false},
		{"KP v K", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", true, false},
		{"KB v KB, one colour", "2b5/4kB2/8/8/8/8/5K2/8 b - - 0 16", false, false},
		{"KB v KB, two colours", "2b5/4k1B1/8/8/8/8/5K2/8 b - - 0 16", true, true},
		{"KBB v K, one colour", "4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", false, false},
		{"KBB v K, two colours", "4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", true, false},
		{"KN v KB", "8/8/8/8/4n3/7k/8/6BK b - - 0 1", true, true},
		{"KN v KN", "4k3/8/8/8/8/8/8/n3KN2 w - - 0 1", true, true},
		{"KN v KR", "4k3/8/8/8/8/8/8/r3KN2 w - - 0 1", true, true},
		{"KN v KQ", "4k3/8/8/8/8/q7/8/4KN2 w - - 0 1", false, true},
		{"KN v KP", "4k3/p7/8/8/8/8/8/4KN2 w - - 0 1", true, true},
		{"KB v KR", "4k3/8/8/8/8/r7/8/4KB2 w - - 0 1", false, true},
		{"KB v KN", "4k3/8/8/8/8/n7/8/4KB2 w - - 0 1", true, true},
		{"KB v KBP", "4k3/p7/8/8/8/b7/8/3BK3 w - - 0 1", true, true},
		{"K v KP", "4k3/p7/8/8/8/8/8/4K3 w - - 0 1", false, true},
	} {
		p := read(t, c.fen, false)
		if white, black := p.CanWin(White), p.CanWin(Black); white != c.white || black != c.black {
			t.Errorf("%s: White %v, Black %v, want %v, %v", c.what, white, black, c.white, c.black)
		}
	}
}
