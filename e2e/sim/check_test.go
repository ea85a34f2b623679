package sim

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	rulebook "tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/games/tictactoe"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play"
)

// judge looks at an answer as it comes: what no later fact can excuse.
func (w *world) judge(a *attempt) {
	if a.code() == "internal" {
		w.violate("internal", "%s %s was answered with an internal error", a.label, describe(a.request))
	}
	p := a.player
	_, decides := a.request.(*playv1.AdjudicateRequest)
	switch {
	case a.game == nil || decides && p == w.players[operator]: // who decides a game sees it
	case a.game.GetYourSide() != "" && !w.sits(p, a.game.GetId()):
		w.violate("lost", "%s: %s was told to play %s in %s, which the log does not say", a.label, p.name, a.game.GetYourSide(), short(a.game.GetId()))
	default:
		w.mayRead(p, a.game.GetId(), a.game.GetStatus(), a.game.GetVisibility(), a.label)
	}
	for _, e := range a.events {
		w.mayRead(p, e.GetGameId(), e.GetGame().GetStatus(), e.GetGame().GetVisibility(), a.label)
	}
	if a.command == nil {
		return
	}
	if in, ok := a.request.(*playv1.CreateGameRequest); ok {
		w.judgeGate(a, in)
	}
	first := a.command.answer()
	switch {
	case first == nil || first == a:
	case a.ok() && a.cup != nil && first.cup.GetVersion() != a.cup.GetVersion():
		w.violate("key", "%s: the same command as %s, another answer: version %d of tournament %s, not %d", a.label, first.label,
			a.cup.GetVersion(), short(a.cup.GetId()), first.cup.GetVersion())
	case a.ok() && !proto.Equal(w.unnamed(first.game), w.unnamed(a.game)):
		w.violate("key", "%s: the same command as %s, another answer: version %d of %s, not %d of %s", a.label, first.label,
			a.game.GetVersion(), short(a.game.GetId()), first.game.GetVersion(), short(first.game.GetId()))
	case first.next != nil && a.code() == "key_reused":
		// Who is told of a next game that somebody else has made has changed nothing,
		// and the key is free for another command.
	case !a.ok() && a.definite() && a.began > first.end:
		w.violate("key", "%s: the command that %s was told has happened is refused: %s", a.label, first.label, a.code())
	}
}

func (w *world) judgeGate(a *attempt, in *playv1.CreateGameRequest) {
	if in.GetOpponent() != play.OpponentEngine || in.GetRules() == "tictactoe" {
		return
	}
	p, rules := a.player, in.GetRules()
	passed := p.passed[rules]
	closed := p.policy == "guided" && passed == 0
	switch {
	case closed && a.ok():
		w.violate("gate", "%s: a guided account plays %s against the engine", a.label, rules)
	case closed && a.definite() && a.code() != "key_reused" && (a.code() != "gate_closed" || len(a.problem.Lessons) != 4):
		w.violate("gate", "%s: a guided account hears %s, lessons %v", a.label, a.code(), a.problem.Lessons)
	case !closed && p.policy != "" && a.code() == "gate_closed" && a.began > passed:
		w.violate("gate", "%s: hears gate_closed for %s, which is open", a.label, rules)
	case p.opened[rules] > 0 && a.began > p.opened[rules] && strings.HasPrefix(a.code(), "gate_"):
		w.violate("gate", "%s: hears %s for %s, whose gate was open", a.label, a.code(), rules)
	case a.ok() && p.opened[rules] == 0:
		p.opened[rules] = w.step
	}
}

// mayRead checks that a player may see what it has been shown of a game.
func (w *world) mayRead(p *player, id, status, visibility, how string) {
	if w.maySee(p, id, status, visibility) {
		return
	}
	w.violate("foreign", "%s: %s sees the private game %s, %s", how, p.name, short(id), status)
}

func (w *world) maySee(p *player, id, status, visibility string) bool {
	if invited := w.invited(id); invited != "" && invited == p.caller.Account {
		return true
	} else if status == play.StatusOpen && invited == "" {
		return true
	}
	return visibility == "public" || w.sits(p, id) || w.makes(p, id) || w.attends(p, id)
}

