// Package wirejson writes the JSON of a message straight from its wire form: what a
// service answered becomes what a client reads, without a message in between.
//
// The JSON is that of protojson with the names of the contracts and without what is
// unset, compact. Whatever a message may look like that ours never do (a singular
// field twice, a list in two pieces, text that is not UTF-8, kinds with a JSON form
// of their own but timestamps) is refused with [ErrOther]; protojson takes it from
// there.
package wirejson

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// ErrOther says that a message must be written in another way.
var ErrOther = errors.New("wirejson: not written from its wire form")

// depth bounds how deep messages lie in each other.
const depth = 64

// Append appends the JSON of the message of a kind that has a wire form.
func Append(out []byte, kind protoreflect.MessageDescriptor, wire []byte) ([]byte, error) {
	w := writer{out: out}
	if !w.message(planOf(kind), wire, depth) {
		return out, ErrOther
	}
	return w.out, nil
}

// writer appends; its methods return false where they cannot.
type writer struct{ out []byte }

func (w *writer) message(p *plan, wire []byte, deep int) bool {
	switch {
	case p.other || deep == 0:
		return false
	case p.time:
		return w.time(wire)
	}
	w.out = append(w.out, '{')
	var seen uint64   // the fields that were there, by index
	var before *field // the list or map that is not closed yet
	for len(wire) > 0 {
		number, kind, value, rest, ok := nextField(wire)
		if !ok {
			return false
		}
		wire = rest
		if int(number) >= len(p.fields) || p.fields[number] == nil {
			continue // a newer service knows it
		}
		f := p.fields[number]
		if f == before {
			w.out = append(w.out, ',')
			if !w.element(f, kind, value, deep) {
				return false
			}
			continue
		}
		if seen&(1<<f.index) != 0 {
			return false
		}
		seen |= 1 << f.index
		if kind != f.wire && !(f.list && kind == protowire.BytesType) {
			return false
		}
		if !f.list && !f.entries && !f.presence && isZero(kind, value) || f.list && f.wire != kind && isEmpty(value) {
			continue
		}
		before = w.close(before)
		if w.out[len(w.out)-1] != '{' {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, f.name...)
		switch {
		case f.list:
			w.out = append(w.out, '[')
			before = f
		case f.entries:
			w.out = append(w.out, '{')
			before = f
		}
		if !w.element(f, kind, value, deep) {
			return false
		}
	}
	w.close(before)
	w.out = append(w.out, '}')
	return true
}

// nextField cuts the first field off: its number and type, and its value, whose
// form is right for the type.
func nextField(wire []byte) (number protowire.Number, kind protowire.Type, value, rest []byte, ok bool) {
	number, kind, tag := protowire.ConsumeTag(wire)
	if tag < 0 {
		return 0, 0, nil, nil, false
	}
	n := protowire.ConsumeFieldValue(number, kind, wire[tag:])
	if n < 0 {
		return 0, 0, nil, nil, false
	}
	return number, kind, wire[tag : tag+n], wire[tag+n:], true
}

// close ends a list or a map.
func (w *writer) close(f *field) *field {
	switch {
	case f == nil:
	case f.list:
		w.out = append(w.out, ']')
	default:
		w.out = append(w.out, '}')
	}
	return nil
}

// element writes the value of a field, or one of its values.
func (w *writer) element(f *field, kind protowire.Type, value []byte, deep int) bool {
	switch {
	case f.entries:
		return kind == protowire.BytesType && w.entry(f.message, value, deep)
	case kind == f.wire:
		return w.value(f, value, deep)
	case !f.list || kind != protowire.BytesType:
		return false
	}
	// Numbers of a list, packed.
	packed, n := protowire.ConsumeBytes(value)
	if n < 0 {
		return false
	}
	for first := true; len(packed) > 0; first = false {
		n := protowire.ConsumeFieldValue(1, f.wire, packed)
		if n < 0 {
			return false
		}
		if !first {
			w.out = append(w.out, ',')
		}
		if !w.value(f, packed[:n], deep) {
			return false
		}
		packed = packed[n:]
	}
	return true
}

// entry writes one key and value of a map. A key that comes twice is not looked
// for: no map of ours has one, and the last of them counts for most readers of JSON
// as it does for messages.
func (w *writer) entry(p *plan, wire []byte, deep int) bool {
	wire, n := protowire.ConsumeBytes(wire)
	if n < 0 || p.other || len(p.fields) != 3 {
		return false
	}
	var values [3][]byte
	for len(wire) > 0 {
		number, kind, value, rest, ok := nextField(wire)
		if !ok || number > 2 || kind != p.fields[number].wire || values[number] != nil {
			return false
		}
		values[number], wire = value, rest
	}
	if p.fields[1].kind != protoreflect.StringKind {
		return false
	}
	for i := range 2 { // what is not there is zero
		if values[i+1] == nil {
			values[i+1] = zero[p.fields[i+1].wire]
		}
	}
	if !w.value(p.fields[1], values[1], deep) {
		return false
	}
	w.out = append(w.out, ':')
	return w.value(p.fields[2], values[2], deep)
}

// zero is the wire form of the zero of a type.
var zero = map[protowire.Type][]byte{
	protowire.VarintType: {0}, protowire.BytesType: {0},
	protowire.Fixed32Type: make([]byte, 4), protowire.Fixed64Type: make([]byte, 8),
}

