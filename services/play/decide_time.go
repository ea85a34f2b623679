package play

import "slices"

// A client's latency is given back to it: what its move spent on the way, as the
// gateway has measured it, within a quota. So a slow client does not lose its own
// time, and one that lies about its latency gains nothing beyond the quota.
const (
	// maxCredit is what one move gets back at most, in milliseconds.
	maxCredit = 500
	// firstQuota is what a side has at the start of a game, refill what each own
	// move adds, maxQuota what it can save up.
	firstQuota, refill, maxQuota = 500, 100, 1000
)

// Lag is the latency that a move was credited for, as its event keeps it.
type Lag struct {
	// MS is the client's round trip when it moved.
	MS int32 `json:"ms"`
	// CreditMS is what the move got back, QuotaMS what its side has left after it.
	CreditMS int32 `json:"credit_ms"`
	QuotaMS  int32 `json:"quota_ms"`
}

// lagOf is the credit for a move of the running side: no more than was measured,
// than a move may get, than the quota holds, and than the move took.
func (c *Clock) lagOf(ms int32, at int64) *Lag {
	if c == nil || c.Running < 0 || ms <= 0 {
		return nil
	}
	quota := c.Quota[c.Running]
	credit := int32(min(int64(min(ms, maxCredit, quota)), c.elapsed(at)))
	return &Lag{MS: ms, CreditMS: credit, QuotaMS: min(maxQuota, quota-credit+refill)}
}

func (l *Lag) credit() int64 {
	if l == nil {
		return 0
	}
	return int64(l.CreditMS)
}

// allowance is how long after its time a side's flag waits for a move that may be
// on its way: as far as its last latency, with room to grow, and its quota go.
func (c *Clock) allowance(side int) int64 {
	return int64(min(2*c.Lag[side], maxCredit, c.Quota[side]))
}

// enterMove is enter for a move: its credit counts for the flag as well.
func (s State) enterMove(player string, lagMS int32, at int64) (seat int, lag *Lag, events []Event, err error) {
	seat = s.SeatOf(player)
	if s.Status != StatusRunning || s.Clock == nil || seat < 0 || seat != s.Clock.Running {
		seat, events, err = s.enter(player, at)
		return seat, nil, events, err
	}
	lag = s.Clock.lagOf(lagMS, at)
	if s.Clock.elapsed(at)-lag.credit() >= int64(s.Clock.Remaining[seat]) {
		return -1, nil, s.timeUp(at), timeIsUp()
	}
	return seat, lag, nil, nil
}

// learn takes the latency of a move into the clock of its side.
func (c *Clock) learn(side int, lag *Lag) *Clock {
	if lag == nil {
		return c
	}
	next := *c
	next.Lag[side], next.Quota[side] = lag.MS, lag.QuotaMS
	return &next
}

// Outage is a time in which no replica of play could write, in milliseconds since
// 1970.
type Outage struct {
	From  int64 `json:"from"`
	Until int64 `json:"until"`
}

// creditOutages gives the running side back what it has spent while we were away:
// the events that come before anything else that happens at that moment. Once
// given the clock counts from there, so that nothing is given twice.
func creditOutages(s State, outages []Outage, at int64) []Event {
	c := s.Clock
	at = max(at, s.ChangedAt)
	if s.Status != StatusRunning || c == nil || c.Running < 0 || keepOutage() {
		return nil
	}
	var spent []Outage
	for _, o := range outages {
		if o = (Outage{max(o.From, c.At), min(o.Until, at)}); o.From < o.Until {
			spent = append(spent, o)
		}
	}
	credit := int32(min(total(spent), c.elapsed(at)))
	if credit == 0 {
		return nil
	}
	left := c.Remaining
	left[c.Running] = max(0, int32(int64(left[c.Running])-c.elapsed(at))+credit)
	return []Event{{Kind: KindTimeCredited, At: at, Remaining: &left, CreditMS: credit}}
}

// total is how long outages last together. Those of two replicas may overlap.
func total(outages []Outage) (ms int64) {
	slices.SortFunc(outages, func(a, b Outage) int { return int(a.From - b.From) })
	var until int64
	for _, o := range outages {
		ms += max(0, o.Until-max(o.From, until))
		until = max(until, o.Until)
	}
	return ms
}

// timeCredited sets the clock to what an event says, and goes on counting.
func timeCredited(s State, e Event) State {
	s.Clock = s.Clock.with(*e.Remaining, s.Clock.Running, e.At)
	s.Clock.Version = s.Version
	return s
}
