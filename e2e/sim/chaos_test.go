package sim

import (
	"slices"
	"time"

	"tabuleiro/services/play"
	"tabuleiro/services/tutor"
)

// chaos lets everything happen to everyone.
func (w *world) chaos() {
	limit := 1000 * w.budget
	for w.collect(); w.step < limit && (w.budget > 0 || w.unfinished()); w.collect() {
		w.recover() // before: what a move wakes draws from the seed as well
		w.move()
		if len(w.violations) > 0 {
			return
		}
	}
}

// move makes one thing happen.
func (w *world) move() {
	waiting := w.ready()
	faulty := w.scheduler.faults > 0
	switch n := w.rng.IntN(1000); {
	case n < 620 && len(waiting) > 0:
		w.resume(lot(w.scheduler, waiting))
	case n < 760:
		lot(w.scheduler, w.players).move()
	case n < 830 && w.bus.flying() > 0:
		w.bus.deliver()
	case n < 880:
		if r := lot(w.scheduler, w.replicas); r.alive() && r.acting < 2 {
			w.act(r)
		}
	case n < 890:
		if r := lot(w.scheduler, w.replicas); r.alive() && r.acting < 2 && len(w.cups) > 0 {
			w.sweep(r)
		}
	case n < 900:
		w.library()
	case n < 910:
		w.pass(time.Duration(1+w.rng.IntN(40)) * time.Millisecond)
	case n < 922:
		w.watch()
	case n < 923 && len(waiting) == 0:
		w.pass(time.Duration(w.rng.IntN(5000)) * time.Millisecond)
	case n < 924 && faulty && w.chance(300):
		if w.chance(400) {
			w.outage(time.Duration(w.rng.IntN(20_000)) * time.Millisecond)
		} else {
			w.pass(time.Duration(w.rng.IntN(20)) * time.Second)
		}
	case n < 925 && faulty:
		w.clock.set(w.chance(100))
	case n < 930 && faulty:
		w.disturb()
	case n < 931:
		w.part()
		w.teach()
	case n < 936:
		w.come()
	case n < 940:
		w.look()
	case n < 942:
		w.hurry()
	case len(waiting) > 0:
		w.resume(lot(w.scheduler, waiting))
	default:
		w.pass(time.Duration(1+w.rng.IntN(100)) * time.Millisecond)
	}
}

// slowness is how many steps a slow replica waits.
const slowness = 120

// ready are those who wait for their next step, but for those who are slow. Who
// reads a tournament to tell it how a game ended may become so, while the operator
// decides the game otherwise.
func (w *world) ready() []string {
	waiting := w.waiting()
	for _, key := range waiting {
		if !w.settled && w.tells(key) && w.slow == "" && w.chance(100) && w.overrule() {
			w.note("%s is slow", key)
			w.slow, w.slowUntil = key, w.step+slowness
		}
	}
	if w.step > w.slowUntil {
		w.slow = ""
	}
	return slices.DeleteFunc(waiting, func(key string) bool { return key == w.slow })
}

// hurry passes time until about when a flag falls.
func (w *world) hurry() {
	var deadlines []int64
	for _, id := range w.games {
		state, err := w.store.Load(w.ctx, id)
		if err != nil {
			panic(err)
		}
		if at, ok := state.Clock.Deadline(); ok && state.Status == play.StatusRunning {
			deadlines = append(deadlines, at)
		}
	}
	if len(deadlines) == 0 {
		return
	}
	left := slices.Min(deadlines) - time.Now().UnixMilli() + int64(w.rng.IntN(100)) - 70
	if left > 0 && left < 30_000 {
		w.pass(time.Duration(left) * time.Millisecond)
	}
}

// count adds up what the history was made of.
func (w *world) count(tally map[string]int) {
	for _, c := range w.commands {
		for _, a := range c.attempts {
			tally["answer "+a.code()]++
		}
	}
	for _, a := range w.reads {
		tally["answer "+a.code()]++
	}
	for _, t := range w.watchers {
		tally["stream events"] += len(t.seen)
		tally["stream lives"] += t.lives
		tally["stream gone"] += len(t.gone)
	}
	for _, id := range w.cups {
		state, err := w.cupStore.Load(w.ctx, id)
		if err != nil {
			panic(err)
		}
		tally["tournament "+state.Status]++
		for _, round := range state.Played {
			tally["tournament boards"] += len(round.Boards)
		}
	}
	tally["imports"] += len(w.importers)
	tally["deleted accounts"] += w.deleted()
	for _, id := range w.games {
		events, err := w.store.Events(w.ctx, id, 0, 1<<20)
		if err != nil {
			panic(err)
		}
		for _, e := range events {
			tally["event "+e.Kind]++
			if e.Lag != nil {
				tally["credited for latency"]++
			}
		}
		state, err := w.store.Load(w.ctx, id)
		if err != nil || state.Outcome == nil {
			tally["end "+state.Status]++
			continue
		}
		tally["end "+state.Outcome.Reason]++
		tally["moves "+state.Rules] += int(state.Turn)
		if state.Rated {
			tally["rated "+state.Result()]++
		}
	}
}

