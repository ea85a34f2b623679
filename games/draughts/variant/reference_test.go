package variant

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games"
)

// spot is a square as people see it.
type spot struct{ file, row int }

func (s spot) String() string { return fmt.Sprintf("%c%d", 'a'+s.file, s.row+1) }

// reference generates moves as the rules are worded, on a map of squares: it
// lists all complete captures of all pieces and then strikes out, priority by
// priority, those that another one surpasses. It shares nothing with the kernel
// but the rules.
type reference struct {
	Rules
	at    map[spot]byte // 'm' and 'k' of the mover, 'o' and 'O' (a king) of the other, 't' taken
	up    int
	found []refCapture
	jumps []refJump
}

type refJump struct {
	over, to, behind spot
	df, dr           int
	king             bool // the victim is one
}

type refCapture struct {
	from    spot
	byKing  bool
	crowned bool
	jumps   []refJump
}

var diagonals = [4][2]int{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}}

func (r *reference) dark(s spot) bool {
	shift := 0
	if r.DarkRight {
		shift = 1
	}
	return s.file >= 0 && s.file < r.Size && s.row >= 0 && s.row < r.Size && (s.file+s.row)%2 == shift
}

func (r *reference) lastRow(s spot) bool {
	return r.up == 1 && s.row == r.Size-1 || r.up == -1 && s.row == 0
}

