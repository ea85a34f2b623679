package gateway

import (
	"bytes"
	"encoding/json"

	"google.golang.org/protobuf/reflect/protoreflect"

	"tabuleiro/internal/rpc"
)

// quoted finds a number or a truth value that was sent as text. The JSON of
// messages allows it, for numbers that JavaScript cannot hold; ours all fit, and
// a client that quotes them has a fault that it should hear of. The text is valid
// JSON.
func quoted(text []byte, m protoreflect.MessageDescriptor, path string) *rpc.Problem {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil {
		return nil // not an object: the parser says what is wrong
	}
	for name, value := range object {
		field := m.Fields().ByTextName(name)
		if field == nil || field.IsList() || field.IsMap() {
			continue
		}
		value = bytes.TrimSpace(value)
		switch field.Kind() {
		case protoreflect.MessageKind:
			if problem := quoted(value, field.Message(), path+name+"."); problem != nil {
				return problem
			}
		case protoreflect.Int32Kind, protoreflect.BoolKind:
			if len(value) > 0 && value[0] == '"' {
				return &rpc.Problem{Code: "bad_type", Fields: []rpc.Field{{Name: path + name, Code: "bad_type"}}}
			}
		}
	}
	return nil
}
