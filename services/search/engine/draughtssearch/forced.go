package draughtssearch

import "tabuleiro/games/draughts"

// Forced is a forced shot: a move that leaves the opponent exactly one reply,
// after which the side takes one, two or more pieces.
type Forced struct {
	// Move, Reply and Capture are exact texts.
	Move, Reply, Capture string
	// Taken counts the pieces that Move and Capture take, Given those that Reply
	// takes.
	Taken, Given int
}

// Gain is what a shot wins in pieces, men and kings alike.
func (f Forced) Gain() int { return f.Taken - f.Given }

// ForcedShots are the forced shots of the side to move as the founding program
// looks for them, in the order of the legal moves; of several captures, the
// first of those that take most. Whether a shot pays, and what the opponent
// takes back, is for a search to say.
func ForcedShots(p draughts.Position) []Forced {
	var moves, replies, captures draughts.MoveList
	var out []Forced
	p.Legal(&moves)
	for _, m := range moves {
		after := p.Play(m)
		after.Legal(&replies)
		if len(replies) != 1 {
			continue
		}
		then := after.Play(replies[0])
		if then.Legal(&captures); len(captures) == 0 || captures[0].Captured == 0 {
			continue
		}
		out = append(out, Forced{
			Move: Text(p, m), Reply: Text(after, replies[0]), Capture: Text(then, captures[0]),
			Taken: m.Captured.Count() + captures[0].Captured.Count(), Given: replies[0].Captured.Count(),
		})
	}
	return out
}
