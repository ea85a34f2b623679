package tournaments

import (
	"context"
	"errors"
	"time"

	"tabuleiro/internal/seeded"
)

// Games makes, watches and ends the games of tournaments.
type Games interface {
	// Make makes a game with an id; one that exists is left as it is.
	Make(ctx context.Context, g NewGame) error
	// Over are those of games that have ended, with their results: as records write
	// them, or "aborted". A game that does not exist has not ended.
	Over(ctx context.Context, ids []string) (map[string]string, error)
	// Progress is how far a game has got; that of a game that does not exist is
	// none.
	Progress(ctx context.Context, id string) (Progress, error)
	// End ends a game that runs with a result as records write it, or "annul"; one
	// that has ended is left as it is. It tells whether the game exists.
	End(ctx context.Context, id, result, by string) (exists bool, err error)
}

// Progress is how far a game has got.
type Progress struct {
	// Running says that it is not over; one that was saved for later runs too.
	Running bool
	// Side is the side to move: 0 is White, or who moves first.
	Side int
	// Moved says that both sides have moved.
	Moved bool
}

// NewGame is a game to make.
type NewGame struct {
	ID, Rules, Draws       string
	Tournament             string
	InitialMS, IncrementMS int32
	Rated                  bool
	// Players are who moves first and the other.
	Players [2]Player
	// Maker is the organiser's account.
	Maker string
}

// makeTime is how long after a board was decided one of its games that does not
// exist may still be made, by a replica that had begun to.
const makeTime = time.Minute

// maxSweep is how many tournaments are looked at in one query.
const maxSweep = 100

// changedQueue bounds the changed tournaments that wait for Run; what does not fit
// is left to the sweep.
const changedQueue = 64

// Run does what tournaments owe until the context ends: for those that this
// replica has changed at once, for all whose time has come by a sweep.
func (s *Service) Run(ctx context.Context) error {
	sweep, look := time.NewTicker(s.cfg.SweepEvery), time.NewTicker(s.cfg.LookEvery)
	defer sweep.Stop()
	defer look.Stop()
	s.report(ctx, s.Look(ctx))
	for {
		select {
		case <-ctx.Done():
			return nil
		case id := <-s.changed:
			s.actOn(ctx, id, false)
		case <-sweep.C:
			s.report(ctx, s.Sweep(ctx))
		case <-look.C:
			s.report(ctx, s.Look(ctx))
		}
	}
}

func (s *Service) report(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		s.deps.Log.Warn("tournaments are not looked after", "err", err)
	}
}

// Sweep does what tournaments owe whose time has come. What fails is tried again
// in the next one.
func (s *Service) Sweep(ctx context.Context) error {
	return s.each(ctx, false, func(after string) ([]string, error) {
		return s.deps.Store.Due(ctx, s.now(), after, maxSweep)
	})
}

// Look does what any tournament owes that is not over. It asks for the games that
// are being played, so that no result is missed for good.
func (s *Service) Look(ctx context.Context) error {
	return s.each(ctx, true, func(after string) ([]string, error) {
		return s.deps.Store.Active(ctx, after, maxSweep)
	})
}

func (s *Service) each(ctx context.Context, look bool, list func(after string) ([]string, error)) error {
	after := ""
	for {
		ids, err := list(after)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			after = id
			s.actOn(ctx, id, look)
		}
		if len(ids) < maxSweep {
			return nil
		}
	}
}

// actOn does what one tournament owes, where nobody waits for an answer. To look is
// to ask for the games that are being played, too.
func (s *Service) actOn(ctx context.Context, id string, look bool) {
	if err := s.act(ctx, id, look); err != nil && !errors.Is(err, ErrStale) && ctx.Err() == nil {
		s.deps.Log.Warn("a tournament's turn failed", "tournament", id, "err", err)
	}
}

