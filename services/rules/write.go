package rules

import (
	"google.golang.org/protobuf/encoding/protowire"

	"tabuleiro/games"
)

// The functions below write what those of wire.go make, in its wire form and
// without making it. All texts of the games are ASCII.

// tag begins a text or a message within another.
func tag(field byte) byte { return field<<3 | byte(protowire.BytesType) }

// appendText adds a field unless it is empty.
func appendText(out []byte, field byte, s string) []byte {
	if s == "" {
		return out
	}
	return appendItem(out, field, s)
}

// appendItem adds one element of a repeated field, which may be empty.
func appendItem(out []byte, field byte, s string) []byte {
	if len(s) < 0x80 {
		out = append(out, tag(field), byte(len(s)))
	} else {
		out = protowire.AppendVarint(append(out, tag(field)), uint64(len(s)))
	}
	return append(out, s...)
}

func appendItems(out []byte, field byte, list []string) []byte {
	for _, s := range list {
		out = appendItem(out, field, s)
	}
	return out
}

func appendNumber(out []byte, field byte, n uint64) []byte {
	if n == 0 {
		return out
	}
	return protowire.AppendVarint(append(out, field<<3|byte(protowire.VarintType)), n)
}

// open begins a message within another. What follows is its content, until
// shut.
func open(out []byte, field byte) ([]byte, int) {
	out = append(out, tag(field), 0)
	return out, len(out)
}

// shut sets the length of the message whose content begins at start. There is
// room for one byte, which is enough for moves and pieces.
func shut(out []byte, start int) []byte {
	n := len(out) - start
	if n < 0x80 {
		out[start-1] = byte(n)
		return out
	}
	more := protowire.SizeVarint(uint64(n)) - 1
	out = append(out, "\x00\x00\x00\x00"[:more]...)
	copy(out[start+more:], out[start:start+n])
	protowire.AppendVarint(out[:start-1], uint64(n))
	return out
}

func appendApplyResponse(out []byte, g games.Game, m *games.Move, r *games.Ruling) []byte {
	out, start := open(out, 1)
	out = shut(appendMove(out, m), start)
	out, start = open(out, 2)
	return shut(appendRuling(out, g, r), start)
}

func appendInspectResponse(out []byte, g games.Game, r *games.Ruling) []byte {
	out, start := open(out, 1)
	return shut(appendRuling(out, g, r), start)
}

func appendRuling(out []byte, g games.Game, r *games.Ruling) []byte {
	sides := g.Sides()
	out, start := open(out, 1)
	out = appendText(out, 1, r.Position.Rules)
	out = appendText(out, 2, r.Position.Text)
	out = appendText(out, 3, r.Position.Draws)
	out = shut(appendText(out, 4, r.Position.History), start)
	out = appendText(out, 2, sides[r.Side])
	for i := range r.Moves {
		out, start = open(out, 3)
		out = shut(appendMove(out, &r.Moves[i]), start)
	}
	if o := r.Outcome; o != nil {
		out, start = open(out, 4)
		if !o.Draw {
			out = appendItem(out, 1, sides[o.Winner])
		}
		out = shut(appendText(out, 2, o.Reason), start)
	}
	out = appendItems(out, 5, r.Claims)
	for side, can := range r.CanWin {
		if can {
			out = appendItem(out, 6, sides[side])
		}
	}
	out = appendText(out, 7, r.Key)
	out = appendNumber(out, 8, uint64(r.Repetition))
	out = appendItems(out, 9, r.Check)
	out = appendItems(out, 10, r.LastLine)
	for i := range r.Pieces {
		p := &r.Pieces[i]
		out, start = open(out, 11)
		out = appendText(out, 1, p.Square)
		out = appendText(out, 2, sides[p.Side])
		out = shut(appendText(out, 3, p.Kind), start)
	}
	return out
}

func appendMove(out []byte, m *games.Move) []byte {
	out = appendText(out, 1, m.Text)
	out = appendText(out, 2, m.Notation)
	out = appendText(out, 3, m.From)
	out = appendText(out, 4, m.To)
	out = appendItems(out, 5, m.Path)
	out = appendItems(out, 6, m.Captures)
	return appendText(out, 7, m.Promotion)
}
