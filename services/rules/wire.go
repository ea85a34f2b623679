package rules

import (
	"tabuleiro/games"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
)

func wireRuling(g games.Game, r *games.Ruling) *commonv1.Ruling {
	sides := g.Sides()
	out := &commonv1.Ruling{
		Position: &commonv1.Position{
			Rules: r.Position.Rules, Text: r.Position.Text, Draws: r.Position.Draws, History: r.Position.History,
		},
		Side:       sides[r.Side],
		Claims:     r.Claims,
		Key:        r.Key,
		Repetition: int32(r.Repetition),
		Check:      r.Check,
		Line:       r.LastLine,
	}
	if len(r.Moves) > 0 {
		// One block for all: they live and die together.
		moves := make([]commonv1.Move, len(r.Moves))
		out.Moves = make([]*commonv1.Move, len(r.Moves))
		for i := range r.Moves {
			fillMove(&moves[i], &r.Moves[i])
			out.Moves[i] = &moves[i]
		}
	}
	if o := r.Outcome; o != nil {
		out.Outcome = &commonv1.Outcome{Reason: o.Reason}
		if !o.Draw {
			out.Outcome.Winner = &sides[o.Winner]
		}
	}
	for side, can := range r.CanWin {
		if can {
			out.CanWin = append(out.CanWin, sides[side])
		}
	}
	pieces := make([]commonv1.Piece, len(r.Pieces))
	out.Pieces = make([]*commonv1.Piece, len(r.Pieces))
	for i, p := range r.Pieces {
		pieces[i].Square, pieces[i].Side, pieces[i].Kind = p.Square, sides[p.Side], p.Kind
		out.Pieces[i] = &pieces[i]
	}
	return out
}

func wireMove(m *games.Move) *commonv1.Move {
	out := &commonv1.Move{}
	fillMove(out, m)
	return out
}

func fillMove(out *commonv1.Move, m *games.Move) {
	out.Text = m.Text
	out.Notation = m.Notation
	out.From = m.From
	out.To = m.To
	out.Path = m.Path
	out.Captures = m.Captures
	out.Promotion = m.Promotion
}
