package chess

import "tabuleiro/games"

// Past reads a position leniently, with the keys of the positions before it
// that could come again: those since the last irreversible move, the oldest
// first, itself left out. It is what a search needs to see repetitions. The
// error is *games.Invalid.
func (g Game) Past(position games.Position) (Position, []uint64, error) {
	s, err := g.read(position, nil)
	if err != nil {
		return Position{}, nil, err
	}
	return s.p, s.past, nil
}
