package rules

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"tabuleiro/games"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// refusals are by hand: a position, a move in it, and why it is refused.
var refusals = []struct {
	rules, text, move string
	code              games.Code
	squares, moves    []string
}{
	{rules: "chess", move: "e9", code: "bad_text"},
	{rules: "chess", text: "8/8/8/8/8/8/8/8 w - - 0 1", move: "e4", code: "bad_position"},
	{rules: "chess", move: "e4e5", code: "no_piece", squares: []string{"e4"}},
	{rules: "chess", move: "e7e5", code: "not_your_piece", squares: []string{"e7"}},
	{rules: "chess", move: "b1b3", code: "cannot_move_so", squares: []string{"b1", "b3"}},
	{rules: "chess", move: "d1d2", code: "own_piece", squares: []string{"d2"}},
	{rules: "chess", move: "h1h4", code: "path_blocked", squares: []string{"h2"}},
	{rules: "chess", text: "4k3/8/8/8/4r3/8/4B3/4K3 w - - 0 1", move: "Bd3", code: "king_left_in_check", squares: []string{"e4"}},
	{rules: "chess", text: "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", move: "O-O", code: "castling_king_moved", squares: []string{"e1"}},
	{rules: "chess", text: "r3k2r/8/8/8/8/8/8/4K3 b k - 0 1", move: "O-O-O", code: "castling_rook_moved", squares: []string{"a8"}},
	{rules: "chess", text: "r3k2r/8/8/8/7B/8/8/4RK2 b kq - 0 1", move: "e8g8", code: "castling_in_check", squares: []string{"e1"}},
	{rules: "chess", text: "4k3/8/8/8/8/3r4/8/R3K3 w Q - 0 1", move: "e1c1", code: "castling_through", squares: []string{"d1", "d3"}},
	{rules: "chess", text: "4k3/8/8/8/8/2r5/8/R3K3 w Q - 0 1", move: "e1c1", code: "castling_into", squares: []string{"c1", "c3"}},
	{rules: "chess", text: "4k3/8/8/8/8/8/8/4K1NR w K - 0 1", move: "O-O", code: "castling_blocked", squares: []string{"g1"}},
	{rules: "chess", text: "8/P6k/8/8/8/8/8/K7 w - - 0 1", move: "a8", code: "promotion_missing", squares: []string{"a8"}, moves: []string{"a7a8q", "a7a8r", "a7a8b", "a7a8n"}},
	{rules: "chess", text: "8/P6k/8/8/8/8/8/K7 w - - 0 1", move: "a7a8k", code: "promotion_not_allowed", squares: []string{"a8"}},
	{rules: "chess", text: "8/6k1/8/8/8/1K6/8/R6R w - - 0 1", move: "Re1", code: "ambiguous", squares: []string{"a1", "h1"}, moves: []string{"a1e1", "h1e1"}},
	{rules: "chess", text: "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", move: "h6", code: "game_over", squares: []string{"g8", "a8"}},
	{rules: "chess", text: "k7/2Q5/8/8/8/8/8/K7 b - - 0 1", move: "Ka7", code: "game_over"},

	{rules: "draughts", move: "c3", code: "bad_text"},
	{rules: "draughts", text: "W:Wc3:Ba1", move: "c3-d4", code: "bad_position"},
	{rules: "draughts", move: "d4-e5", code: "no_piece", squares: []string{"d4"}},
	{rules: "draughts", move: "d6-c5", code: "not_your_piece", squares: []string{"d6"}},
	{rules: "draughts", move: "a3-a4", code: "cannot_move_so", squares: []string{"a3", "a4"}},
	{rules: "draughts", move: "d2-e3", code: "own_piece", squares: []string{"e3"}},
	{rules: "draughts", text: "W:WKa1,c3:Bh8", move: "a1-d4", code: "path_blocked", squares: []string{"c3"}},
	{rules: "draughts", text: "W:Wa1,e3:Bf4", move: "a1-b2", code: "capture_compulsory", squares: []string{"e3"}, moves: []string{"e3xg5"}},
	{rules: "draughts", text: "W:Wa3,e3:Bb4,f4,f6", move: "a3xc5", code: "majority", squares: []string{"e3"}, moves: []string{"e3xg5xe7"}},
	{rules: "draughts", text: "B:Wa1:Be5", move: "e5-f6", code: "man_backwards", squares: []string{"e5", "f6"}},
	{rules: "draughts", text: "W:WKh6:Bf4,c3,b6,d6", move: "h6xd2xa5xc7xg3", code: "captured_twice", squares: []string{"f4"}},
	{rules: "draughts", text: "B:WKg7,c5,e3,f6:BKa3", move: "a3xc1", code: "ambiguous", squares: []string{"a3", "c1"}, moves: []string{"a3xe7xg5xc1", "a3xf8xh6xc1"}},
	{rules: "draughts", text: "W:Wa3:Bb4,c5", move: "a3-b4", code: "game_over"},

	{rules: "tictactoe", move: "d4", code: "bad_text"},
	{rules: "tictactoe", text: "xxx/3/3 o", move: "a1", code: "bad_position"},
	{rules: "tictactoe", text: "x2/3/3 o", move: "a3", code: "square_taken", squares: []string{"a3"}},
	{rules: "tictactoe", text: "xxx/oo1/3 o", move: "a1", code: "game_over", squares: []string{"a3", "b3", "c3"}},
}

