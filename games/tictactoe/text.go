package tictactoe

import (
	"slices"
	"strings"

	"tabuleiro/games"
)

// maxText bounds what is read as a position or a move; the longest strict
// position has 13 bytes.
const maxText = 64

// String is the algebraic name: a1 to c3.
func (sq Square) String() string {
	return string([]byte{'a' + byte(sq)%3, '1' + byte(sq)/3})
}

// ParseSquare reads a1 to c3 in either case, or 1 to 9 counted by rows from
// the top left: 1 = a3, 9 = c1.
func ParseSquare(text string) (Square, bool) {
	if len(text) > maxText {
		return 0, false
	}
	t := strings.ToLower(strings.TrimSpace(text))
	switch {
	case len(t) == 1 && '1' <= t[0] && t[0] <= '9':
		n := t[0] - '1'
		return Square((2-n/3)*3 + n%3), true
	case len(t) == 2 && 'a' <= t[0] && t[0] <= 'c' && '1' <= t[1] && t[1] <= '3':
		return Square((t[1]-'1')*3 + t[0] - 'a'), true
	}
	return 0, false
}

// Text writes the position strictly: rows 3 to 1, then the side to move.
func (p Position) Text() string {
	out := make([]byte, 0, 13)
	for row := 2; row >= 0; row-- {
		empty := byte(0)
		for file := range 3 {
			sq := Square(row*3 + file)
			mark := p.markAt(sq)
			if mark == 0 {
				empty++
				continue
			}
			if empty > 0 {
				out = append(out, '0'+empty)
				empty = 0
			}
			out = append(out, mark)
		}
		if empty > 0 {
			out = append(out, '0'+empty)
		}
		if row > 0 {
			out = append(out, '/')
		}
	}
	return string(append(out, ' ', sideLetter(p.Side())))
}

func (p Position) markAt(sq Square) byte {
	switch {
	case p.x.Has(sq):
		return 'x'
	case p.o.Has(sq):
		return 'o'
	}
	return 0
}

func sideLetter(s games.Side) byte {
	if s == games.First {
		return 'x'
	}
	return 'o'
}

// Setup is what a text says, whether or not it can arise.
type Setup struct {
	X, O Mask
	Side games.Side
}

// ParseSetup reads a text of any content: letters in either case, empties
// counted in any way that adds up, blanks around. The error is *games.Invalid
// with Syntax set and one reason: bad_rows or bad_side.
func ParseSetup(text string) (Setup, error) {
	if len(text) > maxText {
		return Setup{}, syntax("bad_rows", "the text is too long for a position")
	}
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) == 0 {
		return Setup{}, syntax("bad_rows", "the text is empty")
	}
	rows := strings.Split(fields[0], "/")
	if len(rows) != 3 {
		return Setup{}, syntax("bad_rows", "a position has three rows joined by /")
	}
	var s Setup
	for i, row := range rows {
		x, o, ok := parseRow(row)
		if !ok {
			return Setup{}, syntax("bad_rows", "a row has three squares: x, o, or the number of empty ones")
		}
		shift := 3 * (2 - i)
		s.X |= x << shift
		s.O |= o << shift
	}
	if len(fields) != 2 || (fields[1] != "x" && fields[1] != "o") {
		return Setup{}, syntax("bad_side", "the side to move, x or o, follows the rows after a blank")
	}
	if fields[1] == "o" {
		s.Side = games.Second
	}
	return s, nil
}

func parseRow(row string) (x, o Mask, ok bool) {
	file := 0
	for i := range len(row) {
		c := row[i]
		if file >= 3 {
			return 0, 0, false
		}
		switch {
		case c == 'x':
			x |= 1 << file
			file++
		case c == 'o':
			o |= 1 << file
			file++
		case '1' <= c && c <= '3':
			file += int(c - '0')
		default:
			return 0, 0, false
		}
	}
	return x, o, file == 3
}

// Position is the setup as a position. The error is *games.Invalid with all
// that is wrong: square_shared, wrong_counts (X has as many marks as O, or one
// more), wrong_side (it is the other side's turn), both_won, move_after_win
// (the loser marked a square after the line stood).
func (s Setup) Position() (Position, error) {
	var reasons, details []string
	wrong := func(reason, detail string) {
		reasons = append(reasons, reason)
		details = append(details, detail)
	}
	if s.X&s.O != 0 {
		wrong("square_shared", "a square bears two marks")
	}
	p := Position{x: s.X & full, o: s.O & full}
	xs, os := p.x.Count(), p.o.Count()
	if xs != os && xs != os+1 {
		wrong("wrong_counts", "X has as many marks as O or one more")
	} else if p.Side() != s.Side {
		wrong("wrong_side", "by the marks it is the other side's turn")
	}
	switch xWon, oWon := hasLine(p.x), hasLine(p.o); {
	case xWon && oWon:
		wrong("both_won", "both sides have three in a row")
	case xWon && xs == os, oWon && xs == os+1:
		wrong("move_after_win", "a square was marked after the game was won")
	}
	if len(reasons) > 0 {
		slices.Sort(reasons)
		return Position{}, &games.Invalid{Reasons: reasons, Detail: strings.Join(details, "; ")}
	}
	return p, nil
}

// Parse reads a text and validates it. The error is *games.Invalid.
func Parse(text string) (Position, error) {
	s, err := ParseSetup(text)
	if err != nil {
		return Position{}, err
	}
	return s.Position()
}

func syntax(reason, detail string) *games.Invalid {
	return &games.Invalid{Syntax: true, Reasons: []string{reason}, Detail: detail}
}
