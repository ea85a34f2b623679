package draughts

import "tabuleiro/games"

var _ games.Explainer = Game{}

// Explain points at the pieces that may move, at the captures that are
// compulsory and how many pieces the law of the majority demands, and at the
// pieces of both sides that the other could take if it were to move: those that
// some capture left by the law of the majority takes. They all hang, since
// nobody may choose not to take.
func (Game) Explain(p games.Position) (games.Insight, error) {
	s, err := read(p)
	if err != nil {
		return games.Insight{}, err
	}
	in := games.Insight{
		Position: games.Position{Rules: rulesName, Text: s.position.Text(), Draws: s.draws, History: s.history.String()},
		Side:     s.position.Side(),
		Targets:  s.position.targets(s.moves.paths),
	}
	if s.outcome != nil {
		return in, nil
	}
	in.Movable = s.moves.origins()
	for i := range s.moves.paths {
		if taken := s.moves.paths[i].Captured; taken != 0 {
			in.MustCapture = taken.Count() // the same for all
			in.Captures = append(in.Captures, s.moves.move(i))
		}
	}
	return in, nil
}

// targets are the pieces that own, the legal moves of p, and those of the other
// side if it were to move, take; sorted by square.
func (p Position) targets(own []Path) []games.Target {
	passed := Position{own: p.opponent, opponent: p.own, kings: p.kings ^ secondMoves}
	attackers := map[string]Bitboard{}
	var taken Bitboard
	for _, paths := range [2][]Path{own, passed.LegalPaths()} {
		for i := range paths {
			taken |= paths[i].Captured
			for set := paths[i].Captured; set != 0; set = set.Rest() {
				attackers[set.First().String()] |= paths[i].From.Bit()
			}
		}
	}
	var out []games.Target
	for _, square := range names(taken) {
		side := p.Side().Other()
		if p.own&attackers[square] == 0 { // the other side takes it
			side = p.Side()
		}
		out = append(out, games.Target{Square: square, Side: side, Attackers: names(attackers[square]), Hanging: true})
	}
	return out
}
