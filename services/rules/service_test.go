package rules

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"tabuleiro/games"
	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

var serverConfig = rpc.ServerConfig{
	Service: "rules",
	Verify: func(string, time.Time) (identity.Caller, error) {
		return identity.Caller{}, errors.New("nobody is known here")
	},
}

// direct is a client through the real chain, without a network.
func direct() rulesv1.RulesServiceClient {
	d := rpc.NewDirect(serverConfig)
	Register(d, New())
	return rulesv1.NewRulesServiceClient(d.Dial(rpc.ClientConfig{}))
}

// overNetwork is a client through a server in this process.
func overNetwork(t testing.TB) rulesv1.RulesServiceClient {
	t.Helper()
	network := rpc.NewInProcess()
	server := rpc.NewServer(serverConfig)
	Register(server, New())
	served := make(chan error, 1)
	go func() { served <- server.Serve(network.Listen("rules")) }()
	conn, err := network.Dial("rules", rpc.ClientConfig{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		server.Stop()
		if err := <-served; err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			t.Errorf("serving: %v", err)
		}
	})
	return rulesv1.NewRulesServiceClient(conn)
}

func problemOf(t testing.TB, err error) *rpc.Problem {
	t.Helper()
	p, ok := rpc.ProblemOf(err)
	if !ok {
		t.Fatalf("no problem: %v", err)
	}
	return p
}

