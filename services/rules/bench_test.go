package rules

import (
	"context"
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"

	"tabuleiro/games/chess"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// applyRequests are moves from all over random games of chess.
func applyRequests(b *testing.B) []*rulesv1.ApplyRequest {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	game := chess.New()
	var out []*rulesv1.ApplyRequest
	for len(out) < 64 {
		start, err := game.Start("")
		if err != nil {
			b.Fatal(err)
		}
		ruling, err := game.Rule(start)
		for n := rng.IntN(120); n > 0 && err == nil && len(ruling.Moves) > 0; n-- {
			_, ruling, err = game.Apply(ruling.Position, ruling.Moves[rng.IntN(len(ruling.Moves))].Text)
		}
		if err != nil {
			b.Fatal(err)
		}
		if len(ruling.Moves) > 0 {
			p := &ruling.Position
			out = append(out, &rulesv1.ApplyRequest{
				Position: &commonv1.Position{Rules: p.Rules, Text: p.Text, Draws: p.Draws, History: p.History},
				Move:     ruling.Moves[rng.IntN(len(ruling.Moves))].Text,
			})
		}
	}
	return out
}

// BenchmarkApply plays a move without the wire.
func BenchmarkApply(b *testing.B) {
	requests, service := applyRequests(b), New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := service.Apply(context.Background(), requests[i%len(requests)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkApplyEncoded writes the answer as well.
func BenchmarkApplyEncoded(b *testing.B) {
	requests, service := applyRequests(b), New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		resp, err := service.Apply(context.Background(), requests[i%len(requests)])
		if err != nil {
			b.Fatal(err)
		}
		if _, err := proto.Marshal(resp); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkApplyWritten is what is called over gRPC: the answer in its wire form.
func BenchmarkApplyWritten(b *testing.B) {
	requests, service := applyRequests(b), New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := service.writeApply(requests[i%len(requests)]); err != nil {
			b.Fatal(err)
		}
	}
}
