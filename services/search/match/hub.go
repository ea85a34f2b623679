package match

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tabuleiro/games"
	"tabuleiro/services/search/hub"
)

// hubPlayer is a program that speaks the Hub protocol.
type hubPlayer struct {
	*process
	limit Limit
}

func newHub(e Engine, patience time.Duration) (*hubPlayer, error) {
	p, err := start(e.Command, patience)
	if err != nil {
		return nil, err
	}
	h := &hubPlayer{process: p, limit: e.Limit}
	if err := h.greet(e); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

func (h *hubPlayer) greet(e Engine) error {
	if err := h.send("hub"); err != nil {
		return err
	}
	if _, err := h.await("wait"); err != nil {
		return err
	}
	for _, o := range e.Options {
		if err := h.send("set-param name=%s value=%q", o.Name, o.Value); err != nil {
			return err
		}
	}
	if err := h.send("init"); err != nil {
		return err
	}
	_, err := h.await("ready")
	return err
}

func (h *hubPlayer) newGame(games.Position) error { return h.send("new-game") }

func (h *hubPlayer) move(t turn) (reply, error) {
	position, err := hub.PositionText(t.start.Text)
	if err != nil {
		return reply{}, err
	}
	moves := make([]string, len(t.moves))
	for i, m := range t.moves {
		moves[i] = hub.MoveText(m)
	}
	if err := h.send(`pos pos=%s moves="%s"`, position, strings.Join(moves, " ")); err != nil {
		return reply{}, err
	}
	patience := h.patience
	var level string
	switch l := h.limit; {
	case l.Nodes > 0:
		level = fmt.Sprintf("level nodes=%d", l.Nodes)
	case l.Depth > 0:
		level = fmt.Sprintf("level depth=%d", l.Depth)
	case l.MoveTime > 0:
		level = fmt.Sprintf("level move-time=%.3f", l.MoveTime.Seconds())
		patience += l.MoveTime
	case l.CPU > 0:
		level = "level infinite"
		patience += busiest * l.CPU
	default:
		side := t.now.Side
		level = fmt.Sprintf("level time=%.3f inc=%.3f", t.left[side].Seconds(), t.increment[side].Seconds())
		patience += t.left[side]
	}
	if err := h.send("%s", level); err != nil {
		return reply{}, err
	}
	began, cpu := time.Now(), h.cpu()
	if err := h.send("go think"); err != nil {
		return reply{}, err
	}
	var r reply
	err = h.search(h.limit, patience, func() error { return h.send("stop") }, func(line string) bool {
		switch c := hub.Parse(line); c.Name {
		case "info":
			if score, err := strconv.ParseFloat(c.Args["score"], 64); err == nil {
				r.score, r.scored = int(score*100), true
			}
			if depth, err := strconv.Atoi(c.Args["depth"]); err == nil {
				r.depth = depth
			}
			if nodes, err := strconv.ParseUint(c.Args["nodes"], 10, 64); err == nil {
				r.nodes = nodes
			}
		case "done":
			r.move = c.Args["move"]
			return true
		}
		return false
	})
	r.spent, r.cpu = time.Since(began), h.cpu()-cpu
	if move, err := hub.FindMove(t.now.Moves, r.move); err == nil {
		r.move = move.Text
	}
	return r, err
}

func (h *hubPlayer) close() { h.process.close("quit") }

// linePlayer is a program that answers "FEN ms N" or "FEN nodes N" with
// "bestmove M score S depth D nodes N".
type linePlayer struct {
	*process
	limit Limit
}

func newLine(e Engine, patience time.Duration) (*linePlayer, error) {
	if e.Limit.Nodes == 0 && e.Limit.MoveTime == 0 {
		return nil, fmt.Errorf("engine %s: the protocol line knows the limits nodes and movetime", e.Name)
	}
	p, err := start(e.Command, patience)
	if err != nil {
		return nil, err
	}
	return &linePlayer{process: p, limit: e.Limit}, nil
}

func (l *linePlayer) newGame(games.Position) error { return nil }

func (l *linePlayer) move(t turn) (reply, error) {
	limit := fmt.Sprintf("nodes %d", l.limit.Nodes)
	if l.limit.Nodes == 0 {
		limit = fmt.Sprintf("ms %d", l.limit.MoveTime.Milliseconds())
	}
	began, cpu := time.Now(), l.cpu()
	if err := l.send("%s %s", t.now.Position.Text, limit); err != nil {
		return reply{}, err
	}
	var r reply
	err := l.search(l.limit, l.patience+l.limit.MoveTime, nil, func(line string) bool {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "bestmove" && words[0] != "error" {
			return false
		}
		for i := 0; i+1 < len(words); i += 2 {
			value := words[i+1]
			switch words[i] {
			case "bestmove":
				r.move = value
			case "score":
				if n, err := strconv.Atoi(value); err == nil {
					r.score, r.scored = n, true
				}
			case "depth":
				r.depth, _ = strconv.Atoi(value)
			case "nodes":
				r.nodes, _ = strconv.ParseUint(value, 10, 64)
			}
		}
		return true
	})
	r.spent, r.cpu = time.Since(began), l.cpu()-cpu
	return r, err
}

func (l *linePlayer) close() { l.process.close("") }
