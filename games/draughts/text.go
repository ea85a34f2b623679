package draughts

import (
	"slices"
	"strings"

	"tabuleiro/games"
)

// maxText bounds what is read as a position or a move; the longest strict
// position has 105 bytes, the longest move 38.
const maxText = 512

// Setup is what a text says, whether or not it can arise in a game.
type Setup struct {
	// Men and Kings are by side.
	Men, Kings [2]Bitboard
	// Light are light squares that the text puts pieces on, Twice the squares
	// that one side is given more than once; both sorted.
	Light []string
	Twice Bitboard
	Side  games.Side
}

// Text writes the position strictly: White's list first, squares by row and
// column from a1, kings with K.
func (p Position) Text() string {
	out := make([]byte, 0, 112)
	out = append(out, "WB"[p.Side()])
	for _, side := range [2]games.Side{games.First, games.Second} {
		out = append(out, ':', "WB"[side])
		for b := p.Pieces(side); b != 0; b = b.Rest() {
			if p.kings.Has(b.First()) {
				out = append(out, 'K')
			}
			out = append(out, b.First().String()...)
			if b.Rest() != 0 {
				out = append(out, ',')
			}
		}
	}
	return string(out)
}

// Parse reads a position and validates it. The error is *games.Invalid.
func Parse(text string) (Position, error) {
	s, err := ParseSetup(text)
	if err != nil {
		return Position{}, err
	}
	return s.Position()
}

// ParseSetup reads a FEN of PDN 3.0 of any content: either case, lists in any
// order or left out, a final dot, algebraic squares or the numbers and ranges
// that count from b8 = 1, and the fields H and F that lidraughts appends. The
// error is *games.Invalid with Syntax set and one reason: bad_side, bad_list,
// bad_square, no_such_square or mixed_squares.
func ParseSetup(text string) (Setup, error) {
	if len(text) > maxText {
		return Setup{}, syntax("bad_list", "the text is too long for a position")
	}
	fields := strings.Split(strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(text)), "."), ":")
	r := reader{}
	side, ok := sideOf(fields[0])
	if !ok {
		return Setup{}, syntax("bad_side", "a position starts with the side to move, W or B")
	}
	r.setup.Side = side
	var seen [2]bool
	for _, field := range fields[1:] {
		if isExtra(field) {
			continue
		}
		side, ok := sideOf(field[:min(1, len(field))])
		if !ok || seen[side] {
			return Setup{}, syntax("bad_list", "one list for W and one for B follow the side to move, each after a colon")
		}
		seen[side] = true
		if err := r.list(side, field[1:]); err != nil {
			return Setup{}, err
		}
	}
	if !seen[0] && !seen[1] {
		return Setup{}, syntax("bad_list", "the position lists no pieces")
	}
	slices.Sort(r.setup.Light)
	return r.setup, nil
}

func sideOf(letter string) (games.Side, bool) {
	switch letter {
	case "W":
		return games.First, true
	case "B":
		return games.Second, true
	}
	return games.First, false
}

// isExtra knows the half-move clock and the move number, which say nothing
// about the board.
func isExtra(field string) bool {
	if len(field) < 2 || field[0] != 'H' && field[0] != 'F' {
		return false
	}
	return strings.Trim(field[1:], "0123456789") == ""
}

// reader gathers a setup and remembers which of the two ways to name squares
// the text uses.
type reader struct {
	setup            Setup
	algebraic, digit bool
}

