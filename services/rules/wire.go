package rules

import (
	"tabuleiro/games"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

func wireRuling(g games.Game, r *games.Ruling) *commonv1.Ruling {
	sides := g.Sides()
	out := &commonv1.Ruling{
		Position:   wirePosition(&r.Position),
		Side:       sides[r.Side],
		Claims:     r.Claims,
		Key:        r.Key,
		Repetition: int32(r.Repetition),
		Check:      r.Check,
		Line:       r.LastLine,
	}
	out.Moves = wireMoves(r.Moves)
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

func wirePosition(p *games.Position) *commonv1.Position {
	return &commonv1.Position{Rules: p.Rules, Text: p.Text, Draws: p.Draws, History: p.History}
}

// wireMoves makes one block for all: they live and die together.
func wireMoves(list []games.Move) []*commonv1.Move {
	if len(list) == 0 {
		return nil
	}
	moves := make([]commonv1.Move, len(list))
	out := make([]*commonv1.Move, len(list))
	for i := range list {
		fillMove(&moves[i], &list[i])
		out[i] = &moves[i]
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

// values are the words for Perfect.Value + 1.
var values = [3]string{"loss", "draw", "win"}

func wireInsight(g games.Game, in *games.Insight) *rulesv1.Insight {
	sides := g.Sides()
	out := &rulesv1.Insight{
		Position:    wirePosition(&in.Position),
		Side:        sides[in.Side],
		Movable:     in.Movable,
		Checks:      in.Checks,
		MustCapture: int32(in.MustCapture),
		Captures:    wireMoves(in.Captures),
		Wins:        in.Wins,
		Blocks:      in.Blocks,
	}
	for _, w := range in.Ways {
		out.Ways = append(out.Ways, &rulesv1.Way{Kind: w.Kind, Moves: wireMoves(w.Moves)})
	}
	for _, p := range in.Pins {
		out.Pins = append(out.Pins, &rulesv1.Pin{Pinned: p.Pinned, Pinner: p.Pinner, King: p.King, Side: sides[p.Side]})
	}
	for _, t := range in.Targets {
		out.Targets = append(out.Targets, &rulesv1.Target{
			Square: t.Square, Side: sides[t.Side], Attackers: t.Attackers, Defenders: t.Defenders, Hanging: t.Hanging,
		})
	}
	if p := in.Perfect; p != nil {
		out.Perfect = &rulesv1.Perfect{Value: values[p.Value+1], Plies: int32(p.Plies), Best: p.Best}
	}
	return out
}
