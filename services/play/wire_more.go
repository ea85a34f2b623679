package play

import playv1 "tabuleiro/proto/tabuleiro/play/v1"

// madeAs is what the game was made as, told by its seats where it was made
// before that was kept.
func (s State) madeAs() string {
	switch {
	case s.Opponent != "":
		return s.Opponent
	case s.Seats[0].Kind == SeatEngine || s.Seats[1].Kind == SeatEngine:
		return OpponentEngine
	}
	return OpponentPerson
}

// captured are the kinds of pieces that each side has taken.
func (s State) captured() []*playv1.Captured {
	all := make([]*playv1.Captured, len(s.Seats))
	for i, seat := range s.Seats {
		all[i] = &playv1.Captured{Side: seat.Side}
	}
	for _, ply := range s.Plies {
		side := all[s.side(ply.Side)]
		side.Kinds = append(side.Kinds, ply.Taken...)
	}
	return all
}

// material is what the pieces of each side are worth; nil where nobody counts.
func (s State) material() []int32 {
	if len(s.Values) == 0 {
		return nil
	}
	sum := make([]int32, len(s.Seats))
	for _, p := range s.Ruling.Pieces {
		sum[s.side(p.Side)] += s.Values[p.Kind]
	}
	return sum
}

// matchWire is the match with this game in it. The first game of a match is one
// once there is a second.
func (s State) matchWire() *playv1.Match {
	m := Match{ID: s.ID, Number: 1}
	if s.Match != nil {
		m = *s.Match
	}
	points := s.points()
	return &playv1.Match{Id: m.ID, Number: m.Number, HalfPoints: points[:]}
}
