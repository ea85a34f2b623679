package engine

import (
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// TestFactorsAndShots: chess and draughts have factors, draughts shots.
func TestFactorsAndShots(t *testing.T) {
	const shot = "W:W21,22,23,24,25,28,29,32:B4,5,6,8,10,12,14,15"
	for _, tt := range []struct {
		rules, text, first string
		fails              bool
	}{
		{"chess", chess.StartFEN, "tempo", false},
		{"draughts", shot, "men", false},
		{"tictactoe", "3/3/3", "", true},
		{"chess", "rubbish", "", true},
		{"draughts", "rubbish", "", true},
	} {
		_, factors, err := Factors(games.Position{Rules: tt.rules, Text: tt.text})
		if tt.fails != (err != nil) || !tt.fails && factors[0].Name != tt.first {
			t.Errorf("%s %s: %+v, %v", tt.rules, tt.text, factors, err)
		}
	}
	shots, err := Shots(games.Position{Rules: "draughts", Text: shot})
	if err != nil || len(shots) != 2 || shots[1].Move != "c3-d4" || shots[1].Gain() != 2 {
		t.Errorf("%+v, %v", shots, err)
	}
	if _, err := Shots(games.Position{Rules: "draughts", Text: "rubbish"}); err == nil {
		t.Error("rubbish has shots")
	}
}
