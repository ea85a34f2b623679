package sim

import (
	"context"
	"fmt"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/db"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play"
	"tabuleiro/services/play/keyed"
	"tabuleiro/services/play/tournaments"
)

// Tournaments: their games are ordinary ones, which the players find in them.

// cups is the store of tournaments as one replica sees it.
type cups struct {
	tournaments.Store
	g games
}

func (c cups) do(ctx context.Context, operation string, writes bool, f func() error) error {
	return c.g.step(ctx, "cups."+operation, writes, writes, keyed.ErrUnavailable, db.ErrUnknown, f)
}

func (c cups) Load(ctx context.Context, id string) (s tournaments.State, err error) {
	err = c.do(ctx, "Load", false, func() (err error) { s, err = c.Store.Load(ctx, id); return err })
	return s, err
}

func (c cups) Commit(ctx context.Context, commit tournaments.Commit, command *keyed.Command) (a tournaments.Answer, err error) {
	err = c.do(ctx, "Commit", true, func() (err error) { a, err = c.Store.Commit(ctx, commit, command); return err })
	return a, err
}

func (c cups) Answered(ctx context.Context, command keyed.Command) (a tournaments.Answer, found bool, err error) {
	err = c.do(ctx, "Answered", false, func() (err error) { a, found, err = c.Store.Answered(ctx, command); return err })
	return a, found, err
}

func (c cups) Active(ctx context.Context, after string, limit int) (ids []string, err error) {
	err = c.do(ctx, "Active", false, func() (err error) { ids, err = c.Store.Active(ctx, after, limit); return err })
	return ids, err
}

func (c cups) Scrub(ctx context.Context, id, account string) error {
	return c.do(ctx, "Scrub", true, func() error { return c.Store.Scrub(ctx, id, account) })
}

// sweep lets a replica do what tournaments owe.
func (w *world) sweep(r *replica) {
	w.task(r, "sweep", func(ctx context.Context) error { return r.cups.Look(ctx) })
}

// maxCups is how many tournaments a history has, cupGames how many games one
// stands for.
const maxCups, cupGames = 2, 3

// compete does something in a tournament; false where it does not come to mind.
func (p *player) compete() bool {
	w := p.w
	if p.caller.Account == "" {
		return false
	}
	if len(w.cups) < maxCups && w.budget > cupGames && w.chance(200) {
		w.budget -= cupGames
		kind := lot(w.scheduler, []string{tournaments.RoundRobin, tournaments.Swiss, tournaments.Knockout})
		in := &playv1.CreateTournamentRequest{
			Name: "Torneio", Rules: lot(w.scheduler, []string{"tictactoe", "tictactoe", "chess"}), Kind: kind, Entry: tournaments.EntryOpen,
			Rated: w.chance(500), Auto: w.chance(800), RoundMinutes: int32(w.rng.IntN(2)),
		}
		if kind == tournaments.Knockout {
			in.Tie = lot(w.scheduler, []string{"", "seed", "more"})
		}
		p.double(p.command(in))
		return true
	}
	if len(w.cups) == 0 {
		return false
	}
	p.inCup(lot(w.scheduler, w.cups))
	return true
}

func (p *player) inCup(id string) {
	w, t := p.w, p.cups[id]
	n := w.rng.IntN(100)
	in := 0
	for _, other := range t.GetPlayers() {
		if other.GetStatus() == tournaments.PlayerIn {
			in++
		}
	}
	switch {
	case t.GetStatus() == tournaments.StatusOpen && t.GetYou() == 0 && n < 60:
		p.double(p.command(&playv1.JoinTournamentRequest{Tournament: id}))
	case t.GetStatus() == tournaments.StatusOpen && t.GetOrganiser() && in >= 2 && n < 50, n < 1:
		p.double(p.command(&playv1.StartTournamentRequest{Tournament: id}))
	case t.GetStatus() == tournaments.StatusOpen && t.GetOrganiser() && n < 60:
		p.double(p.command(&playv1.AddPlayersRequest{Tournament: id, Levels: []string{"plies-2"}}))
	case t.GetStatus() == tournaments.StatusRunning && t.GetOrganiser() && !t.GetAuto() && n < 50:
		p.double(p.command(&playv1.PairRoundRequest{Tournament: id}))
	case t.GetStatus() == tournaments.StatusRunning && t.GetOrganiser() && n < 54 && t.GetPaired() > 0:
		boards := t.GetPlayed()[t.GetPaired()-1].GetBoards()
		p.double(p.command(&playv1.DecideBoardRequest{
			Tournament: id, Round: t.GetPaired(), Board: int32(1 + w.rng.IntN(len(boards))), Played: w.chance(500),
			Result: lot(w.scheduler, []string{tournaments.WhiteWins, tournaments.BlackWins, tournaments.Drawn, tournaments.BothLose}),
		}))
	case n < 56 && t.GetYou() > 0:
		p.double(p.command(&playv1.WithdrawPlayerRequest{Tournament: id}))
	case n < 57 && w.chance(200):
		p.command(&playv1.CancelTournamentRequest{Tournament: id})
	default:
		p.look(id)
	}
}

