package rpc

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Direct calls handlers in the caller's goroutine, through the chains of both
// ends and with copies of the messages, but without a network: for simulations
// that choose every step themselves. Register all services before the first
// call; it is safe for concurrent use after that.
type Direct struct {
	chain   grpc.UnaryServerInterceptor
	methods map[string]handler
}

type handler struct {
	service any
	handle  grpc.MethodHandler
}

// NewDirect makes one without services.
func NewDirect(cfg ServerConfig) *Direct {
	return &Direct{chain: UnaryChain(cfg), methods: map[string]handler{}}
}

// RegisterService makes Direct a grpc.ServiceRegistrar.
func (d *Direct) RegisterService(desc *grpc.ServiceDesc, service any) {
	for _, m := range desc.Methods {
		d.methods["/"+desc.ServiceName+"/"+m.MethodName] = handler{service, m.Handler}
	}
}

// Dial returns a connection for the generated clients.
func (d *Direct) Dial(cfg ClientConfig) grpc.ClientConnInterface {
	return &directConn{direct: d, around: ClientInterceptor(cfg)}
}

type directConn struct {
	direct *Direct
	around grpc.UnaryClientInterceptor
}

// Invoke calls the method.
func (c *directConn) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	return c.around(ctx, method, args, reply, nil, c.direct.invoke, opts...)
}

// NewStream fails: our contracts have no streaming methods.
func (c *directConn) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, status.Error(codes.Unimplemented, "streams are not called directly")
}

func (d *Direct) invoke(ctx context.Context, method string, req, reply any, _ *grpc.ClientConn, _ ...grpc.CallOption) error {
	h, ok := d.methods[method]
	if !ok {
		return status.Errorf(codes.Unimplemented, "unknown method %s", method)
	}
	if err := ctx.Err(); err != nil {
		return status.FromContextError(err).Err()
	}
	md, _ := metadata.FromOutgoingContext(ctx)
	// Only the deadline and the end cross the wire, not the caller's values.
	inner := metadata.NewIncomingContext(bare{ctx}, md)
	out, err := h.handle(h.service, inner, func(into any) error { return copyMessage(into, req) }, d.chain)
	if err != nil {
		return err
	}
	return copyMessage(reply, out)
}

// copyMessage copies as the wire would: nothing is shared.
func copyMessage(into, from any) error {
	source, ok := from.(proto.Message)
	target, also := into.(proto.Message)
	if !ok || !also {
		return fmt.Errorf("%T is no message", from)
	}
	proto.Reset(target)
	proto.Merge(target, source)
	return nil
}

// bare is a context without the values of the one inside.
type bare struct{ context.Context }

func (bare) Value(any) any { return nil }