// reachable are the codes that each game has.
var reachable = map[string][]games.Code{
	"chess": {
		games.BadText, games.BadPosition, games.NoPiece, games.NotYourPiece, games.CannotMoveSo, games.OwnPiece,
		games.PathBlocked, games.KingLeftInCheck, games.CastlingKingMoved, games.CastlingRookMoved,
		games.CastlingInCheck, games.CastlingThrough, games.CastlingInto, games.CastlingBlocked,
		games.PromotionMissing, games.PromotionNotAllowed, games.Ambiguous, games.GameOver,
	},
	"draughts": {
		games.BadText, games.BadPosition, games.NoPiece, games.NotYourPiece, games.CannotMoveSo, games.OwnPiece,
		games.PathBlocked, games.CaptureCompulsory, games.Majority, games.ManBackwards, games.CapturedTwice,
		games.Ambiguous, games.GameOver,
	},
	"tictactoe": {games.BadText, games.BadPosition, games.SquareTaken, games.GameOver},
}

func TestRefusals(t *testing.T) {
	client := overNetwork(t)
	met := map[string]map[games.Code]bool{"chess": {}, "draughts": {}, "tictactoe": {}}
	all := map[games.Code]bool{games.NotYourTurn: true} // whose turn it is in a game, play says
	for _, tt := range refusals {
		_, err := client.Apply(t.Context(), &rulesv1.ApplyRequest{
			Position: &commonv1.Position{Rules: tt.rules, Text: tt.text}, Move: tt.move,
		})
		p := problemOf(t, err)
		if p.Code != string(tt.code) || !slices.Equal(p.Squares, tt.squares) || !slices.Equal(p.Moves, tt.moves) || p.Detail == "" {
			t.Errorf("%s %s, %s: %+v\nwant %s %v %v", tt.rules, tt.text, tt.move, p, tt.code, tt.squares, tt.moves)
		}
		met[tt.rules][tt.code] = true
		all[tt.code] = true
	}
	for rules, codes := range reachable {
		if got, want := slices.Sorted(maps.Keys(met[rules])), slices.Sorted(slices.Values(codes)); !slices.Equal(got, want) {
			t.Errorf("%s: the table has %v, want %v", rules, got, want)
		}
	}
	for _, c := range games.Codes() {
		if !all[c.Code] {
			t.Errorf("no game refuses with %s", c.Code)
		}
	}
}

// TestReasonsAreFields: what is wrong with a position stands in the fields.
func TestReasonsAreFields(t *testing.T) {
	type fields map[string]string // code -> name
	for _, tt := range []struct {
		position *commonv1.Position
		code     string
		want     fields
	}{
		{&commonv1.Position{Rules: "chess", Text: "8/8/8/8/8/8/8/8 w - - 0 1"}, "bad_position", fields{"missing_king": "position.text"}},
		{&commonv1.Position{Rules: "chess", Text: "P6K/8/8/8/8/8/8/k6R w Q - 0 1"}, "bad_position",
			fields{"pawns_on_edge": "position.text", "opposite_check": "position.text", "bad_castling": "position.text"}},
		{&commonv1.Position{Rules: "chess", Text: "what"}, "bad_text", fields{"bad_placement": "position.text"}},
		{&commonv1.Position{Rules: "chess", Draws: "cbd"}, "bad_field", fields{"unknown_draws": "position.draws"}},
		{&commonv1.Position{Rules: "chess", History: "x"}, "bad_text", fields{"bad_history": "position.history"}},
		{&commonv1.Position{Rules: "draughts", Text: "W:Wa8,c3:Bc3,b2"}, "bad_position",
			fields{"light_square": "position.text", "square_shared": "position.text"}},
		{&commonv1.Position{Rules: "draughts", Text: "W"}, "bad_text", fields{"bad_list": "position.text"}},
		{&commonv1.Position{Rules: "draughts", History: "x"}, "bad_position", fields{"bad_history": "position.history"}},
		{&commonv1.Position{Rules: "draughts", Draws: "fide"}, "bad_field", fields{"unknown_draws": "position.draws"}},
		{&commonv1.Position{Rules: "tictactoe", Text: "xxx/ooo/3 x"}, "bad_position", fields{"both_won": "position.text"}},
		{&commonv1.Position{Rules: "tictactoe", Text: "xxx/ooo/3"}, "bad_text", fields{"bad_side": "position.text"}},
		{&commonv1.Position{Rules: "tictactoe", History: "x"}, "bad_position", fields{"bad_history": "position.history"}},
	} {
		_, err := direct().Inspect(t.Context(), &rulesv1.InspectRequest{Position: tt.position})
		p := problemOf(t, err)
		got := fields{}
		for _, f := range p.Fields {
			got[f.Code] = f.Name
			if f.Detail == "" {
				t.Errorf("%v: no sentence for %s", tt.position, f.Code)
			}
		}
		if p.Code != tt.code || !reflect.DeepEqual(got, tt.want) || p.Detail == "" {
			t.Errorf("%v: %+v, want %s %v", tt.position, p, tt.code, tt.want)
		}
	}
}

func TestBadMoveTextIsAboutTheMove(t *testing.T) {
	_, err := direct().Apply(t.Context(), &rulesv1.ApplyRequest{Position: &commonv1.Position{Rules: "chess"}, Move: "??"})
	p := problemOf(t, err)
	want := []rpc.Field{{Name: "move", Code: "bad_text", Detail: games.BadText.Sentence()}}
	if p.Code != "bad_text" || !reflect.DeepEqual(p.Fields, want) {
		t.Errorf("got %+v", p)
	}
}
