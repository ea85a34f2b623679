package rules

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// TestExplainSaysEverything holds whole insights, one a game.
func TestExplainSaysEverything(t *testing.T) {
	client := overNetwork(t)
	for _, tt := range []struct{ rules, text, want string }{
		{"chess", "4r1k1/8/8/8/1b6/2P5/8/3QKBB1 w - - 0 1", `{
			"position": {"rules": "chess", "draws": "fide", "text": "4r1k1/8/8/8/1b6/2P5/8/3QKBB1 w - - 0 1"},
			"side": "white", "movable": ["d1", "e1", "f1", "g1"], "checks": ["e8"],
			"ways": [
				{"kind": "flee", "moves": [
					{"text": "e1d2", "notation": "Kd2", "from": "e1", "to": "d2", "path": ["e1", "d2"]},
					{"text": "e1f2", "notation": "Kf2", "from": "e1", "to": "f2", "path": ["e1", "f2"]}]},
				{"kind": "block", "moves": [
					{"text": "d1e2", "notation": "Qe2", "from": "d1", "to": "e2", "path": ["d1", "e2"]},
					{"text": "f1e2", "notation": "Be2", "from": "f1", "to": "e2", "path": ["f1", "e2"]},
					{"text": "g1e3", "notation": "Be3", "from": "g1", "to": "e3", "path": ["g1", "e3"]}]}],
			"pins": [{"pinned": "c3", "pinner": "b4", "king": "e1", "side": "white"}],
			"targets": [{"square": "c3", "side": "white", "attackers": ["b4"], "hanging": true}]}`},
		{"draughts", "W:Wa3,e3:Bb4,f4,f6", `{
			"position": {"rules": "draughts", "draws": "cbd", "text": "W:Wa3,e3:Bb4,f4,f6"},
			"side": "white", "movable": ["e3"], "must_capture": 2,
			"captures": [{"text": "e3xg5xe7", "notation": "e3xe7", "from": "e3", "to": "e7", "path": ["e3", "g5", "e7"], "captures": ["f4", "f6"]}],
			"targets": [
				{"square": "e3", "side": "white", "attackers": ["f4"], "hanging": true},
				{"square": "f4", "side": "black", "attackers": ["e3"], "hanging": true},
				{"square": "f6", "side": "black", "attackers": ["e3"], "hanging": true}]}`},
		{"tictactoe", "xx1/oo1/3 x", `{
			"position": {"rules": "tictactoe", "draws": "standard", "text": "xx1/oo1/3 x"},
			"side": "x", "wins": ["c3"], "blocks": ["c2"], "perfect": {"value": "win", "plies": 1, "best": ["c3"]}}`},
	} {
		got, err := client.Explain(t.Context(), &rulesv1.ExplainRequest{Position: &commonv1.Position{Rules: tt.rules, Text: tt.text}})
		if err != nil {
			t.Fatal(err)
		}
		var want rulesv1.Insight
		if err := protojson.Unmarshal([]byte(tt.want), &want); err != nil {
			t.Fatal(err)
		}
		for _, w := range got.GetInsight().GetWays() {
			slices.SortFunc(w.GetMoves(), func(a, b *commonv1.Move) int { return strings.Compare(a.GetText(), b.GetText()) })
		}
		if !proto.Equal(got.GetInsight(), &want) {
			t.Errorf("%s %s:\ngot  %v\nwant %v", tt.rules, tt.text, got.GetInsight(), &want)
		}
	}
}

// TestExplainRefuses what Inspect refuses, with the same words.
func TestExplainRefuses(t *testing.T) {
	client := direct()
	for _, p := range []*commonv1.Position{
		{Rules: "chess", Text: "8/8/8/8/8/8/8/8 w - - 0 1"},
		{Rules: "draughts", Text: "W"},
		{Rules: "tictactoe", Text: "xxx/ooo/3 x"},
		{Rules: "draughts", History: "x"},
		{Rules: "chess", Draws: "cbd"},
		{Rules: "go"},
		nil,
	} {
		_, err := client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: p})
		want := problemOf(t, err)
		_, err = client.Explain(t.Context(), &rulesv1.ExplainRequest{Position: p})
		if got := problemOf(t, err); got.Error() != want.Error() || !slices.Equal(got.Fields, want.Fields) {
			t.Errorf("%v: %+v, want %+v", p, got, want)
		}
	}
}

// TestWaysOutPassThrough: a refusal in check says by kind what would do.
func TestWaysOutPassThrough(t *testing.T) {
	_, err := overNetwork(t).Apply(t.Context(), &rulesv1.ApplyRequest{
		Position: &commonv1.Position{Rules: "chess", Text: "4r1k1/8/8/8/B7/8/8/3RKR2 w - - 0 1"}, Move: "Bb3",
	})
	p := problemOf(t, err)
	for _, w := range p.Ways {
		slices.Sort(w.Moves)
	}
	want := []rpc.Way{{Kind: "capture", Moves: []string{"a4e8"}}, {Kind: "flee", Moves: []string{"e1d2", "e1f2"}}}
	if p.Code != "king_left_in_check" || !slices.Equal(p.Squares, []string{"e8"}) ||
		!slices.EqualFunc(p.Ways, want, func(a, b rpc.Way) bool { return a.Kind == b.Kind && slices.Equal(a.Moves, b.Moves) }) {
		t.Errorf("%+v, want ways %v", p, want)
	}
}
