package draughts

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tabuleiro/games"
)

func TestRefusals(t *testing.T) {
	start := Start()
	open := "W:Wc3,Kg1:Bh8"
	tests := []struct {
		name, fen, move string
		want            games.Refusal
	}{
		{"nothing there", start.Text(), "c5-d6", games.Refusal{Code: games.NoPiece, Squares: []string{"c5"}}},
		{"a light square", start.Text(), "c4-d5", games.Refusal{Code: games.NoPiece, Squares: []string{"c4"}}},
		{"the opponent's", start.Text(), "b6-a5", games.Refusal{Code: games.NotYourPiece, Squares: []string{"b6"}}},
		{"onto an own piece", start.Text(), "b2-c3", games.Refusal{Code: games.OwnPiece, Squares: []string{"c3"}}},
		{"straight ahead", start.Text(), "c3-c4", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"c3", "c4"}}},
		{"two steps", start.Text(), "c3-e5", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"c3", "e5"}}},
		{"no move", start.Text(), "c3-c3", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"c3", "c3"}}},
		{"over an own piece", start.Text(), "b2xd4", games.Refusal{Code: games.PathBlocked, Squares: []string{"c3"}}},
		{"man backwards", open, "c3-b2", games.Refusal{Code: games.ManBackwards, Squares: []string{"c3", "b2"}}},
		{"black man backwards", "B:Wa1:Bc5", "c5-d6", games.Refusal{Code: games.ManBackwards, Squares: []string{"c5", "d6"}}},
		{"in two steps", open, "c3-d4-e5", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"c3", "d4"}}},
		{"king's way blocked by its own", "W:Wc5,Kg1:Bh8", "g1-a7", games.Refusal{Code: games.PathBlocked, Squares: []string{"c5"}}},
		{"king not on a diagonal", open, "g1-g3", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"g1", "g3"}}},
		{"onto the opponent", "W:Wc3,a1:Bd4,e5", "c3-d4", games.Refusal{Code: games.PathBlocked, Squares: []string{"d4"}}},
		{"two in a row", "W:WKb2:Bd4,e5", "b2xf6", games.Refusal{Code: games.PathBlocked, Squares: []string{"e5"}}},
		{"must capture", "W:Wc3,g1:Bd4", "g1-f2", games.Refusal{Code: games.CaptureCompulsory, Squares: []string{"c3"}, Moves: []string{"c3xe5"}}},
		{"must capture with any", "W:Wc3,e3,h2:Bd4", "h2-g3", games.Refusal{Code: games.CaptureCompulsory, Squares: []string{"c3", "e3"}, Moves: []string{"c3xe5", "e3xc5"}}},
		{"king must capture", "W:WKa1,h2:Bd4", "a1-b2", games.Refusal{Code: games.CaptureCompulsory, Squares: []string{"a1"}, Moves: []string{"a1xe5", "a1xf6", "a1xg7", "a1xh8"}}},
		{"a step to where a shorter capture comes round", "W:WKh6:Bc7,d6,Kf6,Kb4,b2,d2,f2", "h6-g5", games.Refusal{Code: games.CaptureCompulsory, Squares: []string{"h6"}, Moves: []string{"h6xc1xa3xc5xe7xh4xe1"}}},
		{"majority by another piece", "W:Wc1,a3:Bd2,f4,b4", "a3xc5", games.Refusal{Code: games.Majority, Squares: []string{"c1"}, Moves: []string{"c1xe3xg5"}}},
		{"stopped too early", "W:Wc1,a3:Bd2,f4,b4", "c1xe3", games.Refusal{Code: games.Majority, Squares: []string{"c1"}, Moves: []string{"c1xe3xg5"}}},
		{"the shorter way", "W:WKh6:Bf4,c3,b6,d6", "h6xd2xb4", games.Refusal{Code: games.Majority, Squares: []string{"h6"}, Moves: []string{"h6xd2xa5xc7xe5"}}},
		{"captured twice", "W:WKh6:Bf4,c3,b6,d6", "h6xd2xa5xc7xg3", games.Refusal{Code: games.CapturedTwice, Squares: []string{"f4"}}},
		{"nothing to take", "W:WKh6:Bf4,c3,b6,d6", "h6xe3xc5", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"e3", "c5"}}},
		{"two captures between two squares", "B:WKg7,c5,e3,f6:BKa3", "a3xc1", games.Refusal{Code: games.Ambiguous, Squares: []string{"a3", "c1"}, Moves: []string{"a3xe7xg5xc1", "a3xf8xh6xc1"}}},
		{"capture sign on a quiet move", start.Text(), "c3xd4", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"c3", "d4"}}},
		{"colon on a quiet move", start.Text(), "c3:d4", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"c3", "d4"}}},
		{"capture sign between numbers", start.Text(), "22x18", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"c3", "d4"}}},
		{"capture sign on a king's quiet move", open, "g1xa7", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"g1", "a7"}}},
		{"capture sign on a quiet move beside a capture", "W:Wc3,g1:Bd4", "g1xf2", games.Refusal{Code: games.CannotMoveSo, Squares: []string{"g1", "f2"}}},
		{"capture sign backwards", open, "c3xb2", games.Refusal{Code: games.ManBackwards, Squares: []string{"c3", "b2"}}},
		{"no text", start.Text(), "", games.Refusal{Code: games.BadText}},
		{"one square", start.Text(), "c3", games.Refusal{Code: games.BadText}},
		{"off the board", start.Text(), "c3-i4", games.Refusal{Code: games.BadText}},
		{"blank inside", start.Text(), "c3 - d4", games.Refusal{Code: games.BadText}},
		{"a star", start.Text(), "c3-d4*", games.Refusal{Code: games.BadText}},
		{"two separators", start.Text(), "c3--d4", games.Refusal{Code: games.BadText}},
		{"separator at the end", start.Text(), "c3-d4-", games.Refusal{Code: games.BadText}},
		{"number off the board", start.Text(), "22-33", games.Refusal{Code: games.BadText}},
		{"a result", start.Text(), "1-0", games.Refusal{Code: games.BadText}},
		{"no pieces", "W:W:BKa1", "a1-b2", games.Refusal{Code: games.GameOver}},
		{"no moves", "W:Wa3:Bb4,c5", "a3-b4", games.Refusal{Code: games.GameOver}},
	}
	for _, tt := range tests {
		_, _, err := Game{}.Apply(games.Position{Text: tt.fen}, tt.move)
		var refusal *games.Refusal
		if !errors.As(err, &refusal) || !reflect.DeepEqual(*refusal, tt.want) {
			t.Errorf("%s: %s on %s: %+v (%v), want %+v", tt.name, tt.move, tt.fen, refusal, err, tt.want)
		}
	}
}

