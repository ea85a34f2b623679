package chesssearch

import (
	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/core"
)

// tree is the value of a node for its side to move, a bound outside of alpha
// and beta. cut tells that it is expected to be beta or more.
func (s *searcher) tree(ply, depth, alpha, beta int, cut bool) int {
	if depth <= 0 || ply >= core.MaxPly-1 {
		return s.quiesce(ply, alpha, beta)
	}
	f := s.at(ply)
	f.length = 0
	if s.Halt() {
		return 0
	}
	inPV := beta-alpha > 1
	excluded := f.excluded
	if excluded == chess.NoMove {
		if s.drawn(ply) {
			return 0
		}
		// Nothing here beats a win that is already nearer.
		alpha, beta = max(alpha, ply-core.Win), min(beta, core.Win-ply-1)
		if alpha >= beta {
			return alpha
		}
	}

	n := node{ply: ply, depth: depth, alpha: alpha, beta: beta, inPV: inPV, cut: cut, key: s.key(&f.pos)}
	if excluded == chess.NoMove {
		n.entry, n.hit = s.table.Get(n.key)
		if score, done := s.fromTable(&n); done {
			return score
		}
		f.pos.Look(&f.sight)
		f.inCheck = f.sight.Checkers() != 0
		n.move = chess.Move(n.entry.Move)
		if n.move != chess.NoMove && !f.pos.IsLegal(&f.sight, n.move) {
			n.move = chess.NoMove
		}
		s.judge(&n)
	} else {
		n.static = f.static
	}
	before := s.at(ply - 2).static
	n.improving = n.static != unknown && (before == unknown || n.static > before)
	s.at(ply+2).killers, s.at(ply+2).cuts = [2]chess.Move{}, 0

	if !inPV && !f.inCheck && excluded == chess.NoMove {
		if score, done := s.pruneWhole(&n); done {
			return score
		}
	}
	if s.Options.InternalReduction && n.move == chess.NoMove && excluded == chess.NoMove && depth >= 4 && (inPV || cut) {
		n.depth--
	}
	if excluded == chess.NoMove && s.singular(&n) {
		return n.score
	}
	if s.Stopped {
		return 0
	}
	return s.moves(&n)
}

// node is what the parts of one visit to a node hand on.
type node struct {
	ply, depth, alpha, beta int
	inPV, cut, hit          bool
	improving               bool
	key                     uint64
	entry                   core.Entry
	move                    chess.Move // the table's, legal
	// raw is the evaluation, static the corrected one, better what the table adds
	// to it; all unknown in check.
	raw, static, better int
	// extend is by how much the table's move is searched deeper.
	extend int
	score  int
}

// fromTable cuts where the table knows enough.
func (s *searcher) fromTable(n *node) (int, bool) {
	e := &n.entry
	if !n.hit || n.inPV || e.Depth < n.depth || s.plain && e.Depth > n.depth {
		return 0, false
	}
	score := core.FromTable(e.Score, n.ply)
	switch {
	case e.Bound == core.Lower && score < n.beta, e.Bound == core.Upper && score > n.alpha:
		return 0, false
	}
	return score, true
}

// judge evaluates a node.
func (s *searcher) judge(n *node) {
	f := s.at(n.ply)
	if f.inCheck {
		n.raw, n.static, n.better, f.static = unknown, unknown, unknown, unknown
		return
	}
	if n.raw = unknown; n.hit {
		n.raw = unpackStatic(n.entry.Move)
	}
	if n.raw == unknown {
		n.raw = s.evaluate(f)
		if !n.hit {
			s.table.Put(core.Entry{Key: n.key, Move: packMove(chess.NoMove, n.raw), Score: -core.Win, Bound: core.Lower})
		}
	}
	n.static = s.corrected(&f.pos, n.raw)
	f.static, n.better = n.static, n.static
	if before := s.at(n.ply - 1); before.quiet && before.static != unknown && s.Options.Histories {
		// What a quiet move gained at once says a little of it elsewhere.
		gain := -n.static - before.static
		adjust(&s.memory.quiets[before.pos.SideToMove()&1][before.move&(1<<12-1)], max(min(6*gain, 800), -800))
	}
	if n.hit && !s.plain {
		score := core.FromTable(n.entry.Score, n.ply)
		if n.entry.Bound == core.Exact || n.entry.Bound == core.Lower && score > n.better || n.entry.Bound == core.Upper && score < n.better {
			n.better = score
		}
	}
}

