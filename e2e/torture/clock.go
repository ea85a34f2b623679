package torture

// side is the place of a side, -1 for none.
func (e eventRow) side(name string) int {
	for i, seat := range e.body.Created.Seats {
		if seat.Side == name {
			return i
		}
	}
	return -1
}

// running is a clock as the events set it.
type running struct {
	left    [2]int64
	side    int // whose time runs; -1 for nobody's
	since   int64
	plies   []eventRow
	created eventRow
}

// checkClock counts the time of both sides by the events alone: what each move has
// taken, what was given back, and that a flag fell when there was nothing left and
// not before.
func (c *checker) checkClock(k *kept) {
	events := c.truth.events[k.id]
	if len(events) == 0 || events[0].body.Created.Clock == nil {
		return
	}
	first := events[0]
	r := running{side: -1, created: first}
	for i := range r.left {
		r.left[i] = first.body.Created.Clock.InitialMS
	}
	started := false
	for i, e := range events {
		if i >= len(k.events) {
			return
		}
		if !started && k.events[i].Game.Status == "running" {
			r.side, r.since, started = first.side(first.body.Created.Ruling.Side), e.body.At, true
			continue
		}
		if why := r.follow(e); why != "" {
			c.faults.add(faultClock, "game %s, version %d (%s): %s; left were %v since %d, the event is %+v", k.id, e.version, e.body.Kind, why, r.left, r.since, e.body)
			return
		}
	}
}

// follow takes in one event, and says what is wrong with it.
func (r *running) follow(e eventRow) string {
	elapsed := e.body.At - r.since
	if r.side < 0 {
		return ""
	}
	switch e.body.Kind {
	case "moved":
		took := e.body.Ply.TookMS
		if took+e.body.Ply.CreditedMS != elapsed || e.body.Ply.CreditedMS < 0 || e.body.Ply.CreditedMS > 500 {
			return "the move has not taken this time"
		}
		if took >= r.left[r.side] {
			return "there was no time left for the move"
		}
		r.left[r.side] += r.created.body.Created.Clock.IncrementMS - took
		r.plies = append(r.plies, e)
		r.side = r.created.side(e.body.Ruling.Side)
	case "taken_back":
		if e.body.Back > len(r.plies) {
			return "so many plies were not played"
		}
		left := len(r.plies) - e.body.Back
		for _, ply := range r.plies[left:] {
			side := r.created.side(ply.body.Side)
			r.left[side] = max(1000, r.left[side]+ply.body.Ply.TookMS-r.created.body.Created.Clock.IncrementMS)
		}
		r.plies, r.side = r.plies[:left], r.created.side(e.body.Ruling.Side)
	case "time_credited":
		if e.body.CreditMS <= 0 || e.body.CreditMS > elapsed {
			return "more was given back than had passed"
		}
		r.left[r.side] = max(0, r.left[r.side]-elapsed+e.body.CreditMS)
	case "finished", "cancelled":
		return r.stop(e, elapsed)
	default:
		return ""
	}
	r.since = e.body.At
	return r.compare(e)
}

// stop is the end of the game.
func (r *running) stop(e eventRow, elapsed int64) string {
	if o := e.body.Outcome; o != nil && (o.Reason == "time" || o.Reason == "time_insufficient") {
		if elapsed < r.left[r.side] {
			return "the flag has fallen too early"
		}
		if o.Reason == "time" && r.created.side(o.Winner) != 1-r.side {
			return "who had time left has not won"
		}
	}
	// A move that ends the game stops the clock before it runs for the other side.
	r.left[r.side], r.side = max(0, r.left[r.side]-elapsed), -1
	return r.compare(e)
}

func (r *running) compare(e eventRow) string {
	if e.body.Remaining == nil || *e.body.Remaining != r.left {
		return "this is not what is left"
	}
	return ""
}