// look asks for a tournament, and for its games that the player does not know.
func (p *player) look(id string) {
	p.ask(&playv1.GetTournamentRequest{Tournament: id}, "", nothing)
	for _, round := range p.cups[id].GetPlayed() {
		for _, b := range round.GetBoards() {
			if you := p.cups[id].GetYou(); you != b.GetWhite() && you != b.GetBlack() {
				continue
			}
			for _, g := range b.GetGames() {
				if p.games[g.GetId()] == nil {
					p.ask(&playv1.GetGameRequest{Game: g.GetId()}, "", func(a *attempt) { p.learn(a.game) })
				}
			}
		}
	}
}

// sees takes in what an answer shows of a tournament.
func (p *player) sees(t *playv1.Tournament) {
	if t == nil {
		return
	}
	if !slices.Contains(p.w.cups, t.GetId()) {
		p.w.cups = append(p.w.cups, t.GetId())
	}
	if old := p.cups[t.GetId()]; old == nil || old.GetVersion() <= t.GetVersion() {
		p.cups[t.GetId()] = t
	}
}

// cupOf is the tournament that a request is about; false where it is about none.
func cupOf(m proto.Message) (id string, is bool) {
	switch in := m.(type) {
	case *playv1.CreateTournamentRequest:
		return "", true
	case interface{ GetTournament() string }:
		return in.GetTournament(), true
	}
	return "", false
}

// tidyCups goes on with tournaments until they are over; true where one is not.
// After a while who organises one breaks it off.
func (p *player) tidyCups(round int) (busy bool) {
	w := p.w
	for _, id := range w.cups {
		state, err := w.cupStore.Load(w.ctx, id)
		if err != nil || state.Status == tournaments.StatusFinished || state.Status == tournaments.StatusCancelled {
			continue
		}
		busy = true
		mine := p.caller.Account == state.Organiser
		switch {
		case mine && (round > 30 || state.Status == tournaments.StatusOpen && state.In() < 2):
			p.command(&playv1.CancelTournamentRequest{Tournament: id})
		case mine && state.Status == tournaments.StatusOpen:
			p.command(&playv1.StartTournamentRequest{Tournament: id})
		case mine && !state.Auto && !slices.ContainsFunc(last(state).Boards, func(b tournaments.Board) bool { return b.Result == "" }):
			p.command(&playv1.PairRoundRequest{Tournament: id})
		default:
			p.look(id)
		}
	}
	return busy
}

func last(s tournaments.State) tournaments.Round {
	if len(s.Played) == 0 {
		return tournaments.Round{}
	}
	return s.Played[len(s.Played)-1]
}

// cupGame tells whether a game is of a tournament, by the store.
func (w *world) cupGame(id string) bool {
	_, is := w.cupOfGame(id)
	return is
}

func (w *world) cupOfGame(id string) (tournaments.State, bool) {
	for _, cup := range w.cups {
		state, err := w.cupStore.Load(w.ctx, cup)
		if err != nil {
			continue
		}
		for _, round := range state.Played {
			for _, b := range round.Boards {
				if slices.ContainsFunc(b.Games, func(g tournaments.Game) bool { return g.ID == id }) {
					return state, true
				}
			}
		}
	}
	return tournaments.State{}, false
}

// attends tells whether a player may see all games of the tournament of a game: as
// its organiser, as one who plays in it, or as the operator.
func (w *world) attends(p *player, id string) bool {
	cup, is := w.cupOfGame(id)
	if !is || p.caller.Account == "" {
		return false
	}
	i := cup.Find(p.caller.Account)
	return p == w.players[operator] || cup.Organiser == p.caller.Account || i >= 0 && cup.Players[i].Status != tournaments.PlayerInvited
}

