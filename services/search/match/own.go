package match

import (
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"tabuleiro/games"
	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/core"
	"tabuleiro/services/search/engine/endings"
	"tabuleiro/services/search/think"
)

// overhead is what is lost between the clock of a game and the search.
const overhead = 5 * time.Millisecond

// defaultHash is the size of our own engine's table in MiB.
const defaultHash = 16

// own is our own engine in this process.
type own struct {
	limit Limit
	cfg   think.Config
	probe endings.Probe // nil for none
}

func newOwn(e Engine, rules string, probe endings.Probe) (*own, error) {
	o := &own{limit: e.Limit, cfg: think.Config{Options: engine.Full()}, probe: probe}
	hash := defaultHash
	for _, opt := range e.Options {
		if opt.Name == "tables" && rules == "draughts" {
			on, err := strconv.ParseBool(opt.Value)
			if err != nil {
				return nil, fmt.Errorf("engine %s: tables is true or false, not %q", e.Name, opt.Value)
			}
			if !on {
				o.probe = nil
			}
			continue
		}
		if opt.Name != "Hash" {
			if err := think.SetOption(&o.cfg.Options, rules, opt.Name, opt.Value); err != nil {
				return nil, fmt.Errorf("engine %s: %w", e.Name, err)
			}
			continue
		}
		n, err := strconv.Atoi(opt.Value)
		if err != nil || n < 1 || n > 1<<16 {
			return nil, fmt.Errorf("engine %s: Hash is a number of MiB from 1 to 65536, not %q", e.Name, opt.Value)
		}
		hash = n
	}
	o.cfg.Table, _ = think.NewTable(hash)
	return o, nil
}

func (o *own) newGame(games.Position) error {
	o.cfg.Table.Clear()
	return nil
}

func (o *own) move(t turn) (r reply, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &Fault{Crash, fmt.Sprintf("panic: %v\n%s", value, debug.Stack())}
		}
	}()
	problem, err := engine.Open(t.now.Position, engine.WithEndings(o.probe))
	if err != nil {
		return reply{}, &Fault{Crash, err.Error()}
	}
	limits := think.Limits{Depth: o.limit.Depth, Nodes: o.limit.Nodes, CPU: o.limit.CPU}
	switch {
	case o.limit.MoveTime > 0:
		limits.Budget = core.Fixed(o.limit.MoveTime, 0)
	case o.limit.Base > 0:
		side := t.now.Side
		limits.Budget = core.NewBudget(core.Clock{Remaining: t.left[side], Increment: t.increment[side], Overhead: overhead})
	}
	if limits.Nodes > 0 || limits.Depth > 0 {
		limits.CPU = time.Hour // never reached: it is measured
	}
	o.cfg.Table.Age()
	result := think.Search(problem, limits, o.cfg, nil)
	return reply{
		move: result.Move, score: result.Score, scored: result.Depth > 0, depth: result.Depth, nodes: result.Nodes,
		cpu: result.CPU, spent: result.Elapsed,
	}, nil
}

func (o *own) close() {}