func TestReadsMovesLeniently(t *testing.T) {
	const king = "W:WKh6:Bf4,c3,b6,d6"
	tests := []struct{ fen, move, want string }{
		{"", "c3d4", "c3-d4"},
		{"", "C3-D4!?", "c3-d4"},
		{"", " c3-d4 ", "c3-d4"},
		{"W:Wc3:Bd4", "c3-e5", "c3xe5"},
		{"W:Wc3:Bd4", "22-15", "c3xe5"},
		{"W:Wc3:Bd4", "c3e5", "c3xe5"},
		{"W:Wc1:Bd2,f4", "c1-e3xg5", "c1xe3xg5"},
		{"", "22-18", "c3-d4"},
		{king, "h6xe5", "h6xd2xa5xc7xe5"},
		{king, "h6e5", "h6xd2xa5xc7xe5"},
		{king, "4:h6xe5", ""},
		{king, "h6xd2xe5", "h6xd2xa5xc7xe5"},
		{king, "h6:d2:a5:c7:e5", "h6xd2xa5xc7xe5"},
		{king, "h6xg5xe3xd2xb4xa5xc7xe5", "h6xd2xa5xc7xe5"},
		{"W:WKa1:Bb2,e5", "a1xd4xf6", "a1xc3xf6"},
		{"W:Wd2:Bc5,e5,c3,e3", "d2xd2", "d2xb4xd6xf4xd2"},
		{"W:Wd2:Bc5,e5,c3,e3", "d2xf4xd6xb4xd2", "d2xf4xd6xb4xd2"},
	}
	for _, tt := range tests {
		if tt.fen == "" {
			s := Start()
			tt.fen = s.Text()
		}
		m, _, err := Game{}.Apply(games.Position{Text: tt.fen}, tt.move)
		if m.Text != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s on %s: %q, %v, want %q", tt.move, tt.fen, m.Text, err, tt.want)
		}
	}
}

