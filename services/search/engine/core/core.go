// Package core is what the searches of all games share: limits, switches,
// reports, scores and the transposition table.
package core

// Scores are centipawns for the side to move. A win in n plies is Win - n, a
// loss n - Win, so that wins come soon and losses late.
const (
	// Win is the value of a won position at a distance of no plies.
	Win = 30000
	// MaxDepth bounds the depth of a search in plies.
	MaxDepth = 100
	// MaxPly bounds the distance from the root with quiescence.
	MaxPly = 240
	// Infinity is above every score.
	Infinity = Win + 1
	// MaxEval bounds what an evaluator may say.
	MaxEval = 20000

	// proven bounds the values that are wins from below; evaluations stay
	// well within it.
	proven = Win - 1000
)

// IsWin tells whether a score is a forced win.
func IsWin(score int) bool { return score > proven }

// IsLoss tells whether a score is a forced loss.
func IsLoss(score int) bool { return score < -proven }

// ToTable counts wins and losses from a node at ply instead of from the root.
func ToTable(score, ply int) int {
	switch {
	case IsWin(score):
		return min(score+ply, Win)
	case IsLoss(score):
		return max(score-ply, -Win)
	}
	return score
}

// FromTable is the inverse of ToTable.
func FromTable(score, ply int) int {
	switch {
	case IsWin(score):
		return score - ply
	case IsLoss(score):
		return score + ply
	}
	return score
}

// Skips tells whether a helper leaves out an iteration, so that searchers of
// one position differ in their work: the first two differ by one ply, the next
// four by two, and so on. Helper 0 skips none.
func Skips(helper, depth int) bool {
	if helper <= 0 {
		return false
	}
	n := (helper - 1) % 20
	size := 1
	for n >= 2*size {
		n -= 2 * size
		size++
	}
	return (depth+n)/size%2 != 0
}

// Mix spreads a number over 64 bits; nothing but 0 gives 0.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
