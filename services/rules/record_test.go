package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

func TestReadRecordOfChess(t *testing.T) {
	text := "[Event \"Class\"]\n[White \"Ana\"]\n\n1. e4 e5 2. Nf3 {good} (2. f4) 2... Nc6 1-0\n\n" +
		"[FEN \"8/4P3/8/8/8/k7/8/K7 w - - 0 1\"]\n\n1. e8=Q Kb3 2. Qe3+ *\n\n1. d4 d6 2. Qd5 *\n"
	got, err := direct().ReadRecord(t.Context(), &rulesv1.ReadRecordRequest{Rules: "chess", Text: text, Positions: true})
	if err != nil {
		t.Fatal(err)
	}
	want := &rulesv1.ReadRecordResponse{Games: []*rulesv1.RecordedGame{
		{
			Index: 1, Rules: "chess", Result: "1-0",
			Tags:     []*rulesv1.RecordTag{{Name: "Event", Value: "Class"}, {Name: "White", Value: "Ana"}},
			Start:    &commonv1.Position{Rules: "chess", Text: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Draws: "fide"},
			Moves:    []string{"e2e4", "e7e5", "g1f3", "b8c6"},
			Notation: []string{"e4", "e5", "Nf3", "Nc6"},
			Final:    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
			Positions: []string{
				"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
				"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
				"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
				"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
				"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
			},
		},
		{
			Index: 2, Rules: "chess", Result: "*",
			Tags:     []*rulesv1.RecordTag{{Name: "FEN", Value: "8/4P3/8/8/8/k7/8/K7 w - - 0 1"}},
			Start:    &commonv1.Position{Rules: "chess", Text: "8/4P3/8/8/8/k7/8/K7 w - - 0 1", Draws: "fide"},
			Moves:    []string{"e7e8q", "a3b3", "e8e3"},
			Notation: []string{"e8=Q", "Kb3", "Qe3+"},
			Final:    "8/8/8/8/8/1k2Q3/8/K7 b - - 2 2",
			Positions: []string{
				"8/4P3/8/8/8/k7/8/K7 w - - 0 1", "4Q3/8/8/8/8/k7/8/K7 b - - 0 1",
				"4Q3/8/8/8/8/1k6/8/K7 w - - 1 2", "8/8/8/8/8/1k2Q3/8/K7 b - - 2 2",
			},
		},
		{
			Index: 3, Rules: "chess", Result: "*", Spoiled: true,
			Start:    &commonv1.Position{Rules: "chess", Text: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Draws: "fide"},
			Moves:    []string{"d2d4", "d7d6"},
			Notation: []string{"d4", "d6"},
			Final:    "rnbqkbnr/ppp1pppp/3p4/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
			Positions: []string{
				"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
				"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
				"rnbqkbnr/ppp1pppp/3p4/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
			},
			Faults: []*rulesv1.RecordFault{{Code: "path_blocked", Line: 10, Column: 13, Ply: 3}},
		},
	}}
	for _, g := range got.GetGames() {
		for _, f := range g.GetFaults() {
			f.Message = "" // a sentence
		}
	}
	if !proto.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestReadRecordOfDraughts(t *testing.T) {
	// The founding work's record; the second game goes on from a setup.
	text := "1.c3-d4 b6-c5 2.d4xb6 a7xc5 3.b2-c3 f6-g5 4.c3-d4 c5-b4 *\n\n1.c3-d4 /FEN \"W:Wa1:Bh8\"/ 2.a1-b2 *\n"
	got, err := direct().ReadRecord(t.Context(), &rulesv1.ReadRecordRequest{Rules: "draughts", Text: text, Positions: true})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.GetGames()); n != 2 || got.GetMore() {
		t.Fatalf("%d games, more %t", n, got.GetMore())
	}
	first, second := got.GetGames()[0], got.GetGames()[1]
	if want := []string{"c3-d4", "b6-c5", "d4xb6", "a7xc5", "b2-c3", "f6-g5", "c3-d4", "c5-b4"}; !slices.Equal(first.GetMoves(), want) ||
		!slices.Equal(first.GetNotation(), want) || len(first.GetPositions()) != 9 || first.GetPositions()[8] != first.GetFinal() ||
		first.GetSpoiled() || len(first.GetFaults()) != 0 {
		t.Errorf("first %v", first)
	}
	if !second.GetSpoiled() || len(second.GetMoves()) != 1 || len(second.GetFaults()) != 1 ||
		second.GetFaults()[0].GetCode() != "unexpected" || second.GetFaults()[0].GetPly() != 2 || second.GetFinal() != second.GetPositions()[1] {
		t.Errorf("second %v", second)
	}
}

