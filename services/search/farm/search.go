package farm

import (
	"slices"
	"sync"
	"time"

	"tabuleiro/games"
	"tabuleiro/internal/bus"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	"tabuleiro/services/search/engine"
)

// search is one search while it runs.
type search struct {
	id       string
	problem  engine.Problem
	position games.Position
	// depth is the fixed one of a classic level, else 0.
	depth    int
	seed     int32
	start    time.Time
	deadline time.Time
	wanted   int
	out      outbox
	// done is closed at the end; nil when the search was not announced.
	done  chan struct{}
	ended sync.Once

	mu      sync.Mutex
	table   *engine.Table // nil once the search has ended
	helpers map[string]*helper
	heard   int // messages of helpers
}

// helper is what is known of a worker in a search.
type helper struct {
	number int
	report engine.Report // of the deepest iteration that could be believed
	nodes  uint64
}

const (
	// maxHelperDepth is how much deeper than twice the coordinator's own depth
	// a helper's may be. Helpers share the coordinator's table and are about as
	// fast; what is further away is no honest work.
	maxHelperDepth = 8
	// maxNodes bounds what a helper may claim a millisecond.
	maxNodes = 20_000
	// maxWorker is the longest id of a worker.
	maxWorker = 64
)

// end lets what runs beside the search end too.
func (s *search) end() { s.ended.Do(func() { close(s.done) }) }

func (s *search) left() time.Duration { return time.Until(s.deadline) }

// hears tells whether one more message is heard. Honest helpers send one every
// 50 ms; a flood ends the conversation, not the search.
func (s *search) hears() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard++
	return s.heard <= 200+s.wanted*int(time.Since(s.start)/(10*time.Millisecond)+1)
}

// join gives a worker its number, the same one if it asks again; 0 when no
// helper is wanted.
func (s *search) join(worker string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.table == nil || worker == "" || len(worker) > maxWorker || !bus.Token(worker) {
		return 0
	}
	if h := s.helpers[worker]; h != nil {
		return h.number
	}
	if len(s.helpers) >= s.wanted {
		return 0
	}
	h := &helper{number: len(s.helpers) + 1}
	s.helpers[worker] = h
	return h.number
}

func (s *search) present() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.helpers)
}

// task is what a helper of this number does.
func (s *search) task(number int) *busv1.SearchTask {
	left := s.left().Milliseconds()
	if number == 0 || left <= 0 {
		return &busv1.SearchTask{}
	}
	return &busv1.SearchTask{
		Wanted: true,
		Position: &commonv1.Position{
			Rules: s.position.Rules, Text: s.position.Text, Draws: s.position.Draws, History: s.position.History,
		},
		Depth: int32(s.depth), LeftMs: int32(left), Number: int32(number), Seed: s.seed,
	}
}

// hear takes in what a helper found.
func (s *search) hear(g *busv1.SearchGossip) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.helpers[g.GetWorker()]
	if s.table == nil || h == nil {
		return
	}
	learn(s.table, g.GetEntries())
	h.nodes = max(h.nodes, g.GetNodes())
	depth, score := int(g.GetDepth()), int(g.GetScore())
	if depth <= h.report.Depth || depth > engine.MaxDepth || s.depth > 0 && depth > s.depth ||
		score < -engine.Win || score > engine.Win || !slices.Contains(s.problem.Moves(), g.GetMove()) {
		return
	}
	line := g.GetLine()
	h.report = engine.Report{Depth: depth, Score: score, Line: append([]string{g.GetMove()}, line[min(len(line), 1):min(len(line), maxLine)]...)}
}

// finish ends the search and chooses among its own result and the helpers'.
func (s *search) finish(own engine.Result) Answer {
	if s.done != nil {
		s.end()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.table = nil
	best := own.Report
	nodes := own.Nodes
	most := maxNodes * uint64(time.Since(s.start).Milliseconds()+1)
	for _, h := range s.byNumber() {
		nodes += min(h.nodes, most)
		if !own.Complete && h.report.Depth > best.Depth && h.report.Depth <= 2*own.Depth+maxHelperDepth {
			best = h.report
			best.Line = s.problem.Line(best.Line)
		}
	}
	move := own.Move
	if best.Depth != own.Depth {
		move = best.Line[0]
	}
	return Answer{Move: move, Line: best.Line, Score: best.Score, Depth: best.Depth, Nodes: nodes, Helpers: len(s.helpers)}
}

func (s *search) byNumber() []*helper {
	list := make([]*helper, 0, len(s.helpers))
	for _, h := range s.helpers {
		list = append(list, h)
	}
	slices.SortFunc(list, func(a, b *helper) int { return a.number - b.number })
	return list
}
