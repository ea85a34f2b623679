package rules

import (
	"context"
	"slices"
	"sync"

	"google.golang.org/grpc"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/internal/rpc"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// Register adds the service to a server. Apply and Inspect, which are called for
// every move that is played, write their answers themselves; what they answer is
// what the methods of Service of those names do.
func Register(r grpc.ServiceRegistrar, s *Service) {
	desc := rulesv1.RulesService_ServiceDesc
	desc.Methods = slices.Clone(desc.Methods)
	for i := range desc.Methods {
		switch m := &desc.Methods[i]; m.MethodName {
		case "Apply":
			m.Handler = handler(rulesv1.RulesService_Apply_FullMethodName, (*Service).writeApply)
		case "Inspect":
			m.Handler = handler(rulesv1.RulesService_Inspect_FullMethodName, (*Service).writeInspect)
		}
	}
	r.RegisterService(&desc, s)
	rulesv1.RegisterRecordsServiceServer(r, s)
}

// handler is what the generated code makes for a method, but for the type of the
// answer.
func handler[In any](full string, answer func(*Service, *In) (*rpc.Written, error)) grpc.MethodHandler {
	return func(srv any, ctx context.Context, decode func(any) error, around grpc.UnaryServerInterceptor) (any, error) {
		s, in := srv.(*Service), new(In)
		if err := decode(in); err != nil {
			return nil, err
		}
		call := func(_ context.Context, req any) (any, error) {
			out, err := answer(s, req.(*In))
			if err != nil {
				return nil, err
			}
			return out, nil
		}
		if around == nil {
			return call(ctx, in)
		}
		return around(ctx, in, &grpc.UnaryServerInfo{Server: srv, FullMethod: full}, call)
	}
}

// bench is where one call makes its answer.
type bench struct {
	chess chess.Room
	out   []byte
}

// mostKept is how many bytes of an answer are kept for the next one: those of
// almost all positions fit.
const mostKept = 16 << 10

var benches = sync.Pool{New: func() any { return &bench{} }}

// free gives the bench back, if it is of the usual size.
func (b *bench) free() {
	if cap(b.out) <= mostKept {
		benches.Put(b)
	}
}

func (s *Service) writeApply(req *rulesv1.ApplyRequest) (*rpc.Written, error) {
	g, p, err := s.position(req.GetPosition())
	if err != nil {
		return nil, err
	}
	b := benches.Get().(*bench)
	defer b.free()
	var move games.Move
	var ruling games.Ruling
	if c, ok := g.(chess.Game); ok {
		move, ruling, err = c.ApplyIn(&b.chess, p, req.GetMove())
	} else {
		move, ruling, err = g.Apply(p, req.GetMove())
	}
	if err != nil {
		return nil, problem(err)
	}
	b.out = appendApplyResponse(b.out[:0], g, &move, &ruling)
	return rpc.NewWritten((*rulesv1.ApplyResponse)(nil), b.out), nil
}

func (s *Service) writeInspect(req *rulesv1.InspectRequest) (*rpc.Written, error) {
	g, p, err := s.position(req.GetPosition())
	if err != nil {
		return nil, err
	}
	b := benches.Get().(*bench)
	defer b.free()
	var ruling games.Ruling
	if c, ok := g.(chess.Game); ok {
		ruling, err = c.RuleIn(&b.chess, p)
	} else {
		ruling, err = g.Rule(p)
	}
	if err != nil {
		return nil, problem(err)
	}
	b.out = appendInspectResponse(b.out[:0], g, &ruling)
	return rpc.NewWritten((*rulesv1.InspectResponse)(nil), b.out), nil
}