// teach lets somebody pass the lessons of a game.
func (w *world) teach() {
	p, rules := w.players[2], lot(w.scheduler, []string{"chess", "draughts"})
	for _, lesson := range tutor.DefaultCourse() {
		if lesson.Rules != rules {
			continue
		}
		if err := w.course.MarkPassed(w.ctx, p.caller.Account, lesson.ID, time.Now()); err != nil {
			panic(err)
		}
	}
	w.note("%s passes the lessons of %s", p.name, rules)
	if p.passed[rules] == 0 {
		p.passed[rules] = w.step
	}
}

// recover brings back what is away, after a while.
func (w *world) recover() {
	if w.bus.away && w.chance(15) {
		w.bus.comeBack()
	}
	for i, r := range w.replicas {
		if !r.alive() && w.chance(25) {
			w.restart(i)
		}
	}
}

// disturb kills a replica, cuts the bus, or ends the gateway.
func (w *world) disturb() {
	if w.chance(100) {
		w.note("another gateway")
		w.stop()
		w.open()
		return
	}
	if w.chance(300) {
		if !w.bus.away {
			w.bus.cutOff()
		}
		return
	}
	if i := w.rng.IntN(len(w.replicas)); w.replicas[i].alive() {
		w.crash(i)
	}
}

// idle lets all that is parked go on until nothing is.
func (w *world) idle() {
	for {
		w.collect()
		waiting := w.ready()
		if len(waiting) > 0 {
			w.resume(lot(w.scheduler, waiting))
			continue
		}
		if w.slow != "" { // the others go on meanwhile
			if w.pushes++; w.pushes > 5 || w.settled {
				w.slow, w.pushes = "", 0
			} else if r := lot(w.scheduler, w.replicas); r.alive() {
				w.act(r)
			}
			continue
		}
		if w.bus.flying() == 0 {
			return
		}
		w.bus.deliver()
	}
}

// calm ends all faults and lets everything be finished that can be.
func (w *world) calm() {
	w.scheduler.faults = 0
	w.note("calm")
	w.clock.set(false)
	for i, r := range w.replicas {
		if !r.alive() {
			w.restart(i)
		}
	}
	if w.bus.away {
		w.bus.comeBack()
	}
	if w.deleted() > 0 {
		w.idle()
		w.pass(150 * time.Second)
	}
	for round := range 60 {
		w.idle()
		busy := false
		for _, p := range w.players {
			busy = p.tidy(round) || busy
		}
		for _, i := range w.importers {
			busy = i.step() || busy
		}
		for _, watcher := range w.watchers {
			busy = watcher.connect() || busy
		}
		w.idle()
		for _, r := range w.replicas {
			if r.acting == 0 {
				w.act(r)
				w.sweep(r)
			}
			if !w.forgotten() {
				busy = true
				w.forget(r)
			}
			w.idle()
		}
		if !busy && len(w.due()) == 0 && round > 3 {
			break
		}
		w.pass(time.Duration(200+round*100) * time.Millisecond)
	}
	// Longer than the hub's check: whoever still watches has caught up by now.
	for range 3 {
		w.pass(6 * time.Second)
		w.idle()
	}
	w.settled = true
}

// due are all obligations there are.
func (w *world) due() []play.Due {
	const farFuture = int64(1) << 60
	all, err := w.store.Overdue(w.ctx, farFuture, 1000)
	if err != nil {
		panic(err) // this is the store itself, which never fails
	}
	return all
}

// close ends everything, so that the bubble can.
func (w *world) close() {
	for _, watcher := range w.watchers {
		watcher.leave()
	}
	w.stop()
	for _, r := range w.replicas {
		r.kill()
	}
	w.idle()
}

// unfinished tells whether a game still goes on, as far as the players know.
func (w *world) unfinished() bool {
	for _, id := range w.games {
		over := false
		for _, p := range w.players {
			if g := p.games[id]; g != nil && (g.GetStatus() == play.StatusFinished || g.GetStatus() == play.StatusCancelled) {
				over = true
			}
		}
		if !over {
			return true
		}
	}
	return false
}
