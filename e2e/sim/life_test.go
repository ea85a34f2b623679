package sim

import (
	"slices"

	"google.golang.org/protobuf/proto"

	rulebook "tabuleiro/games"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/accounts"
	"tabuleiro/services/play"
)

// What happens to games beside their moves: how they are made, taken back,
// repeated and decided, and what must hold of it.

// starts are positions that games begin with: short ones, with promotions and
// captures near.
var starts = map[string][]string{
	"chess":    {"8/P6k/8/8/8/8/7p/K7 w - - 0 1", "4k3/8/8/3r4/8/2N5/8/4K3 b - - 0 1"},
	"draughts": {"W:Wa1,c1,Ke3:Bb8,d8,f6"},
}

// operator is the player who may decide the games of others.
const operator = 1

// furnish makes a request for a game more special, sometimes.
func (p *player) furnish(in *playv1.CreateGameRequest) {
	s := p.w.scheduler
	if s.chance(400) {
		in.Options = &playv1.Options{
			Takebacks: s.chance(700), TouchMove: in.Rules != "tictactoe" && s.chance(400), Hints: s.chance(100), ConfirmMove: s.chance(300),
		}
		in.Rated = in.Rated && s.chance(200)
	}
	switch n := s.rng.IntN(100); {
	case n < 12:
		in.Opponent, in.Level = play.OpponentSelf, ""
		in.Rated = in.Rated && s.chance(100)
	case n < 18:
		in.Opponent, in.Level, in.Rated, in.MaxPlies, in.Seed = play.OpponentEngines, "", false, int32(1+s.rng.IntN(8)), 0
		in.Clock = nil
	case n < 30 && in.Opponent == play.OpponentPerson:
		in.Invite = lot(s, []string{"playerp0", "PLAYERP1", "playerp2", "playerp3", "nobody"})
	}
	if list := starts[in.Rules]; list != nil && s.chance(150) {
		in.Start = lot(s, list)
		in.Rated = in.Rated && s.chance(100)
	}
	if mine := p.running(); len(mine) > 0 && s.chance(150) {
		in.Replaces = &playv1.Replaces{Game: lot(s, mine).GetId(), How: lot(s, []string{"keep", "resign", "abort", "abort"})}
	}
}

// live does something with a game that has begun beside moving; false where it
// does not come to mind.
func (p *player) live(g *playv1.Game) bool {
	w, id, turn := p.w, g.GetId(), proto.Int32(g.GetTurn())
	n := w.rng.IntN(1000)
	asked := g.GetTakebackOffer() != "" && g.GetTakebackOffer() != g.GetYourSide()
	switch {
	case asked && n < 500:
		p.double(p.command(&playv1.AnswerTakebackRequest{Game: id, Turn: turn, Accept: w.chance(700)}))
	case g.GetOptions().GetTakebacks() && n < 80, n < 5:
		p.double(p.command(&playv1.OfferTakebackRequest{Game: id, Turn: turn}))
	case n < 10:
		p.command(&playv1.AnswerTakebackRequest{Game: id, Turn: turn, Accept: w.chance(500)})
	case g.GetMayAbort() && n < 20, n < 12, g.GetOpponent() == play.OpponentEngines && n < 40:
		p.double(p.command(&playv1.AbortGameRequest{Game: id}))
	case g.GetOptions().GetTouchMove() && n < 250 && len(g.GetPieces()) > 0:
		p.double(p.command(&playv1.TouchPieceRequest{Game: id, Turn: turn, Square: lot(w.scheduler, g.GetPieces()).GetSquare()}))
	case n < 255:
		p.command(&playv1.TouchPieceRequest{Game: id, Turn: turn, Square: "a1"})
	default:
		return false
	}
	return true
}

