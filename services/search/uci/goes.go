package uci

import (
	"strconv"
	"time"

	"tabuleiro/games"
	"tabuleiro/services/search/engine/core"
)

// clock is what go says of a side's clock.
type clock struct {
	given           bool
	left, increment time.Duration
}

// goes is what follows go.
type goes struct {
	depth, mate, movesToGo int
	nodes                  uint64
	moveTime               time.Duration
	clock                  [2]clock
	timed                  bool // some clock is spoken of
	ponder, infinite       bool
	only                   []string
}

// parseGo reads what follows go; what it does not understand comes back.
func parseGo(words []string) (g goes, bad []string) {
	number := func(i int, most int64) (int64, bool) {
		if i >= len(words) {
			return 0, false
		}
		n, err := strconv.ParseInt(words[i], 10, 64)
		return min(max(n, -most), most), err == nil
	}
	const longest = int64(1000 * time.Hour / time.Millisecond)
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch word {
		case "ponder":
			g.ponder = true
			continue
		case "infinite":
			g.infinite = true
			continue
		case "searchmoves":
			for i++; i < len(words) && !keyword(words[i]); i++ {
				g.only = append(g.only, words[i])
			}
			i--
			continue
		}
		most := longest
		if word == "nodes" {
			most = 1 << 62
		}
		n, ok := number(i+1, most)
		if !keyword(word) || !ok {
			bad = append(bad, word)
			continue
		}
		i++
		d := time.Duration(max(n, 1)) * time.Millisecond
		switch word {
		case "wtime", "btime", "winc", "binc", "movestogo":
			g.timed = true
		}
		switch word {
		case "wtime", "btime": // some programs send negative times
			c := &g.clock[0]
			if word == "btime" {
				c = &g.clock[1]
			}
			c.given, c.left = true, d
		case "winc":
			g.clock[0].increment = time.Duration(max(n, 0)) * time.Millisecond
		case "binc":
			g.clock[1].increment = time.Duration(max(n, 0)) * time.Millisecond
		case "movestogo":
			g.movesToGo = int(min(max(n, 0), 1000))
		case "depth":
			g.depth = int(min(max(n, 1), 1000))
		case "mate":
			g.mate = int(min(max(n, 1), 1000))
		case "nodes":
			g.nodes = uint64(max(n, 1))
		case "movetime":
			g.moveTime = d
		}
	}
	return g, bad
}

// clockless is the time for a move where a clock is spoken of but not the one of the
// side to move, and nothing else bounds the search.
const clockless = time.Second

// budget is the time for the move of a side; nil is no limit.
func (g goes) budget(side games.Side, overhead time.Duration) *core.Budget {
	clock := g.clock[side]
	switch {
	case g.moveTime > 0:
		return core.Fixed(g.moveTime, overhead)
	case clock.given:
		return core.NewBudget(core.Clock{Remaining: clock.left, Increment: clock.increment, MovesToGo: g.movesToGo, Overhead: overhead})
	case g.timed && g.depth == 0 && g.nodes == 0 && g.mate == 0 && !g.infinite:
		return core.Fixed(clockless, overhead)
	}
	return nil
}

func keyword(word string) bool {
	switch word {
	case "searchmoves", "ponder", "wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime", "infinite":
		return true
	}
	return false
}
