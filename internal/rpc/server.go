package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"buf.build/go/protovalidate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/identity"
)

// Limits of a server.
const (
	maxReceive = 1 << 20 // bytes of one message
	maxStreams = 256     // calls at once on one connection
)

// Keepalive, both ends: a client may ping no more often than the server allows,
// else it is sent away (ENHANCE_YOUR_CALM).
const (
	pingNotBefore = 10 * time.Second
	pingEvery     = 30 * time.Second
	pingTimeout   = 10 * time.Second
	// Connections end after a while, so that new replicas get their share.
	connectionAge   = 5 * time.Minute
	connectionGrace = 30 * time.Second
)

// Metrics counts finished calls. The code is "ok" or one of the Catalogue.
type Metrics interface {
	ObserveRPC(service, method, code string, took time.Duration)
}

// ServerConfig is what the chain before every handler needs.
type ServerConfig struct {
	// Service names the server in logs.
	Service string
	// Verify proves a caller's token (identity.Keys.Verify).
	Verify func(token string, now time.Time) (identity.Caller, error)
	// Now is the clock of tokens; nil means time.Now.
	Now func() time.Time
	// Log gets the cause of every internal error once; nil means slog.Default.
	Log *slog.Logger
	// Metrics may be nil.
	Metrics Metrics
}

// exempt are the methods of gRPC itself that have no contract of ours: they say
// nothing that a listener's neighbours may not know.
var exempt = []string{
	"/grpc.health.v1.Health/Check",
	"/grpc.health.v1.Health/Watch",
	"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
	"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
}

// NewServer makes a server with the chain, the limits and the keepalive policy
// that all roles share. Options add to them, such as credentials.
func NewServer(cfg ServerConfig, options ...grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append([]grpc.ServerOption{
		withCodec(),
		grpc.ChainUnaryInterceptor(UnaryChain(cfg)),
		grpc.ChainStreamInterceptor(closeStreams),
		grpc.MaxRecvMsgSize(maxReceive),
		grpc.MaxConcurrentStreams(maxStreams),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: pingNotBefore, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			Time: pingEvery, Timeout: pingTimeout,
			MaxConnectionAge: connectionAge, MaxConnectionAgeGrace: connectionGrace,
		}),
	}, options...)...)
}

// Stop lets the calls that run end, for at most grace, and then cuts them off.
func Stop(s *grpc.Server, grace time.Duration) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.GracefulStop()
	}()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		s.Stop()
		<-done
	}
}

// closeStreams: our contracts have no streaming methods, so none is open.
func closeStreams(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	if slices.Contains(exempt, info.FullMethod) {
		return handler(srv, stream)
	}
	return Fail("forbidden", "the method is closed").GRPCStatus().Err()
}

// UnaryChain is all that happens around a handler, as one interceptor.
func UnaryChain(cfg ServerConfig) grpc.UnaryServerInterceptor {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	return (&chain{cfg: cfg, methods: &methods{}}).unary
}

type chain struct {
	cfg     ServerConfig
	methods *methods
}

func (c *chain) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
	if slices.Contains(exempt, info.FullMethod) {
		return handler(ctx, req)
	}
	began := time.Now()
	md, _ := metadata.FromIncomingContext(ctx)
	id, ok := one(md, requestHeader)
	if !ok || !visible(id, maxRequestID) {
		id = NewRequestID()
	}
	ctx = WithRequestID(ctx, id)
	m := c.methods.of(info.FullMethod)

	resp, err := c.guarded(ctx, md, m, req, handler)
	code := "ok"
	if err != nil {
		problem := c.explain(ctx, m, err)
		code, err, resp = problem.Code, problem.GRPCStatus().Err(), nil
	}
	if c.cfg.Metrics != nil {
		c.cfg.Metrics.ObserveRPC(m.service, m.name, code, time.Since(began))
	}
	return resp, err
}