// GameOver takes in that a game of a tournament is over, or that a person in charge
// has decided it since. It asks the game how it stands after it has read the
// tournament, and writes onto what it has read: who comes late with word of an
// older result takes nothing back.
func (s *Service) GameOver(ctx context.Context, id, game string) error {
	ask := func() (string, error) {
		over, err := s.deps.Games.Over(ctx, []string{game})
		return over[game], err
	}
	if seeded.On("correction_on_top") {
		result, err := ask()
		ask = func() (string, error) { return result, err }
	}
	err := ErrStale
	for try := 0; try < maxRaces && errors.Is(err, ErrStale); try++ {
		err = s.takeResult(ctx, id, game, ask)
	}
	if errors.Is(err, ErrNotFound) {
		return nil // nobody counts the game any more
	}
	return err
}

func (s *Service) takeResult(ctx context.Context, id, game string, ask func() (string, error)) error {
	state, err := s.deps.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	at, ok := state.find(game)
	if !ok {
		return nil
	}
	result, err := ask()
	if err != nil || result == "" {
		return err
	}
	return s.commit(ctx, &state, Ended{At: at, Result: result})
}

// find is where a game is.
func (s *State) find(game string) (Place, bool) {
	for r := range s.Played {
		for b := range s.Played[r].Boards {
			for g := range s.Played[r].Boards[b].Games {
				if s.Played[r].Boards[b].Games[g].ID == game {
					return Place{r, b, g}, true
				}
			}
		}
	}
	return Place{}, false
}

// act does what one tournament owes. Every step is safe to do twice: games have
// the ids that the state gives them, and a commit is for one version only.
func (s *Service) act(ctx context.Context, id string, look bool) error {
	state, err := s.deps.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	owed := Owes(state, s.now())
	if err := s.makeGames(ctx, &state, owed.Make); err != nil {
		return err
	}
	if look {
		if err := s.takeResults(ctx, &state, owed.Await); err != nil {
			return err
		}
	}
	if err := s.closeGames(ctx, &state, owed.Close); err != nil {
		return err
	}
	if owed = Owes(state, s.now()); owed.Overdue {
		if err := s.overdue(ctx, &state); err != nil {
			return err
		}
	}
	for _, at := range Owes(state, s.now()).More {
		if err := s.commit(ctx, &state, More{At: at, ID: s.deps.NewID()}); err != nil {
			return err
		}
	}
	switch owed = Owes(state, s.now()); {
	case owed.Finish:
		return s.commit(ctx, &state, Finish{})
	case owed.Pair:
		return s.commit(ctx, &state, Pair{IDs: s.ids(len(state.Players))})
	}
	return nil
}

func (s *Service) ids(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = s.deps.NewID()
	}
	return ids
}

// commit lets a command that nobody sent happen. What the core refuses is not to
// be done any more.
func (s *Service) commit(ctx context.Context, state *State, c Command) error {
	events, err := Decide(*state, c, s.now())
	if _, refused := errors.AsType[*Refused](err); refused {
		return nil
	}
	if err != nil {
		return err
	}
	after := Fold(*state, events)
	if _, err := s.deps.Store.Commit(ctx, Commit{Before: *state, After: after, Events: events}, nil); err != nil {
		return err
	}
	*state = after
	s.committed(state.ID, state.Version)
	return nil
}

func (s *Service) makeGames(ctx context.Context, state *State, places []Place) error {
	var made []Place
	var failed error
	for _, at := range places {
		board := state.board(at)
		game := board.Games[at.Game]
		g := NewGame{
			ID: game.ID, Tournament: state.ID, Rules: state.Rules, Draws: state.Draws, InitialMS: state.InitialMS, IncrementMS: state.IncrementMS,
			Rated: state.Rated, Players: [2]Player{state.Players[board.White], state.Players[board.Black]}, Maker: state.Organiser,
		}
		if game.Reversed {
			g.Players[0], g.Players[1] = g.Players[1], g.Players[0]
		}
		if err := s.deps.Games.Make(ctx, g); err != nil {
			failed = err // the others are made all the same
			continue
		}
		made = append(made, at)
	}
	if len(made) > 0 {
		if err := s.commit(ctx, state, Made{made}); err != nil {
			return errors.Join(err, s.unwanted(ctx, state, made))
		}
	}
	return failed
}