// The margins of the prunings, in centipawns a ply.
const (
	reverseMargin  = 75
	reverseDepth   = 8
	razorMargin    = 220
	razorDepth     = 3
	futilityMargin = 90
	futilityDepth  = 8
	lateDepth      = 8
	exchangeDepth  = 8
	probCutMargin  = 170
	probCutDepth   = 5
	verifyDepth    = 12
	// nearRoot is the ply from which on late quiet checks are left out too.
	nearRoot = 4
)

// pruneWhole tells where a node need not be searched: its score, if so.
func (s *searcher) pruneWhole(n *node) (int, bool) {
	f := s.at(n.ply)
	ply, depth, beta := n.ply, n.depth, n.beta
	if core.IsWin(beta) || core.IsLoss(beta) {
		return 0, false
	}
	if s.Options.ReverseFutility && depth <= reverseDepth {
		margin := reverseMargin * depth
		if n.improving {
			margin -= reverseMargin
		}
		if n.better-max(margin, 20) >= beta && !core.IsWin(n.better) {
			return (n.better + beta) / 2, true
		}
	}
	if s.Options.Razoring && depth <= razorDepth && n.better+razorMargin*depth < n.alpha {
		if value := s.quiesce(ply, n.alpha, n.alpha+1); value <= n.alpha || s.Stopped {
			return value, true
		}
		f.pos.Look(&f.sight)
	}
	if s.Options.NullMove && depth >= 3 && n.better >= beta && n.static >= beta-20*depth+120 && s.at(ply-1).move != chess.NoMove &&
		ply >= s.verifying && free(&f.pos, f.pos.SideToMove()) &&
		!(n.hit && n.entry.Bound == core.Upper && core.FromTable(n.entry.Score, ply) < beta) {
		less := 4 + depth/4 + min((n.better-beta)/180, 3)
		s.pass(ply)
		value := -s.tree(ply+1, depth-less, -beta, -beta+1, !n.cut)
		if s.Stopped {
			return 0, true
		}
		if value >= beta {
			value = min(value, core.Win-1000)
			if !s.Options.Verification || depth < verifyDepth || s.verifying > 0 {
				return value, true
			}
			s.verifying = ply + 3*(depth-less)/4
			check := s.tree(ply, depth-less, beta-1, beta, false)
			s.verifying = 0
			if check >= beta || s.Stopped {
				return value, true
			}
			f.pos.Look(&f.sight)
		}
	}
	if s.Options.ProbCut && depth >= probCutDepth {
		return s.probCut(n)
	}
	return 0, false
}

// probCut cuts where a capture that is far above beta stays so at a lower depth.
func (s *searcher) probCut(n *node) (int, bool) {
	f := s.at(n.ply)
	goal := n.beta + probCutMargin
	if n.hit && n.entry.Depth >= n.depth-3 && core.FromTable(n.entry.Score, n.ply) < goal {
		return 0, false
	}
	table := n.move
	if table != chess.NoMove && (isQuiet(&f.pos, table) || !Gains(&f.pos, table, goal-n.static)) {
		table = chess.NoMove
	}
	s.start(n.ply, table, true)
	for m := s.next(n.ply, false); m != chess.NoMove; m = s.next(n.ply, false) {
		if !Gains(&f.pos, m, goal-n.static) {
			continue
		}
		s.play(n.ply, m)
		value := -s.quiesce(n.ply+1, -goal, -goal+1)
		if value >= goal && !s.Stopped {
			value = -s.tree(n.ply+1, n.depth-4, -goal, -goal+1, !n.cut)
		}
		if s.Stopped {
			return 0, true
		}
		if value >= goal {
			s.keep(core.Entry{Key: n.key, Move: packMove(m, n.raw), Score: core.ToTable(value, n.ply), Depth: n.depth - 3, Bound: core.Lower})
			return value, true
		}
	}
	return 0, false
}

