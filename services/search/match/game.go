package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tabuleiro/games"
)

// Adjudication ends games whose result is beyond doubt. Zero values leave a rule
// out.
type Adjudication struct {
	// A player resigns for both once they agree that it is behind by ResignScore
	// centipawns in ResignMoves moves of each in a row.
	ResignScore, ResignMoves int
	// A draw is agreed from the ply DrawFrom on once both stay within DrawScore
	// for DrawMoves moves of each in a row.
	DrawScore, DrawMoves, DrawFrom int
	// MaxPlies makes what is still going on a draw.
	MaxPlies int
	// Exact, when set, knows the results of some positions: 1, 0, -1 for the side
	// to move.
	Exact func(games.Position) (value int, known bool)
}

// played is a game that has ended.
type played struct {
	opening Opening
	start   games.Position
	moves   []games.Move
	replies []reply // one a move after the opening
	// points are the first side's half points: 2, 1, 0.
	points int
	reason string
	// fault is that of side faulty; nil where the game ended in order.
	fault  *Fault
	faulty games.Side
}

// playGame plays one game between the players of both sides. The error is one of
// this program, not of a player.
func playGame(ctx context.Context, game games.Game, opening Opening, sides [2]player, limits [2]Limit, margin time.Duration, adj Adjudication) (played, error) {
	g := played{opening: opening, start: opening.Start}
	moves, ruling, err := opening.play(game)
	if err != nil {
		return g, fmt.Errorf("the opening %v: %w", opening.Moves, err)
	}
	first, err := game.Rule(opening.Start)
	if err != nil {
		return g, err
	}
	g.start, g.moves = first.Position, moves

	lose := func(side games.Side, f *Fault) (played, error) {
		g.fault, g.faulty, g.reason = f, side, f.Kind
		g.points = 2 * int(side)
		return g, nil
	}
	fault := func(side games.Side, err error) (played, error) {
		f, ok := errors.AsType[*Fault](err)
		if !ok {
			return g, err
		}
		return lose(side, f)
	}
	for side, p := range sides {
		if err := p.newGame(g.start); err != nil {
			return fault(games.Side(side), err)
		}
	}
	left := [2]time.Duration{limits[0].Base, limits[1].Base}
	judge := judge{rules: adj}
	for {
		if done, points, reason := ended(&ruling); done {
			g.points, g.reason = points, reason
			return g, nil
		}
		if adj.MaxPlies > 0 && len(g.moves) >= adj.MaxPlies {
			g.points, g.reason = 1, "adjudication: length"
			return g, nil
		}
		if adj.Exact != nil {
			if value, known := adj.Exact(ruling.Position); known {
				g.points, g.reason = 1+value, "adjudication: tables"
				if ruling.Side == games.Second {
					g.points = 1 - value
				}
				return g, nil
			}
		}
		if err := ctx.Err(); err != nil {
			return g, err
		}
		side := ruling.Side
		r, err := sides[side].move(turn{
			start: g.start, moves: g.moves, now: ruling, left: left,
			increment: [2]time.Duration{limits[0].Increment, limits[1].Increment},
		})
		if err != nil {
			return fault(side, err)
		}
		if limits[side].Base > 0 {
			left[side] -= r.spent
			if left[side] < -margin {
				return lose(side, &Fault{Late, fmt.Sprintf("%v over after %v", -left[side], r.spent)})
			}
			left[side] = max(left[side], 0) + limits[side].Increment
		} else if t := limits[side].MoveTime; t > 0 && r.spent > t+margin {
			return lose(side, &Fault{Late, fmt.Sprintf("%v where %v were allowed", r.spent, t)})
		}
		move, next, err := game.Apply(ruling.Position, r.move)
		if err != nil {
			return lose(side, &Fault{Illegal, fmt.Sprintf("%q in %s: %v", r.move, ruling.Position.Text, err)})
		}
		g.moves, g.replies = append(g.moves, move), append(g.replies, r)
		ruling = next
		if points, reason := judge.hear(side, r, len(g.moves)); reason != "" {
			if done, p, why := ended(&ruling); done {
				points, reason = p, why
			}
			g.points, g.reason = points, reason
			return g, nil
		}
	}
}

// ended tells whether a game is over by the rules; a draw that may be claimed is
// one.
func ended(r *games.Ruling) (done bool, points int, reason string) {
	if o := r.Outcome; o != nil {
		switch {
		case o.Draw:
			return true, 1, o.Reason
		case o.Winner == games.First:
			return true, 2, o.Reason
		}
		return true, 0, o.Reason
	}
	if len(r.Claims) > 0 {
		return true, 1, r.Claims[0]
	}
	return false, 0, ""
}

// judge counts what the players say of a game.
type judge struct {
	rules Adjudication
	// winning counts the moves in a row after which both have said that a side is
	// ahead; even, that neither is.
	winning [2]int
	even    int
}

// hear takes a player's score and tells whether that ends the game.
func (j *judge) hear(side games.Side, r reply, plies int) (points int, reason string) {
	if !r.scored {
		j.winning, j.even = [2]int{}, 0
		return 0, ""
	}
	score := r.score
	if side == games.Second {
		score = -score
	}
	count := func(n *int, holds bool) {
		if *n++; !holds {
			*n = 0
		}
	}
	count(&j.winning[0], score >= j.rules.ResignScore)
	count(&j.winning[1], score <= -j.rules.ResignScore)
	count(&j.even, plies > j.rules.DrawFrom && max(score, -score) <= j.rules.DrawScore)
	if j.rules.ResignScore > 0 && j.rules.ResignMoves > 0 {
		for winner, n := range j.winning {
			if n >= 2*j.rules.ResignMoves {
				return 2 * (1 - winner), "adjudication: score"
			}
		}
	}
	if j.rules.DrawMoves > 0 && j.even >= 2*j.rules.DrawMoves {
		return 1, "adjudication: draw"
	}
	return 0, ""
}
