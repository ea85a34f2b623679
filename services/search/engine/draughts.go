package engine

import (
	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/core"
)

// draughtsNode is a position with the counters of its draw rules.
type draughtsNode struct {
	pos    draughts.Position
	counts draughts.Counts
}

// draughtsRules is Brazilian draughts for the search.
type draughtsRules struct{}

func (draughtsRules) Hash(p *draughtsNode) uint64 { return p.pos.Hash() }

func (draughtsRules) Legal(p *draughtsNode, into []draughts.Move) []draughts.Move {
	list := draughts.MoveList(into)
	p.pos.Legal(&list)
	return list
}

// Forcing are the captures, which are compulsory; without one to make, the
// position is quiet.
func (r draughtsRules) Forcing(p *draughtsNode, into []draughts.Move) ([]draughts.Move, bool) {
	moves := r.Legal(p, into)
	if len(moves) == 0 || moves[0].Captured != 0 {
		return moves, false
	}
	return moves[:0], true
}

func (draughtsRules) Play(p *draughtsNode, m draughts.Move, next *draughtsNode) {
	next.pos = p.pos.Play(m)
	next.counts = p.counts.After(&p.pos, m, &next.pos)
}

// Stuck has lost, with pieces and without.
func (draughtsRules) Stuck(*draughtsNode) bool { return true }

// Drawn waits for the end of the board: who cannot move has lost before any
// counter speaks.
func (draughtsRules) Drawn(p *draughtsNode) bool {
	if !p.counts.Drawn(&p.pos) {
		return false
	}
	var list draughts.MoveList
	p.pos.Legal(&list)
	return len(list) > 0
}

func (draughtsRules) Counters(p *draughtsNode, plies int) uint64 { return p.counts.Near(&p.pos, plies) }

func (draughtsRules) Reversible(p *draughtsNode) int { return p.counts.Reversible() }

// Pack folds the captured squares above origin and destination.
func (draughtsRules) Pack(m draughts.Move) uint32 {
	pack := uint32(m.From) | uint32(m.To)<<6 | uint32((m.Captured^m.Captured>>20)&(1<<20-1))<<12
	if pack == 0 {
		return 1 << 31
	}
	return pack
}

// Gain counts taken pieces, kings more, and a crowning.
func (draughtsRules) Gain(p *draughtsNode, m draughts.Move) int {
	gain := 0
	if m.Captured != 0 {
		gain = 10*m.Captured.Count() + 20*(m.Captured&p.pos.Kings(p.pos.Side().Other())).Count()
	}
	if m.Promotes {
		gain += 25
	}
	return gain
}

// InCheck is having to capture.
func (draughtsRules) InCheck(p *draughtsNode) bool { return p.pos.MustCapture() }

// Pass is never safe: having to move often loses.
func (draughtsRules) Pass(_, _ *draughtsNode) bool { return false }

// Text is the first path by its text of those that the move may take.
func (draughtsRules) Text(p *draughtsNode, m draughts.Move) string {
	text := ""
	for _, path := range p.pos.LegalPaths() {
		if path.Move != m {
			continue
		}
		if t := path.Text(); text == "" || t < text {
			text = t
		}
	}
	return text
}

// draughtsEvaluator weighs men by where they stand and kings at three men, in
// the spirit of the founding program: advancement, the centre, f4 and c5, the
// guards of the back row. Its square tables are ours.
type draughtsEvaluator struct{}

const (
	draughtsMan  = 100
	draughtsKing = 300
)

// draughtsMen and draughtsKings are values by square for White; Black reads
// them turned round.
var draughtsMen, draughtsKings = makeDraughtsSquares()

func makeDraughtsSquares() (men, kings [draughts.NumSquares]int) {
	for i := range 32 {
		s := draughts.FromIndex(i)
		file, row := s.File(), s.Row()
		men[s] = draughtsMan + [8]int{4, 0, 2, 5, 9, 14, 24, 0}[row]
		centre := min(file, 7-file)
		men[s] += 2 * centre
		kings[s] = draughtsKing + 3*min(centre, row, 7-row)
		if file == row {
			kings[s] += 20
		}
	}
	for name, bonus := range map[string]int{"c1": 5, "e1": 10, "f4": 8, "c5": 8, "d4": 5, "e5": 4, "d6": 4} {
		men[draughts.At(int(name[0]-'a'), int(name[1]-'1'))] += bonus
	}
	return men, kings
}

func (draughtsEvaluator) Evaluate(n *draughtsNode) int {
	p := &n.pos
	us := p.Side()
	own, ownPieces := draughtsSide(p, us)
	their, theirPieces := draughtsSide(p, us.Other())
	value := own - their
	// Exchanges help who is ahead.
	value += value * (24 - ownPieces - theirPieces) / 96
	if hard := draughtsHardToWin(p, us, ownPieces, theirPieces, value); hard {
		value /= 8
	}
	return max(min(value+3, core.MaxEval), -core.MaxEval)
}

func draughtsSide(p *draughts.Position, side games.Side) (value, pieces int) {
	men, kings := p.Men(side), p.Kings(side)
	pieces = men.Count() + kings.Count()
	for ; men != 0; men = men.Rest() {
		value += draughtsMen[turned(men.First(), side)]
	}
	for ; kings != 0; kings = kings.Rest() {
		value += draughtsKings[turned(kings.First(), side)]
	}
	return value, pieces
}

// turned is a square as its side sees it.
func turned(s draughts.Square, side games.Side) draughts.Square {
	if side == games.Second {
		return draughts.NumSquares - 1 - s
	}
	return s
}

// draughtsHardToWin tells whether who is ahead has at most three pieces against
// a king, of which the main diagonal or a short count makes a draw.
func draughtsHardToWin(p *draughts.Position, us games.Side, own, their, value int) bool {
	weak, strongPieces := us.Other(), own
	if value < 0 {
		weak, strongPieces = us, their
	}
	kings := p.Kings(weak)
	if kings == 0 || strongPieces > 3 {
		return false
	}
	if strongPieces <= 2 {
		return true
	}
	for ; kings != 0; kings = kings.Rest() {
		if s := kings.First(); s.File() == s.Row() {
			return true
		}
	}
	return false
}
