package farm

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"tabuleiro/games"
	"tabuleiro/services/search/engine"
)

const (
	// keepFor is how long a finished search is remembered.
	keepFor = time.Hour
	// cacheTime bounds what a search waits for the cache.
	cacheTime = 100 * time.Millisecond
)

// cached is a finished search of the level "full" in the cache.
type cached struct {
	Move  string   `json:"move"`
	Line  []string `json:"line"`
	Score int      `json:"score"`
	Depth int      `json:"depth"`
	Nodes uint64   `json:"nodes"`
	// Limit is how long was searched, in milliseconds.
	Limit int64 `json:"limit_ms"`
}

func (k cached) answer(elapsed time.Duration) Answer {
	return Answer{Move: k.Move, Line: k.Line, Score: k.Score, Depth: k.Depth, Nodes: k.Nodes, Elapsed: elapsed}
}

// cacheKey names a position with its draw rules and its whole past: with
// another past other moves are repetitions.
func cacheKey(p games.Position) string {
	sum := sha256.New()
	for _, part := range []string{p.Text, p.Draws, p.History} {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	return "v1:" + p.Rules + ":" + base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}

// recall reads what is known of a position. What could not be an answer to it
// is not known.
func (c *Coordinator) recall(ctx context.Context, p games.Position, problem engine.Problem, patience time.Duration) (cached, bool) {
	if c.deps.Cache == nil {
		return cached{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, min(patience, cacheTime))
	defer cancel()
	data, ok := c.deps.Cache.Get(ctx, cacheKey(p))
	if !ok {
		return cached{}, false
	}
	var k cached
	if json.Unmarshal(data, &k) != nil || k.Depth < 1 || k.Depth > engine.MaxDepth || k.Score < -engine.Win || k.Score > engine.Win ||
		!slices.Contains(problem.Moves(), k.Move) || len(k.Line) > maxLine {
		return cached{}, false
	}
	if k.Line = problem.Line(k.Line); len(k.Line) == 0 || k.Line[0] != k.Move {
		k.Line = []string{k.Move}
	}
	return k, true
}

// keep writes a finished search to the cache.
func (c *Coordinator) keep(p games.Position, a Answer, limit time.Duration) {
	if c.deps.Cache == nil {
		return
	}
	data, err := json.Marshal(cached{Move: a.Move, Line: a.Line, Score: a.Score, Depth: a.Depth, Nodes: a.Nodes, Limit: limit.Milliseconds()})
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*cacheTime)
	defer cancel()
	c.deps.Cache.Set(ctx, cacheKey(p), data, keepFor)
}

// tell publishes what may be lost: the next message makes up for it.
func (c *Coordinator) tell(subject string, m proto.Message) { _ = c.deps.Bus.Publish(subject, m) }
