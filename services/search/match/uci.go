package match

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// mateScore is what a mate in sight counts in centipawns, less a point a move.
const mateScore = 30000

// uciPlayer is a program that speaks UCI.
type uciPlayer struct {
	*process
	limit    Limit
	chess960 bool
}

func newUCI(e Engine, patience time.Duration) (*uciPlayer, error) {
	p, err := start(e.Command, patience)
	if err != nil {
		return nil, err
	}
	u := &uciPlayer{process: p, limit: e.Limit}
	if err := u.greet(e); err != nil {
		u.close()
		return nil, err
	}
	return u, nil
}

func (u *uciPlayer) greet(e Engine) error {
	if err := u.send("uci"); err != nil {
		return err
	}
	if _, err := u.await("uciok"); err != nil {
		return err
	}
	for _, o := range e.Options {
		if err := u.send("setoption name %s value %s", o.Name, o.Value); err != nil {
			return err
		}
	}
	return u.ready()
}

func (u *uciPlayer) ready() error {
	if err := u.send("isready"); err != nil {
		return err
	}
	_, err := u.await("readyok")
	return err
}

func (u *uciPlayer) newGame(start games.Position) error {
	if p, err := chess.ReadFEN(start.Text); err == nil && p.Chess960() != u.chess960 {
		u.chess960 = p.Chess960()
		if err := u.send("setoption name UCI_Chess960 value %v", u.chess960); err != nil {
			return err
		}
	}
	if err := u.send("ucinewgame"); err != nil {
		return err
	}
	return u.ready()
}

func (u *uciPlayer) move(t turn) (reply, error) {
	var position strings.Builder
	if t.start.Text == chess.StartFEN {
		position.WriteString("position startpos")
	} else {
		position.WriteString("position fen " + t.start.Text)
	}
	for i, m := range t.moves {
		if i == 0 {
			position.WriteString(" moves")
		}
		position.WriteString(" " + m.Text)
	}
	if err := u.send("%s", position.String()); err != nil {
		return reply{}, err
	}
	patience := u.patience
	var goes string
	switch l := u.limit; {
	case l.Nodes > 0:
		goes = fmt.Sprintf("go nodes %d", l.Nodes)
	case l.Depth > 0:
		goes = fmt.Sprintf("go depth %d", l.Depth)
	case l.MoveTime > 0:
		goes = fmt.Sprintf("go movetime %d", l.MoveTime.Milliseconds())
		patience += l.MoveTime
	case l.CPU > 0:
		goes = "go infinite"
		patience += busiest * l.CPU
	default:
		goes = fmt.Sprintf("go wtime %d btime %d", max(t.left[0].Milliseconds(), 1), max(t.left[1].Milliseconds(), 1))
		if t.increment != [2]time.Duration{} {
			goes += fmt.Sprintf(" winc %d binc %d", t.increment[0].Milliseconds(), t.increment[1].Milliseconds())
		}
		patience += t.left[t.now.Side]
	}
	began, cpu := time.Now(), u.cpu()
	if err := u.send("%s", goes); err != nil {
		return reply{}, err
	}
	var r reply
	err := u.search(u.limit, patience, func() error { return u.send("stop") }, func(line string) bool {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			return false
		}
		switch fields[0] {
		case "info":
			readInfo(fields[1:], &r)
		case "bestmove":
			if len(fields) > 1 {
				r.move = fields[1]
			}
			return true
		}
		return false
	})
	r.spent, r.cpu = time.Since(began), u.cpu()-cpu
	return r, err
}

// readInfo takes what a match keeps from an info line. Lines of other moves than
// the best are passed over.
func readInfo(fields []string, r *reply) {
	for i := 0; i+1 < len(fields); i++ {
		switch fields[i] {
		case "string", "pv":
			return
		case "multipv":
			if fields[i+1] != "1" {
				return
			}
		case "depth":
			r.depth, _ = strconv.Atoi(fields[i+1])
		case "nodes":
			r.nodes, _ = strconv.ParseUint(fields[i+1], 10, 64)
		case "score":
			if i+2 >= len(fields) {
				return
			}
			n, err := strconv.Atoi(fields[i+2])
			if err != nil {
				continue
			}
			switch fields[i+1] {
			case "cp":
				r.score, r.scored = n, true
			case "mate":
				r.scored = true
				if r.score = mateScore - n; n <= 0 {
					r.score = -mateScore - n
				}
			}
		}
	}
}

func (u *uciPlayer) close() { u.process.close("quit") }
