package rules

import (
	"context"

	"google.golang.org/grpc"

	"tabuleiro/internal/app"
)

// Bind adds the role: it needs nothing but its server.
func Bind(_ context.Context, env *app.Env) error {
	env.Serve("rules", func(r grpc.ServiceRegistrar) { Register(r, New()) })
	return nil
}
