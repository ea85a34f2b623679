package hub

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

// Command is a line of the protocol: a word and its arguments. An argument
// without a value has the empty one.
type Command struct {
	Name string
	Args map[string]string
}

// Parse reads a line: "word key=value key="a value" flag". A quote that is left
// open ends with the line.
func Parse(line string) Command {
	c := Command{Args: map[string]string{}}
	rest := strings.TrimSpace(line)
	for rest != "" {
		key := rest
		value, given := "", false
		if i := strings.IndexAny(rest, " \t="); i >= 0 {
			key, given = rest[:i], rest[i] == '='
			rest = rest[i+1:]
		} else {
			rest = ""
		}
		if given {
			if after, quoted := strings.CutPrefix(rest, `"`); quoted {
				value, rest, _ = strings.Cut(after, `"`)
			} else if i := strings.IndexAny(rest, " \t"); i >= 0 {
				value, rest = rest[:i], rest[i+1:]
			} else {
				value, rest = rest, ""
			}
		}
		if c.Name == "" && !given {
			c.Name = key
		} else if key != "" {
			c.Args[key] = value
		}
		rest = strings.TrimLeft(rest, " \t")
	}
	return c
}

// squares is how many squares a position of the protocol has here.
const squares = 32

// PositionText writes a position of draughts as the protocol does: the side to
// move and a letter a square, from a1.
func PositionText(text string) (string, error) {
	p, err := draughts.Parse(text)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteByte("WB"[p.Side()])
	for i := range squares {
		s := draughts.FromIndex(i)
		letter := byte('e')
		for side := range 2 {
			switch {
			case p.Men(games.Side(side)).Has(s):
				letter = "wb"[side]
			case p.Kings(games.Side(side)).Has(s):
				letter = "WB"[side]
			}
		}
		b.WriteByte(letter)
	}
	return b.String(), nil
}

// ReadPosition reads what PositionText writes.
func ReadPosition(text string) (string, error) {
	if len(text) != squares+1 || text[0] != 'W' && text[0] != 'B' {
		return "", fmt.Errorf("a position is W or B and %d letters", squares)
	}
	var sides [2][]string
	for i, letter := range []byte(text[1:]) {
		at := strings.IndexByte("wWbBe", letter)
		if at < 0 {
			return "", fmt.Errorf("there is no piece %q", letter)
		}
		if at == 4 {
			continue
		}
		name := draughts.FromIndex(i).String()
		if at%2 == 1 {
			name = "K" + name
		}
		sides[at/2] = append(sides[at/2], name)
	}
	return fmt.Sprintf("%c:W%s:B%s", text[0], strings.Join(sides[0], ","), strings.Join(sides[1], ",")), nil
}

// MoveText writes a move as the protocol does: from, to and the taken pieces, by
// numbers that count from a1.
func MoveText(m games.Move) string {
	if len(m.Captures) == 0 {
		return number(m.From) + "-" + number(m.To)
	}
	parts := []string{number(m.From), number(m.To)}
	for _, c := range m.Captures {
		parts = append(parts, number(c))
	}
	return strings.Join(parts, "x")
}

func number(square string) string {
	if len(square) != 2 {
		return "?"
	}
	return strconv.Itoa(draughts.At(int(square[0]-'a'), int(square[1]-'1')).Index() + 1)
}

var (
	errNoMove    = errors.New("there is no such move")
	errAmbiguous = errors.New("the move is ambiguous without all captured pieces")
)

// FindMove finds a move of the protocol among legal ones. The captured pieces may
// come in any order, and may be left out where both ends are enough.
func FindMove(legal []games.Move, text string) (games.Move, error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == 'x' })
	if len(parts) < 2 || len(parts) > 2+squares {
		return games.Move{}, errNoMove
	}
	taken := slices.Clone(parts[2:])
	slices.Sort(taken)
	var found []games.Move
	for _, m := range legal {
		if number(m.From) != parts[0] || number(m.To) != parts[1] {
			continue
		}
		numbers := make([]string, len(m.Captures))
		for i, c := range m.Captures {
			numbers[i] = number(c)
		}
		slices.Sort(numbers)
		if slices.Equal(numbers, taken) {
			return m, nil // another path of the same captures is the same move
		}
		if len(taken) == 0 {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return games.Move{}, errNoMove
	case 1:
		return found[0], nil
	}
	for _, m := range found[1:] {
		if !slices.Equal(m.Captures, found[0].Captures) {
			return games.Move{}, errAmbiguous
		}
	}
	return found[0], nil
}