// isZero tells whether a value is the one that an unset field has.
func isZero(kind protowire.Type, value []byte) bool {
	switch kind {
	case protowire.BytesType:
		return isEmpty(value)
	case protowire.VarintType:
		v, _ := protowire.ConsumeVarint(value)
		return v == 0
	}
	for _, b := range value {
		if b != 0 {
			return false
		}
	}
	return true
}

func isEmpty(value []byte) bool {
	v, n := protowire.ConsumeBytes(value)
	return n >= 0 && len(v) == 0
}

// value writes one value. Its length and its type are right.
func (w *writer) value(f *field, wire []byte, deep int) bool {
	var number uint64
	var bytes []byte
	switch f.wire {
	case protowire.VarintType:
		number, _ = protowire.ConsumeVarint(wire)
	case protowire.BytesType:
		bytes, _ = protowire.ConsumeBytes(wire)
	case protowire.Fixed32Type:
		v, _ := protowire.ConsumeFixed32(wire)
		number = uint64(v)
	case protowire.Fixed64Type:
		number, _ = protowire.ConsumeFixed64(wire)
	}
	switch f.kind {
	case protoreflect.MessageKind:
		return w.message(f.message, bytes, deep-1)
	case protoreflect.StringKind:
		return w.text(bytes)
	case protoreflect.BytesKind:
		w.out = append(w.out, '"')
		w.out = base64.StdEncoding.AppendEncode(w.out, bytes)
		w.out = append(w.out, '"')
	case protoreflect.BoolKind:
		w.out = strconv.AppendBool(w.out, number != 0)
	case protoreflect.Int32Kind, protoreflect.Sfixed32Kind:
		w.out = strconv.AppendInt(w.out, int64(int32(number)), 10)
	case protoreflect.Sint32Kind:
		w.out = strconv.AppendInt(w.out, int64(int32(protowire.DecodeZigZag(number&math.MaxUint32))), 10)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		w.out = strconv.AppendUint(w.out, uint64(uint32(number)), 10)
	case protoreflect.Int64Kind, protoreflect.Sfixed64Kind: // text, since JavaScript has no such numbers
		w.quoted(strconv.AppendInt(nil, int64(number), 10))
	case protoreflect.Sint64Kind:
		w.quoted(strconv.AppendInt(nil, protowire.DecodeZigZag(number), 10))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		w.quoted(strconv.AppendUint(nil, number, 10))
	case protoreflect.FloatKind:
		w.float(float64(math.Float32frombits(uint32(number))), 32)
	case protoreflect.DoubleKind:
		w.float(math.Float64frombits(number), 64)
	case protoreflect.EnumKind:
		if name, ok := f.enum[int32(number)]; ok {
			w.quoted([]byte(name))
		} else {
			w.out = strconv.AppendInt(w.out, int64(int32(number)), 10)
		}
	default:
		return false
	}
	return true
}

func (w *writer) quoted(text []byte) {
	w.out = append(w.out, '"')
	w.out = append(w.out, text...)
	w.out = append(w.out, '"')
}

// text writes a string; only what JSON demands is escaped.
func (w *writer) text(text []byte) bool {
	w.out = append(w.out, '"')
	start, wide := 0, false
	for i, c := range text {
		wide = wide || c >= utf8.RuneSelf
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		w.out = append(w.out, text[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			w.out = append(w.out, '\\', c)
		case '\n':
			w.out = append(w.out, '\\', 'n')
		case '\r':
			w.out = append(w.out, '\\', 'r')
		case '\t':
			w.out = append(w.out, '\\', 't')
		default:
			const digits = "0123456789abcdef"
			w.out = append(w.out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	w.out = append(append(w.out, text[start:]...), '"')
	return !wide || utf8.Valid(text)
}

// float writes a number as encoding/json does, and what is no number as text.
func (w *writer) float(n float64, bits int) {
	switch {
	case math.IsNaN(n):
		w.quoted([]byte("NaN"))
		return
	case math.IsInf(n, 1):
		w.quoted([]byte("Infinity"))
		return
	case math.IsInf(n, -1):
		w.quoted([]byte("-Infinity"))
		return
	}
	form := byte('f')
	low, high := 1e-6, 1e21
	if abs := math.Abs(n); abs != 0 && (abs < low || abs >= high) {
		form = 'e'
	}
	w.out = strconv.AppendFloat(w.out, n, form, -1, bits)
}

// Timestamps are of the years 1 to 9999.
const firstSecond, lastSecond = -62135596800, 253402300799

// time writes a timestamp in UTC, with as many groups of three decimals as it needs.
func (w *writer) time(wire []byte) bool {
	var parts [3]int64 // seconds and nanoseconds, by number
	for len(wire) > 0 {
		number, kind, value, rest, ok := nextField(wire)
		if !ok || kind != protowire.VarintType || number > 2 || parts[number] != 0 {
			return false
		}
		v, _ := protowire.ConsumeVarint(value)
		parts[number], wire = int64(v), rest
	}
	seconds, nanos := parts[1], parts[2]
	if seconds < firstSecond || seconds > lastSecond || nanos < 0 || nanos >= 1e9 {
		return false
	}
	layout := `"2006-01-02T15:04:05.000000000Z"`
	switch {
	case nanos == 0:
		layout = `"2006-01-02T15:04:05Z"`
	case nanos%1e6 == 0:
		layout = `"2006-01-02T15:04:05.000Z"`
	case nanos%1e3 == 0:
		layout = `"2006-01-02T15:04:05.000000Z"`
	}
	w.out = time.Unix(seconds, nanos).UTC().AppendFormat(w.out, layout)
	return true
}