// afterwards does something with a game that is over, or with one of others;
// false where there is none.
func (p *player) afterwards() bool {
	w := p.w
	if len(w.games) == 0 {
		return false
	}
	id := lot(w.scheduler, w.games[max(0, len(w.games)-12):])
	if own := p.over(); len(own) > 0 && w.chance(400) {
		id = lot(w.scheduler, own)
	}
	if weighty := w.weighty(); p == w.players[operator] && len(weighty) > 0 && w.chance(500) {
		id = lot(w.scheduler, weighty)
	}
	g := p.games[id]
	switch {
	case p == w.players[operator] && w.chance(300):
		p.double(p.command(&playv1.AdjudicateRequest{
			Game: id, Result: lot(w.scheduler, []string{"1-0", "0-1", "1/2-1/2", "annul"}), Note: "as seen",
		}))
	case g.GetStatus() == play.StatusOpen && g.GetYourSide() == "" && w.chance(300):
		p.double(p.command(&playv1.DeclineGameRequest{Game: id, Reason: lot(w.scheduler, []string{"", "later"})}))
	case g.GetNextGame() != "" && g.GetYourSide() != "" && p.games[g.GetNextGame()] == nil:
		p.ask(&playv1.GetGameRequest{Game: g.GetNextGame()}, "", func(a *attempt) { p.learn(a.game) })
	case g.GetStatus() == play.StatusFinished && w.chance(600) && (g.GetYourSide() != "" || w.chance(50)) && len(w.games) < 2*perHistory:
		if g.GetRematchOffer() != "" && w.chance(500) {
			p.double(p.command(&playv1.AnswerRematchRequest{Game: id, Accept: w.chance(700)}))
		} else {
			p.double(p.command(&playv1.OfferRematchRequest{Game: id}))
		}
	default:
		p.ask(&playv1.GetGameRequest{Game: id}, "", nothing)
	}
	return true
}

// over are the finished games of a player that no other has followed.
func (p *player) over() []string {
	return slices.DeleteFunc(slices.Clone(p.w.games), func(id string) bool {
		g := p.games[id]
		return g.GetStatus() != play.StatusFinished || g.GetYourSide() == "" || g.GetNextGame() != ""
	})
}

// weighty are the games whose result something else rests on: a rating, the score
// of a match, the table of a tournament.
func (w *world) weighty() []string {
	return slices.DeleteFunc(slices.Clone(w.games), func(id string) bool {
		g, err := w.store.Load(w.ctx, id)
		return err != nil || g.Status != play.StatusFinished && g.Closed == nil || !g.Counted && g.Next == "" && g.Tournament == ""
	})
}

// learn takes a game in that was made by another command than CreateGame.
func (p *player) learn(g *playv1.Game) {
	if g != nil && !slices.Contains(p.w.games, g.GetId()) {
		p.w.games = append(p.w.games, g.GetId())
	}
	p.know(g)
}

// makes tells whether a player has made a game of the engine with itself.
func (w *world) makes(p *player, id string) bool {
	events, err := w.store.Events(w.ctx, id, 0, 1)
	return err == nil && len(events) > 0 && events[0].Created.Opponent == play.OpponentEngines && events[0].Created.Maker == p.caller.Player()
}

// invited is the account that a seat of a game was kept for; empty for none.
func (w *world) invited(id string) string {
	events, err := w.store.Events(w.ctx, id, 0, 1)
	if err != nil || len(events) == 0 {
		return ""
	}
	for _, seat := range events[0].Created.Seats {
		if seat.Kind == play.SeatInvited {
			return seat.Account
		}
	}
	return ""
}

// alsoDone are the events of other games that a command has brought about: the
// end of the game that a new one replaced, and the beginning of the next game.
func alsoDone(a *attempt, log map[string][]*playv1.Event) []*playv1.Event {
	if in, ok := a.request.(*playv1.CreateGameRequest); ok && in.GetReplaces() != nil && in.GetReplaces().GetHow() != "keep" {
		for _, e := range log[in.GetReplaces().GetGame()] {
			over := e.GetGame().GetStatus() == play.StatusFinished || e.GetGame().GetStatus() == play.StatusCancelled
			if over && byPerson(e) && (e.GetKind() == play.KindFinished || e.GetKind() == play.KindCancelled) {
				return []*playv1.Event{e}
			}
		}
	}
	if next := a.game.GetNextGame(); next != "" && len(log[next]) > 0 {
		switch a.request.(type) {
		case *playv1.OfferRematchRequest, *playv1.AnswerRematchRequest:
			return log[next][:1]
		}
	}
	return nil
}

