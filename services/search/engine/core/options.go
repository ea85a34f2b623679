package core

// Limits bound a search. What is zero or nil is no limit; a search with none
// ends at MaxDepth.
type Limits struct {
	// Depth in plies, at most MaxDepth.
	Depth int
	// Nodes, counted in the tree and in quiescence.
	Nodes uint64
	// Stop is asked about every thousand nodes; once true, the search ends with
	// what it has.
	Stop func() bool
	// Enough is asked after every finished iteration; once true, the search ends.
	Enough func(Report) bool
	// Only are the exact texts of the moves of the root to choose from; none
	// means all. Texts of no legal move are passed over; when no legal move is
	// left, all are searched.
	Only []string
}

// Options are the switches of a search. The zero value is plain alpha-beta
// with iterative deepening.
type Options struct {
	// Exact makes the values those of plain minimax with quiescence at the
	// depth of the iteration, and draws one of the truly equal best moves. The
	// prunings below do not count then.
	Exact bool
	// Seed draws among equal best moves (Exact) or shuffles the order in which
	// the moves of the root are first tried.
	Seed int32
	// Helper is this searcher's number among those that search the same
	// position, 0 for the first. Others leave out some iterations, so that the
	// work differs.
	Helper int

	// NullMove hands the turn on and cuts where even that is good enough.
	NullMove bool
	// LateReductions search late quiet moves less deeply at first.
	LateReductions bool
	// Futility leaves out quiet moves that cannot reach alpha near the leaves.
	Futility bool
	// Extensions search checks and forced moves one ply deeper.
	Extensions bool
	// Aspiration starts an iteration with a narrow window.
	Aspiration bool

	// Report, when set, is called after every finished iteration.
	Report func(Report)
	// Share, when set, is given each fact of at least ShareDepth plies.
	Share      func(Entry)
	ShareDepth int
}

// Full are the options of the level "full": everything on.
func Full() Options {
	return Options{NullMove: true, LateReductions: true, Futility: true, Extensions: true, Aspiration: true}
}

// Report is what a finished iteration found.
type Report struct {
	Depth int
	Score int
	// Line holds exact move texts, the best move first.
	Line  []string
	Nodes uint64
}

// Result is the answer of a search. A search that was stopped before its first
// iteration finished has Depth 0 and a legal move all the same.
type Result struct {
	Report
	// Move is the exact text of the best move.
	Move string
	// Equal are the texts of all best moves where values are exact; else only
	// Move.
	Equal []string
	// Complete tells that the depth asked for was finished, or that searching
	// deeper could not change anything.
	Complete bool
}
