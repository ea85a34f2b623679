package wirejson

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"

	_ "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	_ "tabuleiro/proto/tabuleiro/rules/v1"
	_ "tabuleiro/proto/tabuleiro/search/v1"
	_ "tabuleiro/proto/tabuleiro/tutor/v1"
)

// every is a message with a field of every kind: singular, with presence, as a list,
// and as the value of a map.
func every(t testing.TB) protoreflect.MessageDescriptor {
	t.Helper()
	field := func(name string, number int32, kind descriptorpb.FieldDescriptorProto_Type, label descriptorpb.FieldDescriptorProto_Label) *descriptorpb.FieldDescriptorProto {
		f := &descriptorpb.FieldDescriptorProto{Name: &name, Number: &number, Type: &kind, Label: &label}
		switch kind {
		case descriptorpb.FieldDescriptorProto_TYPE_MESSAGE:
			f.TypeName = proto.String(".test.Every")
		case descriptorpb.FieldDescriptorProto_TYPE_ENUM:
			f.TypeName = proto.String(".test.Colour")
		}
		return f
	}
	one, many := descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL, descriptorpb.FieldDescriptorProto_LABEL_REPEATED
	message := &descriptorpb.DescriptorProto{Name: proto.String("Every")}
	number := int32(0)
	for kind := descriptorpb.FieldDescriptorProto_TYPE_DOUBLE; kind <= descriptorpb.FieldDescriptorProto_TYPE_SINT64; kind++ {
		if kind == descriptorpb.FieldDescriptorProto_TYPE_GROUP {
			continue
		}
		name := strings.ToLower(strings.TrimPrefix(kind.String(), "TYPE_"))
		number += 3
		message.Field = append(message.Field, field("one_"+name, number, kind, one), field("many_"+name, number+1, kind, many))
		set := field("set_"+name, number+2, kind, one)
		set.Proto3Optional, set.OneofIndex = proto.Bool(true), proto.Int32(int32(len(message.OneofDecl)))
		message.Field = append(message.Field, set)
		message.OneofDecl = append(message.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String("_set_" + name)})
	}
	number += 3
	entry := field("entries", number, descriptorpb.FieldDescriptorProto_TYPE_MESSAGE, many)
	entry.TypeName = proto.String(".test.Every.EntriesEntry")
	message.Field = append(message.Field, entry)
	message.NestedType = append(message.NestedType, &descriptorpb.DescriptorProto{
		Name: proto.String("EntriesEntry"), Options: &descriptorpb.MessageOptions{MapEntry: proto.Bool(true)},
		Field: []*descriptorpb.FieldDescriptorProto{
			field("key", 1, descriptorpb.FieldDescriptorProto_TYPE_STRING, one),
			field("value", 2, descriptorpb.FieldDescriptorProto_TYPE_INT32, one),
		},
	})
	file, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String("every.proto"), Package: proto.String("test"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{message},
		EnumType: []*descriptorpb.EnumDescriptorProto{{Name: proto.String("Colour"), Value: []*descriptorpb.EnumValueDescriptorProto{
			{Name: proto.String("NONE"), Number: proto.Int32(0)}, {Name: proto.String("RED"), Number: proto.Int32(1)}}}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return file.Messages().Get(0)
}

// ours are all messages of the contracts.
func ours() (list []protoreflect.MessageDescriptor) {
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		if strings.HasPrefix(string(f.Package()), "tabuleiro.") {
			for i := range f.Messages().Len() {
				list = append(list, f.Messages().Get(i))
			}
		}
		return true
	})
	return list
}

// draw fills a message at random.
func draw(t *rapid.T, m protoreflect.Message, deep int) {
	for i := range m.Descriptor().Fields().Len() {
		f := m.Descriptor().Fields().Get(i)
		if f.Kind() == protoreflect.MessageKind && deep == 0 || !rapid.Bool().Draw(t, "set") {
			continue
		}
		switch {
		case f.IsMap():
			for range rapid.IntRange(0, 2).Draw(t, "entries") {
				key := protoreflect.ValueOfString(rapid.String().Draw(t, "key")).MapKey()
				m.Mutable(f).Map().Set(key, drawValue(t, m.NewField(f).Map().NewValue(), f.MapValue(), deep))
			}
		case f.IsList():
			for range rapid.IntRange(0, 3).Draw(t, "elements") {
				list := m.Mutable(f).List()
				list.Append(drawValue(t, list.NewElement(), f, deep))
			}
		default:
			m.Set(f, drawValue(t, m.NewField(f), f, deep))
		}
	}
}

