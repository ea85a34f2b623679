package rules

import (
	"context"

	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// Bind adds the role: it needs nothing but its server.
func Bind(_ context.Context, env *app.Env) error {
	env.Serve("rules", func(r grpc.ServiceRegistrar) { rulesv1.RegisterRulesServiceServer(r, New()) })
	return nil
}