// singular asks whether the table's move alone holds its value; then it is
// searched deeper. Where several moves are above beta the node is cut: true.
func (s *searcher) singular(n *node) bool {
	f := s.at(n.ply)
	if !s.Options.Singular || n.move == chess.NoMove || n.depth < 7 || n.ply >= 2*s.Depth ||
		n.entry.Depth < n.depth-3 || n.entry.Bound == core.Upper {
		return false
	}
	score := core.FromTable(n.entry.Score, n.ply)
	if core.IsWin(score) || core.IsLoss(score) {
		return false
	}
	goal := score - 5*n.depth/4
	f.excluded = n.move
	value := s.tree(n.ply, (n.depth-1)/2, goal-1, goal, n.cut)
	f.excluded = chess.NoMove
	switch {
	case s.Stopped:
	case value < goal:
		n.extend = 1
		if !n.inPV && value < goal-25 && n.ply < s.Depth+8 {
			n.extend = 2
		}
	case goal >= n.beta:
		n.score = goal
		return true
	case score >= n.beta || n.cut:
		n.extend = -1
	}
	return false
}

// moves searches a node's moves.
func (s *searcher) moves(n *node) int {
	f := s.at(n.ply)
	p := &f.pos
	ply, depth, alpha := n.ply, n.depth, n.alpha
	best, bestMove := -core.Infinity, chess.NoMove
	count, quiets, captures := 0, 0, 0
	// Quiet moves may be left out all at once. On the principal variation and near
	// the root those that give check are still looked at, or a mate by one would
	// stay unseen for long.
	wantQuiets, checksOnly := true, false
	pieces := hasPieces(p, p.SideToMove())
	if !f.inCheck {
		p.LookForChecks(&f.sight, &f.checks)
	}
	s.start(ply, n.move, false)
	for {
		m := s.next(ply, wantQuiets)
		if m == chess.NoMove {
			break
		}
		if m == f.excluded {
			continue
		}
		count++
		quiet := isQuiet(p, m)
		piece := p.PieceAt(m.From())
		history := 0
		if quiet {
			history = s.quietHistory(ply, m, pieceToOf(piece, m.To())&(1<<10-1))
		}
		check := !f.inCheck && p.GivesCheck(&f.checks, m)
		if checksOnly && quiet && !check {
			continue
		}
		less := reductions[min(depth, 63)][min(count, 63)]

		if best > -core.Win+1000 && pieces {
			if skip, stop := s.pruneLate(n, m, count, quiet, check, history, less, alpha); stop {
				checksOnly = true
				wantQuiets = (n.inPV || ply < nearRoot) && !f.inCheck
				continue
			} else if skip {
				continue
			}
		}

		extend := 0
		switch {
		case m == n.move && n.extend != 0:
			extend = n.extend
		case s.Options.Extensions && check && ply < 2*s.Depth && depth <= 9 && Gains(p, m, 0):
			extend = 1
		}
		deeper := depth - 1 + extend
		s.play(ply, m)
		value := 0
		switch {
		case s.Options.LateReductions && depth >= 3 && count > 1 && (quiet || f.picker.stage == stageLosers || f.picker.stage == stageDone):
			if n.cut {
				less += reductionUnit
				if n.move == chess.NoMove {
					less += reductionUnit
				}
			}
			if quiet && n.move != chess.NoMove && !isQuiet(p, n.move) {
				less += reductionUnit / 2
			}
			if n.inPV {
				less -= reductionUnit
			}
			if !n.improving {
				less += reductionUnit / 2
			}
			if check {
				less -= reductionUnit
			}
			if s.at(ply+1).cuts > 3 {
				less += reductionUnit // The answers to the moves before were good ones.
			}
			if quiet {
				less -= history * reductionUnit / 10000
				if m == f.picker.killer || m == f.picker.second || m == f.picker.counter {
					less -= reductionUnit
				}
			}
			d := max(min(deeper-less/reductionUnit, deeper), 1)
			value = -s.tree(ply+1, d, -alpha-1, -alpha, true)
			if value > alpha && d < deeper && !s.Stopped {
				// How far above tells whether it deserves the whole depth, or more.
				again := deeper
				if !s.plain && best > -core.Win+1000 {
					if value > best+50+2*deeper {
						again++
					} else if value < best+deeper {
						again--
					}
				}
				if again > d {
					value = -s.tree(ply+1, again, -alpha-1, -alpha, !n.cut)
				}
			}
		case !n.inPV || count > 1:
			value = -s.tree(ply+1, deeper, -alpha-1, -alpha, !n.cut)
		}
		if n.inPV && (count == 1 || value > alpha && !s.Stopped) {
			value = -s.tree(ply+1, deeper, -n.beta, -alpha, false)
		}
		if s.Stopped {
			return 0
		}
		if value > best {
			best = value
			if value > alpha {
				alpha, bestMove = value, m
				if n.inPV {
					s.take(ply, m)
				}
				if value >= n.beta {
					f.cuts++
					break
				}
			}
		}
		if quiet && quiets < len(f.quiets) {
			f.quiets[quiets] = m
			quiets++
		} else if !quiet && captures < len(f.captures) {
			f.captures[captures] = m
			captures++
		}
	}
	if count == 0 {
		switch {
		case f.excluded != chess.NoMove:
			return alpha
		case f.inCheck:
			return ply - core.Win
		}
		return 0
	}
	if best >= n.beta {
		if isQuiet(p, bestMove) {
			s.rewardQuiet(ply, depth, bestMove, f.quiets[:quiets])
			s.rewardCapture(ply, depth, chess.NoMove, f.captures[:captures])
		} else {
			s.rewardCapture(ply, depth, bestMove, f.captures[:captures])
		}
	}
	if bestMove == chess.NoMove && f.excluded == chess.NoMove && s.at(ply-1).quiet {
		// Nothing was good enough after it: the quiet move before was a good one.
		s.adjustQuiet(ply-1, s.at(ply-1).move, bonusOf(depth)*3/4)
	}
	if f.excluded == chess.NoMove {
		s.store(n, best, bestMove)
	}
	return best
}

