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
}

// Line reads a position as Rule does. The error is *games.Invalid.
func (Game) Line(p games.Position) (Line, error) {
	s, err := read(p)
	if err != nil {
		return Line{}, err
	}
	return Line{s.position, s.history, s.draws, s.outcome}, nil
}

// Position is where the game stands.
func (l *Line) Position() Position { return l.position }

// Outcome is nil while the game goes on.
func (l *Line) Outcome() *games.Outcome { return l.outcome }

// Play plays a move given as Apply reads it. The error is *games.Refusal.
func (l *Line) Play(move string) (games.Move, Line, error) {
	spots, ok := parseMove(move)
	switch {
	case !ok:
		return games.Move{}, Line{}, &games.Refusal{Code: games.BadText}
	case l.outcome != nil:
		return games.Move{}, Line{}, &games.Refusal{Code: games.GameOver}
	}
	if m, ok := l.quiet(spots); ok {
		text := m.From.String() + "-" + m.To.String()
		played := games.Move{Text: text, Notation: text, From: text[:2], To: text[3:], Path: []string{text[:2], text[3:]}}
		if m.Promotes {
			played.Promotion = "k"
		}
		return played, l.after(m), nil
	}
	all := l.position.legal()
	i, refusal := l.position.find(&all, spots)
	if refusal != nil {
		return games.Move{}, Line{}, refusal
	}
	return all.move(i), l.after(all.paths[i].Move), nil
}

// quiet finds the legal quiet move between two squares without the texts of all
// others.
func (l *Line) quiet(spots []spot) (Move, bool) {
	if len(spots) != 2 {
		return Move{}, false
	}
	from, to := spots[0].square(), spots[1].square()
	var list MoveList
	l.position.Legal(&list)
	for _, m := range list {
		if m.Captured == 0 && m.From == from && m.To == to {
			return m, true
		}
	}
	return Move{}, false
}

func (l *Line) after(m Move) Line {
	next := Line{position: l.position.Play(m), draws: l.draws}
	next.history = l.history.after(&l.position, m, &next.position)
	next.outcome = next.history.outcome(&next.position, next.draws, next.moves(), next.repetition())
	return next
}

// moves tells whether the side to move has any.
func (l *Line) moves() bool {
	var list MoveList
	l.position.Legal(&list)
	return len(list) > 0
}

// repetition counts the occurrences of the position where the rules end a game
// by them.
func (l *Line) repetition() int {
	if l.draws != drawsFMJD64 {
		return 1
	}
	return l.history.repetition(l.position)
}
