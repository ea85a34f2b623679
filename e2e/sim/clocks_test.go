package sim

import (
	"context"
	"time"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play"
)

// What play promises of clocks, once more and in other words.
const (
	// outageMS is the shortest time without a beat that is an outage.
	outageMS = 3000
	// skewMS is how far the replicas' clocks differ at most.
	skewMS = 80
)

// pulse keeps the beats that the store has taken, for the checker.
type pulse struct {
	last  int64
	gaps  [][2]int64
	quiet bool // nobody beats: play is out
}

// beaten takes in a beat that was stored.
func (p *pulse) beaten(at, gap int64) {
	if p.last > 0 && at-p.last > gap {
		p.gaps = append(p.gaps, [2]int64{p.last, at})
	}
	p.last = max(p.last, at)
}

// beat notes that play is up, as a replica that idles would.
func (w *world) beat() {
	at := time.Now().UnixMilli()
	if _, err := w.store.Beat(w.ctx, at, outageMS); err != nil {
		panic(err) // this is the store itself, which never fails
	}
	w.pulse.beaten(at, outageMS)
}

// pass lets virtual time pass, in which play beats unless it is out.
func (w *world) pass(d time.Duration) {
	w.note("time +%s", d)
	for ; d > 0; d -= time.Second {
		time.Sleep(min(d, time.Second))
		if !w.pulse.quiet && time.Now().UnixMilli()-w.pulse.last >= 1000 {
			w.beat()
		}
	}
}

// outage lets time pass in which no replica can write.
func (w *world) outage(d time.Duration) {
	w.note("play is out for %s", d)
	w.pulse.quiet = true
	w.pass(d)
	w.pulse.quiet = false
}

// Beat is a step like others.
func (g games) Beat(ctx context.Context, at, gap int64) (outages []play.Outage, err error) {
	err = g.do(ctx, "Beat", true, func() (err error) {
		if outages, err = g.Store.Beat(ctx, at, gap); err == nil {
			g.pulse.beaten(at, gap)
		}
		return err
	})
	return outages, err
}

// lost is the time of outages between two moments.
func (p *pulse) lost(from, until int64) (ms int64) {
	for _, gap := range p.gaps {
		ms += max(0, min(gap[1], until)-max(gap[0], from))
	}
	return ms
}

// overdue is the time of outages between two moments that every replica must have
// known of at the second.
func (p *pulse) overdue(from, until int64) (ms int64) {
	for _, gap := range p.gaps {
		if gap[1] < until-skewMS {
			ms += max(0, gap[1]-max(gap[0], from))
		}
	}
	return ms
}

// lags is what the model of a game's clock knows of latencies.
type lags struct {
	client, last [2]int64
	quota        [2]int64
}

// lagsOf reads who sits where, by the store.
func (w *world) lagsOf(id string) lags {
	l := lags{quota: [2]int64{500, 500}}
	state, err := w.store.Load(w.ctx, id)
	if err != nil {
		panic(err)
	}
	for i, seat := range state.Seats {
		for _, p := range w.players {
			if seat.Player != "" && p.caller.Player() == seat.Player {
				l.client[i] = p.caller.Lag.Milliseconds()
			}
		}
	}
	return l
}

// credit is what a move of a side that took so long gets back.
func (l *lags) credit(side int, used int64) int64 {
	return min(l.client[side], 500, l.quota[side], used)
}

// moved takes a credit in.
func (l *lags) moved(side int, credit int64) {
	if l.client[side] > 0 {
		l.last[side] = l.client[side]
		l.quota[side] = min(1000, l.quota[side]-credit+100)
	}
}

// allowance is how long a flag waits.
func (l *lags) allowance(side int) int64 { return min(2*l.last[side], 500, l.quota[side]) }