// store keeps what was found of a node.
func (s *searcher) store(n *node, best int, move chess.Move) {
	f := s.at(n.ply)
	bound := core.Exact
	switch {
	case best >= n.beta:
		bound = core.Lower
	case move == chess.NoMove:
		bound = core.Upper
	}
	if s.Options.Correction && !f.inCheck && (move == chess.NoMove || isQuiet(&f.pos, move)) &&
		!(bound == core.Lower && best <= n.static) && !(bound == core.Upper && best >= n.static) &&
		!core.IsWin(best) && !core.IsLoss(best) {
		s.correct(&f.pos, n.depth, n.static, best)
	}
	s.keep(core.Entry{Key: n.key, Move: packMove(move, n.raw), Score: core.ToTable(best, n.ply), Depth: n.depth, Bound: bound})
}

// pruneLate tells whether to skip a move, and with stop all further quiet ones.
func (s *searcher) pruneLate(n *node, m chess.Move, count int, quiet, check bool, history, less, alpha int) (skip, stop bool) {
	f := s.at(n.ply)
	depth := n.depth
	left := max(depth-1-less/reductionUnit, 0)
	if quiet && !check {
		if s.Options.LateMoves && depth <= lateDepth {
			most := 3 + depth*depth
			if !n.improving {
				most = 2 + depth*depth/2
			}
			if count > most {
				return true, true
			}
		}
		if s.Options.Futility && !f.inCheck && left <= futilityDepth && n.static+futilityMargin*(left+1)+history/100 <= alpha {
			return true, true
		}
	}
	if s.Options.Futility && !quiet && !check && !f.inCheck && depth <= 6 && m.Promotion() == chess.NoRole {
		victim := f.pos.PieceAt(m.To()).Role()
		if n.static+250+200*left+values[victim] <= alpha {
			return true, false
		}
	}
	if s.Options.ExchangePruning && depth <= exchangeDepth {
		loss := -90 * depth
		if quiet {
			loss = -22*left*left - 20
		}
		if f.picker.stage >= stageKiller && !Gains(&f.pos, m, loss) {
			return true, false
		}
	}
	return false, false
}
