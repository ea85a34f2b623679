package chess

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tabuleiro/games"
)

// asRefusal is the refusal in an error of Apply, as "code squares...".
func asRefusal(err error) string {
	var r *games.Refusal
	if !errors.As(err, &r) {
		return "no refusal"
	}
	return strings.TrimSpace(string(r.Code) + " " + strings.Join(r.Squares, " "))
}

func TestRefusals(t *testing.T) {
	const (
		start    = StartFEN
		kingLost = "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1"
	)
	for _, c := range []struct{ what, fen, move, want string }{
		{"no piece", start, "e4e5", "no_piece e4"},
		{"the opponent's piece", start, "e7e5", "not_your_piece e7"},
		{"own piece", start, "a1a2", "own_piece a2"},
		{"rook over a pawn", start, "a1a4", "path_blocked a2"},
		{"pawn onto a piece", "4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "e3e4", "path_blocked e4"},
		{"double step over a piece", "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2e4", "path_blocked e3"},
		{"double step from the third rank", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5", "cannot_move_so e3 e5"},
		{"pawn backwards", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e2", "cannot_move_so e3 e2"},
		{"pawn takes nothing", start, "e2d3", "cannot_move_so e2 d3"},
		{"knight like a bishop", start, "b1d3", "cannot_move_so b1 d3"},
		{"staying", start, "b1b1", "cannot_move_so b1"},
		{"pinned knight", "4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1", "c3d5", "king_left_in_check b4"},
		{"check not answered", "4k3/8/8/8/4r3/8/P7/4K3 w - - 0 1", "a2a3", "king_left_in_check e4"},
		{"king into check", "4k3/8/8/8/3r4/8/8/4K3 w - - 0 1", "e1d1", "king_left_in_check d4"},
		{"king along the check", "4r1k1/8/8/8/4K3/8/8/8 w - - 0 1", "e4e3", "king_left_in_check e8"},
		{"king beside king", "8/8/8/8/8/4k3/7P/4K3 w - - 0 1", "e1e2", "king_left_in_check e3"},
		{"a pinned piece against a check", "4k3/8/8/8/1b2r3/8/3N4/4K3 w - - 0 1", "d2e4", "king_left_in_check b4"},
		{"en passant bares the king", "8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "d5e6", "king_left_in_check a5"},
		{"en passant too late", "4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 1", "d5e6", "cannot_move_so d5 e6"},
		{"promotion without a piece", "8/4P3/8/8/8/1k6/8/4K3 w - - 0 1", "e7e8", "promotion_missing e8"},
		{"promotion without a piece, SAN", "8/4P3/8/8/8/1k6/8/4K3 w - - 0 1", "e8", "promotion_missing e8"},
		{"promotion to a king", "8/4P3/8/8/8/1k6/8/4K3 w - - 0 1", "e8=K", "promotion_not_allowed e8"},
		{"promotion too early", start, "e2e4q", "promotion_not_allowed e4"},
		{"castling, the other right kept", "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1", "O-O", "castling_rook_moved h1"},
		{"castling, no right left", kingLost, "e1g1", "castling_king_moved e1"},
		{"castling, no right and no rook", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1g1", "castling_rook_moved h1"},
		{"castling with the king elsewhere", "4k3/8/8/8/8/8/8/R4K2 w - - 0 1", "O-O-O", "castling_king_moved f1"},
		{"castling in check", "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "e1g1", "castling_in_check e4"},
		{"castling through check", "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", "O-O", "castling_through f1 f4"},
		{"castling into check", "4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", "O-O", "castling_into g1 g4"},
		{"castling past a knight", "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "O-O-O", "castling_blocked b1"},
		{"castling onto a bishop", start, "e1g1", "castling_blocked f1 g1"},
		{"castling as king takes rook, blocked", start, "e1a1", "castling_blocked b1 c1 d1"},
		{"a king's jump that is no castling", "4k3/8/8/8/8/8/3K4/7R w - - 0 1", "d2f2", "cannot_move_so d2 f2"},
		{"a rook on b1 attacked does not matter, a king on c1 does", "2r1k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", "castling_into c1 c8"},
		{"Chess960 rook that shielded the king", "4k3/8/8/8/8/8/8/qR2K3 w B - 0 1", "O-O-O", "castling_into c1 a1"},
		{"Chess960: another rook than the one that may", "4rrk1/pbbp2p1/1ppnp3/3n1pqp/3N1PQP/1PPNP3/PBBP2P1/4RRK1 w Ff - 0 1", "g1e1", "castling_rook_moved e1"},
		{"Chess960: no rook on that side", "4k3/8/8/8/8/8/8/3K1R1R w F - 0 1", "O-O-O", "castling_rook_moved d1"},
		{"no such piece", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Qd4", "game_over"},
		{"no queen", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "Qd4", "no_piece"},
		{"no pawn on the file", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "e4", "cannot_move_so e4"},
		{"knight that cannot reach", start, "Nd4", "cannot_move_so b1 d4"},
		{"queen behind her pawn", start, "Qd3", "path_blocked d2"},
		{"ambiguous", "rnbq1rk1/ppp1ppbp/3p1np1/8/3P4/1P3NP1/PBP1PPBP/RN1QK2R b KQ - 0 6", "Nd7", "ambiguous f6 b8"},
		{"null move", start, "--", "bad_text"},
		{"null move, UCI", start, "0000", "bad_text"},
		{"empty", start, "", "bad_text"},
		{"small piece letter", start, "nf3", "bad_text"},
		{"capture without a file", start, "xd5", "bad_text"},
		{"mated", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "e2e4", "game_over e1 h4"},
		{"drawn by 75 moves", "4k3/8/8/8/8/8/P7/4K3 w - - 150 99", "a2a3", "game_over"},
	} {
		t.Run(c.what, func(t *testing.T) {
			position := games.Position{Rules: "chess", Text: c.fen}
			if _, _, err := New().Apply(position, c.move); asRefusal(err) != c.want {
				t.Errorf("%s: %s (%v), want %s", c.move, asRefusal(err), err, c.want)
			}
			if _, err := New().Rule(position); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAmbiguousNamesReadings(t *testing.T) {
	p := read(t, "rnbq1rk1/ppp1ppbp/3p1np1/8/3P4/1P3NP1/PBP1PPBP/RN1QK2R b KQ - 0 6", false)
	_, got := p.ParseMove("Nd7")
	want := &games.Refusal{Code: games.Ambiguous, Squares: []string{"f6", "b8"}, Moves: []string{"f6d7", "b8d7"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestLenientReading(t *testing.T) {
	const (
		start   = StartFEN
		castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
		pawns   = "3r3k/4P3/8/8/2pP4/8/8/4K3 w - - 0 1"
		takes   = "4k3/8/2p5/1P6/B7/8/8/4K3 w - - 0 1"
		passing = "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1"
		mixed   = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1"
	)
	for _, c := range []struct{ fen, text, want string }{
		{start, "e4", "e2e4"}, {start, " e4 ", "e2e4"}, {start, "e2-e4", "e2e4"}, {start, "Pe4", "e2e4"},
		{start, "ee4", "e2e4"}, {start, "Nb1c3", "b1c3"}, {start, "Nbc3", "b1c3"}, {start, "N1c3", "b1c3"},
		{start, "Ng1-f3", "g1f3"}, {start, "g1-f3", "g1f3"}, {start, "Nf3+", "g1f3"}, {start, "Nf3#!?", "g1f3"},
		{start, "Nxf3", "g1f3"}, {start, "e4!!", "e2e4"},
		{castles, "O-O", "e1g1"}, {castles, "0-0", "e1g1"}, {castles, "o-o-o", "e1c1"}, {castles, "0-0-0+", "e1c1"},
		{castles, "e1h1", "e1g1"}, {castles, "e1a1", "e1c1"}, {castles, "e1g1", "e1g1"}, {castles, "Rxh8", "h1h8"},
		{castles, "Rh8", "h1h8"},
		{pawns, "exd8=Q", "e7d8q"}, {pawns, "exd8Q+", "e7d8q"}, {pawns, "ed8n", "e7d8n"}, {pawns, "e7xd8(R)", "e7d8r"},
		{pawns, "exd8/B", "e7d8b"}, {pawns, "e7d8Q", "e7d8q"},
		{takes, "bxc6", "b5c6"}, {takes, "bc6", "b5c6"}, {takes, "b:c6", "b5c6"},
		{passing, "dxe6", "d5e6"}, {passing, "dxe6 e.p.", "d5e6"}, {passing, "dxe6ep", "d5e6"}, {passing, "de6", "d5e6"},
		{mixed, "O-O", "b1h1"}, {mixed, "O-O-O", "b1a1"}, {mixed, "b1h1", "b1h1"}, {mixed, "b1g1", "b1h1"},
		{mixed, "b1c1", "b1c1"}, {mixed, "Kc1", "b1c1"},
	} {
		p := read(t, c.fen, false)
		m, why := p.ParseMove(c.text)
		if why != nil {
			t.Errorf("%s in %s: %v", c.text, c.fen, why)
			continue
		}
		if got := p.UCI(m); got != c.want {
			t.Errorf("%s in %s reads as %s, want %s", c.text, c.fen, got, c.want)
		}
	}
	p := read(t, takes, false)
	if m, why := p.ParseMove("Bxc6"); why == nil {
		t.Errorf("Bxc6 reads as %s past its own pawn", p.UCI(m))
	}
}

func TestUnreadableMoves(t *testing.T) {
	p := Start()
	for _, text := range []string{
		"", " ", "e", "e9", "i4", "Z0", "--", "e2e9", "e2e4x", "e2e4qq", "O-O-O-O", "OO", "Ne", "Nb1xx3", "eex4", "=Q",
		"e8=", ")", "e8)", "(Q)", "3e4", strings.Repeat("e", 4000), "e4\x00", "é4",
	} {
		if m, why := p.ParseMove(text); why == nil || why.Code != games.BadText {
			t.Errorf("%q reads as %v with %v, want bad_text", text, m, why)
		}
	}
}

// TestGameOverShowsWhatEndedIt: the mated king and all that give it check, and
// nothing where the game ended otherwise.
func TestGameOverShowsWhatEndedIt(t *testing.T) {
	for _, tt := range []struct {
		fen  string
		want []string
	}{
		{"R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", []string{"g8", "a8"}},
		{"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", []string{"e1", "h4"}},
		{"3k2R1/3p4/2B1NP2/8/8/8/8/3RK3 b - - 0 1", []string{"d8", "e6", "g8"}},
		{"k7/2Q5/8/8/8/8/8/K7 b - - 0 1", nil},
		{"8/8/8/8/8/8/8/K6k w - - 0 1", nil},
		{"R5k1/6pp/8/8/8/8/8/6K1 b - - 150 100", nil},
	} {
		_, _, err := New().Apply(games.Position{Text: tt.fen}, "Kd4")
		refusal, ok := errors.AsType[*games.Refusal](err)
		if !ok || refusal.Code != games.GameOver || !slices.Equal(refusal.Squares, tt.want) {
			t.Errorf("%s: %v, want game_over %v", tt.fen, err, tt.want)
		}
	}
}
