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
	// tables tells that those of endings are wanted, probe reads them, nil for none.
	tables bool
	probe  endings.Probe
}

func newOwn(e Engine, rules string, probe endings.Probe) (*own, error) {
	o, hash, err := readOwn(e, rules)
	if err != nil {
		return nil, err
	}
	if o.tables {
		o.probe = probe
	}
	o.cfg.Table, _ = think.NewTable(hash)
	return o, nil
}

// readOwn reads the options, without the memory that they ask for.
func readOwn(e Engine, rules string) (o *own, hash int, err error) {
	o = &own{limit: e.Limit, cfg: think.Config{Options: engine.Full()}, tables: true}
	hash = defaultHash
	for _, opt := range e.Options {
		if opt.Name == "tables" && rules == "draughts" {
			if o.tables, err = strconv.ParseBool(opt.Value); err != nil {
				return nil, 0, fmt.Errorf("engine %s: tables is true or false, not %q", e.Name, opt.Value)
			}
			continue
		}
		if opt.Name != "Hash" {
			if err := think.SetOption(&o.cfg.Options, rules, opt.Name, opt.Value); err != nil {
				return nil, 0, fmt.Errorf("engine %s: %w", e.Name, err)
			}
			continue
		}
		n, err := strconv.Atoi(opt.Value)
		if err != nil || n < 1 || n > 1<<15 {
			return nil, 0, fmt.Errorf("engine %s: Hash is a number of MiB from 1 to 32768, not %q", e.Name, opt.Value)
		}
		hash = n
	}
	return o, hash, nil
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