func TestListRules(t *testing.T) {
	got, err := direct().ListRules(t.Context(), &rulesv1.ListRulesRequest{})
	if err != nil {
		t.Fatal(err)
	}
	want := &rulesv1.ListRulesResponse{Rules: []*rulesv1.GameRules{
		{Rules: "chess", Sides: []string{"white", "black"}, Draws: []string{"fide"}, Rows: 8, Columns: 8, Values: []*rulesv1.PieceValue{
			{Kind: "pawn", Value: 1}, {Kind: "knight", Value: 3}, {Kind: "bishop", Value: 3}, {Kind: "rook", Value: 5}, {Kind: "queen", Value: 9},
		}},
		{Rules: "draughts", Sides: []string{"white", "black"}, Draws: []string{"cbd", "fmjd64"}, Rows: 8, Columns: 8, Values: []*rulesv1.PieceValue{
			{Kind: "man", Value: 1}, {Kind: "king", Value: 3},
		}},
		{Rules: "tictactoe", Sides: []string{"x", "o"}, Draws: []string{"standard"}, Rows: 3, Columns: 3},
	}}
	if !proto.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestInspectSaysEverything(t *testing.T) {
	got, err := overNetwork(t).Inspect(t.Context(), &rulesv1.InspectRequest{
		Position: &commonv1.Position{Rules: "chess", Text: "7k/P7/8/8/8/8/8/K6r w - - 4 30"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &commonv1.Ruling{
		Position: &commonv1.Position{Rules: "chess", Text: "7k/P7/8/8/8/8/8/K6r w - - 4 30", Draws: "fide"},
		Side:     "white",
		Moves: []*commonv1.Move{
			{Text: "a1a2", Notation: "Ka2", From: "a1", To: "a2", Path: []string{"a1", "a2"}},
			{Text: "a1b2", Notation: "Kb2", From: "a1", To: "b2", Path: []string{"a1", "b2"}},
		},
		CanWin:     []string{"white", "black"},
		Key:        got.GetRuling().GetKey(),
		Repetition: 1,
		Check:      []string{"h1"},
		Pieces: []*commonv1.Piece{
			{Square: "a1", Side: "white", Kind: "king"},
			{Square: "a7", Side: "white", Kind: "pawn"},
			{Square: "h1", Side: "black", Kind: "rook"},
			{Square: "h8", Side: "black", Kind: "king"},
		},
	}
	if !proto.Equal(got.GetRuling(), want) || want.GetKey() == "" {
		t.Errorf("got %v\nwant %v", got.GetRuling(), want)
	}
}

func TestApplySaysEverything(t *testing.T) {
	got, err := overNetwork(t).Apply(t.Context(), &rulesv1.ApplyRequest{
		Position: &commonv1.Position{Rules: "tictactoe", Text: "xx1/oo1/3 x"}, Move: "3",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &rulesv1.ApplyResponse{
		Move: &commonv1.Move{Text: "c3", Notation: "c3", To: "c3", Path: []string{"c3"}},
		Ruling: &commonv1.Ruling{
			Position:   &commonv1.Position{Rules: "tictactoe", Text: "xxx/oo1/3 o", Draws: "standard"},
			Side:       "o",
			Outcome:    &commonv1.Outcome{Winner: proto.String("x"), Reason: "three_in_a_row"},
			Key:        "xxx/oo1/3 o",
			Repetition: 1,
			Line:       []string{"a3", "b3", "c3"},
			Pieces: []*commonv1.Piece{
				{Square: "a2", Side: "o", Kind: "mark"}, {Square: "a3", Side: "x", Kind: "mark"},
				{Square: "b2", Side: "o", Kind: "mark"}, {Square: "b3", Side: "x", Kind: "mark"},
				{Square: "c3", Side: "x", Kind: "mark"},
			},
		},
	}
	if !proto.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

func TestDrawsHaveNoWinner(t *testing.T) {
	for _, p := range []*commonv1.Position{
		{Rules: "chess", Text: "8/8/4k3/8/8/4K3/8/8 w - - 0 1"},
		{Rules: "chess", Text: "k7/2Q5/8/8/8/8/8/K7 b - - 0 1"},
		{Rules: "tictactoe", Text: "xox/xxo/oxo o"},
	} {
		got, err := direct().Inspect(t.Context(), &rulesv1.InspectRequest{Position: p})
		if err != nil {
			t.Fatal(err)
		}
		if o := got.GetRuling().GetOutcome(); o == nil || o.Winner != nil || o.GetReason() == "" || len(got.GetRuling().GetMoves()) != 0 {
			t.Errorf("%s: outcome %v, moves %v", p.GetText(), o, got.GetRuling().GetMoves())
		}
	}
}

func TestEmptyTextIsTheStart(t *testing.T) {
	for rules, want := range map[string]string{
		"chess":     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
		"draughts":  "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8",
		"tictactoe": "3/3/3 x",
	} {
		got, err := direct().Inspect(t.Context(), &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: rules}})
		if err != nil {
			t.Fatal(err)
		}
		if text := got.GetRuling().GetPosition().GetText(); text != want {
			t.Errorf("%s starts at %s, want %s", rules, text, want)
		}
	}
	got, err := direct().Inspect(t.Context(), &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: "draughts", Draws: "fmjd64"}})
	if err != nil || got.GetRuling().GetPosition().GetDraws() != "fmjd64" {
		t.Errorf("start under fmjd64: %v, %v", got.GetRuling().GetPosition(), err)
	}
}

// TestHistoryPassesThrough repeats a position by handing each ruling's position
// to the next call.
func TestHistoryPassesThrough(t *testing.T) {
	client := overNetwork(t)
	for _, tt := range []struct {
		start *commonv1.Position
		moves []string // lead back to where they began
	}{
		{&commonv1.Position{Rules: "chess"}, []string{"Nf3", "Nf6", "Ng1", "Ng8"}},
		{&commonv1.Position{Rules: "draughts", Text: "W:WKa1,a3:BKb8,h6"}, []string{"a1-b2", "b8-a7", "b2-a1", "a7-b8"}},
	} {
		p := tt.start
		var ruling *commonv1.Ruling
		for i, move := range slices.Repeat(tt.moves, 2) {
			got, err := client.Apply(t.Context(), &rulesv1.ApplyRequest{Position: p, Move: move})
			if err != nil {
				t.Fatalf("%v, ply %d, %s: %v", tt.start, i+1, move, err)
			}
			ruling = got.GetRuling()
			p = ruling.GetPosition()
		}
		if ruling.GetRepetition() != 3 || !slices.Equal(ruling.GetClaims(), []string{"repetition_3"}) {
			t.Errorf("%v: repetition %d, claims %v", tt.start, ruling.GetRepetition(), ruling.GetClaims())
		}
		p.History = ""
		got, err := client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: p})
		if err != nil || got.GetRuling().GetRepetition() != 1 {
			t.Errorf("%v without its past: repetition %d, %v", tt.start, got.GetRuling().GetRepetition(), err)
		}
	}
}

func TestFMJDEndsThroughTheService(t *testing.T) {
	client := direct()
	p := &commonv1.Position{Rules: "draughts", Text: "W:WKa1,a3:BKb8,h6", Draws: "fmjd64"}
	for i, move := range slices.Repeat([]string{"a1-b2", "b8-a7", "b2-a1", "a7-b8"}, 2) {
		got, err := client.Apply(t.Context(), &rulesv1.ApplyRequest{Position: p, Move: move})
		if err != nil {
			t.Fatalf("ply %d: %v", i+1, err)
		}
		p = got.GetRuling().GetPosition()
		if i == 7 {
			if o := got.GetRuling().GetOutcome(); o.GetReason() != "repetition_3" || o.Winner != nil {
				t.Errorf("outcome %v", o)
			}
		}
	}
}

// positions are those of the games' test data, and some of tic-tac-toe.
func positions(t testing.TB) []*commonv1.Position {
	t.Helper()
	var out []*commonv1.Position
	for rules, file := range map[string]string{
		"chess":    "../../games/chess/testdata/chess_perft.jsonl",
		"draughts": "../../games/draughts/testdata/draughts_positions.jsonl",
	} {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var row struct{ FEN string }
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatal(err)
			}
			out = append(out, &commonv1.Position{Rules: rules, Text: row.FEN})
		}
		if err := lines.Err(); err != nil || len(out) == 0 {
			t.Fatalf("%s: %v", file, err)
		}
	}
	for _, text := range []string{"3/3/3 x", "x2/1o1/3 x", "xo1/ox1/3 x", "xox/xo1/3 o"} {
		out = append(out, &commonv1.Position{Rules: "tictactoe", Text: text})
	}
	return out
}

