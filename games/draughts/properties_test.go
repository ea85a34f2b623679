package draughts

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games"
)

// anyPosition draws a valid position: pieces anywhere, more kings than games
// have, so that the rare captures come up.
func anyPosition(t *rapid.T) Position {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	s := Setup{Side: games.Side(r.IntN(2))}
	kings := r.IntN(10)
	squares := r.Perm(32)
	// The waiting side goes first, for it needs a piece.
	for side := s.Side.Other(); ; side = s.Side {
		for range 1 + r.IntN(maxTaken) {
			sq := FromIndex(squares[0])
			squares = squares[1:]
			if r.IntN(10) < kings || side == games.First && row8.Has(sq) || side == games.Second && row1.Has(sq) {
				s.Kings[side] |= sq.Bit()
			} else {
				s.Men[side] |= sq.Bit()
			}
		}
		if side == s.Side {
			break
		}
	}
	p, err := s.Position()
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return p
}

// rotated is p seen from the other side: the board turned half round, the
// colours swapped.
func rotated(p *Position) Position {
	turn := func(b Bitboard) (out Bitboard) {
		for ; b != 0; b = b.Rest() {
			out |= (NumSquares - 1 - b.First()).Bit()
		}
		return out
	}
	return newPosition([2]Bitboard{turn(p.Pieces(1)), turn(p.Pieces(0))}, turn(p.kings&board), p.Side().Other())
}

func TestRotationKeepsCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition(t)
		q := rotated(&p)
		for depth := 1; depth <= 3; depth++ {
			for _, paths := range []bool{false, true} {
				a, b := Perft(p, depth, paths, true), Perft(q, depth, paths, true)
				if a != b {
					t.Fatalf("%s has %d, rotated %d at depth %d, paths %v", p.Text(), a, b, depth, paths)
				}
			}
		}
	})
}

func TestPlaysAreConsistent(t *testing.T) {
	var list MoveList
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition(t)
		for range 8 {
			if q, err := Parse(p.Text()); err != nil || q != p {
				t.Fatalf("%s reads as %s, %v", p.Text(), q.Text(), err)
			}
			if p.hash != p.freshHash() {
				t.Fatalf("%s: hash %#x, fresh %#x", p.Text(), p.hash, p.freshHash())
			}
			p.Legal(&list)
			checkMoves(t, &p, list)
			if len(list) == 0 {
				return
			}
			m := list[rapid.IntRange(0, len(list)-1).Draw(t, "move")]
			q := p.Play(m)
			if m.Captured == 0 && p.kings.Has(m.From) {
				if back := q.back(step{m.From, m.To}); back != p {
					t.Fatalf("%s: %v taken back gives %s", p.Text(), m, back.Text())
				}
			}
			p = q
		}
	})
}

// sorted puts moves into an order of their own.
func sorted(moves []Move) []Move {
	slices.SortFunc(moves, func(a, b Move) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Captured, b.Captured))
	})
	return moves
}

// checkMoves compares the moves with the paths, of which they are the sets.
func checkMoves(t *rapid.T, p *Position, list MoveList) {
	paths := p.LegalPaths()
	if p.MustCapture() != (len(list) > 0 && list[0].Captured != 0) {
		t.Fatalf("%s: must capture %v", p.Text(), p.MustCapture())
	}
	var fromPaths []Move
	texts := map[string]bool{}
	for i := range paths {
		path := &paths[i]
		if texts[path.Text()] {
			t.Fatalf("%s: %s twice", p.Text(), path.Text())
		}
		texts[path.Text()] = true
		if !slices.Contains(fromPaths, path.Move) {
			fromPaths = append(fromPaths, path.Move)
		}
		if path.Captured.Count() != paths[0].Captured.Count() {
			t.Fatalf("%s: %s against the majority", p.Text(), path.Text())
		}
	}
	if got := slices.Clone(list); !slices.Equal(sorted(got), sorted(fromPaths)) {
		t.Fatalf("%s: moves %v, of the paths %v", p.Text(), list, fromPaths)
	}
	l := p.legal()
	for i := range l.paths {
		for _, text := range []string{l.texts[i], l.notation(i)} {
			w, ok := parseMove(text)
			if !ok {
				t.Fatalf("%s: %s cannot be read", p.Text(), text)
			}
			if j, refusal := p.find(&l, w); refusal != nil || l.paths[j].Move != l.paths[i].Move {
				t.Fatalf("%s: %s reads as %d, %v, want %d", p.Text(), text, j, refusal, i)
			}
		}
	}
}
