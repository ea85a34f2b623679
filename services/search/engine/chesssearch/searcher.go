package chesssearch

import (
	"math"

	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/chesseval"
	"tabuleiro/services/search/engine/core"
)

// unknown is the evaluation of a position that has none, in check.
const unknown = -core.Infinity

// lead is how many plies before the root a node may look back.
const lead = 4

// frame is what a search keeps for one ply.
type frame struct {
	pos       chess.Position
	sight     chess.Sight
	checks    chess.Checks
	placement chesseval.Score
	// static is the evaluation, corrected; unknown in check.
	static int
	// move is what was played here last, to what it is in the memory and follow
	// what is known of moves after it; none after a null move.
	move   chess.Move
	to     pieceTo
	follow *follow
	// quiet tells that the move neither took nor promoted.
	quiet    bool
	excluded chess.Move
	killers  [2]chess.Move
	// cuts counts the nodes here below one of the ply before the last that cut.
	cuts int
	// still counts the plies since a capture, pawn move or null move.
	still   int
	inCheck bool

	picker   picker
	quiets   [64]chess.Move
	captures [32]chess.Move
	line     [core.MaxPly + 1]chess.Move
	length   int
}

// searcher is one run, by one goroutine. Its memory outlives it.
type searcher struct {
	core.Deepening[chess.Move]
	table *core.Table
	*memory
	eval *chesseval.Evaluator

	frames [core.MaxPly + 2 + lead]frame
	// keys are the hashes of the past, the root's at base, and those of the path.
	keys []uint64
	base int

	// plain tells that no switch is on: then values are those of minimax, and
	// the table helps at equal depth only.
	plain bool
	// verifying is the ply below which null moves are allowed again.
	verifying int
}

// kept is what stays with a table between searches.
type kept struct {
	searcher
	memory memory
	eval   chesseval.Evaluator
}

func (s *searcher) at(ply int) *frame { return &s.frames[ply+lead] }

// reductions is how many plies less a late move is searched, in parts of
// reductionUnit, by depth and number.
var reductions = makeReductions()

const reductionUnit = 1024

func makeReductions() (t [64][64]int) {
	for d := 1; d < 64; d++ {
		for n := 1; n < 64; n++ {
			t[d][n] = int(reductionUnit * (0.5 + math.Log(float64(d))*math.Log(float64(n))/2.1))
		}
	}
	return t
}

// play enters the next ply by a legal move.
func (s *searcher) play(ply int, m chess.Move) {
	f, next := s.at(ply), s.at(ply+1)
	piece := f.pos.PieceAt(m.From())
	f.move, f.to, f.quiet = m, pieceToOf(piece, m.To()), isQuiet(&f.pos, m)
	f.follow = &s.memory.follows[f.to&(1<<10-1)]
	f.pos.PlayTo(&next.pos, m)
	s.table.Prefetch(next.pos.Hash())
	next.placement = f.placement
	if m.IsCastling() {
		next.placement = castled(f, next, piece, m)
	} else {
		from, to := m.From(), m.To()
		next.placement -= chesseval.Placement(piece, from)
		if taken := f.pos.PieceAt(to); taken != 0 {
			next.placement -= chesseval.Placement(taken, to)
		} else if m.IsEnPassant() {
			next.placement -= chesseval.Placement(chess.NewPiece(piece.Side()^1, chess.Pawn), to^8)
		}
		if role := m.Promotion(); role != chess.NoRole {
			piece = chess.NewPiece(piece.Side(), role)
		}
		next.placement += chesseval.Placement(piece, to)
	}
	if next.still = f.still + 1; next.pos.Halfmove() == 0 {
		next.still = 0
	}
	s.keys[s.base+ply+1] = next.pos.Hash()
}

// castled is the placement after castling.
func castled(f, next *frame, king chess.Piece, m chess.Move) chesseval.Score {
	side := king.Side()
	rook := chess.NewPiece(side, chess.Rook)
	placement := f.placement - chesseval.Placement(king, m.From()) - chesseval.Placement(rook, m.To())
	placement += chesseval.Placement(king, next.pos.King(side))
	after := next.pos.Pieces(side, chess.Rook) &^ (f.pos.Pieces(side, chess.Rook) &^ m.To().Bit())
	return placement + chesseval.Placement(rook, after.First())
}

// pass enters the next ply by handing the turn on.
func (s *searcher) pass(ply int) {
	f, next := s.at(ply), s.at(ply+1)
	f.move, f.to, f.follow, f.quiet = chess.NoMove, 0, &s.memory.none, false
	next.pos = f.pos.PlayNull()
	next.placement, next.still = f.placement, 0
	s.keys[s.base+ply+1] = next.pos.Hash()
}

// drawn tells whether a node is a draw by repetition, fifty moves or material.
// Once since the root is enough, or twice with what came before it.
func (s *searcher) drawn(ply int) bool {
	f := s.at(ply)
	p := &f.pos
	if p.Halfmove() >= fifty && (!p.InCheck() || p.HasLegal()) {
		return true
	}
	if f.still >= 4 && core.Repeated(s.keys[:s.base+ply+1], s.base, f.still) {
		return true
	}
	if p.Occupied().Count() <= 4 && !p.CanWin(chess.White) && !p.CanWin(chess.Black) {
		return !p.InCheck() || p.HasLegal()
	}
	return false
}

// fifty is when a draw can be claimed, in plies.
const fifty = 100

// key is where the table keeps a node: near the fifty moves by their count.
func (s *searcher) key(p *chess.Position) uint64 {
	if n := p.Halfmove(); s.plain && n > 0 {
		return p.Hash() ^ core.Mix(uint64(n))
	} else if n >= 80 {
		return p.Hash() ^ core.Mix(uint64(n>>2))
	}
	return p.Hash()
}

// The table keeps a move in its lower and the evaluation in its upper half.
func packMove(m chess.Move, static int) uint32 {
	packed := uint32(m)
	if static != unknown {
		packed |= uint32(static+1<<15) << 16
	}
	return packed
}

// unpackStatic is the evaluation kept with a move, or unknown.
func unpackStatic(packed uint32) int {
	if packed>>16 == 0 {
		return unknown
	}
	return max(min(int(packed>>16)-1<<15, core.MaxEval), -core.MaxEval)
}

// keep stores a fact, and shares it where that is wanted.
func (s *searcher) keep(e core.Entry) {
	s.table.Put(e)
	if s.Options.Share != nil && e.Depth >= s.Options.ShareDepth && e.Depth > 0 {
		s.Options.Share(e)
	}
}

// evaluate is the evaluation of a ply without correction.
func (s *searcher) evaluate(f *frame) int { return s.eval.Evaluate(&f.pos, f.placement) }

// corrected is an evaluation with what was learnt of its pawns and pieces.
func (s *searcher) corrected(p *chess.Position, raw int) int {
	if !s.Options.Correction {
		return raw
	}
	sum := 0
	for _, c := range s.corrections(p) {
		sum += int(*c)
	}
	return max(min(raw+sum/correctionUnit, core.MaxEval), -core.MaxEval)
}

// take sets a node's line to a move and its child's line.
func (s *searcher) take(ply int, m chess.Move) {
	f, next := s.at(ply), s.at(ply+1)
	f.line[0] = m
	f.length = 1 + copy(f.line[1:], next.line[:next.length])
}
