package rules

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"tabuleiro/games"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// largest bounds an answer in bytes, far below what a message may have.
const largest = 64 << 10

// TestAnswersAreBounded asks for the positions with the most moves and the
// longest memories.
func TestAnswersAreBounded(t *testing.T) {
	client := overNetwork(t)
	for _, tt := range []struct {
		name, rules, text string
		moves             int
		shuffle           []string // moves to and fro, as often as the game bears
	}{
		{name: "218 moves", rules: "chess", text: "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", moves: 218},
		{name: "a lattice of kings", rules: "draughts", text: "W:WKa1,Kg1,Kh6,Ka7:BKb2,Kd2,Ke3,Kg3,Kb4,Kf4,Kc5,Ke5,Kg5,Kc7,Ke7", moves: 54},
		{name: "twelve kings on the edge", rules: "draughts", text: "W:WKc1,Ke1,Kh2,Ka3,Kd4,Kh4,Ka5,Kh6,Kb8,Kd8,Kf8,Kh8:BKa1", moves: 66},
		{name: "kings for ever", rules: "draughts", text: "W:WKa1,a3:BKb8,h6", moves: 8,
			shuffle: []string{"a1-b2", "b8-a7", "b2-a1", "a7-b8"}},
	} {
		p := &commonv1.Position{Rules: tt.rules, Text: tt.text}
		for _, move := range slices.Repeat(tt.shuffle, 100) {
			got, err := client.Apply(t.Context(), &rulesv1.ApplyRequest{Position: p, Move: move})
			if err != nil {
				t.Fatalf("%s, %s: %v", tt.name, move, err)
			}
			p = got.GetRuling().GetPosition()
		}
		got, err := client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: p})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if n := len(got.GetRuling().GetMoves()); n != tt.moves {
			t.Errorf("%s: %d moves, want %d", tt.name, n, tt.moves)
		}
		if size := proto.Size(got); size > largest {
			t.Errorf("%s: an answer of %d bytes", tt.name, size)
		}
		explained, err := client.Explain(t.Context(), &rulesv1.ExplainRequest{Position: p})
		if size := proto.Size(explained); err != nil || size > largest {
			t.Errorf("%s: an insight of %d bytes, %v", tt.name, size, err)
		}
	}
}

// TestHugeTexts: whatever the chain lets through, and whatever it would not, is
// a text that cannot be read.
func TestHugeTexts(t *testing.T) {
	for _, g := range New().games {
		for _, unit := range []string{"x", "8/", "W:W", "K", "a1,", " ", "\x00", "é", "1.", "c3xe5"} {
			text := strings.Repeat(unit, 1<<20/len(unit))
			_, err := New().Inspect(t.Context(), &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: g.Name(), Text: text}})
			if p := problemOf(t, err); p.Code != "bad_text" || len(p.Detail) > 1024 {
				t.Errorf("%s, text of %q: %s with %d bytes of detail", g.Name(), unit, p.Code, len(p.Detail))
			}
			_, err = New().Inspect(t.Context(), &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: g.Name(), History: text}})
			if p := problemOf(t, err); p.Code != "bad_text" && p.Code != "bad_position" {
				t.Errorf("%s, history of %q: %s", g.Name(), unit, p.Code)
			}
			_, err = New().Apply(t.Context(), &rulesv1.ApplyRequest{Position: &commonv1.Position{Rules: g.Name()}, Move: text})
			if p := problemOf(t, err); p.Code != "bad_text" {
				t.Errorf("%s, move of %q: %s", g.Name(), unit, p.Code)
			}
			_, err = direct().Inspect(t.Context(), &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: g.Name(), Text: text}})
			if p := problemOf(t, err); p.Code != "bad_field" || p.Fields[0].Name != "position.text" {
				t.Errorf("%s through the chain, text of %q: %+v", g.Name(), unit, p)
			}
		}
	}
}

// FuzzService hands in anything: the answer is a ruling that stands by itself,
// or a problem that is the client's.
func FuzzService(f *testing.F) {
	for _, tt := range refusals {
		f.Add(tt.rules, tt.text, "", "", tt.move)
	}
	f.Add("draughts", "W:WKb2,a3:BKb8,h6", "fmjd64", "4.0.0.0s", "b2-a1")
	f.Add("chess", "8/8/4k3/8/8/4K2R/8/8 w - - 3 9", "fide", "0123456789abcdef.0123456789abcdef", "Rh4")
	client := direct()
	codes := []string{"bad_field"}
	for _, c := range games.Codes() {
		codes = append(codes, string(c.Code))
	}
	f.Fuzz(func(t *testing.T, rules, text, draws, history, move string) {
		for _, s := range []string{rules, text, draws, history, move} {
			if !utf8.ValidString(s) {
				return // no message carries it
			}
		}
		check := func(what string, err error) bool {
			if err == nil {
				return true
			}
			if p, ok := rpc.ProblemOf(err); !ok || !slices.Contains(codes, p.Code) {
				t.Fatalf("%s: %v", what, err)
			}
			return false
		}
		p := &commonv1.Position{Rules: rules, Text: text, Draws: draws, History: history}
		inspected, err := client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: p})
		positionStands := check("inspecting", err)
		if positionStands && proto.Size(inspected) > largest {
			t.Fatalf("an answer of %d bytes", proto.Size(inspected))
		}
		explained, err := client.Explain(t.Context(), &rulesv1.ExplainRequest{Position: p})
		if check("explaining", err) != positionStands || proto.Size(explained) > largest {
			t.Fatalf("inspected: %t, explained: %v in %d bytes", positionStands, err, proto.Size(explained))
		}
		applied, err := client.Apply(t.Context(), &rulesv1.ApplyRequest{Position: p, Move: move})
		if !check("applying", err) {
			return
		}
		if !positionStands {
			t.Fatalf("%s was played in what is no position", move)
		}
		offered := slices.ContainsFunc(inspected.GetRuling().GetMoves(), func(m *commonv1.Move) bool {
			return proto.Equal(m, applied.GetMove())
		})
		if !offered {
			t.Fatalf("%v was played, but not offered", applied.GetMove())
		}
		after, err := client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: applied.GetRuling().GetPosition()})
		if err != nil || !proto.Equal(after.GetRuling(), applied.GetRuling()) {
			t.Fatalf("after %s: %v, %v\nwant %v", move, after.GetRuling(), err, applied.GetRuling())
		}
	})
}
