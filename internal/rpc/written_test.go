package rpc

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// writer answers Inspect with what it has written.
func writer(wire []byte) *grpc.ServiceDesc {
	handler := func(srv any, ctx context.Context, decode func(any) error, around grpc.UnaryServerInterceptor) (any, error) {
		in := new(rulesv1.InspectRequest)
		if err := decode(in); err != nil {
			return nil, err
		}
		info := &grpc.UnaryServerInfo{Server: srv, FullMethod: rulesv1.RulesService_Inspect_FullMethodName}
		return around(ctx, in, info, func(context.Context, any) (any, error) {
			return NewWritten((*rulesv1.InspectResponse)(nil), wire), nil
		})
	}
	return &grpc.ServiceDesc{
		ServiceName: rulesv1.RulesService_ServiceDesc.ServiceName,
		HandlerType: (*any)(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "Inspect", Handler: handler}},
	}
}

// dialWriter connects to a server with that handler.
func dialWriter(t *testing.T, wire []byte) *grpc.ClientConn {
	t.Helper()
	network, server := NewInProcess(), NewServer(ServerConfig{Service: "test"})
	server.RegisterService(writer(wire), struct{}{})
	go server.Serve(network.Listen("rules"))
	t.Cleanup(server.Stop)
	conn, err := network.Dial("rules", ClientConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// TestWrittenIsAMessage: a client cannot tell who wrote an answer, over gRPC and
// directly, short or long.
func TestWrittenIsAMessage(t *testing.T) {
	for _, key := range []string{"", "k", strings.Repeat("long", 5000)} {
		want := &rulesv1.InspectResponse{Ruling: &commonv1.Ruling{Key: key, Repetition: 3}}
		wire, err := proto.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		cfg := ServerConfig{Service: "test"}
		direct := NewDirect(cfg)
		direct.RegisterService(writer(wire), struct{}{})
		for _, c := range []grpc.ClientConnInterface{dialWriter(t, wire), direct.Dial(ClientConfig{})} {
			request := &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: "chess"}}
			for range 3 {
				got, err := rulesv1.NewRulesServiceClient(c).Inspect(context.Background(), request)
				if err != nil || !proto.Equal(got, want) {
					t.Fatalf("got %v, %v\nwant %v", got, err, want)
				}
			}
		}
		if w := NewWritten(want, wire); string(w.Bytes()) != string(wire) || !proto.Equal(w, want) {
			t.Errorf("got %x, want %x", w.Bytes(), wire)
		}
	}
}

// TestWrittenBadly: bytes that are no message are one without content, not a
// panic.
func TestWrittenBadly(t *testing.T) {
	w := NewWritten((*rulesv1.InspectResponse)(nil), []byte{0xff})
	if w.ProtoReflect().IsValid() || proto.Size(w) != 0 {
		t.Errorf("got %v", w.ProtoReflect())
	}
}

// TestUnreadIsHandedOn: an answer that nobody read is the same one when it is
// written again, and an error is still an error.
func TestUnreadIsHandedOn(t *testing.T) {
	want := &rulesv1.InspectResponse{Ruling: &commonv1.Ruling{Key: strings.Repeat("k", 5000), Repetition: 3}}
	wire, err := proto.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	conn := dialWriter(t, wire)
	client := rulesv1.NewRulesServiceClient(Unread(conn))
	got, err := client.Inspect(context.Background(), &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: "chess"}})
	if err != nil {
		t.Fatal(err)
	}
	if got.GetRuling() != nil {
		t.Errorf("the answer was read: %v", got.GetRuling())
	}
	again, err := proto.Marshal(got)
	read := &rulesv1.InspectResponse{}
	if err != nil || proto.Unmarshal(again, read) != nil || !proto.Equal(read, want) {
		t.Errorf("got %x, %v, want %x", again, err, wire)
	}
	if _, err := client.Inspect(context.Background(), &rulesv1.InspectRequest{}); ToProblem(err).Code != "bad_field" {
		t.Errorf("got %v, want a problem", err)
	}
}
