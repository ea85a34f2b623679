package draughts

import "tabuleiro/games"

// Game is Brazilian draughts at the edge of the system; it satisfies
// games.Game.
type Game struct{}

var _ games.Game = Game{}

const rulesName = "draughts"

// Name is "draughts".
func (Game) Name() string { return rulesName }

// Sides are white, who starts, and black.
func (Game) Sides() [2]string { return [2]string{"white", "black"} }

// DrawSets are cbd, where draws are claimed, and fmjd64, where they come by
// themselves.
func (Game) DrawSets() []string { return []string{drawsCBD, drawsFMJD64} }

// Start is the starting position.
func (Game) Start(draws string) (games.Position, error) {
	set, ok := drawSet(draws)
	if !ok {
		return games.Position{}, games.UnknownDraws(rulesName, draws)
	}
	p := Start()
	return games.Position{Rules: rulesName, Text: p.Text(), Draws: set}, nil
}

// Rule reads a position and rules on it. Besides the reasons of Parse, the
// error may say wrong_rules, unknown_draws or bad_history.
func (Game) Rule(p games.Position) (games.Ruling, error) {
	s, err := read(p)
	if err != nil {
		return games.Ruling{}, err
	}
	return s.ruling(), nil
}

// Apply plays a move given by its squares: both ends, or with any of those on
// the way.
func (Game) Apply(p games.Position, move string) (games.Move, games.Ruling, error) {
	s, err := read(p)
	if err != nil {
		return games.Move{}, games.Ruling{}, err
	}
	i, refusal := s.readMove(move)
	if refusal != nil {
		return games.Move{}, games.Ruling{}, refusal
	}
	played, m := s.moves.move(i), s.moves.paths[i].Move
	next := s.position.Play(m)
	return played, newState(next, s.history.after(&s.position, m, &next), s.draws).ruling(), nil
}

// state is a position in a game, with what its ruling needs.
type state struct {
	position   Position
	history    history
	draws      string
	moves      legal
	repetition int
	outcome    *games.Outcome
}

func drawSet(name string) (string, bool) {
	switch name {
	case "", drawsCBD:
		return drawsCBD, true
	case drawsFMJD64:
		return drawsFMJD64, true
	}
	return "", false
}

func read(p games.Position) (*state, error) {
	if p.Rules != "" && p.Rules != rulesName {
		return nil, &games.Invalid{Reasons: []string{"wrong_rules"}, Detail: "the position is not one of draughts"}
	}
	set, ok := drawSet(p.Draws)
	if !ok {
		return nil, games.UnknownDraws(rulesName, p.Draws)
	}
	position, err := Parse(p.Text)
	if err != nil {
		return nil, err
	}
	h, ok := parseHistory(p.History, position)
	if !ok {
		return nil, &games.Invalid{Reasons: []string{"bad_history"}, Detail: "the history does not lead to the position"}
	}
	return newState(position, h, set), nil
}

func newState(p Position, h history, draws string) *state {
	s := &state{position: p, history: h, draws: draws, moves: p.legal(), repetition: h.repetition(p)}
	s.outcome = h.outcome(&p, draws, len(s.moves.paths) > 0, s.repetition)
	return s
}

// outcome is how the game has ended at p; nil where it goes on.
func (h history) outcome(p *Position, draws string, moves bool, repetition int) *games.Outcome {
	switch {
	case p.Pieces(p.Side()) == 0:
		return &games.Outcome{Winner: p.Side().Other(), Reason: "no_pieces"}
	case !moves:
		return &games.Outcome{Winner: p.Side().Other(), Reason: "no_moves"}
	case draws == drawsFMJD64:
		if reason := h.draw(p, repetition); reason != "" {
			return &games.Outcome{Draw: true, Reason: reason}
		}
	}
	return nil
}

func (s *state) readMove(text string) (int, *games.Refusal) {
	w, ok := parseMove(text)
	switch {
	case !ok:
		return 0, &games.Refusal{Code: games.BadText}
	case s.outcome != nil:
		return 0, &games.Refusal{Code: games.GameOver}
	}
	return s.position.find(&s.moves, w)
}

// ruling is the state at the edge. While the game goes on, either side could
// still win: it has a piece, and the other may give all of its own away.
func (s *state) ruling() games.Ruling {
	text := s.position.Text()
	r := games.Ruling{
		Position:   games.Position{Rules: rulesName, Text: text, Draws: s.draws, History: s.history.String()},
		Side:       s.position.Side(),
		Outcome:    s.outcome,
		Key:        text,
		Repetition: s.repetition,
		Pieces:     s.position.pieces(),
	}
	if s.outcome != nil {
		return r
	}
	for i := range s.moves.paths {
		r.Moves = append(r.Moves, s.moves.move(i))
	}
	if s.draws == drawsCBD {
		r.Claims = s.history.claims(&s.position, s.repetition)
	}
	r.CanWin = [2]bool{true, true}
	return r
}