func TestReadRecordIsBounded(t *testing.T) {
	client := overNetwork(t)
	text := strings.Repeat("1. e4 e5 *\n\n", 300)
	var seen []int32
	for skip := int32(0); ; {
		got, err := client.ReadRecord(t.Context(), &rulesv1.ReadRecordRequest{Rules: "chess", Text: text, Skip: skip, Limit: 128})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range got.GetGames() {
			seen = append(seen, g.GetIndex())
		}
		skip += int32(len(got.GetGames()))
		if !got.GetMore() {
			break
		}
	}
	if len(seen) != 300 || seen[0] != 1 || seen[299] != 300 {
		t.Errorf("%d games, first %d", len(seen), seen[0])
	}

	// The longest text of one game with all its positions still fits a message.
	var long strings.Builder
	for n := 1; long.Len() < 262_000; n++ {
		fmt.Fprint(&long, []string{"Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "}[(n-1)%4])
	}
	got, err := client.ReadRecord(t.Context(), &rulesv1.ReadRecordRequest{Rules: "chess", Text: long.String(), Positions: true})
	if err != nil {
		t.Fatal(err)
	}
	if g := got.GetGames()[0]; len(g.GetMoves()) != 20_000 || !g.GetSpoiled() || g.GetFaults()[0].GetCode() != "too_long" {
		t.Errorf("%d moves, faults %v", len(g.GetMoves()), g.GetFaults())
	}

	for name, in := range map[string]*rulesv1.ReadRecordRequest{
		"unknown draws": {Rules: "chess", Text: "1. e4", Draws: "cbd"},
		"no records":    {Rules: "tictactoe", Text: "a1"},
		"no text":       {Rules: "chess"},
		"too long":      {Rules: "chess", Text: strings.Repeat(" ", 262_145)},
	} {
		if _, err := client.ReadRecord(t.Context(), in); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			problemOf(t, err)
		}
	}
}

func TestReplay(t *testing.T) {
	got, err := direct().Replay(t.Context(), &rulesv1.ReplayRequest{
		Position: &commonv1.Position{Rules: "chess"},
		Moves:    []string{"Nf3", "Nf6", "Ng1", "Ng8", "e4", "d5", "exd5", "g8f6", "Nf3", "Ng8", "Ng1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if m := got.GetMoves()[6]; len(got.GetMoves()) != 11 || m.GetSide() != "white" || m.GetMove().GetText() != "e4d5" ||
		!slices.Equal(m.GetTaken(), []string{"pawn"}) {
		t.Errorf("moves %v", got.GetMoves())
	}
	r := got.GetRuling()
	if r.GetRepetition() != 2 {
		t.Errorf("ruling %v: repetition %d", r.GetPosition(), r.GetRepetition())
	}
	empty, err := direct().Replay(t.Context(), &rulesv1.ReplayRequest{Position: &commonv1.Position{Rules: "draughts"}})
	if err != nil || len(empty.GetRuling().GetMoves()) != 7 {
		t.Errorf("no moves: %v, %v", empty, err)
	}

	_, err = direct().Replay(t.Context(), &rulesv1.ReplayRequest{
		Position: &commonv1.Position{Rules: "chess"}, Moves: []string{"e4", "Ke5"},
	})
	p := problemOf(t, err)
	if p.Code != "cannot_move_so" || len(p.Fields) != 1 || p.Fields[0].Name != "moves[1]" || p.Fields[0].Code != p.Code {
		t.Errorf("problem %+v", p)
	}
	_, err = direct().Replay(t.Context(), &rulesv1.ReplayRequest{Position: &commonv1.Position{Rules: "chess", Text: "8/8/8/8/8/8/8/8 w - - 0 1"}})
	if p := problemOf(t, err); p.Code != "bad_position" {
		t.Errorf("problem %+v", p)
	}
	if _, err := direct().Replay(t.Context(), &rulesv1.ReplayRequest{
		Position: &commonv1.Position{Rules: "chess"}, Moves: slices.Repeat([]string{"a"}, 2001),
	}); rpc.ToProblem(err).Code != "bad_field" {
		t.Errorf("2001 moves: %v", err)
	}
}

// TestAPromotedManIsTakenAsWhatItWas: not as the man that it began as.
func TestAPromotedManIsTakenAsWhatItWas(t *testing.T) {
	got, err := direct().Replay(t.Context(), &rulesv1.ReplayRequest{
		Position: &commonv1.Position{Rules: "chess", Text: "1r1rk3/P7/8/8/8/8/8/4K3 w - - 0 1"},
		Moves:    []string{"axb8=Q", "Rxb8"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if m := got.GetMoves(); !slices.Equal(m[0].GetTaken(), []string{"rook"}) || !slices.Equal(m[1].GetTaken(), []string{"queen"}) {
		t.Errorf("taken %v", m)
	}
}
