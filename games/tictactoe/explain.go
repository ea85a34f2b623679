package tictactoe

import "tabuleiro/games"

var _ games.Explainer = Game{}

// Explain points at the squares that win now, at those where the opponent would
// win next, and at what perfect play brings.
func (Game) Explain(p games.Position) (games.Insight, error) {
	pos, err := read(p)
	if err != nil {
		return games.Insight{}, err
	}
	value := pos.Value()
	return games.Insight{
		Position: edgePosition(pos),
		Side:     pos.Side(),
		Wins:     names(pos.wins(pos.Side())),
		Blocks:   names(pos.wins(pos.Side().Other())),
		Perfect:  &games.Perfect{Value: int(value.Result), Plies: int(value.Plies), Best: names(pos.Best())},
	}, nil
}

// wins are the squares that would give s three in a row at once.
func (p Position) wins(s games.Side) Mask {
	var wins Mask
	for m := p.Moves(); m != 0; m = m.Rest() {
		if sq := m.First(); hasLine(p.Marks(s) | 1<<sq) {
			wins |= 1 << sq
		}
	}
	return wins
}