func (r *reader) list(side games.Side, text string) error {
	if text == "" {
		return nil
	}
	for item := range strings.SplitSeq(text, ",") {
		name, king := strings.CutPrefix(item, "K")
		if name == "" {
			return syntax("bad_square", "a list has squares between its commas")
		}
		if first := name[0]; '0' <= first && first <= '9' {
			r.digit = true
		} else {
			r.algebraic = true
		}
		if r.digit && r.algebraic {
			return syntax("mixed_squares", "squares are all algebraic or all numbers")
		}
		if err := r.item(side, name, king); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) item(side games.Side, name string, king bool) error {
	if r.algebraic {
		if len(name) != 2 {
			return syntax("bad_square", "a square is a letter and a digit")
		}
		file, row := int(name[0])-'A', int(name[1])-'1'
		if file < 0 || file > 7 || row < 0 || row > 7 {
			return syntax("no_such_square", "there is no square "+strings.ToLower(printable(name)))
		}
		if s := At(file, row); s != NoSquare {
			r.put(side, s, king)
		} else {
			r.setup.Light = append(r.setup.Light, strings.ToLower(name))
		}
		return nil
	}
	low, high, isRange := strings.Cut(name, "-")
	first, ok := parseNumber(low)
	last, ok2 := first, true
	if isRange {
		last, ok2 = parseNumber(high)
	}
	if !ok || !ok2 {
		return syntax("bad_square", "a square is a number from 1 to 32")
	}
	if first < 1 || last > 32 || first > last {
		return syntax("no_such_square", "squares are numbered from 1 to 32")
	}
	for n := first; n <= last; n++ {
		r.put(side, numbered(n), king)
	}
	return nil
}

func (r *reader) put(side games.Side, s Square, king bool) {
	if (r.setup.Men[side] | r.setup.Kings[side]).Has(s) {
		r.setup.Twice |= s.Bit()
	}
	if king {
		r.setup.Kings[side] |= s.Bit()
	} else {
		r.setup.Men[side] |= s.Bit()
	}
}

// numbered is the square of a number that counts from b8 = 1, h8 = 4, a7 = 5
// to g1 = 32, the numbering of lidraughts.
func numbered(n int) Square { return FromIndex((7-(n-1)/4)*4 + (n-1)%4) }

// parseNumber reads one or two digits.
func parseNumber(text string) (int, bool) {
	if len(text) < 1 || len(text) > 2 {
		return 0, false
	}
	n := 0
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = n*10 + int(text[i]-'0')
	}
	return n, true
}

// printable keeps a detail readable whatever was sent.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}

// Position is the setup as a position. The error is *games.Invalid with all
// that is wrong: light_square, square_twice, square_shared, man_on_last_row,
// too_many_pieces, no_pieces (none at all), opponent_without_pieces (only the
// side to move can have lost its last piece).
func (s Setup) Position() (Position, error) {
	var reasons, details []string
	wrong := func(reason, detail string) {
		reasons = append(reasons, reason)
		details = append(details, detail)
	}
	if len(s.Light) > 0 {
		wrong("light_square", "pieces stand on dark squares, not on "+strings.Join(s.Light, ", "))
	}
	if s.Twice != 0 {
		wrong("square_twice", "a square is listed twice: "+strings.Join(names(s.Twice), ", "))
	}
	var pieces [2]Bitboard
	for side := range pieces {
		pieces[side] = s.Men[side] | s.Kings[side]
		if pieces[side].Count() > maxTaken {
			wrong("too_many_pieces", "a side has at most 12 pieces")
		}
	}
	if shared := pieces[0] & pieces[1]; shared != 0 {
		wrong("square_shared", "both sides stand on "+strings.Join(names(shared), ", "))
	}
	if crowned := s.Men[0]&row8 | s.Men[1]&row1; crowned != 0 {
		wrong("man_on_last_row", "a man on its last row would be a king: "+strings.Join(names(crowned), ", "))
	}
	switch us, them := pieces[s.Side], pieces[s.Side.Other()]; {
	case us == 0 && them == 0:
		wrong("no_pieces", "the board is empty")
	case them == 0:
		wrong("opponent_without_pieces", "only the side to move can have lost all its pieces")
	}
	if len(reasons) > 0 {
		slices.Sort(reasons)
		return Position{}, &games.Invalid{Reasons: slices.Compact(reasons), Detail: strings.Join(details, "; ")}
	}
	return newPosition(pieces, s.Kings[0]|s.Kings[1], s.Side), nil
}

// names are the squares of b, sorted as text; nil where b is empty.
func names(b Bitboard) []string {
	var out []string
	for ; b != 0; b = b.Rest() {
		out = append(out, b.First().String())
	}
	slices.Sort(out)
	return out
}

func syntax(reason, detail string) *games.Invalid {
	return &games.Invalid{Syntax: true, Reasons: []string{reason}, Detail: detail}
}
