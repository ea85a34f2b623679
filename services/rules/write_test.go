package rules

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"tabuleiro/games"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// sameWire holds what was written against what proto.Marshal writes: as long,
// and the same message.
func sameWire(t *testing.T, got []byte, want proto.Message) {
	t.Helper()
	read := want.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(got, read); err != nil {
		t.Fatalf("%x is no message: %v", got, err)
	}
	if !proto.Equal(read, want) || len(got) != proto.Size(want) {
		t.Fatalf("got %d bytes %v\nwant %d bytes %v", len(got), read, proto.Size(want), want)
	}
}

// TestWrittenAnswersAreTheMessages plays random games of all kinds, and looks at
// ended ones: what is sent
// is what Apply and Inspect answer, byte for byte as many.
func TestWrittenAnswersAreTheMessages(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	s := New()
	ends := map[string]int{}
	for _, start := range []*commonv1.Position{
		{Rules: "chess"}, {Rules: "draughts"}, {Rules: "draughts", Draws: "fmjd64"}, {Rules: "tictactoe"},
		{Rules: "chess", Text: "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"},
		{Rules: "chess", Text: "7k/P7/8/8/8/8/1p6/K7 w - - 0 1"},
		{Rules: "draughts", Text: "W:WKa1,Kc1:BKb8"},
		{Rules: "draughts", Text: "W:Wa1:Bb2,c3"},
		{Rules: "chess", Text: "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"},
		{Rules: "chess", Text: "8/8/8/8/8/8/8/Kb5k w - - 0 1"},
		{Rules: "tictactoe", Text: "xxx/oo1/3 o"},
		{Rules: "tictactoe", Text: "xox/oxx/oxo o"},
	} {
		for range 2 {
			position := proto.CloneOf(start)
			for ply := 0; ply < 60; ply++ {
				inspect := &rulesv1.InspectRequest{Position: position}
				want, err := s.Inspect(context.Background(), inspect)
				if err != nil {
					t.Fatal(err)
				}
				got, err := s.writeInspect(inspect)
				if err != nil {
					t.Fatal(err)
				}
				sameWire(t, got.Bytes(), want)
				if moves := want.GetRuling().GetMoves(); len(moves) > 0 {
					apply := &rulesv1.ApplyRequest{Position: position, Move: moves[rng.IntN(len(moves))].GetText()}
					want, err := s.Apply(context.Background(), apply)
					if err != nil {
						t.Fatal(err)
					}
					got, err := s.writeApply(apply)
					if err != nil {
						t.Fatal(err)
					}
					sameWire(t, got.Bytes(), want)
					position = want.GetRuling().GetPosition()
					continue
				}
				ends[want.GetRuling().GetOutcome().GetReason()]++
				break
			}
		}
	}
	for _, reason := range []string{"no_moves", "checkmate", "three_in_a_row", "board_full", "insufficient_material"} {
		if ends[reason] == 0 {
			t.Errorf("no game ended by %s: %v", reason, ends)
		}
	}
}

// TestWrittenLengths: messages and texts of every size have their length.
func TestWrittenLengths(t *testing.T) {
	for _, n := range []int{0, 1, 100, 118, 119, 120, 127, 128, 129, 200, 16300, 16383, 16384, 70000} {
		ruling := games.Ruling{Position: games.Position{Rules: "chess", History: strings.Repeat("a", n)}, Repetition: n}
		g := game(New().games[0])
		sameWire(t, appendInspectResponse(nil, g, &ruling), &rulesv1.InspectResponse{Ruling: wireRuling(g, &ruling)})
	}
}

// TestEveryFieldIsWritten: a field that joins one of the messages must be
// written as well.
func TestEveryFieldIsWritten(t *testing.T) {
	move := games.Move{Text: "a", Notation: "b", From: "c", To: "d", Path: []string{"e", "", "f"}, Captures: []string{"", "g"}, Promotion: "h"}
	ruling := games.Ruling{
		Position: games.Position{Rules: "i", Text: "j", Draws: "k", History: "l"}, Side: 1, Moves: []games.Move{move, {}, move},
		Outcome: &games.Outcome{Winner: 1, Reason: "m"}, Claims: []string{"n"}, CanWin: [2]bool{true, true}, Key: "o", Repetition: 300,
		Check: []string{"p"}, LastLine: []string{"q", ""}, Pieces: []games.Piece{{Square: "r", Kind: "s"}, {}},
	}
	g := game(New().games[0])
	want := &rulesv1.ApplyResponse{Move: wireMove(&move), Ruling: wireRuling(g, &ruling)}
	sameWire(t, appendApplyResponse(nil, g, &move, &ruling), want)
	allSet(t, want.ProtoReflect())
	ruling.Outcome.Draw = true
	sameWire(t, appendInspectResponse(nil, g, &ruling), &rulesv1.InspectResponse{Ruling: wireRuling(g, &ruling)})
}

// allSet fails for a field that the test above leaves out; of a list the first
// element counts.
func allSet(t *testing.T, m protoreflect.Message) {
	t.Helper()
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case !m.Has(f):
			t.Errorf("%s is not set", f.FullName())
		case f.Message() != nil && f.IsList():
			allSet(t, m.Get(f).List().Get(0).Message())
		case f.Message() != nil:
			allSet(t, m.Get(f).Message())
		}
	}
}
