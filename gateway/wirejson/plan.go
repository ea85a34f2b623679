package wirejson

import (
	"strconv"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// plan is how a kind of message is written.
type plan struct {
	// other is true for what is left to protojson: it has a form of its own there, or
	// fields of which only one counts.
	other bool
	time  bool // a google.protobuf.Timestamp
	// fields stand at their number; nil for none.
	fields []*field
}

type field struct {
	index int // of its own among the message's fields
	name  string
	kind  protoreflect.Kind
	wire  protowire.Type
	// list and entries say that it is a list or a map; presence, that a zero is
	// written where one was set.
	list, entries, presence bool

	message *plan            // of a message, or of an entry of a map
	enum    map[int32]string // of an enum: the names
}

// highest is the highest number of a field, and most the number of fields, that a
// plan knows; messages with more are left to protojson.
const (
	highest = 255
	most    = 64
)

var plans sync.Map // of *plan, by descriptor

// planOf is the plan of a kind of message; every kind is looked at once.
func planOf(d protoreflect.MessageDescriptor) *plan {
	if p, ok := plans.Load(d); ok {
		return p.(*plan)
	}
	made := map[protoreflect.MessageDescriptor]*plan{}
	p := newPlan(d, made)
	for d, p := range made {
		plans.LoadOrStore(d, p)
	}
	return p
}

func newPlan(d protoreflect.MessageDescriptor, made map[protoreflect.MessageDescriptor]*plan) *plan {
	if p, ok := made[d]; ok {
		return p
	}
	p := &plan{}
	made[d] = p
	switch {
	case d.FullName() == "google.protobuf.Timestamp":
		p.time = true
		return p
	case d.FullName().Parent() == "google.protobuf" && d.FullName() != "google.protobuf.Empty",
		d.Fields().Len() > most, d.ExtensionRanges().Len() > 0:
		p.other = true
		return p
	}
	for i := range d.Fields().Len() {
		of := d.Fields().Get(i)
		f := newField(of, i, made)
		if f == nil || of.Number() > highest {
			p.other = true
			return p
		}
		for len(p.fields) <= int(of.Number()) {
			p.fields = append(p.fields, nil)
		}
		p.fields[of.Number()] = f
	}
	return p
}

// newField is nil for a field that only protojson writes.
func newField(d protoreflect.FieldDescriptor, index int, made map[protoreflect.MessageDescriptor]*plan) *field {
	if one := d.ContainingOneof(); one != nil && !one.IsSynthetic() {
		return nil
	}
	f := &field{
		index: index, name: strconv.Quote(d.TextName()) + ":", kind: d.Kind(),
		list: d.IsList(), entries: d.IsMap(), presence: d.HasPresence(),
	}
	switch d.Kind() {
	case protoreflect.GroupKind:
		return nil
	case protoreflect.MessageKind:
		f.message = newPlan(d.Message(), made)
	case protoreflect.EnumKind:
		if d.Enum().FullName() == "google.protobuf.NullValue" {
			return nil
		}
		f.enum = map[int32]string{}
		for i := range d.Enum().Values().Len() {
			v := d.Enum().Values().Get(i)
			if _, ok := f.enum[int32(v.Number())]; !ok { // of aliases the first
				f.enum[int32(v.Number())] = string(v.Name())
			}
		}
	}
	f.wire = wireOf(d.Kind())
	return f
}

func wireOf(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.MessageKind, protoreflect.StringKind, protoreflect.BytesKind:
		return protowire.BytesType
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	default:
		return protowire.VarintType
	}
}