// TestRoundTrips: what a ruling offers is accepted by text and by notation, and
// comes back as the same move; the ruling after it stands by itself.
func TestRoundTrips(t *testing.T) {
	client := direct()
	for i, p := range positions(t) {
		if i%4 != 0 && p.GetRules() == "chess" {
			continue // a quarter of them will do here
		}
		inspected, err := client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: p})
		if err != nil {
			t.Fatalf("%v: %v", p, err)
		}
		ruling := inspected.GetRuling()
		if again, err := client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: ruling.GetPosition()}); err != nil || !proto.Equal(again, inspected) {
			t.Errorf("%v: inspected again %v, %v", p, again, err)
		}
		for _, m := range ruling.GetMoves() {
			applied, err := client.Apply(t.Context(), &rulesv1.ApplyRequest{Position: ruling.GetPosition(), Move: m.GetText()})
			if err != nil || !proto.Equal(applied.GetMove(), m) {
				t.Errorf("%v, %s: played %v, %v", p, m.GetText(), applied.GetMove(), err)
				continue
			}
			byNotation, err := client.Apply(t.Context(), &rulesv1.ApplyRequest{Position: ruling.GetPosition(), Move: m.GetNotation()})
			if err != nil || !proto.Equal(byNotation.GetRuling(), applied.GetRuling()) {
				t.Errorf("%v, %s as %s: %v, %v", p, m.GetText(), m.GetNotation(), byNotation.GetRuling(), err)
			}
			after, err := client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: applied.GetRuling().GetPosition()})
			if err != nil || !proto.Equal(after.GetRuling(), applied.GetRuling()) {
				t.Errorf("%v, %s: inspected %v, %v\napplied %v", p, m.GetText(), after.GetRuling(), err, applied.GetRuling())
			}
			checkPieces(t, ruling, m, applied.GetRuling())
		}
	}
}

// checkPieces compares the pieces after a move with those before it.
func checkPieces(t *testing.T, before *commonv1.Ruling, m *commonv1.Move, after *commonv1.Ruling) {
	t.Helper()
	want := len(before.GetPieces()) - len(m.GetCaptures())
	if m.GetFrom() == "" {
		want++
	}
	squares := make([]string, 0, len(after.GetPieces()))
	mover := false
	for _, p := range after.GetPieces() {
		squares = append(squares, p.GetSquare())
		mover = mover || p.GetSquare() == m.GetTo() && p.GetSide() == before.GetSide()
	}
	chess960 := len(m.GetNotation()) > 1 && m.GetNotation()[0] == 'O' // may end elsewhere than "to"
	if len(squares) != want || !slices.IsSorted(squares) || !mover && !chess960 {
		t.Errorf("%s, %s: pieces %v", before.GetPosition().GetText(), m.GetText(), after.GetPieces())
	}
}

func TestAnswersAreTheSameEachTime(t *testing.T) {
	client := overNetwork(t)
	all := positions(t)
	first := make([]*rulesv1.InspectResponse, len(all))
	for i, p := range all {
		var err error
		if first[i], err = client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: p}); err != nil {
			t.Fatal(err)
		}
	}
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for i, p := range all {
				got, err := client.Inspect(t.Context(), &rulesv1.InspectRequest{Position: p})
				if err != nil || !proto.Equal(got, first[i]) {
					t.Errorf("%v: %v, %v", p, got, err)
					return
				}
			}
		})
	}
	readers.Wait()
}

func TestUnknownGame(t *testing.T) {
	_, err := direct().Inspect(t.Context(), &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: "go"}})
	if p := problemOf(t, err); p.Code != "unknown_rules" || len(p.Fields) != 1 || p.Fields[0].Name != "position.rules" {
		t.Errorf("through the chain: %+v", p)
	}
	_, err = New().Inspect(context.Background(), &rulesv1.InspectRequest{})
	if p := problemOf(t, err); p.Code != "unknown_rules" || len(p.Fields) != 1 || p.Fields[0].Name != "position.rules" {
		t.Errorf("without the chain: %+v", p)
	}
}

// TestCodesAreInTheCatalogue: every refusal of the games can be told.
func TestCodesAreInTheCatalogue(t *testing.T) {
	for _, c := range games.Codes() {
		entry, ok := rpc.Lookup(string(c.Code))
		if !ok {
			t.Errorf("%s is not in the catalogue", c.Code)
		}
		// stale turns and ended games are conflicts whoever says so
		if title := strings.ToLower(entry.Title); title != strings.ToLower(c.Sentence)+"." {
			t.Errorf("%s: catalogue %q, games %q", c.Code, entry.Title, c.Sentence)
		}
	}
}

func TestUnknownErrorsStayInside(t *testing.T) {
	cause := errors.New("a secret")
	if _, ok := rpc.ProblemOf(problem(cause)); ok || !errors.Is(problem(cause), cause) {
		t.Errorf("got %v", problem(cause))
	}
	if p := rpc.ToProblem(problem(cause)); !reflect.DeepEqual(p, rpc.Fail("internal", "")) {
		t.Errorf("a client sees %+v", p)
	}
}
