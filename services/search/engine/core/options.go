package core

import "slices"

// Limits bound a search. What is zero or nil is no limit; a search with none
// ends at MaxDepth.
type Limits struct {
	// Depth in plies, at most MaxDepth.
	Depth int
	// Nodes, counted in the tree and in quiescence.
	Nodes uint64
	// Stop is asked about every thousand nodes and told how many there were; once
	// true, the search ends with what it has.
	Stop func(nodes uint64) bool
	// Enough is asked after every finished iteration; once true, the search ends.
	Enough func(Report) bool
	// Only are the exact texts of the moves of the root to choose from; none
	// means all. Texts of no legal move are passed over; when no legal move is
	// left, all are searched.
	Only []string
	// Whole searches on where there is a single legal move, whose value somebody
	// wants to know. Otherwise it is answered at once.
	Whole bool
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

	// Lines is how many best moves of the root are wanted, each with its value
	// and line; 0 means one. Exact searches and small games give one.
	Lines int

	// NullMove hands the turn on and cuts where even that is good enough.
	NullMove bool
	// Verification searches again where a cut by NullMove at a great depth could
	// be zugzwang.
	Verification bool
	// LateReductions search late quiet moves less deeply at first.
	LateReductions bool
	// LateMoves leaves out the last quiet moves near the leaves.
	LateMoves bool
	// HistoryPruning leaves out quiet moves near the leaves that did badly
	// elsewhere.
	HistoryPruning bool
	// Futility leaves out quiet moves that cannot reach alpha near the leaves.
	Futility bool
	// ReverseFutility cuts near the leaves where the evaluation is far above beta.
	ReverseFutility bool
	// Razoring drops into quiescence where the evaluation is far below alpha.
	Razoring bool
	// ExchangePruning leaves out moves that lose material on their square.
	ExchangePruning bool
	// ProbCut cuts where a capture (in draughts: any move) is far above beta at a
	// lower depth; in draughts, also where all are far below alpha.
	ProbCut bool
	// InternalReduction searches nodes without a move from the table less deeply.
	InternalReduction bool
	// Extensions search checks and forced moves one ply deeper.
	Extensions bool
	// Singular searches a move deeper that alone holds a value, and cuts where
	// several moves are above beta.
	Singular bool
	// Threats looks at a leaf once more where the other side threatens to capture,
	// in draughts; in chess it tries quiet moves early that take a piece away from
	// a lesser one's attack, and late those that bring it there.
	Threats bool
	// Delta leaves out captures in quiescence that cannot reach alpha.
	Delta bool
	// Aspiration starts an iteration with a narrow window.
	Aspiration bool
	// Killers try quiet moves early that cut beside this node, Counters those
	// that cut after the same move before.
	Killers, Counters bool
	// Histories order quiet moves by how they did elsewhere, Continuations by how
	// they did after the moves before, CaptureHistory captures.
	Histories, Continuations, CaptureHistory bool
	// Correction corrects the evaluation by what searches of positions with the
	// same pawns found.
	Correction bool

	// Evaluator names the evaluation where a game has several; empty is the
	// engine's own.
	Evaluator string

	// Report, when set, is called after every finished iteration.
	Report func(Report)
	// Trying, when set, is told of each move of the root before it is searched: its
	// number, from 1, and how to write it, which takes time.
	Trying func(depth, number int, text func() string)
	// Failed, when set, is told where an iteration's value lies outside the window that
	// Aspiration gave it: at least (Lower) or at most (Upper) the report's score.
	Failed func(bound Bound, report func() Report)
	// Share, when set, is given each fact of at least ShareDepth plies.
	Share      func(Entry)
	ShareDepth int
}

// EvaluatorF2 is the evaluation of the founding draughts program.
const EvaluatorF2 = "f2"

// Full are the options of the level "full": everything on.
func Full() Options {
	var o Options
	for _, s := range o.Switches() {
		*s.On = true
	}
	return o
}

// Switch is one of the prunings, extensions and orders by its name.
type Switch struct {
	Name string
	On   *bool
	// Only is the game whose search has it; empty where both have it.
	Only string
}

// SwitchesOf are those that the search of a game has.
func (o *Options) SwitchesOf(rules string) []Switch {
	return slices.DeleteFunc(o.Switches(), func(s Switch) bool { return s.Only != "" && s.Only != rules })
}

// Switches are all that Full turns on, to be listed and turned by name.
func (o *Options) Switches() []Switch {
	return []Switch{
		{"null-move", &o.NullMove, "chess"},
		{"verification", &o.Verification, "chess"},
		{"late-reductions", &o.LateReductions, ""},
		{"late-moves", &o.LateMoves, ""},
		{"history-pruning", &o.HistoryPruning, "draughts"},
		{"futility", &o.Futility, ""},
		{"reverse-futility", &o.ReverseFutility, ""},
		{"razoring", &o.Razoring, "chess"},
		{"exchange-pruning", &o.ExchangePruning, "chess"},
		{"probcut", &o.ProbCut, ""},
		{"internal-reduction", &o.InternalReduction, ""},
		{"extensions", &o.Extensions, ""},
		{"singular", &o.Singular, "chess"},
		{"threats", &o.Threats, ""},
		{"delta", &o.Delta, "chess"},
		{"aspiration", &o.Aspiration, ""},
		{"killers", &o.Killers, ""},
		{"counters", &o.Counters, ""},
		{"histories", &o.Histories, ""},
		{"continuations", &o.Continuations, "chess"},
		{"capture-history", &o.CaptureHistory, "chess"},
		{"correction", &o.Correction, "chess"},
	}
}

// Report is what a finished iteration found, of one of its lines.
type Report struct {
	Depth int
	// Farthest is the greatest distance from the root that was looked at, in
	// plies; 0 where it was not counted.
	Farthest int
	Score    int
	// Line holds exact move texts, the best move first.
	Line  []string
	Nodes uint64
	// Known is how many positions had a value from the tables of endings.
	Known uint64
	// Index counts the lines from 0, the best; Lines is how many there are.
	Index, Lines int
	// Share is the part of the iteration's nodes that lie below the best move,
	// from 0 to 1; 0 where it was not counted.
	Share float64
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
