package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"regexp"
	"sync"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"tabuleiro/gateway/wirejson"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// maxBody bounds a request's body, in bytes.
const maxBody = 64 << 10

// body is a bounded request body that remembers the problem it met: the
// generated handlers turn a decoder's error into mere text.
type body struct {
	io.ReadCloser
	problem *rpc.Problem
}

// toJSON writes what clients read: proto names, nothing that is unset.
var toJSON = protojson.MarshalOptions{UseProtoNames: true}

// jsonCodec reads and writes the JSON of messages strictly.
type jsonCodec struct{ runtime.JSONPb }

// ContentType is that of every answer.
func (*jsonCodec) ContentType(any) string { return "application/json" }

// Marshal writes a message.
func (*jsonCodec) Marshal(v any) ([]byte, error) {
	if m, ok := v.(proto.Message); ok {
		return marshal(m)
	}
	return json.Marshal(v)
}

// wires are buffers for the wire form of an answer.
var wires = sync.Pool{New: func() any { return new([]byte) }}

// marshal writes a message, from its wire form where that goes. An answer that was
// left in it (rpc.Unread) is never read.
func marshal(m proto.Message) ([]byte, error) {
	buffer := wires.Get().(*[]byte)
	defer wires.Put(buffer)
	wire, err := proto.MarshalOptions{}.MarshalAppend((*buffer)[:0], m)
	if err != nil {
		return nil, err
	}
	*buffer = wire
	text, err := wirejson.Append(make([]byte, 0, 64+3*len(wire)), m.ProtoReflect().Descriptor(), wire)
	if err == nil {
		return text, nil
	}
	whole := m.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(wire, whole); err != nil {
		return nil, err
	}
	return marshalWhole(whole)
}

// marshalWhole writes a message compactly: protojson adds blanks at random.
func marshalWhole(m proto.Message) ([]byte, error) {
	text, err := toJSON.Marshal(m)
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return nil, err
	}
	return compact.Bytes(), nil
}

// NewDecoder reads one message and nothing behind it.
func (*jsonCodec) NewDecoder(r io.Reader) runtime.Decoder {
	return runtime.DecoderFunc(func(v any) error {
		problem := decode(r, v)
		if problem == nil {
			return nil
		}
		if b, ok := r.(*body); ok {
			b.problem = problem
		}
		return problem
	})
}

// decode reads a whole body into a message; an empty one leaves it as it is.
func decode(r io.Reader, v any) *rpc.Problem {
	text, err := io.ReadAll(r)
	if err != nil {
		return readProblem(err)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	m, ok := v.(proto.Message)
	if !ok {
		return rpc.Fail("internal", "")
	}
	if !json.Valid(text) {
		return rpc.Fail("bad_json", "")
	}
	if err := protojson.Unmarshal(text, m); err != nil {
		return jsonProblem(err)
	}
	return quoted(text, m.ProtoReflect().Descriptor(), "")
}

var (
	unknownField = regexp.MustCompile(`unknown field "([^"]*)"`)
	badValue     = regexp.MustCompile(`invalid value for \w+ (?:field )?([A-Za-z0-9_.]+)`)
)

// jsonProblem tells an unknown field from a value of the wrong type. The parser
// gives text only; what it names of the request is handed back to its sender.
func jsonProblem(err error) *rpc.Problem {
	if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		return &rpc.Problem{Code: "unknown_field", Fields: []rpc.Field{{Name: m[1], Code: "unknown_field"}}}
	}
	p := &rpc.Problem{Code: "bad_type"}
	if m := badValue.FindStringSubmatch(err.Error()); m != nil {
		p.Fields = []rpc.Field{{Name: m[1], Code: "bad_type"}}
	}
	return p
}

// readProblem says why a body could not be read.
func readProblem(err error) *rpc.Problem {
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return rpc.Fail("body_too_large", "a body is at most 64 KiB")
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return rpc.Fail("request_timeout", "")
	}
	return rpc.Fail("bad_request", "the body could not be read")
}

// created answers 201 where something new came of the request.
func created(_ context.Context, w http.ResponseWriter, m proto.Message) error {
	switch m.(type) {
	case *playv1.CreateGameResponse, *accountsv1.RegisterResponse, *accountsv1.CreateTokenResponse,
		*accountsv1.CreateClassResponse, *accountsv1.AddPupilsResponse, *accountsv1.MakeCodeResponse,
		*playv1.CreateCollectionResponse, *playv1.CreateTournamentResponse:
		w.WriteHeader(http.StatusCreated)
	}
	return nil
}