// guarded runs the checks and the handler, and turns a panic into an error.
func (c *chain) guarded(ctx context.Context, md metadata.MD, m method, req any, handler grpc.UnaryHandler) (resp any, err error) {
	defer func() {
		if value := recover(); value != nil {
			resp, err = nil, &panicked{value: value, stack: debug.Stack()}
		}
	}()
	caller, known, err := c.caller(md)
	if err != nil {
		return nil, err
	}
	if problem := admit(m.access, caller, known); problem != nil {
		return nil, problem
	}
	if problem := narrow(m, caller); problem != nil {
		return nil, problem
	}
	if known {
		ctx = identity.With(ctx, caller)
	}
	key, ok := one(md, keyHeader)
	switch {
	case !ok, key != "" && !ValidKey(key):
		return nil, Fail("bad_key", "")
	case key == "" && m.access.GetCommand():
		return nil, Fail("key_missing", "")
	}
	if err := validate(req); err != nil {
		return nil, err
	}
	return handler(WithKey(ctx, key), req)
}

func (c *chain) caller(md metadata.MD) (identity.Caller, bool, error) {
	token, ok := one(md, callerHeader)
	if !ok {
		return identity.Caller{}, false, Fail("not_logged_in", "the call names more than one caller")
	}
	if token == "" {
		return identity.Caller{}, false, nil
	}
	caller, err := c.cfg.Verify(token, c.cfg.Now())
	if err != nil {
		return identity.Caller{}, false, Fail("not_logged_in", "the proof of the caller does not hold")
	}
	return caller, true, nil
}

// validate checks the rules that stand in the contract.
func validate(req any) error {
	message, ok := req.(proto.Message)
	if !ok {
		return nil
	}
	err := protovalidate.Validate(message)
	if err == nil {
		return nil
	}
	failed, ok := errors.AsType[*protovalidate.ValidationError](err)
	if !ok {
		return fmt.Errorf("validating a request: %w", err)
	}
	problem := &Problem{Code: "bad_field"}
	if unknownRules(failed) {
		problem.Code = "unknown_rules"
	}
	for _, v := range failed.Violations[:min(len(failed.Violations), maxItems)] {
		problem.Fields = append(problem.Fields, Field{
			Name: protovalidate.FieldPathString(v.Proto.GetField()), Code: v.Proto.GetRuleId(), Detail: v.Proto.GetMessage(),
		})
	}
	return problem
}

// unknownRules: the one fault is a game that is not played here, which clients
// should be able to tell from a slip.
func unknownRules(failed *protovalidate.ValidationError) bool {
	if len(failed.Violations) != 1 || failed.Violations[0].Proto.GetRuleId() != "string.in" {
		return false
	}
	path := failed.Violations[0].Proto.GetField().GetElements()
	return len(path) > 0 && path[len(path)-1].GetFieldName() == "rules"
}

// ours are problems that a service causes when it calls another one wrongly;
// they are no fault of whoever called the service.
var ours = []string{"not_logged_in", "forbidden", "key_missing", "bad_key"}

// explain makes of an error what the client is told, and logs what it is not.
func (c *chain) explain(ctx context.Context, m method, err error) *Problem {
	problem := ToProblem(err)
	if _, own := errors.AsType[*Problem](err); !own && slices.Contains(ours, problem.Code) {
		problem = Fail("internal", "")
	}
	log := c.cfg.Log.With(
		slog.String("server", c.cfg.Service),
		slog.String("method", m.service+"/"+m.name),
		slog.String("request_id", RequestID(ctx)),
		slog.String("code", problem.Code))
	switch problem.Code {
	case "internal":
		attrs := []any{slog.Any("error", err)}
		if p, ok := errors.AsType[*panicked](err); ok {
			attrs = append(attrs, slog.String("stack", string(p.stack)))
		}
		log.ErrorContext(ctx, "call failed", attrs...)
	case "unavailable", "timeout":
		log.WarnContext(ctx, "call could not be served", slog.Any("error", err))
	default:
		log.DebugContext(ctx, "call refused")
	}
	return problem
}

type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }
