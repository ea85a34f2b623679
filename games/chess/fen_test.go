package chess

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"tabuleiro/games"
)

func TestFENIsWrittenStrictly(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{StartFEN, StartFEN},
		{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"},
		{"  4k3/8/8/8/8/8/8/4K2R   w  K ", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b qkQK - 3 0", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 1"},
		// Nobody can take on e3; the pawn on d4 can, and then cannot for a pin.
		{"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"},
		{"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"},
		{"3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1", "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1"},
		// X-FEN: the outermost rook of the wing; letters by file tell Chess960.
		{"1rr1k1rr/8/8/8/8/8/8/1RR1K1RR w KQkq - 0 1", "1rr1k1rr/8/8/8/8/8/8/1RR1K1RR w HBhb - 0 1"},
		{"1rr1k1rr/8/8/8/8/8/8/1RR1K1RR w GCgc - 0 1", "1rr1k1rr/8/8/8/8/8/8/1RR1K1RR w GCgc - 0 1"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"},
		{"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"},
		// Too much material and impossible checks are read, if not written by any game.
		{"4k3/pppppppp/8/8/8/8/8/QQQQKQQQ b - - 0 1", "4k3/pppppppp/8/8/8/8/8/QQQQKQQQ b - - 0 1"},
	} {
		p, err := ReadFEN(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		if got := p.FEN(); got != c.want {
			t.Errorf("%s is written %s, want %s", c.in, got, c.want)
		}
	}
}

func TestInvalidFEN(t *testing.T) {
	const board = "4k3/8/8/8/8/8/8/4K3 "
	for _, c := range []struct {
		fen     string
		syntax  bool
		reasons string
	}{
		{"", true, "bad_fields"},
		{"   ", true, "bad_fields"},
		{board + "w - - 0 1 x", true, "bad_fields"},
		{strings.Repeat("8/", 4000), true, "bad_fields"},
		{"8/8/8/8/8/8/8 w - - 0 1", true, "bad_placement"},
		{"4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", true, "bad_placement"},
		{"4k3/44/8/8/8/8/8/4K3 w - - 0 1", true, "bad_placement"},
		{"4k3/9/8/8/8/8/8/4K3 w - - 0 1", true, "bad_placement"},
		{"4k3/80/8/8/8/8/8/4K3 w - - 0 1", true, "bad_placement"},
		{"4k3/7/8/8/8/8/8/4K3 w - - 0 1", true, "bad_placement"},
		{"4k3/8P/8/8/8/8/8/4K3 w - - 0 1", true, "bad_placement"},
		{"4k3/ppppppppp/8/8/8/8/8/4K3 w - - 0 1", true, "bad_placement"},
		{"4k3/7x/8/8/8/8/8/4K3 w - - 0 1", true, "bad_placement"},
		{board + "x - - 0 1", true, "bad_side"},
		{board + "w KK - 0 1", true, "bad_castling_text"},
		{board + "w X - 0 1", true, "bad_castling_text"},
		{board + "w - e9 0 1", true, "bad_square"},
		{board + "w - - -1 1", true, "bad_counter"},
		{board + "w - - 0 10000", true, "bad_counter"},
		{board + "w - - +1 1", true, "bad_counter"},
		{"8/8/8/8/8/8/8/8 w - - 0 1", false, "missing_king"},
		{"4k3/8/8/8/8/8/8/3KK3 w - - 0 1", false, "too_many_kings"},
		{"3kk3/8/8/8/8/8/8/8 w - - 0 1", false, "missing_king too_many_kings"},
		{"4k2P/8/8/8/8/8/8/4K3 w - - 0 1", false, "pawns_on_edge"},
		{"4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", false, "opposite_check"},
		{"8/8/8/8/8/8/3k4/4K3 w - - 0 1", false, "opposite_check"},
		// Without one king each all other faults are told as well.
		{"kk6/8/8/8/8/8/8/KK5P w KQ e3 0 1", false, "bad_castling bad_en_passant pawns_on_edge too_many_kings"},
		{"PP6/8/8/8/8/8/8/p7 w KQkq e3 0 1", false, "bad_castling bad_en_passant missing_king pawns_on_edge"},
		{"4k3/8/8/8/8/8/8/R3K2K w Q - 0 1", false, "too_many_kings"},
		{board + "w K - 0 1", false, "bad_castling"},
		{"4k2r/8/8/8/8/8/8/4K3 w K - 0 1", false, "bad_castling"},
		{"4k3/8/8/8/8/8/4K3/7R w K - 0 1", false, "bad_castling"},
		{"4k3/8/8/8/8/8/4K3/7R w H - 0 1", false, "bad_castling"},
		{"4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", false, "bad_castling"},
		{"rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq a3 0 1", false, "bad_en_passant"},
		{"8/7k/8/7p/8/8/8/K7 w - h6 0 1", false, "bad_en_passant"},
		{"7k/8/8/8/8/8/8/K7 w - h6 0 1", false, "bad_en_passant"},
		{"7k/8/8/7p/8/8/8/K7 w - h5 0 1", false, "bad_en_passant"},
		{"4k3/8/8/8/8/8/4R3/4K3 w K - 0 1", false, "bad_castling opposite_check"},
	} {
		_, err := New().Rule(games.Position{Text: c.fen})
		var got *games.Invalid
		if !errors.As(err, &got) {
			t.Errorf("%q: %v, want %s", c.fen, err, c.reasons)
			continue
		}
		if got.Syntax != c.syntax || strings.Join(got.Reasons, " ") != c.reasons || got.Detail == "" {
			t.Errorf("%q: %+v, want syntax %v, %s", c.fen, got, c.syntax, c.reasons)
		}
	}
}

func TestStrictFaults(t *testing.T) {
	for _, c := range []struct {
		fen  string
		want []string
	}{
		{StartFEN, nil},
		{"4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", []string{"too_much_material"}},
		{"4k3/8/8/8/8/8/PPPPPPP1/QQ2K3 w - - 0 1", nil},
		{"4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1", []string{"too_much_material"}},
		{"3Rk2R/8/8/8/8/8/8/4K3 b - - 0 1", []string{"impossible_check"}},
		{"4k3/8/3N1N2/8/B7/8/8/4K3 b - - 0 1", []string{"impossible_check"}},
		{"4k3/8/3N4/8/B7/8/8/4K3 b - - 0 1", nil},
		// The double step can give check itself or uncover one, but no other.
		{"8/8/8/8/4Pp2/3k4/8/4K2R b - e3 0 1", nil},
		{"3b1k2/8/8/8/3Pp3/8/2K5/7R b - d3 0 1", nil},
		{"8/8/8/3k4/4Pp2/8/8/4K3 b - e3 0 1", nil},
		{"8/8/8/7k/4Pp2/8/8/4K2R b - e3 0 1", []string{"impossible_check"}},
	} {
		s, err := ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Faults().Words(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.fen, got, c.want)
		}
		if _, err := s.StrictPosition(); (err == nil) != (c.want == nil) {
			t.Errorf("%s: strictly %v", c.fen, err)
		}
		if _, err := s.Position(); err != nil {
			t.Errorf("%s: leniently %v", c.fen, err)
		}
	}
}
