package sim

import (
	"slices"

	"google.golang.org/protobuf/proto"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play"
)

// atOnce is how many calls a player has under way at most.
const atOnce = 3

// move lets a player do one thing, sensible or not.
func (p *player) move() {
	if p.flying >= atOnce {
		return
	}
	if p.leaving {
		p.delete()
		return
	}
	w := p.w
	switch n := w.rng.IntN(100); {
	case n < 10 && p.repeat((*command).undetermined):
	case n < 12 && p.repeat(func(c *command) bool { return c.answer() != nil }):
	case n < 13 && p.repeat(func(c *command) bool { return true }):
	case n < 14:
		p.misuseKey()
	case n < 20 && w.budget > 0 && w.live() < 5:
		w.budget--
		p.create()
	case n < 32 && p.accept():
	case n < 34:
		p.pry()
	case n < 43 && p.afterwards():
	case n < 51 && p.compete():
	default:
		if mine := p.running(); len(mine) > 0 {
			p.play(lot(w.scheduler, mine))
		}
	}
}

// repeat sends one of the newer commands again.
func (p *player) repeat(which func(*command) bool) bool {
	var some []*command
	for _, c := range slices.Backward(p.w.commands) {
		if c.player == p && which(c) {
			some = append(some, c)
		}
		if len(some) == 3 {
			break
		}
	}
	if len(some) == 0 {
		return false
	}
	p.send(lot(p.w.scheduler, some))
	return true
}

// misuseKey sends a command without a key, or with the key of another one.
func (p *player) misuseKey() {
	if len(p.w.games) == 0 {
		return
	}
	request := &playv1.ResignRequest{Game: lot(p.w.scheduler, p.w.games)}
	if p.w.chance(500) {
		p.ask(request, "", func(a *attempt) {
			if a.definite() && a.code() != "key_missing" {
				p.w.violate("key", "%s without a key was answered %s", a.label, a.code())
			}
		})
		return
	}
	for _, c := range slices.Backward(p.w.commands) {
		_, cup := cupOf(c.request) // keys of another kind of command
		if c.player != p || c.rival != nil || cup || proto.Equal(c.request, request) {
			continue
		}
		if c.answer() == nil && p.w.chance(500) {
			p.rival(c, request)
			return
		}
		// Who wanted the next game that another has made did nothing that a key is kept of.
		if first := c.answer(); first != nil && first.next == nil && c.player == p && !proto.Equal(c.request, request) {
			p.ask(request, c.key, func(a *attempt) {
				if a.definite() && a.code() != "key_reused" {
					p.w.violate("key", "%s with the key of another command was answered %s", a.label, a.code())
				}
			})
			return
		}
	}
}

func (p *player) create() {
	s := p.w.scheduler
	in := &playv1.CreateGameRequest{
		Rules:      lot(s, []string{"tictactoe", "tictactoe", "chess", "draughts"}),
		Opponent:   lot(s, []string{play.SeatPerson, play.SeatPerson, play.SeatEngine}),
		Side:       lot(s, []string{"", "first", "second"}),
		Rated:      s.chance(600),
		Visibility: lot(s, []string{"", "private", "public"}),
	}
	if p.caller.Guest && s.chance(900) {
		in.Rules, in.Rated = "tictactoe", false
	}
	if in.Opponent == play.SeatEngine {
		in.Level, in.Seed = "plies-2", int32(s.rng.IntN(3))
	}
	if s.chance(500) {
		in.Clock = &playv1.ClockSettings{InitialMs: int32(1000 + s.rng.IntN(lot(s, []int{5_000, 60_000}))), IncrementMs: int32(s.rng.IntN(3) * 500)}
	}
	p.furnish(in)
	p.double(p.command(in))
}

// double sends a command once more at once, sometimes.
func (p *player) double(c *command) {
	if p.w.chance(120) {
		p.send(c)
	}
}

// live counts the games that go on.
func (w *world) live() int {
	n := 0
	for _, id := range w.games {
		if status := w.status(id); status == play.StatusOpen || status == play.StatusRunning {
			n++
		}
	}
	return n
}

// status is the truth about a game, which steers what is tried.
func (w *world) status(id string) string {
	state, err := w.store.Load(w.ctx, id)
	if err != nil {
		return "" // acknowledged and not there: the checker will say so
	}
	return state.Status
}

// accept takes a seat that is open, or was; false where there is none.
func (p *player) accept() bool {
	w := p.w
	if w.chance(50) {
		p.ask(&playv1.ListGamesRequest{List: lot(w.scheduler, []string{"mine", "open", "invited", "live"})}, "", nothing)
		return true
	}
	var open []string
	for _, id := range w.games {
		if w.status(id) == play.StatusOpen && (p.games[id].GetYourSide() == "" || w.chance(50)) || w.chance(10) {
			open = append(open, id)
		}
	}
	if len(open) == 0 {
		return false
	}
	p.double(p.command(&playv1.AcceptGameRequest{Game: lot(w.scheduler, open)}))
	return true
}