// fitsLife is fits for the commands of this file.
func fitsLife(a *attempt, e *playv1.Event, side string) bool {
	switch in := a.request.(type) {
	case *playv1.AbortGameRequest:
		return e.GetKind() == play.KindCancelled && e.GetGame().GetClosed().GetWhy() == play.WhyAborted && e.GetSide() == side
	case *playv1.DeclineGameRequest:
		c := e.GetGame().GetClosed()
		return e.GetKind() == play.KindCancelled && c.GetWhy() == play.WhyDeclined && c.GetReason() == in.GetReason()
	case *playv1.OfferTakebackRequest:
		return e.GetKind() == play.KindTakebackOffered && e.GetSide() == side || e.GetKind() == play.KindTakenBack
	case *playv1.AnswerTakebackRequest:
		return e.GetSide() == side && e.GetKind() == map[bool]string{true: play.KindTakenBack, false: play.KindTakebackDeclined}[in.GetAccept()]
	case *playv1.TouchPieceRequest:
		return e.GetKind() == play.KindTouched && e.GetSide() == side && e.GetGame().GetTouched() == in.GetSquare()
	case *playv1.OfferRematchRequest:
		return e.GetKind() == play.KindRematchOffered && e.GetSide() == side || e.GetKind() == play.KindRematched
	case *playv1.AnswerRematchRequest:
		return e.GetKind() == map[bool]string{true: play.KindRematched, false: play.KindRematchDeclined}[in.GetAccept()]
	case *playv1.AdjudicateRequest:
		result := e.GetGame().GetResult()
		return e.GetKind() == play.KindAdjudicated && e.GetGame().GetRuled().GetBy() == a.player.caller.Account &&
			(result == in.GetResult() || in.GetResult() == "annul" && e.GetGame().GetClosed().GetWhy() == play.WhyAnnulled)
	}
	return false
}

// afterTheEnd are the kinds of events that may still come then.
var afterTheEnd = []string{
	play.KindRated, play.KindRematchOffered, play.KindRematchDeclined, play.KindRematched, play.KindAdjudicated,
	play.KindAudited, play.KindPlayerDeleted, play.KindMatchChanged, play.KindMatchPassed,
}

// record is a game as the checker keeps it: a ruling for each ply that stands.
type record struct {
	rulings []rulebook.Ruling
	taken   []map[string][]string // by side, after each ply
	touched string
}

func newRecord(first rulebook.Ruling) record {
	return record{rulings: []rulebook.Ruling{first}, taken: []map[string][]string{{}}}
}

func (r *record) last() rulebook.Ruling { return r.rulings[len(r.rulings)-1] }

// plays takes a move in.
func (r *record) plays(side string, move rulebook.Move, next rulebook.Ruling) {
	before := r.taken[len(r.taken)-1]
	after := map[string][]string{}
	for s, kinds := range before {
		after[s] = slices.Clone(kinds)
	}
	for _, square := range move.Captures {
		for _, piece := range r.last().Pieces {
			if piece.Square == square {
				after[side] = append(after[side], piece.Kind)
			}
		}
	}
	r.rulings, r.taken, r.touched = append(r.rulings, next), append(r.taken, after), ""
}

var worth = map[string]int32{"pawn": 1, "knight": 3, "bishop": 3, "rook": 5, "queen": 9, "man": 1}

// shows tells whether a state shows what has been taken and what stands.
func (r *record) shows(rules string, g *playv1.Game) bool {
	if int(g.GetPlyCount()) != len(r.rulings)-1 || g.GetTouched() != r.touched && g.GetStatus() == play.StatusRunning {
		return false
	}
	for _, c := range g.GetCaptured() {
		if !slices.Equal(c.GetKinds(), r.taken[len(r.taken)-1][c.GetSide()]) {
			return false
		}
	}
	if rules == "tictactoe" {
		return len(g.GetMaterial()) == 0
	}
	var sum [2]int32
	for _, piece := range r.last().Pieces {
		sum[piece.Side] += worth[piece.Kind]
		if rules == "draughts" && piece.Kind == "king" {
			sum[piece.Side] += 3
		}
	}
	return slices.Equal(g.GetMaterial(), sum[:])
}