// seated are the players of a game.
func (w *world) seated(id string) []*player {
	var all []*player
	for _, p := range w.players {
		if w.sits(p, id) {
			all = append(all, p)
		}
	}
	return all
}

// sits tells whether a player has a seat in a game, by the log.
func (w *world) sits(p *player, id string) bool {
	events, err := w.store.Events(w.ctx, id, 0, 2)
	if err != nil || len(events) == 0 {
		return false
	}
	seats := events[0].Created.Seats[:]
	if len(events) > 1 && events[1].Seats != nil {
		seats = events[1].Seats[:]
	}
	return slices.ContainsFunc(seats, func(s play.Seat) bool { return s.Player == p.caller.Player() })
}

// check compares the journals with the log once all is quiet.
func (w *world) check() {
	if len(w.violations) > 0 {
		return // the first one tells most
	}
	log := map[string][]*playv1.Event{}
	all, err := w.store.List(w.ctx, play.ListQuery{Player: "", Limit: 1 << 20})
	if err != nil || len(all) > 0 {
		w.violate("unsettled", "%d games still have an open seat (%v)", len(all), err)
	}
	for _, p := range w.players {
		if p.flying > 0 {
			w.violate("unsettled", "%s still waits for %d answers", p.name, p.flying)
		}
		own, err := w.store.List(w.ctx, play.ListQuery{Player: p.caller.Player(), Limit: 1 << 20})
		if err != nil {
			w.violate("unsettled", "%v", err)
		}
		for _, g := range own {
			if log[g.ID] == nil {
				log[g.ID] = w.read(g)
			}
		}
	}
	ids := make([]string, 0, len(log))
	for id := range log {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	w.checkAnswers(log, ids)
	w.checkMatches(log, ids)
	w.checkAudit(log, ids)
	for _, id := range ids {
		w.checkRecord(log[id])
		w.checkClock(log[id])
		w.checkGone(log[id])
	}
	w.checkRatings(log, ids)
	w.checkCups(log)
	w.checkImports()
	w.checkDecided(log, ids)
	w.checkDeleted(log, ids)
	for _, d := range w.due() {
		w.violate("due", "%s of %s is still due (attempts %d)", d.Kind, short(d.Game), d.Attempts)
	}
	for _, t := range w.watchers {
		t.behind(log)
		for _, s := range t.seen {
			w.checkSeen(s, log)
		}
	}
}

// read is the log of a game as one of its players is told it, checked against
// the events of the store.
func (w *world) read(state play.State) []*playv1.Event {
	i := slices.IndexFunc(w.players, func(p *player) bool { return state.Involves(p.caller.Player()) })
	var events []*playv1.Event
	w.players[i].ask(&playv1.ListEventsRequest{Game: state.ID, Limit: 500}, "", func(a *attempt) {
		if !a.ok() {
			w.violate("unsettled", "the events of %s cannot be read: %s", short(state.ID), a.code())
		}
		events = a.events
	})
	w.idle()
	stored, err := w.store.Events(w.ctx, state.ID, 0, 1<<20)
	if err != nil || len(stored) != len(events) || int(state.Version) != len(events) {
		w.violate("versions", "%s: version %d, %d events stored, %d listed, %v", short(state.ID), state.Version, len(stored), len(events), err)
		return events
	}
	for i, e := range events {
		if e.GetVersion() != int32(i+1) || e.GetGame().GetVersion() != e.GetVersion() || e.GetKind() != stored[i].Kind || e.GetGameId() != state.ID {
			w.violate("versions", "%s: event %d is version %d, %s; stored %s", short(state.ID), i+1, e.GetVersion(), e.GetKind(), stored[i].Kind)
		}
	}
	return events
}

// checkAnswers finds the events of every command that was acknowledged, and
// for every event of a person the command that was acknowledged.
func (w *world) checkAnswers(log map[string][]*playv1.Event, ids []string) {
	type place struct {
		game    string
		version int32
	}
	claimed := map[place]*attempt{}
	for _, c := range w.commands {
		if c.undetermined() {
			w.violate("unsettled", "%s is still undetermined", c.key)
		}
		a := c.answer()
		if a == nil {
			continue
		}
		if c.rival != nil && c.rival.answer() != nil && a.next == nil && c.rival.answer().next == nil {
			w.violate("key", "%s and %s have one key and were both acknowledged", a.label, c.rival.answer().label)
		}
		for _, other := range c.attempts {
			if refusedItself(other) {
				w.violate("key", "%s was acknowledged, and %s of the same command refused with %s for what it did", a.label, other.label, other.code())
			}
		}
		if a.cup != nil {
			continue
		}
		g := a.game
		events := log[g.GetId()]
		if int(g.GetVersion()) > len(events) || g.GetVersion() < 1 || !same(w.unnamed(g), w.unnamed(events[g.GetVersion()-1].GetGame())) {
			w.violate("lost", "%s (%s) was acknowledged as version %d of %s, which the log does not have", a.label, describe(a.request), g.GetVersion(), short(g.GetId()))
			continue
		}
		last := events[g.GetVersion()-1]
		own := last
		if a.next != nil { // of many who want the next game one makes it, and all are told
			at := place{g.GetId(), g.GetVersion()}
			if last.GetKind() != play.KindRematched || a.next.GetId() != g.GetNextGame() {
				w.violate("rematch", "%s was told of %s by version %d of %s, %s", a.label, short(a.next.GetId()), g.GetVersion(), short(g.GetId()), last.GetKind())
			}
			if claimed[at] == nil {
				claimed[at] = a
			}
			continue
		}
		if last.GetKind() == play.KindFinished && last.GetSide() == "" && len(events) > 1 {
			own = events[g.GetVersion()-2]
		}
		if !fits(a, own) {
			w.violate("lost", "%s (%s) was acknowledged with %s by %q", a.label, describe(a.request), own.GetKind(), own.GetSide())
		}
		for v := own.GetVersion(); v <= last.GetVersion(); v++ {
			if other := claimed[place{g.GetId(), v}]; other != nil {
				w.violate("lost", "%s and %s were both acknowledged as version %d of %s", a.label, other.label, v, short(g.GetId()))
			}
			claimed[place{g.GetId(), v}] = a
		}
	}
	// What a command did to another game is what nobody did otherwise: a game that
	// is replaced may be over already.
	for _, c := range w.commands {
		if a := c.answer(); a != nil {
			for _, e := range alsoDone(a, log) {
				if at := (place{e.GetGameId(), e.GetVersion()}); claimed[at] == nil {
					claimed[at] = a
				}
			}
		}
	}
	for _, id := range ids {
		for _, e := range log[id] {
			if e.GetKind() == play.KindCreated && w.cupGame(id) || w.left(e) {
				continue
			}
			if byPerson(e) && claimed[place{id, e.GetVersion()}] == nil {
				w.violate("twice", "version %d of %s, %s by %q, belongs to no command that was acknowledged", e.GetVersion(), short(id), e.GetKind(), e.GetSide())
			}
		}
	}
}

// refusedItself tells whether an attempt of a command that has happened was
// refused because it had: nothing else can have been in its way.
func refusedItself(a *attempt) bool {
	switch in := a.request.(type) {
	case *playv1.AcceptGameRequest:
		return (a.code() == "seat_taken" || a.code() == "own_game") && a.before.Status == play.StatusOpen
	case *playv1.CancelGameRequest:
		return a.code() == "game_over" && a.before.Status == play.StatusOpen
	case *playv1.ResignRequest:
		return a.code() == "game_over" && a.before.Status == play.StatusRunning
	case *playv1.MoveRequest:
		return a.code() == "stale_turn" && a.before.Turn >= in.GetTurn()
	}
	return false
}

// same compares an answer with the state that the log has at its version.
func same(answer, logged *playv1.Game) bool {
	a, b := proto.CloneOf(answer), proto.CloneOf(logged)
	a.Plies, b.Plies, a.YourSide, b.YourSide = nil, nil, "", ""
	return proto.Equal(a, b) && len(answer.GetPlies()) == int(answer.GetPlyCount())
}

// fits tells whether an event is what a command asked for.
func fits(a *attempt, e *playv1.Event) bool {
	seat := func() string {
		if a.game.GetOpponent() == play.OpponentSelf {
			return e.GetSide() // who moves both sides may be either
		}
		return a.game.GetYourSide()
	}
	switch in := a.request.(type) {
	case *playv1.CreateGameRequest:
		g := e.GetGame()
		return e.GetKind() == play.KindCreated && g.GetRules() == in.GetRules() && g.GetRated() == in.GetRated() && e.GetSide() == seat()
	case *playv1.AcceptGameRequest:
		return e.GetKind() == play.KindAccepted && e.GetSide() == seat()
	case *playv1.CancelGameRequest:
		return e.GetKind() == play.KindCancelled && e.GetSide() == seat()
	case *playv1.MoveRequest:
		return e.GetKind() == play.KindMoved && e.GetSide() == seat() && e.GetGame().GetTurn() == in.GetTurn()+1 &&
			e.GetPly().GetMove().GetText() == in.GetMove()
	case *playv1.ResignRequest:
		return e.GetKind() == play.KindFinished && e.GetSide() == seat() && e.GetGame().GetOutcome().GetReason() == "resignation" &&
			e.GetGame().GetOutcome().GetWinner() != seat()
	case *playv1.OfferDrawRequest:
		return e.GetSide() == seat() && (e.GetKind() == play.KindDrawOffered || agreed(e))
	case *playv1.AnswerDrawRequest:
		return e.GetSide() == seat() && (e.GetKind() == play.KindDrawDeclined && !in.GetAccept() || agreed(e) && in.GetAccept())
	case *playv1.ClaimWinRequest:
		return e.GetKind() == play.KindFinished && e.GetSide() == seat() && e.GetGame().GetOutcome().GetReason() == "abandoned" &&
			(e.GetGame().GetOutcome().Winner == nil || in.GetResult() != "draw" && e.GetGame().GetOutcome().GetWinner() == seat())
	case *playv1.GiveTimeRequest:
		return e.GetKind() == play.KindTimeGiven && e.GetSide() == seat()
	case *playv1.SuspendGameRequest:
		return e.GetSide() == seat() && (e.GetKind() == play.KindSuspendOffered || e.GetKind() == play.KindSuspended)
	case *playv1.ResumeGameRequest:
		return e.GetSide() == seat() && (e.GetKind() == play.KindResumeOffered || e.GetKind() == play.KindResumed)
	case *playv1.ClaimDrawRequest:
		return e.GetKind() == play.KindFinished && e.GetSide() == seat() && e.GetGame().GetOutcome().Winner == nil
	}
	return fitsLife(a, e, seat())
}

func agreed(e *playv1.Event) bool {
	return e.GetKind() == play.KindFinished && e.GetGame().GetOutcome().GetReason() == "agreement"
}

// byPerson tells whether an event needs a person's command.
func byPerson(e *playv1.Event) bool {
	if e.GetKind() == play.KindGone || e.GetKind() == play.KindReturned {
		return false // nobody asked for it
	}
	for _, seat := range e.GetGame().GetSeats() {
		if seat.GetSide() == e.GetSide() {
			return seat.GetKind() == play.SeatPerson
		}
	}
	return false
}

var rulebooks = map[string]rulebook.Game{"chess": chess.Game{}, "draughts": draughts.Game{}, "tictactoe": tictactoe.Game{}}

// checkRecord plays a game again by the rules.
func (w *world) checkRecord(events []*playv1.Event) {
	if len(events) == 0 {
		return
	}
	game := events[0].GetGame()
	rules, id := rulebooks[game.GetRules()], short(game.GetId())
	position, err := rules.Start("")
	if err == nil && game.GetStart() != position.Text {
		position.Text = game.GetStart()
	}
	first, ruleErr := rules.Rule(position)
	if err != nil || ruleErr != nil {
		w.violate("record", "%s: %v, %v", id, err, ruleErr)
		return
	}
	kept := newRecord(first)
	over, turn := false, int32(0)
	var outcome *rulebook.Outcome
	for i, e := range events {
		g := e.GetGame()
		if over && !slices.Contains(afterTheEnd, e.GetKind()) || i > 0 && (e.GetKind() == play.KindCreated || e.GetAt().AsTime().Before(events[i-1].GetAt().AsTime())) {
			w.violate("record", "%s: %s as version %d", id, e.GetKind(), e.GetVersion())
		}
		switch e.GetKind() {
		case play.KindMoved:
			move, ruling, err := rules.Apply(position, e.GetPly().GetMove().GetText())
			if err != nil || move.Text != e.GetPly().GetMove().GetText() || e.GetSide() != events[i-1].GetGame().GetSide() || outcome != nil {
				w.violate("record", "%s: move %s at version %d: %v", id, e.GetPly().GetMove().GetText(), e.GetVersion(), err)
				return
			}
			if kept.touched != "" && move.From != kept.touched {
				w.violate("touched", "%s: %s was touched, and %s moved at version %d", id, kept.touched, move.Text, e.GetVersion())
			}
			kept.plays(e.GetSide(), move, ruling)
			position, outcome = ruling.Position, ruling.Outcome
			turn++
		case play.KindTakenBack:
			if !w.checkTakenBack(&kept, events[i-1].GetGame(), g) {
				return
			}
			position, outcome = kept.last().Position, nil
			turn++
		case play.KindTouched:
			kept.touched = g.GetTouched()
		case play.KindAdjudicated:
			over = true
		case play.KindFinished, play.KindCancelled:
			over = true
			if outcome != nil && g.GetOutcome().GetReason() != outcome.Reason {
				w.violate("record", "%s: ended by %s, not %s", id, g.GetOutcome().GetReason(), outcome.Reason)
			}
		}
		if !kept.shows(game.GetRules(), g) {
			w.violate("record", "%s: version %d shows %d plies, %v taken, %v, touched %q", id, e.GetVersion(), g.GetPlyCount(), g.GetCaptured(), g.GetMaterial(), g.GetTouched())
		}
		if g.GetTurn() != turn || i > 0 && g.GetPosition().GetText() != position.Text {
			w.violate("record", "%s: version %d shows turn %d and %s, not %d and %s", id, e.GetVersion(), g.GetTurn(), g.GetPosition().GetText(), turn, position.Text)
		}
	}
	if !over {
		w.violate("unsettled", "%s has not ended", id)
	}
	w.checkSeats(events)
}

// checkSeats looks at who plays whom.
func (w *world) checkSeats(events []*playv1.Event) {
	g := events[len(events)-1].GetGame()
	var guided bool
	for _, p := range w.players {
		guided = guided || p.policy == "guided" && p.passed[g.GetRules()] == 0 && w.sits(p, g.GetId())
	}
	accepted := 0
	for _, e := range events {
		if e.GetKind() == play.KindAccepted {
			accepted++
		}
	}
	a, b := g.GetSeats()[0], g.GetSeats()[1]
	engine := a.GetKind() == play.SeatEngine || b.GetKind() == play.SeatEngine
	if engine && a.GetKind() != b.GetKind() && guided && g.GetRules() != "tictactoe" {
		w.violate("gate", "a guided account played %s, %s against the engine", short(g.GetId()), g.GetRules())
	}
	if accepted > 1 || accepted == 1 && engine || a.GetAccount() != "" && a.GetAccount() == b.GetAccount() && g.GetOpponent() != play.OpponentSelf {
		w.violate("seats", "%s: accepted %d times, %v against %v", short(g.GetId()), accepted, a, b)
	}
	if guest := slices.ContainsFunc(g.GetSeats(), func(s *playv1.Seat) bool { return s.GetKind() == play.SeatPerson && s.GetAccount() == "" }); guest && (g.GetRated() || g.GetRules() != "tictactoe") {
		w.violate("seats", "%s: a guest plays %s, rated %v", short(g.GetId()), g.GetRules(), g.GetRated())
	}
}

// checkSeen compares what a stream brought with the log.
func (w *world) checkSeen(s seen, log map[string][]*playv1.Event) {
	id := strings.TrimPrefix(s.Topic, "game:")
	events := log[id]
	if int(s.Version) > len(events) || s.Version < 1 {
		w.violate("stream", "%s: version %d of %s is not in the log", s.watcher.name, s.Version, short(id))
		return
	}
	want := shown(events[s.Version-1])
	got := want
	if s.Event != nil {
		got = *s.Event
	} else {
		got.Game = *s.Game
	}
	got.At, want.At = got.At.UTC(), want.At.UTC()
	got.Game.YourSide, want.Game.YourSide = "", ""
	if got != want {
		w.violate("stream", "%s: version %d of %s is %+v, not %+v", s.watcher.name, s.Version, short(id), got, want)
	}
}
