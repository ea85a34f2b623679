package glicko

// Average is the mean of two ratings: a change that counts by half.
func Average(a, b Rating) Rating {
	return Rating{
		Value:      (a.Value + b.Value) / 2,
		Deviation:  (a.Deviation + b.Deviation) / 2,
		Volatility: (a.Volatility + b.Volatility) / 2,
	}
}

// Seat is one side of a rated game.
type Seat struct {
	// Rating is the rating when the game ended, growth included.
	Rating Rating
	// Fixed marks a level of the engine, whose rating never moves.
	Fixed bool
}

// Match rates one game and returns both ratings after it, within the bounds.
// score is the first seat's: 1, 0.5 or 0. A level keeps its rating, and the
// change against one counts by half, because a program's strength differs from
// a person's of the same rating.
func Match(first, second Seat, score float64) (Rating, Rating) {
	return after(first, second, score), after(second, first, 1-score)
}

func after(own, opponent Seat, score float64) Rating {
	if own.Fixed {
		return own.Rating
	}
	next := Update(own.Rating, []Result{{Opponent: opponent.Rating, Score: score}}, Tau, 0)
	if opponent.Fixed {
		next = Average(own.Rating, next)
	}
	return next.Clamp()
}