// checkCups compares tournaments with what was acknowledged and with their games.
func (w *world) checkCups(log map[string][]*playv1.Event) {
	taken := map[string]*attempt{}
	for _, c := range w.commands {
		a := c.answer()
		if a == nil || a.cup == nil {
			continue
		}
		id := fmt.Sprint(a.cup.GetId(), " ", a.cup.GetVersion())
		if other := taken[id]; other != nil {
			w.violate("lost", "%s and %s were both acknowledged as version %d of tournament %s", a.label, other.label, a.cup.GetVersion(), short(a.cup.GetId()))
		}
		taken[id] = a
		then, err := w.cupStore.At(w.ctx, a.cup.GetId(), a.cup.GetVersion())
		if err != nil || then.Status != a.cup.GetStatus() || len(then.Players) != len(a.cup.GetPlayers()) || len(then.Played) != int(a.cup.GetPaired()) {
			w.violate("lost", "%s (%s) was acknowledged as version %d of tournament %s, which is %+v, %v", a.label, describe(a.request), a.cup.GetVersion(), short(a.cup.GetId()), then, err)
		}
		if _, joins := a.request.(*playv1.JoinTournamentRequest); joins && then.Find(a.player.caller.Account) < 0 {
			w.violate("lost", "%s has joined tournament %s and is not in it", a.player.name, short(a.cup.GetId()))
		}
	}
	places := map[string]string{}
	for _, id := range w.cups {
		state, err := w.cupStore.Load(w.ctx, id)
		if err != nil || state.Status == tournaments.StatusOpen || state.Status == tournaments.StatusRunning {
			w.violate("unsettled", "tournament %s is %s (%v)", short(id), state.Status, err)
			continue
		}
		for r, round := range state.Played {
			for b, board := range round.Boards {
				w.checkBoard(log, state, board, fmt.Sprintf("board %d.%d of tournament %s", r+1, b+1, short(id)), places)
			}
		}
		w.checkTable(state)
	}
}

// checkBoard compares a board with its games.
func (w *world) checkBoard(log map[string][]*playv1.Event, s tournaments.State, b tournaments.Board, what string, places map[string]string) {
	result := ""
	for _, g := range b.Games {
		if other := places[g.ID]; other != "" {
			w.violate("cup", "%s and %s have one game", what, other)
		}
		places[g.ID] = what
		events := log[g.ID]
		if g.Made && len(events) == 0 {
			w.violate("cup", "%s: game %s was made and is not there", what, short(g.ID))
			continue
		}
		sides := [2]int{b.White, b.Black}
		if g.Reversed {
			sides = [2]int{b.Black, b.White}
		}
		ends := []string{}
		for _, e := range events {
			for i, seat := range e.GetGame().GetSeats() {
				if p := s.Players[sides[i]]; seat.GetAccount() != p.Account || seat.GetLevel() != p.Level {
					w.violate("cup", "%s: seat %d of game %s is %v, not %+v", what, i, short(g.ID), seat, p)
				}
			}
			switch e.GetGame().GetStatus() {
			case play.StatusFinished:
				ends = append(ends, e.GetGame().GetResult())
			case play.StatusCancelled:
				ends = append(ends, "aborted")
			}
		}
		if g.Result != "" && !slices.Contains(ends, g.Result) {
			w.violate("cup", "%s: game %s counts as %s and ended as %v", what, short(g.ID), g.Result, ends)
		} else if g.Result != "" && s.Status == tournaments.StatusFinished && g.Result != ends[len(ends)-1] {
			w.violate("old", "%s: game %s counts as %s, and was decided since: %v", what, short(g.ID), g.Result, ends)
		}
		if g.Result != "" && g.Result != "aborted" {
			result = g.Result
		}
	}
	if s.Kind != tournaments.Knockout && !b.Decided && b.Black >= 0 && b.Result != result && s.Status == tournaments.StatusFinished && len(b.Games) > 0 {
		w.violate("cup", "%s is %s, its game %s", what, b.Result, result)
	}
}