// moves are the legal moves: their text, with the taken squares and whether
// they crown.
func (r *reference) moves() []string {
	var quiet []string
	for s, piece := range clone(r.at) {
		if piece != 'm' && piece != 'k' {
			continue
		}
		delete(r.at, s)
		r.capture(s, s, piece == 'k', piece == 'k')
		quiet = append(quiet, r.steps(s, piece == 'k')...)
		r.at[s] = piece
	}
	if len(r.found) == 0 {
		slices.Sort(quiet)
		return quiet
	}
	for _, p := range r.Majority {
		best := slices.MaxFunc(r.found, func(a, b refCapture) int { return compareBy(p, a, b) })
		r.found = slices.DeleteFunc(r.found, func(c refCapture) bool { return compareBy(p, c, best) < 0 })
	}
	var out []string
	for _, c := range r.found {
		out = append(out, c.text())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func clone(m map[spot]byte) map[spot]byte {
	out := map[spot]byte{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func compareBy(p Priority, a, b refCapture) int {
	kings := func(c refCapture) (n int) {
		for _, j := range c.jumps {
			if j.king {
				n++
			}
		}
		return n
	}
	switch p {
	case MostPieces:
		return cmp.Compare(len(a.jumps), len(b.jumps))
	case ByKing:
		if a.byKing == b.byKing {
			return 0
		} else if a.byKing {
			return 1
		}
		return -1
	case MostKings:
		return cmp.Compare(kings(a), kings(b))
	default: // whoever has a king where the other has none, at the first such capture
		for i := range max(len(a.jumps), len(b.jumps)) {
			x, y := i < len(a.jumps) && a.jumps[i].king, i < len(b.jumps) && b.jumps[i].king
			if x != y {
				if x {
					return 1
				}
				return -1
			}
		}
		return 0
	}
}

func (c *refCapture) text() string {
	words := []string{c.from.String()}
	var over []string
	for i, j := range c.jumps {
		s := j.to
		if i+1 < len(c.jumps) && c.jumps[i+1].df == j.df && c.jumps[i+1].dr == j.dr {
			s = j.behind
		}
		words = append(words, s.String())
		over = append(over, j.over.String())
	}
	slices.Sort(over)
	return fmt.Sprintf("%s %v %v", strings.Join(words, "x"), over, c.crowned)
}

func (r *reference) steps(s spot, king bool) (out []string) {
	for _, d := range diagonals {
		if !king && d[1] != r.up {
			continue
		}
		for n := 1; n == 1 || king && r.FlyingKing; n++ {
			to := spot{s.file + n*d[0], s.row + n*d[1]}
			if !r.dark(to) || r.at[to] != 0 {
				break
			}
			out = append(out, fmt.Sprintf("%v-%v [] %v", s, to, !king && r.lastRow(to)))
		}
	}
	return out
}

// nextJumps are the single captures from a square.
func (r *reference) nextJumps(s spot, king bool) (out []refJump) {
	for _, d := range diagonals {
		if !king && d[1] != r.up && !r.MenTakeBack {
			continue
		}
		over := spot{s.file + d[0], s.row + d[1]}
		for king && r.FlyingKing && r.dark(over) && r.at[over] == 0 {
			over = spot{over.file + d[0], over.row + d[1]}
		}
		victim := r.at[over]
		if victim != 'o' && victim != 'O' || victim == 'O' && !king && r.MenSpareKings {
			continue
		}
		behind := spot{over.file + d[0], over.row + d[1]}
		for to := behind; r.dark(to) && r.at[to] == 0; to = (spot{to.file + d[0], to.row + d[1]}) {
			out = append(out, refJump{over, to, behind, d[0], d[1], victim == 'O'})
			if !king || !r.FlyingKing {
				break
			}
		}
	}
	return out
}

// capture walks all captures of the piece that began on from. Whoever could go
// on from any of the squares where it may land has to.
func (r *reference) capture(from, s spot, byKing, king bool) {
	all := r.nextJumps(s, king)
	for _, j := range all {
		was := r.at[j.over]
		r.at[j.over] = 't'
		r.jumps = append(r.jumps, j)
		on, onward := king, false
		if r.CrownInPassing && r.lastRow(j.to) {
			on = true
		}
		for _, other := range all {
			if other.over == j.over {
				onward = onward || len(r.nextJumps(other.to, on)) > 0
			}
		}
		if !onward {
			crowned := !byKing && (on || r.lastRow(j.to))
			r.found = append(r.found, refCapture{from, byKing, crowned, slices.Clone(r.jumps)})
		} else {
			r.capture(from, j.to, byKing, on)
		}
		r.jumps = r.jumps[:len(r.jumps)-1]
		r.at[j.over] = was
	}
}

func referenceMoves(k *Kernel, p *Position) []string {
	r := reference{Rules: k.rules, at: map[spot]byte{}, up: 1}
	if p.Side == games.Second {
		r.up = -1
	}
	for b := k.all; !b.Empty(); b = b.Rest() {
		s := b.First()
		file, row := k.place(s)
		king := p.Kings.Has(s)
		switch {
		case p.Pieces[p.Side].Has(s) && king:
			r.at[spot{file, row}] = 'k'
		case p.Pieces[p.Side].Has(s):
			r.at[spot{file, row}] = 'm'
		case p.Pieces[p.Side.Other()].Has(s) && king:
			r.at[spot{file, row}] = 'O'
		case p.Pieces[p.Side.Other()].Has(s):
			r.at[spot{file, row}] = 'o'
		}
	}
	return r.moves()
}

// kernelMoves are the kernel's paths in the words of the reference.
func kernelMoves(k *Kernel, p *Position) []string {
	paths := k.Paths(p)
	out := make([]string, len(paths))
	for i := range paths {
		path := &paths[i]
		over := []string{}
		for b := path.Captured; !b.Empty(); b = b.Rest() {
			over = append(over, k.name(b.First()))
		}
		slices.Sort(over)
		out[i] = fmt.Sprintf("%s %v %v", k.Text(path), over, path.Promotes)
	}
	slices.Sort(out)
	return out
}

// anyPosition draws a valid position, with more kings than games have, so that
// the rare captures come up.
func anyPosition(t *rapid.T, k *Kernel) Position {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	var squares []Square
	for b := k.all; !b.Empty(); b = b.Rest() {
		squares = append(squares, b.First())
	}
	r.Shuffle(len(squares), func(i, j int) { squares[i], squares[j] = squares[j], squares[i] })
	p := Position{Side: games.Side(r.IntN(2))}
	kings := r.IntN(10)
	for side := range p.Pieces {
		for range 1 + r.IntN(k.rules.Rows*k.size/2) {
			s := squares[0]
			squares = squares[1:]
			p.Pieces[side].add(s)
			if r.IntN(10) < kings || k.last[side].Has(s) {
				p.Kings.add(s)
			}
		}
	}
	if err := k.check(&p); err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	return p
}

// anyRules draws rules that no country may have.
func anyRules(t *rapid.T) Rules {
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	r := Rules{
		Name: "any", Size: rapid.SampledFrom([]int{8, 10, 12}).Draw(t, "size"), DarkRight: flag("dark right"), BlackBegins: flag("black begins"),
		FlyingKing: flag("flying"), MenTakeBack: flag("back"), MenSpareKings: flag("spare"), CrownInPassing: flag("passing"),
	}
	r.Rows = r.Size/2 - 1
	all := rapid.Permutation([]Priority{MostPieces, ByKing, MostKings, KingsFirst}).Draw(t, "priorities")
	r.Majority = all[:rapid.IntRange(0, len(all)).Draw(t, "number of priorities")]
	return r
}

// checkMoves holds the moves against the reference, and the moves without their
// paths against those with them.
func checkMoves(t *rapid.T, k *Kernel, p *Position) {
	if got, want := kernelMoves(k, p), referenceMoves(k, p); !slices.Equal(got, want) {
		t.Fatalf("%+v, %s:\ngot  %v\nwant %v", k.rules, k.Write(p), got, want)
	}
	var list, distinct []Move
	k.Legal(p, &list)
	for _, path := range k.Paths(p) {
		if !slices.Contains(distinct, path.Move) {
			distinct = append(distinct, path.Move)
		}
	}
	if !slices.Equal(list, distinct) {
		t.Fatalf("%+v, %s: moves %v, of the paths %v", k.rules, k.Write(p), list, distinct)
	}
}

func TestMovesAreThoseOfTheReference(t *testing.T) {
	for _, r := range Countries() {
		t.Run(r.Name, func(t *testing.T) {
			k := kernel(t, r.Name)
			rapid.Check(t, func(t *rapid.T) {
				p := anyPosition(t, k)
				checkMoves(t, k, &p)
			})
		})
	}
}

func TestMovesOfAnyRulesAreThoseOfTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, err := New(anyRules(t))
		if err != nil {
			t.Fatal(err)
		}
		p := anyPosition(t, k)
		checkMoves(t, k, &p)
	})
}
