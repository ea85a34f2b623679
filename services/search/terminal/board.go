package terminal

import (
	"strings"

	"tabuleiro/games"
)

// board draws the position from the player's side, and names what gives check
// and what may be claimed.
func (g *Game) board() {
	r := g.now()
	rows, columns := g.game.Size()
	on := map[string]byte{}
	for _, p := range r.Pieces {
		on[p.Square] = letter(g.game.Name(), p)
	}
	turned := g.player == games.Second
	g.say("")
	files := make([]string, columns)
	for i := range rows {
		row := rows - 1 - i
		if turned {
			row = i
		}
		line := make([]string, columns)
		for j := range columns {
			file := j
			if turned {
				file = columns - 1 - j
			}
			square := string([]byte{'a' + byte(file), '1' + byte(row)})
			files[j] = square[:1]
			switch piece := on[square]; {
			case piece != 0:
				line[j] = string(piece)
			case g.game.Name() == "draughts" && (file+row)%2 == 1:
				line[j] = " "
			default:
				line[j] = "."
			}
		}
		g.say("%c %s", '1'+byte(row), strings.TrimRight(strings.Join(line, " "), " "))
	}
	g.say("  %s", strings.Join(files, " "))
	if len(r.Check) > 0 {
		g.say("Check from %s.", strings.Join(r.Check, " "))
	}
	if len(r.Claims) > 0 && r.Side == g.player {
		g.say("You may claim a draw: %s.", strings.Join(r.Claims, ", "))
	}
}

// letter is a piece on the board: in chess its own, White's in upper case; in
// draughts w and b, kings in upper case; in tic-tac-toe the mark.
func letter(rules string, p games.Piece) byte {
	switch rules {
	case "draughts":
		c := "wb"[p.Side]
		if p.Kind == "king" {
			c -= 'a' - 'A'
		}
		return c
	case "tictactoe":
		return "xo"[p.Side]
	}
	c := p.Kind[0]
	if p.Kind == "knight" {
		c = 'n'
	}
	if p.Side == games.First {
		c -= 'a' - 'A'
	}
	return c
}
