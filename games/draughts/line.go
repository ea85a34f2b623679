package draughts

import "tabuleiro/games"

// Line is a game up to one of its positions, with what the draw rules remember
// of it: Rule and Apply without text between the moves, for readers of whole
// games. It is a value; a move leads to another one, so variations share their
// beginning.
type Line struct {
	position Position
	history  history
	draws    string
	outcome  *games.Outcome
	moves    MoveList
}

// Line reads a position as Rule does. The error is *games.Invalid.
func (Game) Line(p games.Position) (Line, error) {
	s, err := read(p)
	if err != nil {
		return Line{}, err
	}
	return newLine(s.position, s.history, s.draws), nil
}

func newLine(p Position, h history, draws string) Line {
	l := Line{position: p, history: h, draws: draws, moves: make(MoveList, 0, 16)}
	p.Legal(&l.moves)
	repetition := 1
	if draws == drawsFMJD64 { // elsewhere it ends no game
		repetition = h.repetition(p)
	}
	l.outcome = h.outcome(&l.position, draws, len(l.moves) > 0, repetition)
	return l
}

// Position is where the game stands.
func (l *Line) Position() Position { return l.position }

// Outcome is nil while the game goes on.
func (l *Line) Outcome() *games.Outcome { return l.outcome }

// Play plays a move given as Apply reads it. The error is *games.Refusal.
func (l *Line) Play(move string) (games.Move, Line, error) {
	w, ok := parseMove(move)
	switch {
	case !ok:
		return games.Move{}, Line{}, &games.Refusal{Code: games.BadText}
	case l.outcome != nil:
		return games.Move{}, Line{}, &games.Refusal{Code: games.GameOver}
	}
	if m, played, ok := l.plain(w); ok {
		return played, l.after(m), nil
	}
	all := l.position.legal()
	i, refusal := l.position.find(&all, w)
	if refusal != nil {
		return games.Move{}, Line{}, refusal
	}
	return all.move(i), l.after(all.paths[i].Move), nil
}

// plain finds the only legal move between two squares, without the texts of all
// others.
func (l *Line) plain(w written) (Move, games.Move, bool) {
	if len(w.spots) != 2 {
		return Move{}, games.Move{}, false
	}
	from, to := w.spots[0].square(), w.spots[1].square()
	var m Move
	found := 0
	for _, o := range l.moves {
		if o.From == from && o.To == to {
			m = o
			found++
		}
	}
	if found != 1 || w.takes && m.Captured == 0 {
		return Move{}, games.Move{}, false
	}
	first := Path{Move: m, squares: [maxTaken + 1]Square{from, to}, n: 2}
	text := first.Text()
	if m.Captured.Count() > 1 {
		text = ""
		for _, p := range l.position.LegalPaths() {
			if p.Move != m {
				continue
			}
			if t := p.Text(); text == "" || t < text {
				first, text = p, t
			}
		}
	}
	one := legal{paths: []Path{first}, texts: []string{text}}
	return m, one.move(0), true
}

func (l *Line) after(m Move) Line {
	next := l.position.Play(m)
	return newLine(next, l.history.after(&l.position, m, &next), l.draws)
}
