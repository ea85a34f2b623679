package engine

import (
	"errors"
	"slices"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/games/tictactoe"
	"tabuleiro/services/search/engine/chesssearch"
	"tabuleiro/services/search/engine/draughtseval"
	"tabuleiro/services/search/engine/draughtssearch"
	"tabuleiro/services/search/engine/endings"
)

// ErrGameOver is what Open says of a position in which the game has ended.
var ErrGameOver = errors.New("the game is over")

// Problem is a position ready to be searched. It may be used by several
// goroutines at once.
type Problem interface {
	// Moves are the exact texts of the legal moves, at least one, in a fixed
	// order. The caller must not change them.
	Moves() []string
	// Line is the longest beginning of a line that can be played.
	Line(texts []string) []string
	// Plies is the depth at which nothing is left to search, 0 where there is
	// no such depth.
	Plies() int
	// Search looks for the best move.
	Search(limits Limits, opts Options, table *Table) Result
}

// Option is what a problem may know beside its position.
type Option func(*options)

type options struct{ endings endings.Probe }

// WithEndings lets the full search of draughts look up the values of endings.
func WithEndings(probe endings.Probe) Option { return func(o *options) { o.endings = probe } }

// Open reads a position with its past. The error is *games.Invalid or
// ErrGameOver.
func Open(p games.Position, with ...Option) (Problem, error) {
	var o options
	for _, option := range with {
		option(&o)
	}
	switch p.Rules {
	case "chess":
		r, err := chess.Game{}.Rule(p)
		if err != nil {
			return nil, err
		}
		if r.Outcome != nil {
			return nil, ErrGameOver
		}
		pos, past, err := chess.Game{}.Past(p)
		if err != nil {
			return nil, err
		}
		q := newProblem(pos, past, func() Rules[chess.Position, chess.Move] { return &chessRules{} }, chessEvaluator{})
		q.full = func(limits Limits, opts Options, table *Table) Result {
			return chesssearch.Search(pos, past, limits, opts, table)
		}
		return q, nil
	case "draughts":
		r, err := draughts.Game{}.Rule(p)
		if err != nil {
			return nil, err
		}
		if r.Outcome != nil {
			return nil, ErrGameOver
		}
		pos, counts, past, err := draughts.Game{}.Past(p)
		if err != nil {
			return nil, err
		}
		q := newProblem(draughtsNode{pos, counts, draughtseval.PatternsOf(&pos)}, past, func() Rules[draughtsNode, draughts.Move] { return draughtsRules{} }, draughtsEvaluator{})
		q.named = map[string]Evaluator[draughtsNode]{EvaluatorF2: draughtsF2{}}
		q.full = draughtssearch.New(pos, counts, past, o.endings).Search
		return q, nil
	case "tictactoe":
		r, err := tictactoe.Game{}.Rule(p)
		if err != nil {
			return nil, err
		}
		if r.Outcome != nil {
			return nil, ErrGameOver
		}
		pos, err := tictactoe.Parse(p.Text)
		if err != nil {
			return nil, err
		}
		q := newProblem(pos, nil, func() Rules[tictactoe.Position, tictactoe.Square] { return tictactoeRules{} }, tictactoeEvaluator{})
		q.plies = 9 - pos.Marks(games.First).Count() - pos.Marks(games.Second).Count()
		return q, nil
	}
	return nil, &games.Invalid{Reasons: []string{"unknown_rules"}, Detail: "there is no such game to search"}
}

// problem is the position of one game.
type problem[P, M any] struct {
	root  P
	past  []uint64
	rules func() Rules[P, M]
	eval  Evaluator[P]
	moves []M
	texts []string
	plies int
	// full, where a game has one, is its own search for all that is not exact.
	full func(Limits, Options, *Table) Result
	// named are the evaluations that Options.Evaluator may ask for.
	named map[string]Evaluator[P]
}

func newProblem[P, M any](root P, past []uint64, rules func() Rules[P, M], eval Evaluator[P]) *problem[P, M] {
	p := &problem[P, M]{root: root, past: past, rules: rules, eval: eval}
	r := rules()
	p.moves = r.Legal(&root, nil)
	for _, m := range p.moves {
		p.texts = append(p.texts, r.Text(&root, m))
	}
	return p
}

func (p *problem[P, M]) Moves() []string { return p.texts }

func (p *problem[P, M]) Plies() int { return p.plies }

func (p *problem[P, M]) Line(texts []string) []string {
	r := p.rules()
	pos := p.root
	var moves []M
	for i, text := range texts {
		moves = r.Legal(&pos, moves[:0])
		found := false
		for _, m := range moves {
			if found = r.Text(&pos, m) == text; found {
				var next P
				r.Play(&pos, m, &next)
				pos = next
				break
			}
		}
		if !found {
			return texts[:i]
		}
	}
	return texts
}

func (p *problem[P, M]) lineTexts(line []M) []string {
	r := p.rules()
	pos := p.root
	texts := make([]string, 0, len(line))
	for _, m := range line {
		texts = append(texts, r.Text(&pos, m))
		var next P
		r.Play(&pos, m, &next)
		pos = next
	}
	return texts
}

// Search runs to a limit. A game that ends within Plies is so small that it is
// searched to its end at once and exactly, whatever the limits say: some
// thousand nodes are the most.
func (p *problem[P, M]) Search(limits Limits, opts Options, table *Table) Result {
	if p.plies > 0 {
		limits, opts.Exact = Limits{Depth: p.plies}, true
	}
	if p.full != nil && !opts.Exact {
		return p.full(limits, opts, table)
	}
	eval := p.eval
	if named, ok := p.named[opts.Evaluator]; ok {
		eval = named
	}
	s := newSearch(p.rules(), eval, p.root, p.past, table, limits, opts)
	s.first = max(p.plies, 1)
	if chosen := slices.DeleteFunc(slices.Clone(s.root), func(r rootMove[M]) bool {
		return !slices.Contains(limits.Only, p.texts[r.index])
	}); len(chosen) > 0 {
		s.root = chosen
	}
	result := func(o outcome[M]) Result {
		r := Result{
			Report:   Report{Depth: o.depth, Score: o.score, Line: p.lineTexts(o.best.line), Nodes: s.Nodes},
			Move:     p.texts[o.best.index],
			Complete: o.complete,
		}
		for _, m := range o.equal {
			r.Equal = append(r.Equal, s.rules.Text(&p.root, m))
		}
		if len(r.Equal) == 0 {
			r.Equal = []string{r.Move}
		}
		return r
	}
	return result(s.run(func(o outcome[M]) bool {
		if opts.Report == nil && limits.Enough == nil {
			return false
		}
		r := result(o).Report
		if opts.Report != nil {
			opts.Report(r)
		}
		return limits.Enough != nil && limits.Enough(r)
	}))
}