// checkTable adds the results up by itself: each board counts once.
func (w *world) checkTable(s tournaments.State) {
	i := slices.IndexFunc(w.players, func(p *player) bool {
		// Somebody else may not see an open one in which somebody meets no strangers.
		return p.caller.Account != "" && p.deletedAt == 0 && (p.caller.Account == s.Organiser || s.Find(p.caller.Account) >= 0)
	})
	if i < 0 || s.StartedAt == 0 {
		return
	}
	var told *playv1.Tournament
	w.players[i].ask(&playv1.GetTournamentRequest{Tournament: s.ID}, "", func(a *attempt) { told = a.cup })
	w.idle()
	points, played, places := map[int]float64{}, map[int]int32{}, map[int32]int{}
	for place, p := range s.Players {
		places[int32(p.Number)] = place
	}
	for _, round := range s.Played {
		for _, b := range round.Boards {
			switch b.Result {
			case tournaments.WhiteWins, tournaments.Bye:
				points[b.White]++
			case tournaments.BlackWins:
				points[b.Black]++
			case tournaments.Drawn:
				points[b.White] += 0.5
				points[b.Black] += 0.5
			}
			if b.Result != "" && b.Black >= 0 && (!b.Decided || b.Counts) {
				played[b.White]++
				played[b.Black]++
			}
		}
	}
	rows := 0
	for _, row := range told.GetTable() {
		rows++
		if n, is := places[row.GetPlayer()]; !is || math.Abs(row.GetPoints()-points[n]) > 1e-9 || row.GetGames() != played[n] {
			w.violate("table", "tournament %s: player %d has %v of %d games, not %v of %d", short(s.ID), row.GetPlayer(), row.GetPoints(), row.GetGames(), points[n], played[n])
		}
	}
	if seeded := len(slices.DeleteFunc(slices.Clone(s.Players), func(p tournaments.Player) bool { return p.Seed == 0 })); rows != seeded {
		w.violate("table", "tournament %s: %d lines for %d players", short(s.ID), rows, seeded)
	}
}

// invokeCup makes the calls of tournaments; false where a request is none.
func (w *world) invokeCup(ctx context.Context, a *attempt) (is bool, err error) {
	var out interface{ GetTournament() *playv1.Tournament }
	switch in := a.request.(type) {
	case *playv1.CreateTournamentRequest:
		out, err = w.contests.CreateTournament(ctx, in)
	case *playv1.GetTournamentRequest:
		out, err = w.contests.GetTournament(ctx, in)
	case *playv1.JoinTournamentRequest:
		out, err = w.contests.JoinTournament(ctx, in)
	case *playv1.AddPlayersRequest:
		out, err = w.contests.AddPlayers(ctx, in)
	case *playv1.WithdrawPlayerRequest:
		out, err = w.contests.WithdrawPlayer(ctx, in)
	case *playv1.StartTournamentRequest:
		out, err = w.contests.StartTournament(ctx, in)
	case *playv1.PairRoundRequest:
		out, err = w.contests.PairRound(ctx, in)
	case *playv1.DecideBoardRequest:
		out, err = w.contests.DecideBoard(ctx, in)
	case *playv1.CancelTournamentRequest:
		out, err = w.contests.CancelTournament(ctx, in)
	default:
		return false, nil
	}
	if err == nil {
		a.cup = out.GetTournament()
	}
	return true, err
}

// overrule lets the operator decide a game otherwise while its tournament is about
// to hear how it ended; false where none is.
func (w *world) overrule() bool {
	var told []string
	for _, due := range w.due() {
		if due.Kind == play.DueTournament && !w.overruled[due.Game] {
			told = append(told, due.Game)
		}
	}
	p := w.players[operator]
	if len(told) == 0 || p.deletedAt > 0 {
		return false
	}
	game := lot(w.scheduler, told)
	w.overruled[game] = true
	p.command(&playv1.AdjudicateRequest{Game: game, Result: lot(w.scheduler, []string{"1-0", "0-1", "1/2-1/2"}), Note: "as seen"})
	return true
}

// task lets a replica do some work of its own.
func (w *world) task(r *replica, name string, do func(context.Context) error) {
	r.acting++
	r.steps++
	label := fmt.Sprintf("%s.%s.%d", name, r.name, r.steps)
	w.note("%s", label)
	go func() {
		err := do(rpc.WithRequestID(r.ctx, label))
		w.finish(&attempt{label: label, ended: func() {
			r.acting--
			w.note("%s ended, failed %v", label, err != nil)
		}})
	}()
}
