package match

import (
	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/services/search/engine/endings"
)

// ByTables is Adjudication.Exact from tables of draughts endings. A win that a
// counter of draws could come before is played on.
func ByTables(probe endings.Probe) func(games.Position) (value int, known bool) {
	return func(position games.Position) (int, bool) {
		p, counts, _, err := draughts.Game{}.Past(position)
		if err != nil || p.Occupied().Count() > endings.MaxPieces {
			return 0, false
		}
		value, distance, ok := probe.Probe(&p)
		if !ok || value != 0 && counts.Near(&p, distance) != 0 {
			return 0, false
		}
		return int(value), true
	}
}
