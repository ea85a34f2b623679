package draughts

import (
	"strconv"
	"strings"

	"tabuleiro/games"
)

// The draw sets. A "move" of their rules is one by each side, two plies here.
//
// Under cbd the side to move may claim: kings_only_20 (40 plies by kings only,
// without capture), small_ending_5 (10 plies of one of the endings 2K v 2K, 2K
// v K, 2K v K+man, K v K, K v K+man) and repetition_3.
//
// Under fmjd64 (rules 7.2.3 to 7.2.8 of the federation for 64 squares) the game
// ends by itself: repetition_3; three_kings_15 (30 plies of three or more kings
// against one); kings_only_15 (30 plies by kings only, without capture);
// main_diagonal_5 (10 plies of three pieces, a king among them, against one
// king on a1-h8); small_ending_5 (10 plies of two kings, king and man, or one
// king against one king); balance_30 and balance_60 (both sides have kings, and
// neither a capture nor a promotion for 60 plies with 4 or 5 pieces on the
// board, for 120 with 6 or 7). Rule 7.2.9, obvious wins, needs a judge and is
// left out.
//
// What restarts a count, where the rules leave it open: a ply counts when the
// ending was there before and after it. A capture always starts anew. A
// promotion starts the endings of cbd and the balance anew, since it makes
// another ending; the groups of fmjd64 go on through it as long as they hold.
// The move of a man restarts kings_only and repetitions alone. A king that
// leaves the main diagonal starts that count anew. A position without a history
// counts from itself.
const (
	drawsCBD    = "cbd"
	drawsFMJD64 = "fmjd64"
)

const (
	// maxCount is where counters stop: far above what any rule asks.
	maxCount = 999
	// maxRun is how many moves by kings are remembered. Under fmjd64 30 end the
	// game; under cbd a draw can be claimed from 40 on.
	maxRun = 200
)

// history is what the draw rules remember of the moves before a position.
type history struct {
	material int // plies since the last capture or promotion
	ending   int // plies of a small ending of fmjd64
	diagonal int // plies of a lone king on the main diagonal
	run      []step
}

// step is a quiet move by a king. The run of them up to a position gives back
// all positions that could recur, since men and captures go one way.
type step struct{ from, to Square }

// String writes the three counters and two letters a step, joined by dots;
// empty where there is nothing to remember.
func (h history) String() string {
	if h.material == 0 && h.ending == 0 && h.diagonal == 0 && len(h.run) == 0 {
		return ""
	}
	var b strings.Builder
	for _, n := range [3]int{h.material, h.ending, h.diagonal} {
		b.WriteString(strconv.Itoa(n))
		b.WriteByte('.')
	}
	for _, s := range h.run {
		b.WriteByte(squareDigits[s.from.Index()])
		b.WriteByte(squareDigits[s.to.Index()])
	}
	return b.String()
}

const squareDigits = "0123456789abcdefghijklmnopqrstuv"

// parseHistory reads what String wrote for a game that stands at p. It accepts
// only counters that fit p, and steps that can be taken back from it.
func parseHistory(text string, p Position) (history, bool) {
	var h history
	if text == "" {
		return h, true
	}
	if len(text) > 3*len("999.")+2*maxRun {
		return h, false
	}
	fields := strings.Split(text, ".")
	if len(fields) != 4 || len(fields[3])%2 != 0 {
		return h, false
	}
	for i, n := range [3]*int{&h.material, &h.ending, &h.diagonal} {
		v, err := strconv.ParseUint(fields[i], 10, 16)
		if err != nil || v > maxCount || strconv.FormatUint(v, 10) != fields[i] {
			return history{}, false
		}
		*n = int(v)
	}
	for s := fields[3]; s != ""; s = s[2:] {
		from, to := strings.IndexByte(squareDigits, s[0]), strings.IndexByte(squareDigits, s[1])
		if from < 0 || to < 0 {
			return history{}, false
		}
		h.run = append(h.run, step{FromIndex(from), FromIndex(to)})
	}
	if !h.fits(p) {
		return history{}, false
	}
	return h, true
}

func (h history) fits(p Position) bool {
	if len(h.run) > h.material || len(h.run) > maxRun ||
		h.ending > 0 && !smallEndingFMJD(&p) || h.diagonal > 0 && !mainDiagonalEnding(&p) {
		return false
	}
	var list MoveList
	for i := len(h.run) - 1; i >= 0; i-- {
		s := h.run[i]
		if !p.Kings(p.Side().Other()).Has(s.to) || !p.Empty().Has(s.from) {
			return false
		}
		p = p.back(s)
		p.Legal(&list)
		legal := false
		for _, m := range list {
			legal = legal || m == Move{From: s.from, To: s.to}
		}
		if !legal {
			return false
		}
	}
	return true
}