// somePositions are those of the cases and of random games between them and
// their ends, for properties that hold anywhere.
func somePositions(t testing.TB, plies int) []Position {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var out []Position
	var list MoveList
	for _, c := range readLines[positionCase](t, "testdata/draughts_positions.jsonl") {
		p := mustParse(t, c.FEN)
		for range plies {
			out = append(out, p)
			if p.Legal(&list); len(list) == 0 {
				break
			}
			p = p.Play(list[r.IntN(len(list))])
		}
	}
	return out
}

// TestNoMoveIsRefusedWithoutReason tries every pair of squares and random
// paths: exactly the legal moves are played, and each other one is refused with
// a code that fits and squares to look at.
func TestNoMoveIsRefusedWithoutReason(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range somePositions(t, 3) {
		l := p.legal()
		if len(l.paths) == 0 {
			continue
		}
		capture := l.paths[0].Captured != 0
		for i := range 64 * 64 {
			from, to := spot{i & 7, i >> 3 & 7}, spot{i >> 6 & 7, i >> 9}
			checkSpots(t, p, &l, []spot{from, to}, capture)
		}
		for range 400 {
			from := l.paths[r.IntN(len(l.paths))].From
			spots := []spot{spotOf(from)}
			for range 1 + r.IntN(4) {
				last := spots[len(spots)-1]
				// Mostly along diagonals, so that many are nearly legal.
				d := 1 + r.IntN(4)
				next := spot{last.file + d*(1-2*r.IntN(2)), last.row + d*(1-2*r.IntN(2))}
				if next.file < 0 || next.file > 7 || next.row < 0 || next.row > 7 {
					next = spot{r.IntN(8), r.IntN(8)}
				}
				spots = append(spots, next)
			}
			checkSpots(t, p, &l, spots, capture)
		}
	}
}

func checkSpots(t *testing.T, p Position, l *legal, spots []spot, capture bool) {
	t.Helper()
	i, refusal := p.find(l, written{spots: spots})
	first, last := spots[0].square(), spots[len(spots)-1].square()
	sets := map[Bitboard]bool{}
	for i := range l.paths {
		if l.paths[i].From == first && l.paths[i].To == last {
			sets[l.paths[i].Captured] = true
		}
	}
	fail := func(why string) { t.Fatalf("%s, %v: %s (%v)", p.Text(), spots, why, refusal) }
	// With the sign of a capture, captures alone are played.
	if j, signed := p.find(l, written{spots, true}); (signed == nil) != (refusal == nil && capture) || signed == nil && i != j {
		fail("the sign of a capture says otherwise")
	}
	if refusal == nil {
		if got := &l.paths[i]; got.From != first || got.To != last || !sets[got.Captured] {
			fail("another move was played: " + got.Text())
		}
		return
	}
	if len(spots) == 2 && len(sets) == 1 {
		fail("a legal move is refused")
	}
	if len(refusal.Squares) == 0 {
		fail("a refusal without squares")
	}
	switch refusal.Code {
	case games.NoPiece:
		if first != NoSquare && !p.Empty().Has(first) {
			fail("there is a piece")
		}
	case games.NotYourPiece:
		if !p.Pieces(p.Side().Other()).Has(first) {
			fail("it is not the opponent's")
		}
	case games.CaptureCompulsory, games.Majority:
		if !capture || !slices.Equal(refusal.Moves, l.texts) {
			fail("there is nothing to capture, or other moves are asked for")
		}
		if taken, fault := p.walk(spots); refusal.Code == games.CaptureCompulsory && (taken != 0 || fault != nil || len(spots) > 2) {
			fail("it is no quiet move")
		}
	case games.Ambiguous:
		if len(sets) < 2 || len(refusal.Moves) < 2 {
			fail("nothing is ambiguous")
		}
	case games.ManBackwards:
		if p.kings.Has(first) {
			fail("it is a king")
		}
	case games.OwnPiece, games.PathBlocked, games.CapturedTwice:
		if s := refusal.Squares[0]; !slices.Contains(names(board&^p.Empty()), s) {
			fail("nothing stands there")
		}
	case games.CannotMoveSo:
	default:
		fail("a code that no squares can earn")
	}
}