// checkTakenBack looks at a take-back; false where the game cannot be followed any
// further.
func (w *world) checkTakenBack(r *record, before, g *playv1.Game) bool {
	back := len(r.rulings) - 1 - int(g.GetPlyCount())
	if !g.GetOptions().GetTakebacks() || g.GetRated() || back < 1 || back > 2 || before.GetStatus() != play.StatusRunning {
		w.violate("takeback", "%s: version %d takes %d moves back", short(g.GetId()), g.GetVersion(), back)
		return false
	}
	r.rulings, r.taken, r.touched = r.rulings[:len(r.rulings)-back], r.taken[:len(r.taken)-back], ""
	return true
}

// checkMatches looks at the next games: one for one, of the same players on the
// other sides, with the score as it stood.
func (w *world) checkMatches(log map[string][]*playv1.Event, ids []string) {
	followed := map[string]string{}
	for _, id := range ids {
		last := log[id][len(log[id])-1].GetGame()
		next := last.GetNextGame()
		if next == "" {
			continue
		}
		if other := followed[next]; other != "" || len(log[next]) == 0 {
			w.violate("rematch", "%s is the next game of %s and %s", short(next), short(id), short(other))
			continue
		}
		followed[next] = id
		at := slices.IndexFunc(log[id], func(e *playv1.Event) bool { return e.GetKind() == play.KindRematched })
		then, first := log[id][at].GetGame(), log[next][0].GetGame()
		for i, seat := range first.GetSeats() {
			was := then.GetSeats()[1-i]
			if seat.GetKind() != was.GetKind() || seat.GetAccount() != was.GetAccount() || seat.GetLevel() != was.GetLevel() ||
				first.GetMatch().GetHalfPoints()[i] != then.GetMatch().GetHalfPoints()[1-i] {
				w.violate("rematch", "%s has %v, %v after %v, %v", short(next), first.GetSeats(), first.GetMatch(), then.GetSeats(), then.GetMatch())
			}
		}
		w.checkScore(last, log[next][len(log[next])-1].GetGame())
		if first.GetMatch().GetNumber() != then.GetMatch().GetNumber()+1 || first.GetStatus() != play.StatusRunning || first.GetRated() != then.GetRated() {
			w.violate("rematch", "%s is %v after %v", short(next), first, then)
		}
	}
	for _, id := range ids {
		if first := log[id][0].GetGame(); first.GetMatch() != nil && followed[id] == "" {
			w.violate("rematch", "%s follows no game", short(id))
		}
	}
}

// checkScore compares the score of a match in one game and the next, once all is
// quiet: that of the next is larger by what the next brought, however late a
// person in charge decided either.
func (w *world) checkScore(last, next *playv1.Game) {
	score := last.GetMatch().GetHalfPoints()
	own := map[string][2]int32{"1-0": {2, 0}, "0-1": {0, 2}, "1/2-1/2": {1, 1}}[next.GetResult()]
	want := []int32{score[1] + own[0], score[0] + own[1]}
	if got := next.GetMatch().GetHalfPoints(); !slices.Equal(got, want) {
		w.violate("rematch", "%s, %s, has the score %v after %v in %s", short(next.GetId()), next.GetResult(), got, score, short(last.GetId()))
	}
}

// revisions are how often a result of a game was decided anew.
func revisions(events []*playv1.Event) int {
	n := 0
	for _, e := range events {
		if e.GetKind() == play.KindAdjudicated {
			n++
		}
	}
	return n
}

// newest keeps the last revision of each game.
func newest(ledger map[string]accounts.Entry, e accounts.Entry) {
	if old, ok := ledger[e.ID]; !ok || old.Revision <= e.Revision {
		ledger[e.ID] = e
	}
}