func drawValue(t *rapid.T, empty protoreflect.Value, f protoreflect.FieldDescriptor, deep int) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.MessageKind:
		if f.Message().FullName() == "google.protobuf.Timestamp" {
			at := timestamppb.Timestamp{
				Seconds: rapid.Int64Range(firstSecond, lastSecond).Draw(t, "seconds"),
				Nanos:   rapid.SampledFrom([]int32{0, 120e6, 5000, 999999999}).Draw(t, "nanos"),
			}
			fields := empty.Message().Descriptor().Fields()
			empty.Message().Set(fields.ByName("seconds"), protoreflect.ValueOfInt64(at.Seconds))
			empty.Message().Set(fields.ByName("nanos"), protoreflect.ValueOfInt32(at.Nanos))
			return empty
		}
		draw(t, empty.Message(), deep-1)
		return empty
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(rapid.IntRange(0, 2).Draw(t, "enum")))
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(rapid.String().Draw(t, "text"))
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(rapid.Bool().Draw(t, "bool"))
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(rapid.Float32().Draw(t, "float"))
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(rapid.Float64().Draw(t, "double"))
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(rapid.Int32().Draw(t, "number"))
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(rapid.Uint32().Draw(t, "number"))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(rapid.Uint64().Draw(t, "number"))
	default:
		return protoreflect.ValueOfInt64(rapid.Int64().Draw(t, "number"))
	}
}

// wanted is the JSON of protojson, read.
func wanted(m proto.Message) (any, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	var v any
	return v, json.Unmarshal(text, &v)
}

func checkSame(t interface {
	Helper()
	Fatalf(string, ...any)
}, m proto.Message, text []byte) {
	t.Helper()
	var got any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	want, err := wanted(m)
	if err != nil {
		t.Fatalf("protojson refuses %v, not we: %v", m, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %s\nwant %v", text, want)
	}
}

// TestSameAsProtoJSON: whatever a message holds, of ours and with every kind of field.
func TestSameAsProtoJSON(t *testing.T) {
	kinds := append(ours(), every(t))
	if len(kinds) < 100 {
		t.Fatalf("only %d kinds of messages", len(kinds))
	}
	rapid.Check(t, func(t *rapid.T) {
		m := dynamicpb.NewMessage(rapid.SampledFrom(kinds).Draw(t, "kind"))
		draw(t, m, 3)
		wire, err := proto.Marshal(m)
		if err != nil {
			t.Fatalf("a drawn message has no wire form: %v", err)
		}
		text, err := Append([]byte("before"), m.Descriptor(), wire)
		if err != nil {
			t.Fatalf("%v of %s", err, m.Descriptor().FullName())
		}
		if !strings.HasPrefix(string(text), "before{") {
			t.Fatalf("%s", text)
		}
		checkSame(t, m, text[len("before"):])
	})
}

// TestOursAreWritten: no message of the contracts that clients read is left to protojson.
func TestOursAreWritten(t *testing.T) {
	for _, d := range ours() {
		if planOf(d).other {
			t.Errorf("%s is not written from its wire form", d.FullName())
		}
	}
}

func TestOtherForms(t *testing.T) {
	d := (&playv1.MoveRequest{}).ProtoReflect().Descriptor()
	text := func(number protowire.Number, s string) []byte {
		return protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), s)
	}
	move := d.Fields().ByName("move").Number()
	for name, wire := range map[string][]byte{
		"a field twice":     append(text(move, "e2e4"), text(move, "d2d4")...),
		"no UTF-8":          text(move, "\xff"),
		"another wire type": protowire.AppendVarint(protowire.AppendTag(nil, move, protowire.VarintType), 1),
		"cut off":           text(move, "e2e4")[:3],
	} {
		out, err := Append([]byte("kept"), d, wire)
		if !errors.Is(err, ErrOther) || string(out) != "kept" {
			t.Errorf("%s: got %q, %v", name, out, err)
		}
	}
	duration := durationpb.New(1)
	wire, err := proto.Marshal(duration)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Append(nil, duration.ProtoReflect().Descriptor(), wire); !errors.Is(err, ErrOther) {
		t.Errorf("a duration: %v", err)
	}
	late := &timestamppb.Timestamp{Seconds: math.MaxInt64}
	if wire, err = proto.Marshal(late); err != nil {
		t.Fatal(err)
	}
	if _, err := Append(nil, late.ProtoReflect().Descriptor(), wire); !errors.Is(err, ErrOther) {
		t.Errorf("a time that is none: %v", err)
	}
}

// FuzzAppend: of any bytes it writes what protojson writes of the message that they
// are, or nothing.
func FuzzAppend(f *testing.F) {
	kinds := []protoreflect.MessageDescriptor{every(f), (&playv1.Game{}).ProtoReflect().Descriptor()}
	whole, err := proto.Marshal(&playv1.Game{Id: "a", Turn: 3, Plies: []*playv1.Ply{{Side: "white"}, {}}, CreatedAt: timestamppb.New(timestamppb.Now().AsTime())})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, wire []byte) {
		for _, kind := range kinds {
			text, err := Append(nil, kind, wire)
			if err != nil {
				continue
			}
			m := dynamicpb.NewMessage(kind)
			if err := proto.Unmarshal(wire, m); err != nil {
				t.Fatalf("wrote %s of what is no message: %v", text, err)
			}
			checkSame(t, m, text)
		}
	})
}
