package draughts

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tabuleiro/games"
)

// reference generates the texts of the legal moves by walking an 8x8 board
// square by square, as the rules are worded. It shares nothing with the
// generator but the names of squares.
type reference struct {
	at    map[spot]byte // 'm' and 'k' of the mover, 'o' of the opponent, 't' taken
	up    int           // the way forward
	jumps [][]jump
}

// jump is one capture: where to, in which direction, and the square right
// behind the victim.
type jump struct {
	to, behind spot
	df, dr     int
}

func onBoard(s spot) bool { return s.file >= 0 && s.file < 8 && s.row >= 0 && s.row < 8 }

func referenceMoves(p *Position) []string {
	r := reference{at: map[spot]byte{}, up: 1}
	if p.Side() == games.Second {
		r.up = -1
	}
	for i := range 32 {
		s := FromIndex(i)
		switch {
		case p.Pieces(p.Side().Other()).Has(s):
			r.at[spotOf(s)] = 'o'
		case p.Kings(p.Side()).Has(s):
			r.at[spotOf(s)] = 'k'
		case p.Men(p.Side()).Has(s):
			r.at[spotOf(s)] = 'm'
		}
	}
	most := 0
	var captures, quiet []string
	for s, piece := range copyOf(r.at) {
		if piece == 'o' {
			continue
		}
		delete(r.at, s)
		r.jumps = nil
		r.capture(s, piece == 'k', nil)
		for _, js := range r.jumps {
			if len(js) < most {
				continue
			}
			if len(js) > most {
				most, captures = len(js), nil
			}
			captures = append(captures, pathText(s, js))
		}
		quiet = append(quiet, r.steps(s, piece == 'k')...)
		r.at[s] = piece
	}
	if most == 0 {
		captures = quiet
	}
	slices.Sort(captures)
	return slices.Compact(captures)
}

func copyOf(m map[spot]byte) map[spot]byte {
	out := map[spot]byte{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func pathText(from spot, js []jump) string {
	words := []string{from.String()}
	for i, j := range js {
		s := j.to
		if i+1 < len(js) && js[i+1].df == j.df && js[i+1].dr == j.dr {
			s = j.behind
		}
		words = append(words, s.String())
	}
	return strings.Join(words, "x")
}

func (r *reference) steps(s spot, king bool) (out []string) {
	for _, d := range [][2]int{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}} {
		for to := (spot{s.file + d[0], s.row + d[1]}); onBoard(to) && r.at[to] == 0; to = (spot{to.file + d[0], to.row + d[1]}) {
			if king || d[1] == r.up {
				out = append(out, s.String()+"-"+to.String())
			}
			if !king {
				break
			}
		}
	}
	return out
}

func (r *reference) capture(s spot, king bool, done []jump) {
	if len(done) > 0 {
		r.jumps = append(r.jumps, slices.Clone(done))
	}
	for _, d := range [][2]int{{-1, 1}, {1, 1}, {1, -1}, {-1, -1}} {
		victim := spot{s.file + d[0], s.row + d[1]}
		for king && onBoard(victim) && r.at[victim] == 0 {
			victim = spot{victim.file + d[0], victim.row + d[1]}
		}
		if r.at[victim] != 'o' {
			continue
		}
		r.at[victim] = 't'
		behind := spot{victim.file + d[0], victim.row + d[1]}
		for to := behind; onBoard(to) && r.at[to] == 0; to = (spot{to.file + d[0], to.row + d[1]}) {
			r.capture(to, king, append(done, jump{to, behind, d[0], d[1]}))
			if !king {
				break
			}
		}
		r.at[victim] = 'o'
	}
}

func TestMovesAreThoseOfTheReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPosition(t)
		if got, want := p.legal().texts, referenceMoves(&p); !slices.Equal(got, want) {
			t.Fatalf("%s:\ngot  %v\nwant %v", p.Text(), got, want)
		}
	})
	for _, p := range somePositions(t, 2) {
		if got, want := p.legal().texts, referenceMoves(&p); !slices.Equal(got, want) {
			t.Fatalf("%s:\ngot  %v\nwant %v", p.Text(), got, want)
		}
	}
}
