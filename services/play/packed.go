package play

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A game holds its moves, its plies and its pieces many times over: each event has
// the ruling after it. In storage each such list is one text, whose items have a
// blank between them and whose fields a slash; what mostly follows from the field
// before is left out then. Objects, as before, are read too.
//
//	moves   e2e4/e4 e7e8q/e8=Q////q    text/notation/from/to/path/captures/promotion
//	plies   e2e4/e4///////white        those of a move, then number/side/took/credited/taken
//	pieces  a1/white/rook b1//knight   square/side/kind, both as before where left out

type (
	// Moves is a list of moves that is stored as one text.
	Moves []Move
	// Plies is a list of plies that is stored as one text.
	Plies []Ply
	// Pieces is a list of pieces that is stored as one text.
	Pieces []Piece
)

// MarshalText implements encoding.TextMarshaler.
func (list Moves) MarshalText() ([]byte, error) {
	p := packer{out: make([]byte, 0, 16*len(list))}
	for i := range list {
		p.item()
		p.move(&list[i])
	}
	return p.done(), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (list *Moves) UnmarshalJSON(text []byte) error {
	return unpack(text, (*[]Move)(list), func(u *unpacker, m *Move, _ int) { u.move(m) })
}

// MarshalText implements encoding.TextMarshaler.
func (list Plies) MarshalText() ([]byte, error) {
	p := packer{out: make([]byte, 0, 24*len(list))}
	for i := range list {
		ply := &list[i]
		p.item()
		p.move(&ply.Move)
		p.number(ply.Number, int32(i)+1)
		p.field(ply.Side, list.sideBefore(i))
		p.number(ply.TookMS, 0)
		p.number(ply.CreditedMS, 0)
		p.list(ply.Taken)
	}
	return p.done(), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (list *Plies) UnmarshalJSON(text []byte) error {
	return unpack(text, (*[]Ply)(list), func(u *unpacker, ply *Ply, i int) {
		u.move(&ply.Move)
		ply.Number = u.number(int32(i) + 1)
		ply.Side = u.field((*list).sideBefore(i))
		ply.TookMS, ply.CreditedMS = u.number(0), u.number(0)
		ply.Taken = u.list(nil)
	})
}

// sideBefore is the side that is expected of a ply: that of the last but one.
func (list Plies) sideBefore(i int) string {
	if i < 2 {
		return ""
	}
	return list[i-2].Side
}

// MarshalText implements encoding.TextMarshaler.
func (list Pieces) MarshalText() ([]byte, error) {
	p := packer{out: make([]byte, 0, 8*len(list))}
	var before Piece
	for _, piece := range list {
		p.item()
		p.field(piece.Square, "")
		p.field(piece.Side, before.Side)
		p.field(piece.Kind, before.Kind)
		before = piece
	}
	return p.done(), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (list *Pieces) UnmarshalJSON(text []byte) error {
	var before Piece
	return unpack(text, (*[]Piece)(list), func(u *unpacker, piece *Piece, _ int) {
		piece.Square, piece.Side, piece.Kind = u.field(""), u.field(before.Side), u.field(before.Kind)
		before = *piece
	})
}

// ends are the squares that a move mostly begins and ends on, by its text.
func (m *Move) ends() (from, to string) {
	t := m.Text
	switch {
	case len(t) < 4:
		return "", ""
	case len(t) <= 5 && t[2] != '-' && t[2] != 'x': // e2e4, e7e8q
		return t[:2], t[2:4]
	default:
		return t[:2], t[len(t)-2:]
	}
}

// none stands for an empty field where another was to be expected; mark escapes
// what else would end a field.
const (
	none     = "~"
	mark     = '%'
	reserved = " /,~%"
)

type packer struct {
	out []byte
	// start is where the item begins, full where its fields that are not left out
	// end.
	start, full int
	items       int
}

// item begins one.
func (p *packer) item() {
	if p.items > 0 {
		p.out = append(p.close(), ' ')
	}
	p.items++
	p.start, p.full = len(p.out), len(p.out)
}

// close ends an item; one that has no field is a slash.
func (p *packer) close() []byte {
	if p.full == p.start {
		return append(p.out[:p.full], '/')
	}
	return p.out[:p.full]
}

func (p *packer) done() []byte {
	if p.items == 0 {
		return nil
	}
	return p.close()
}

// end ends a field; one that was left out counts only where another follows.
func (p *packer) end(written bool) {
	if written {
		p.full = len(p.out)
	}
	p.out = append(p.out, '/')
}

func (p *packer) field(value, expected string) {
	switch value {
	case expected:
		p.end(false)
		return
	case "":
		p.out = append(p.out, none...)
	default:
		p.text(value)
	}
	p.end(true)
}

func (p *packer) text(value string) {
	if !strings.ContainsAny(value, reserved) {
		p.out = append(p.out, value...)
		return
	}
	for i := range len(value) {
		if c := value[i]; strings.IndexByte(reserved, c) >= 0 {
			p.out = append(p.out, mark, "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		} else {
			p.out = append(p.out, c)
		}
	}
}

func (p *packer) number(value, expected int32) {
	if value == expected {
		p.end(false)
		return
	}
	p.out = strconv.AppendInt(p.out, int64(value), 10)
	p.end(true)
}

func (p *packer) list(values []string, expected ...string) {
	switch {
	case equal(values, expected):
		p.end(false)
		return
	case len(values) == 0:
		p.out = append(p.out, none...)
	}
	for i, v := range values {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		if v == "" {
			p.out = append(p.out, mark)
		}
		p.text(v)
	}
	p.end(true)
}

// equal is slices.Equal, but for the empty list, which is none.
func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (p *packer) move(m *Move) {
	from, to := m.ends()
	p.field(m.Text, "")
	p.field(m.Notation, "")
	p.field(m.From, from)
	p.field(m.To, to)
	if m.From == "" && m.To == "" {
		p.list(m.Path)
	} else {
		p.list(m.Path, m.From, m.To)
	}
	p.list(m.Captures)
	p.field(m.Promotion, "")
}

// unpack reads a list from its text, or from the objects that were written before.
func unpack[T any](text []byte, into *[]T, read func(u *unpacker, item *T, i int)) error {
	if len(text) == 0 || text[0] != '"' {
		return json.Unmarshal(text, into)
	}
	var packed string
	if err := json.Unmarshal(text, &packed); err != nil {
		return err
	}
	*into = nil
	if packed == "" {
		return nil
	}
	items := make([]T, strings.Count(packed, " ")+1)
	*into = items // for those that look back
	for i := range items {
		u := unpacker{}
		u.rest, packed, _ = strings.Cut(packed, " ")
		read(&u, &items[i], i)
		if u.err != nil || u.rest != "" {
			return fmt.Errorf("unpack item %d: %q is left, %w", i, u.rest, u.err)
		}
	}
	return nil
}

type unpacker struct {
	rest string
	err  error
}

func (u *unpacker) next() string {
	field, rest, _ := strings.Cut(u.rest, "/")
	u.rest = rest
	return field
}

func (u *unpacker) field(expected string) string {
	switch f := u.next(); f {
	case "":
		return expected
	case none:
		return ""
	default:
		return u.text(f)
	}
}

func (u *unpacker) text(field string) string {
	if strings.IndexByte(field, mark) < 0 {
		return field
	}
	var out strings.Builder
	for i := 0; i < len(field); i++ {
		if field[i] != mark {
			out.WriteByte(field[i])
			continue
		}
		c, err := strconv.ParseUint(field[i+1:min(i+3, len(field))], 16, 8)
		if err != nil {
			u.err = err
			return ""
		}
		out.WriteByte(byte(c))
		i += 2
	}
	return out.String()
}

func (u *unpacker) number(expected int32) int32 {
	f := u.next()
	if f == "" {
		return expected
	}
	n, err := strconv.ParseInt(f, 10, 32)
	if err != nil {
		u.err = err
	}
	return int32(n)
}

func (u *unpacker) list(expected []string) []string {
	f := u.next()
	switch f {
	case "":
		return expected
	case none:
		return nil
	}
	values := strings.Split(f, ",")
	for i, v := range values {
		if v == string(mark) {
			values[i] = ""
		} else {
			values[i] = u.text(v)
		}
	}
	return values
}

func (u *unpacker) move(m *Move) {
	m.Text = u.field("")
	m.Notation = u.field("")
	from, to := m.ends()
	m.From, m.To = u.field(from), u.field(to)
	var path []string
	if m.From != "" || m.To != "" {
		path = []string{m.From, m.To}
	}
	m.Path = u.list(path)
	m.Captures = u.list(nil)
	m.Promotion = u.field("")
}
