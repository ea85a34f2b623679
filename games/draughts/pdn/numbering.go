package pdn

import (
	"strconv"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// Numbering is where the numbers of the dark squares begin. They go on along
// the row, towards the other side.
type Numbering uint8

// The numberings. PDN knows all four corners; programs for the Brazilian game
// use the left ones.
const (
	// ByTrial takes what makes more of a game legal: FromB8 or FromA1.
	ByTrial Numbering = iota
	FromB8
	FromA1
	FromH8
	FromG1
)

// square is the square of a number from 1 to 32.
func (n Numbering) square(number int) draughts.Square {
	row, along := (number-1)/4, (number-1)%4
	if n == FromB8 || n == FromH8 {
		row = 7 - row
	}
	if n == FromH8 || n == FromG1 {
		along = 3 - along
	}
	return draughts.FromIndex(4*row + along)
}

// move makes a numeric move algebraic; it has passed isMove.
func (n Numbering) move(text string) string {
	var out strings.Builder
	for text != "" {
		end := strings.IndexAny(text, separators)
		if end < 0 {
			end = len(text)
		}
		number, _ := parseSquare(text[:end])
		out.WriteString(n.square(number).String())
		if end < len(text) {
			out.WriteByte(text[end])
			end++
		}
		text = text[end:]
	}
	return out.String()
}

// fen makes the numbers of a FEN algebraic. What cannot be read stays, for
// draughts.Parse to refuse it.
func (n Numbering) fen(text string) string {
	fields := strings.Split(strings.TrimSuffix(strings.TrimSpace(text), "."), ":")
	for i, field := range fields {
		if i == 0 || !isList(field) || len(field) == 1 {
			continue
		}
		items := strings.Split(field[1:], ",")
		for j, item := range items {
			var ok bool
			if items[j], ok = n.item(item); !ok {
				return text
			}
		}
		fields[i] = field[:1] + strings.Join(items, ",")
	}
	return strings.Join(fields, ":")
}

// isList tells the lists of a FEN from what may follow them.
func isList(field string) bool { return field != "" && strings.IndexByte("WBwb", field[0]) >= 0 }

func (n Numbering) item(text string) (string, bool) {
	name, king := text, ""
	if text != "" && (text[0] == 'K' || text[0] == 'k') {
		name, king = text[1:], "K"
	}
	low, high, isRange := strings.Cut(name, "-")
	first, ok := parseSquare(low)
	last, ok2 := first, ok
	if isRange {
		last, ok2 = parseSquare(high)
	}
	if !ok || !ok2 || first > last {
		return "", false
	}
	var names []string
	for i := first; i <= last; i++ {
		names = append(names, king+n.square(i).String())
	}
	return strings.Join(names, ","), true
}

// hasNumbers tells a FEN with numbered squares from an algebraic one.
func hasNumbers(fen string) bool {
	for _, field := range strings.Split(fen, ":")[1:] {
		if !isList(field) {
			continue
		}
		for item := range strings.SplitSeq(field[1:], ",") {
			item = strings.TrimLeft(item, "Kk")
			if item != "" && '0' <= item[0] && item[0] <= '9' {
				return true
			}
		}
	}
	return false
}

// parseSquare reads a number of a square, with or without a leading zero.
func parseSquare(text string) (int, bool) {
	if len(text) > 2 {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 8)
	return int(n), err == nil && n >= 1 && n <= 32
}

// parseGameType reads "26", "26,W,8,8,A0,0" and what lies between. Files from
// before 2014 say A1 and mean A0. The start colour and the invert flag change
// nothing, see contradicts. said is ByTrial for algebraic squares; a message tells
// what is wrong.
func parseGameType(text string) (said Numbering, fault games.Code, message string) {
	fields := strings.Split(text, ",")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	if _, err := strconv.ParseUint(fields[0], 10, 16); err != nil {
		return ByTrial, BadTag, "the game type is a number"
	}
	if fields[0] != "26" {
		return ByTrial, UnknownVariant, "game type " + fields[0] + " is not Brazilian draughts, 26"
	}
	if len(fields) == 1 {
		return ByTrial, "", ""
	}
	if len(fields) < 5 || len(fields) > 6 || fields[1] != "W" && fields[1] != "B" || fields[2] != "8" || fields[3] != "8" ||
		len(fields) == 6 && fields[5] != "0" && fields[5] != "1" {
		return ByTrial, BadTag, "the game type reads like 26,W,8,8,A0,0"
	}
	switch notation := fields[4]; notation {
	case "A0", "A1", "A2", "A3":
		return ByTrial, "", ""
	case "N0":
		return FromA1, "", ""
	case "N1":
		return FromG1, "", ""
	case "N2":
		return FromB8, "", ""
	case "N3":
		return FromH8, "", ""
	}
	return ByTrial, BadTag, "the notation of the game type is A or N and the corner of the first square"
}

// contradicts tells what a game type that parseGameType has read says against the
// rules of its number; empty where they agree. The game is of that number all the
// same.
func contradicts(text string) string {
	fields := strings.Split(text, ",")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	switch {
	case len(fields) == 1:
	case fields[1] == "B":
		return "in game type 26 White begins"
	case fields[4] == "A2" || fields[4] == "A3":
		return "in game type 26 a1 is at the bottom left"
	case len(fields) == 6 && fields[5] == "1":
		return "in game type 26 the bottom left is a playing square"
	}
	return ""
}
