package rpc

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	// The codec that the one here stands before.
	standard "google.golang.org/grpc/encoding/proto"
)

// Written is an answer in its wire form, for a handler that writes the message
// itself because it is called very often. It is a message like any other: who
// does not know it reads it as one. It serves one call.
type Written struct {
	kind protoreflect.MessageType
	wire mem.Buffer
}

// NewWritten takes a copy of the wire form of a message of a kind.
func NewWritten(kind proto.Message, wire []byte) *Written {
	return &Written{kind: kind.ProtoReflect().Type(), wire: mem.Copy(wire, mem.DefaultBufferPool())}
}

// Bytes are the wire form, to read until the answer is sent.
func (w *Written) Bytes() []byte { return w.wire.ReadOnlyData() }

// ProtoReflect is the message, read from its wire form; without content where
// that is none.
func (w *Written) ProtoReflect() protoreflect.Message {
	out := w.kind.New()
	if err := proto.Unmarshal(w.Bytes(), out.Interface()); err != nil {
		return w.kind.Zero()
	}
	return out
}

// codec is the standard one, except that it sends what is written as it is.
type codec struct{ encoding.CodecV2 }

func withCodec() grpc.ServerOption {
	return grpc.ForceServerCodecV2(codec{encoding.GetCodecV2(standard.Name)})
}

// Marshal hands the bytes of what is written on to gRPC, which frees them.
func (c codec) Marshal(v any) (mem.BufferSlice, error) {
	if w, ok := v.(*Written); ok {
		return mem.BufferSlice{w.wire}, nil
	}
	return c.CodecV2.Marshal(v)
}

// Unread makes calls on a connection that leave the answers as they came: a message
// that holds its wire form, whole, as fields that it does not know. Written again
// it is the same message; for who only hands answers on, reading them is lost.
func Unread(conn grpc.ClientConnInterface) grpc.ClientConnInterface { return unread{conn} }

type unread struct{ grpc.ClientConnInterface }

// Invoke calls a method.
func (u unread) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	return u.ClientConnInterface.Invoke(ctx, method, args, reply, append(opts, grpc.ForceCodecV2(leave{encoding.GetCodecV2(standard.Name)}))...)
}

// leave is the standard codec but for what it reads.
type leave struct{ encoding.CodecV2 }

// Unmarshal leaves the wire form.
func (l leave) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return l.CodecV2.Unmarshal(data, v)
	}
	m.ProtoReflect().SetUnknown(data.Materialize())
	return nil
}