// checkClock keeps the clock of a game by itself.
func (w *world) checkClock(events []*playv1.Event) {
	if len(events) == 0 || events[0].GetGame().GetClock() == nil {
		return
	}
	id := short(events[0].GetGameId())
	settings := events[0].GetGame().GetClock()
	left := [2]int64{int64(settings.GetInitialMs()), int64(settings.GetInitialMs())}
	running, since := -1, int64(0)
	var plies []*playv1.Ply
	lags := w.lagsOf(events[0].GetGameId())
	for _, e := range events {
		g, at := e.GetGame(), e.GetAt().AsTime().UnixMilli()
		side := 0
		if g.GetSide() == g.GetSeats()[1].GetSide() {
			side = 1
		}
		used := int64(0)
		if running >= 0 {
			used = at - since
		}
		if owed := w.pulse.overdue(since, at); running >= 0 && owed > 0 && decides(e) {
			w.violate("outage", "%s: %s at version %d while the clock still had %d ms of outages to get back", id, e.GetKind(), e.GetVersion(), owed)
		}
		switch e.GetKind() {
		case play.KindMoved:
			credit := int64(0)
			if running >= 0 && g.GetSeats()[running].GetKind() == play.SeatPerson {
				credit = lags.credit(running, used)
			}
			if running < 0 || used-credit >= left[running] {
				w.violate("clock", "%s: the move at version %d came %d ms after %v were left", id, e.GetVersion(), used-credit, left)
				return
			}
			if int64(e.GetPly().GetCreditedMs()) != credit || int64(e.GetPly().GetTookMs()) != used-credit {
				w.violate("latency", "%s: the move at version %d was credited %d ms and took %d, not %d and %d", id, e.GetVersion(),
					e.GetPly().GetCreditedMs(), e.GetPly().GetTookMs(), credit, used-credit)
			}
			lags.moved(running, credit)
			plies = append(plies, e.GetPly())
			left[running] += int64(settings.GetIncrementMs()) - used + credit
			running, since = side, at
			if len(g.GetMoves()) == 0 {
				running = -1
			}
		case play.KindTimeGiven:
			given := 0
			if e.GetSide() == g.GetSeats()[0].GetSide() {
				given = 1
			}
			left[given] += 15_000
		case play.KindTimeCredited:
			back := int64(e.GetCreditedMs())
			if running < 0 || back == 0 || back > w.pulse.lost(since, at) {
				w.violate("outage", "%s: %d ms came back at version %d, of %d", id, back, e.GetVersion(), w.pulse.lost(since, at))
				return
			}
			left[running] = max(0, left[running]+back-used)
			since = at
		case play.KindTakenBack: // what those moves took comes back, and the turn costs nothing
			for _, ply := range plies[g.GetPlyCount():] {
				who := 0
				if ply.GetSide() == g.GetSeats()[1].GetSide() {
					who = 1
				}
				left[who] = max(1000, left[who]+int64(ply.GetTookMs())-int64(settings.GetIncrementMs()))
			}
			plies = plies[:g.GetPlyCount()]
			running, since = side, at
		case play.KindCancelled, play.KindAdjudicated:
			if running >= 0 {
				left[running] = max(0, left[running]-used)
			}
			running = -1
		case play.KindFinished:
			if running >= 0 {
				w.checkFlag(g, used, left[running], running, &lags)
				left[running] = max(0, left[running]-used)
			}
			running = -1
		case play.KindCreated, play.KindAccepted:
			if g.GetStatus() == play.StatusRunning {
				running, since = side, at
			}
		}
		if c := g.GetClock(); int64(c.GetRemainingMs()[0]) != left[0] || int64(c.GetRemainingMs()[1]) != left[1] {
			w.violate("clock", "%s: version %d shows %v, not %v", id, e.GetVersion(), c.GetRemainingMs(), left)
		}
	}
}

// decides tells an event that spends time.
func decides(e *playv1.Event) bool {
	return e.GetKind() == play.KindMoved || e.GetKind() == play.KindFinished
}

// checkFlag: time ends a game when it is used up, and a move on its way has had
// time to come, or came too late itself; nothing else does after that.
func (w *world) checkFlag(g *playv1.Game, used, left int64, side int, lags *lags) {
	fell := g.GetOutcome().GetReason() == "time" || g.GetOutcome().GetReason() == "time_insufficient"
	waited := used >= left+lags.allowance(side)
	late := used-lags.credit(side, used) >= left
	if fell && !waited && !late || !fell && waited {
		w.violate("clock", "%s: ended by %s with %d ms used of %d", short(g.GetId()), g.GetOutcome().GetReason(), used, left)
	}
}