// pry looks at any game, or tries to act in it.
func (p *player) pry() {
	if len(p.w.games) == 0 {
		return
	}
	id := lot(p.w.scheduler, p.w.games)
	switch p.w.rng.IntN(6) {
	case 0, 1:
		p.ask(&playv1.GetGameRequest{Game: id}, "", nothing)
	case 2, 3:
		p.ask(&playv1.ListEventsRequest{Game: id, After: int32(p.w.rng.IntN(3))}, "", nothing)
	case 4:
		p.command(&playv1.MoveRequest{Game: id, Turn: proto.Int32(int32(p.w.rng.IntN(3))), Move: lot(p.w.scheduler, []string{"b2", "e2e4", "c3-d4"})})
	case 5:
		if g := p.games[id]; g == nil || g.GetYourSide() == "" {
			p.command(&playv1.ResignRequest{Game: id})
		}
	}
}

// running are the player's own games that go on, as far as they know; open
// ones too, which can be withdrawn.
func (p *player) running() []*playv1.Game {
	var own []*playv1.Game
	for _, id := range p.w.games {
		if g := p.games[id]; (g.GetYourSide() != "" || g.GetOpponent() == play.OpponentEngines && p.w.makes(p, id)) && (g.GetStatus() == play.StatusRunning || g.GetStatus() == play.StatusOpen || g.GetStatus() == play.StatusSuspended) {
			own = append(own, g)
		}
	}
	return own
}

func (p *player) play(g *playv1.Game) {
	w, id, turn := p.w, g.GetId(), proto.Int32(g.GetTurn())
	n := w.rng.IntN(100)
	if g.GetStatus() == play.StatusOpen {
		if n < 5 {
			p.double(p.command(&playv1.CancelGameRequest{Game: id}))
		} else if n < 30 {
			p.ask(&playv1.GetGameRequest{Game: id}, "", nothing)
		}
		return
	}
	if p.live(g) {
		return
	}
	if n < int(g.GetTurn())/2 { // long games end
		p.double(p.command(&playv1.ResignRequest{Game: id}))
		return
	}
	offered := g.GetDrawOffer() != "" && g.GetDrawOffer() != g.GetYourSide()
	if offered && n >= 70 {
		p.double(p.command(&playv1.AnswerDrawRequest{Game: id, Turn: turn, Accept: w.chance(700)}))
		return
	}
	if p.pace(g) {
		return
	}
	if g.GetSide() != g.GetYourSide() || len(g.GetMoves()) == 0 {
		switch {
		case n < 60:
			p.ask(&playv1.GetGameRequest{Game: id}, "", nothing)
		case n < 61:
			p.command(&playv1.ResignRequest{Game: id})
		case n < 64:
			p.command(&playv1.OfferDrawRequest{Game: id, Turn: turn})
		case n < 65 && len(g.GetMoves()) > 0: // out of turn
			p.command(&playv1.MoveRequest{Game: id, Turn: turn, Move: lot(w.scheduler, g.GetMoves()).GetText()})
		}
		return
	}
	move := &playv1.MoveRequest{Game: id, Turn: turn, Move: lot(w.scheduler, g.GetMoves()).GetText()}
	switch {
	case n < 75:
		p.double(p.command(move))
	case n < 80: // two moves at once
		p.command(move)
		p.command(&playv1.MoveRequest{Game: id, Turn: turn, Move: lot(w.scheduler, g.GetMoves()).GetText()})
	case n < 82:
		p.double(p.command(&playv1.ResignRequest{Game: id}))
	case n < 86:
		p.double(p.command(&playv1.OfferDrawRequest{Game: id, Turn: turn}))
	case n < 87:
		p.command(&playv1.AnswerDrawRequest{Game: id, Turn: turn, Accept: w.chance(500)})
	case n < 89:
		p.command(&playv1.ClaimDrawRequest{Game: id, Turn: turn})
	case n < 91: // stale, or of the future
		move.Turn = proto.Int32(max(0, g.GetTurn()+int32(w.rng.IntN(3))-1))
		p.command(move)
	case n < 93:
		move.Move = lot(w.scheduler, []string{"zz", "e2e9", "a1-a1", "b9"})
		p.command(move)
	default:
		p.ask(&playv1.GetGameRequest{Game: id}, "", nothing)
	}
}

// tidy repeats what the player does not know the outcome of, and ends games; it
// says whether there was something to do.
func (p *player) tidy(round int) bool {
	if p.leaving {
		p.delete()
		return p.deletedAt == 0
	}
	busy := p.flying > 0
	for _, c := range p.w.commands {
		if c.player == p && c.undetermined() {
			p.send(c)
			busy = true
		}
	}
	if busy {
		return true
	}
	busy = p.tidyCups(round)
	for _, id := range p.w.games {
		switch g := p.games[id]; {
		case g.GetOpponent() == play.OpponentEngines && g.GetStatus() == play.StatusRunning && p.w.makes(p, id):
			p.command(&playv1.AbortGameRequest{Game: id})
			busy = true
		case g.GetYourSide() == "":
		case g.GetStatus() == play.StatusOpen:
			p.command(&playv1.CancelGameRequest{Game: id})
			busy = true
		case g.GetStatus() == play.StatusRunning, g.GetStatus() == play.StatusSuspended:
			p.command(&playv1.ResignRequest{Game: id})
			busy = true
		}
	}
	return busy
}
