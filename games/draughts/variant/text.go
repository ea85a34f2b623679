package variant

import (
	"strings"

	"tabuleiro/games"
)

// At is the square of a file and a row, both from 0, as the side that begins
// counts them; NoSquare where they name a light square or none.
func (k *Kernel) At(file, row int) Square { return k.at(file, row) }

// Place is the file and the row of a square of the board.
func (k *Kernel) Place(s Square) (file, row int) { return k.place(s) }

// Text is the path with all its squares: c3-d4, f4xd6xb8.
func (k *Kernel) Text(p *Path) string {
	words := make([]string, len(p.Squares))
	for i, s := range p.Squares {
		words[i] = k.name(s)
	}
	if p.Captured.Empty() {
		return strings.Join(words, "-")
	}
	return strings.Join(words, "x")
}

// letter is the colour of a side.
func (k *Kernel) letter(side games.Side) byte {
	if k.rules.BlackBegins {
		side = side.Other()
	}
	return "WB"[side]
}

// Write is a position as text, such as W:Wa1,Kc3:Bb8, the side that begins
// first.
func (k *Kernel) Write(p *Position) string {
	out := []byte{k.letter(p.Side)}
	for _, side := range [2]games.Side{games.First, games.Second} {
		out = append(out, ':', k.letter(side))
		for b := p.Pieces[side]; !b.Empty(); b = b.Rest() {
			if p.Kings.Has(b.First()) {
				out = append(out, 'K')
			}
			out = append(out, k.name(b.First())...)
			if !b.Rest().Empty() {
				out = append(out, ',')
			}
		}
	}
	return string(out)
}

// Read reads what Write writes, whatever the order of its squares. The error is
// *games.Invalid: with Syntax and bad_side, bad_list or bad_square, else with
// square_shared, man_on_last_row or too_many_pieces.
func (k *Kernel) Read(text string) (Position, error) {
	fields := strings.Split(text, ":")
	var p Position
	switch {
	case fields[0] == string(k.letter(games.First)):
	case fields[0] == string(k.letter(games.Second)):
		p.Side = games.Second
	default:
		return Position{}, invalid(true, "bad_side")
	}
	if len(fields) != 3 {
		return Position{}, invalid(true, "bad_list")
	}
	for side, field := range fields[1:] {
		if field == "" || field[0] != k.letter(games.Side(side)) {
			return Position{}, invalid(true, "bad_list")
		}
		if field == field[:1] {
			continue
		}
		for item := range strings.SplitSeq(field[1:], ",") {
			name, king := strings.CutPrefix(item, "K")
			s := k.square(name)
			if s == NoSquare {
				return Position{}, invalid(true, "bad_square")
			}
			p.Pieces[side].add(s)
			if king {
				p.Kings.add(s)
			}
		}
	}
	return p, k.check(&p)
}

// square is the square of an algebraic name.
func (k *Kernel) square(name string) Square {
	for b := k.all; !b.Empty(); b = b.Rest() {
		if k.name(b.First()) == name {
			return b.First()
		}
	}
	return NoSquare
}

// check finds what no game comes to.
func (k *Kernel) check(p *Position) error {
	if !p.Pieces[0].and(p.Pieces[1]).Empty() {
		return invalid(false, "square_shared")
	}
	most := k.rules.Rows * k.rules.Size / 2
	for side, pieces := range p.Pieces {
		if pieces.Count() > most {
			return invalid(false, "too_many_pieces")
		}
		if !pieces.andNot(p.Kings).and(k.last[side]).Empty() {
			return invalid(false, "man_on_last_row")
		}
	}
	return nil
}

func invalid(syntax bool, reason string) error {
	return &games.Invalid{Syntax: syntax, Reasons: []string{reason}, Detail: "no position of this game: " + reason}
}
