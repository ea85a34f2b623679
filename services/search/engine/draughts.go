package engine

import (
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/draughtseval"
	"tabuleiro/services/search/engine/draughtssearch"
)

// draughtsNode is a position with the counters of its draw rules and what its
// evaluation keeps of it.
type draughtsNode struct {
	pos      draughts.Position
	counts   draughts.Counts
	patterns draughtseval.Patterns
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
	next.patterns = p.patterns
	next.patterns.Play(&p.pos, m)
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

// Text is the exact text of a move.
func (draughtsRules) Text(p *draughtsNode, m draughts.Move) string {
	return draughtssearch.Text(p.pos, m)
}

// draughtsEvaluator is the tuned evaluation.
type draughtsEvaluator struct{}

func (draughtsEvaluator) Evaluate(n *draughtsNode) int {
	return draughtssearch.Evaluate(&n.pos, &n.patterns)
}

// draughtsF2 is that of the founding program.
type draughtsF2 struct{}

func (draughtsF2) Evaluate(n *draughtsNode) int { return draughtssearch.EvaluateF2(&n.pos) }