// unwanted ends games that were made for a state that has passed meanwhile, where
// their boards are decided by now: others may have looked for them too early.
func (s *Service) unwanted(ctx context.Context, then *State, made []Place) error {
	now, err := s.deps.Store.Load(ctx, then.ID)
	if err != nil {
		return err
	}
	for _, at := range made {
		if now.Status == StatusRunning && now.board(at).Result == "" {
			continue
		}
		if _, err := s.deps.Games.End(ctx, then.board(at).Games[at.Game].ID, "annul", now.Organiser); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) takeResults(ctx context.Context, state *State, places []Place) error {
	if len(places) == 0 {
		return nil
	}
	ids := make([]string, len(places))
	for i, at := range places {
		ids[i] = state.board(at).Games[at.Game].ID
	}
	over, err := s.deps.Games.Over(ctx, ids)
	if err != nil {
		return err
	}
	for i, at := range places {
		if result, ok := over[ids[i]]; ok {
			if err := s.commit(ctx, state, Ended{At: at, Result: result}); err != nil {
				return err
			}
		}
	}
	return nil
}

// closeGames ends games of boards that were decided while they ran; those whose
// decision is not to count for ratings are annulled. Of a tournament that was
// cancelled what has begun is played on, as an ordinary game: nobody takes back a
// game that they, or a friend, are losing. One that does not exist is waited for: it
// may be on its way.
func (s *Service) closeGames(ctx context.Context, state *State, places []Place) error {
	var closed []Place
	for _, at := range places {
		board := state.board(at)
		result := board.Result
		if result == "" {
			progress, err := s.deps.Games.Progress(ctx, board.Games[at.Game].ID)
			if err != nil {
				return err
			}
			if progress.Moved {
				closed = append(closed, at)
				continue
			}
		}
		switch {
		case board.Games[at.Game].Reversed && result == WhiteWins:
			result = BlackWins
		case board.Games[at.Game].Reversed && result == BlackWins:
			result = WhiteWins
		}
		if result == "" || result == BothLose || board.Unrated {
			result = "annul"
		}
		exists, err := s.deps.Games.End(ctx, board.Games[at.Game].ID, result, state.Organiser)
		if err != nil {
			return err
		}
		if exists || s.now()-state.ChangedAt >= makeTime.Milliseconds() {
			closed = append(closed, at)
		}
	}
	if len(closed) == 0 {
		return nil
	}
	return s.commit(ctx, state, Closed{closed})
}

// overdue decides the boards of a round whose time is up: against the side to move
// where a game runs.
func (s *Service) overdue(ctx context.Context, state *State) error {
	var rulings []Ruling
	for i := range state.current().Boards {
		b := &state.current().Boards[i]
		if b.Result != "" {
			continue
		}
		_, _, counted := b.score()
		ruling := Ruling{Board: i, Counts: counted > 0}
		if game := lastGame(b); game == nil || game.Result != "" {
			ruling.Result = state.late(b)
		} else {
			progress, err := s.deps.Games.Progress(ctx, game.ID)
			if err != nil {
				return err
			}
			if !progress.Running {
				continue // its result is taken in first
			}
			ruling.Counts = ruling.Counts || progress.Moved
			ruling.Result = BlackWins
			if (progress.Side == 1) != game.Reversed {
				ruling.Result = WhiteWins
			}
		}
		rulings = append(rulings, ruling)
	}
	return s.commit(ctx, state, Rule{Round: len(state.Played) - 1, Boards: rulings})
}

func lastGame(b *Board) *Game {
	if len(b.Games) == 0 {
		return nil
	}
	return &b.Games[len(b.Games)-1]
}
