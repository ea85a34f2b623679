package chess

import (
	"strconv"
	"strings"

	"tabuleiro/games"
)

// maxCounter bounds both counters of a FEN.
const maxCounter = 9999

// maxFEN bounds the text of a FEN that is read at all.
const maxFEN = 256

// StartFEN is the starting position.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// Start is the starting position of chess.
func Start() Position {
	p, err := ReadFEN(StartFEN)
	if err != nil {
		panic("chess: the starting position does not read: " + err.Error())
	}
	return p
}

// ReadFEN reads a FEN leniently into a position. The error is *games.Invalid.
func ReadFEN(text string) (Position, error) {
	s, err := ParseFEN(text)
	if err != nil {
		return Position{}, err
	}
	return s.Position()
}

func badFEN(reason, detail string) *games.Invalid {
	return &games.Invalid{Syntax: true, Reasons: []string{reason}, Detail: "not a FEN: " + detail}
}

// ParseFEN reads the text of a FEN, X-FEN or Shredder-FEN, whatever it says.
// Fields left out at the end take their usual values. The error is
// *games.Invalid with Syntax set and one of the reasons bad_fields,
// bad_placement, bad_side, bad_castling_text, bad_square, bad_counter.
func ParseFEN(text string) (Setup, error) {
	s := Setup{EnPassant: NoSquare, Fullmove: 1}
	if len(text) > maxFEN {
		return s, badFEN("bad_fields", "the text is too long")
	}
	fields, n := [6]string{"", "w", "-", "-", "0", "1"}, 0
	for field := range strings.FieldsSeq(text) {
		if n < len(fields) {
			fields[n] = field
		}
		n++
	}
	if n == 0 || n > len(fields) {
		return s, badFEN("bad_fields", "it needs one to six fields, not "+strconv.Itoa(n))
	}
	if err := s.parsePlacement(fields[0]); err != nil {
		return s, err
	}
	switch fields[1] {
	case "w", "W":
	case "b", "B":
		s.Side = Black
	default:
		return s, badFEN("bad_side", "the side to move is w or b, not "+strconv.Quote(fields[1]))
	}
	if err := s.parseRights(fields[2]); err != nil {
		return s, err
	}
	if fields[3] != "-" {
		if s.EnPassant = ParseSquare(fields[3]); s.EnPassant == NoSquare {
			return s, badFEN("bad_square", "the en passant field is a square or -, not "+strconv.Quote(fields[3]))
		}
	}
	var halfOK, fullOK bool
	s.Halfmove, halfOK = parseCounter(fields[4])
	s.Fullmove, fullOK = parseCounter(fields[5])
	if !halfOK || !fullOK {
		return s, badFEN("bad_counter", "the counters are numbers from 0 to "+strconv.Itoa(maxCounter))
	}
	return s, nil
}

func (s *Setup) parsePlacement(text string) error {
	if n := strings.Count(text, "/") + 1; n != 8 {
		return badFEN("bad_placement", "a board has 8 ranks, not "+strconv.Itoa(n))
	}
	rank := 8
	for rest, more := text, true; more; {
		var row string
		row, rest, more = strings.Cut(rest, "/")
		rank--
		if err := s.parseRank(row, rank); err != nil {
			return err
		}
	}
	return nil
}

func (s *Setup) parseRank(row string, rank int) error {
	file, digit := 0, false
	for i := range len(row) {
		c := row[i]
		if c >= '1' && c <= '8' {
			if digit {
				return badFEN("bad_placement", "two digits in a row in "+strconv.Quote(row))
			}
			digit = true
			file += int(c - '0')
			continue
		}
		digit = false
		side, letter := White, c
		if c >= 'a' && c <= 'z' {
			side, letter = Black, c-'a'+'A'
		}
		role := roleOf(letter)
		if role == NoRole || file > 7 {
			return badFEN("bad_placement", "no rank reads "+strconv.Quote(row))
		}
		s.Board[At(file, rank)] = NewPiece(side, role)
		file++
	}
	if file != 8 {
		return badFEN("bad_placement", "a rank has 8 squares, unlike "+strconv.Quote(row))
	}
	return nil
}

// parseRights reads castling letters: KQkq, or files, where upper case is
// White. Files tell that the position is one of Chess960.
func (s *Setup) parseRights(text string) error {
	if text == "-" {
		return nil
	}
	for _, c := range []byte(text) {
		side, letter := White, c
		if c >= 'a' && c <= 'z' {
			side, letter = Black, c-'a'+'A'
		}
		seen := false
		switch {
		case letter == 'K' || letter == 'Q':
			wing := 0
			if letter == 'Q' {
				wing = 1
			}
			seen = s.Rights.Outer[side][wing]
			s.Rights.Outer[side][wing] = true
		case letter >= 'A' && letter <= 'H':
			bit := uint8(1) << (letter - 'A')
			seen = s.Rights.Files[side]&bit != 0
			s.Rights.Files[side] |= bit
			s.Chess960 = true
		default:
			seen = true
		}
		if seen {
			return badFEN("bad_castling_text", "no castling rights read "+strconv.Quote(text))
		}
	}
	return nil
}

func parseCounter(text string) (int, bool) {
	if len(text) > 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 16)
	return int(n), err == nil
}

// FEN writes the position strictly: castling rights by file in Chess960, the en
// passant square only where the capture is legal.
func (p *Position) FEN() string {
	out := make([]byte, 0, 96)
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := range 8 {
			piece := p.PieceAt(At(file, rank))
			if piece == 0 {
				empty++
				continue
			}
			if empty > 0 {
				out = append(out, '0'+empty)
				empty = 0
			}
			out = append(out, piece.Letter())
		}
		if empty > 0 {
			out = append(out, '0'+empty)
		}
		if rank > 0 {
			out = append(out, '/')
		}
	}
	if p.side == White {
		out = append(out, " w "...)
	} else {
		out = append(out, " b "...)
	}
	out = p.appendRights(out)
	out = append(out, ' ')
	out = append(out, p.passing.String()...)
	out = append(out, ' ')
	out = strconv.AppendUint(out, uint64(min(p.halfmove, maxCounter)), 10)
	out = append(out, ' ')
	out = strconv.AppendUint(out, uint64(min(p.fullmove, maxCounter)), 10)
	return string(out)
}

func (p *Position) appendRights(out []byte) []byte {
	if p.rights == 0 {
		return append(out, '-')
	}
	for _, side := range []games.Side{White, Black} {
		lower := byte(side) * ('a' - 'A')
		// From the h-file down, so that the king's wing comes first.
		for file := 7; file >= 0; file-- {
			rook := At(file, 7*int(side))
			if !p.rights.Has(rook) {
				continue
			}
			letter := 'A' + byte(file)
			if !p.chess960 {
				letter = 'K'
				if file == 0 {
					letter = 'Q'
				}
			}
			out = append(out, letter+lower)
		}
	}
	return out
}