// back is the position before the king's move s led to p.
func (p Position) back(s step) Position {
	us := p.Side().Other()
	flip := s.from.Bit() | s.to.Bit()
	return Position{
		own: p.opponent ^ flip, opponent: p.own, kings: p.kings ^ flip ^ secondMoves,
		hash: p.hash ^ zobrist[us][1][s.from] ^ zobrist[us][1][s.to] ^ zobristSide,
	}
}

// after is the history once m has led from before to now.
func (h history) after(before *Position, m Move, now *Position) history {
	capture := m.Captured != 0
	next := history{
		ending:   count(h.ending, !capture && smallEndingFMJD(before), smallEndingFMJD(now)),
		diagonal: count(h.diagonal, !capture && mainDiagonalEnding(before), mainDiagonalEnding(now)),
		material: count(h.material, !capture && !m.Promotes, true),
	}
	if !capture && before.kings.Has(m.From) {
		run := h.run
		if len(run) == maxRun {
			run = run[1:]
		}
		next.run = append(run[:len(run):len(run)], step{m.From, m.To})
	}
	return next
}

// count is n and one more where what it counts went on, else 0.
func count(n int, was, is bool) int {
	if !was || !is {
		return 0
	}
	return min(n+1, maxCount)
}

// repetition counts the occurrences of p in the game, this one included.
func (h history) repetition(p Position) int {
	n := 1
	q := p
	for i := len(h.run) - 1; i >= 0; i-- {
		if q = q.back(h.run[i]); q == p {
			n++
		}
	}
	return n
}

// claims are the draws that may be claimed at p under cbd, in the order of
// their words.
func (h history) claims(p *Position, repetition int) []string {
	var out []string
	if len(h.run) >= 40 {
		out = append(out, "kings_only_20")
	}
	if repetition >= 3 {
		out = append(out, "repetition_3")
	}
	if h.material >= 10 && smallEndingCBD(p) {
		out = append(out, "small_ending_5")
	}
	return out
}

// draw is the reason why the game is drawn at p under fmjd64; empty if it
// is not.
func (h history) draw(p *Position, repetition int) string {
	bothKings := p.Kings(games.First) != 0 && p.Kings(games.Second) != 0
	switch n := p.Occupied().Count(); {
	case repetition >= 3:
		return "repetition_3"
	case h.material >= 30 && threeKings(p):
		return "three_kings_15"
	case h.diagonal >= 10:
		return "main_diagonal_5"
	case h.ending >= 10:
		return "small_ending_5"
	case len(h.run) >= 30:
		return "kings_only_15"
	case h.material >= 60 && bothKings && (n == 4 || n == 5):
		return "balance_30"
	case h.material >= 120 && bothKings && (n == 6 || n == 7):
		return "balance_60"
	}
	return ""
}

// force is what a side has.
type force struct{ men, kings int }

func forces(p *Position, s games.Side) force {
	return force{p.Men(s).Count(), p.Kings(s).Count()}
}

func smallEndingCBD(p *Position) bool {
	a, b := forces(p, games.First), forces(p, games.Second)
	return smallPair(a, b) || smallPair(b, a)
}

// smallPair says whether a and b, in this order, are an ending of cbd.
func smallPair(a, b force) bool {
	k, kk, km := force{0, 1}, force{0, 2}, force{1, 1}
	return a == kk && (b == kk || b == k || b == km) || a == k && (b == k || b == km)
}

// against calls f with a side's force where the other has a single king.
func against(p *Position, f func(strong force, lone games.Side) bool) bool {
	for _, lone := range [2]games.Side{games.First, games.Second} {
		if forces(p, lone) == (force{0, 1}) && f(forces(p, lone.Other()), lone) {
			return true
		}
	}
	return false
}

func smallEndingFMJD(p *Position) bool {
	return against(p, func(strong force, _ games.Side) bool {
		return strong.kings >= 1 && strong.kings+strong.men <= 2
	})
}

func mainDiagonalEnding(p *Position) bool {
	return against(p, func(strong force, lone games.Side) bool {
		return strong.kings >= 1 && strong.kings+strong.men == 3 && p.Pieces(lone)&mainDiagonal != 0
	})
}

func threeKings(p *Position) bool {
	return against(p, func(strong force, _ games.Side) bool { return strong.men == 0 && strong.kings >= 3 })
}
