package engine

import (
	"tabuleiro/games/tictactoe"
	"tabuleiro/services/search/engine/core"
)

// tictactoeRules is tic-tac-toe for the search, which always sees its end.
type tictactoeRules struct{}

// Hash spells the board; no two positions share it.
func (tictactoeRules) Hash(p *tictactoe.Position) uint64 {
	return core.Mix(1 + uint64(p.Marks(0)) + uint64(p.Marks(1))<<9)
}

func (tictactoeRules) Legal(p *tictactoe.Position, into []tictactoe.Square) []tictactoe.Square {
	for m := p.Moves(); m != 0; m = m.Rest() {
		into = append(into, m.First())
	}
	return into
}

// Forcing has nothing to add: a position that is not over is quiet.
func (tictactoeRules) Forcing(p *tictactoe.Position, into []tictactoe.Square) ([]tictactoe.Square, bool) {
	return into, !p.Over()
}

func (tictactoeRules) Play(p *tictactoe.Position, m tictactoe.Square, next *tictactoe.Position) {
	*next = p.Play(m)
}

// Stuck with a line on the board has lost: the opponent made it.
func (tictactoeRules) Stuck(p *tictactoe.Position) bool {
	_, won := p.Winner()
	return won
}

func (tictactoeRules) Drawn(*tictactoe.Position) bool                 { return false }
func (tictactoeRules) Counters(*tictactoe.Position, int) uint64       { return 0 }
func (tictactoeRules) Reversible(*tictactoe.Position) int             { return 0 }
func (tictactoeRules) Pack(m tictactoe.Square) uint32                 { return uint32(m) + 1 }
func (tictactoeRules) Gain(*tictactoe.Position, tictactoe.Square) int { return 0 }

func (tictactoeRules) Text(_ *tictactoe.Position, m tictactoe.Square) string { return m.String() }

// tictactoeEvaluator knows nothing: the search sees every end.
type tictactoeEvaluator struct{}

func (tictactoeEvaluator) Evaluate(*tictactoe.Position) int { return 0 }
