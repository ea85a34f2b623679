package think

import (
	"time"

	"tabuleiro/services/search/engine"
)

// News are who wants to hear of a search between its finished iterations; each may
// be nil. They are called as the report is.
type News struct {
	// Going is told every now and then how many nodes there were.
	Going func(Info)
	// Trying is told which move of the root is searched from now on, its number among
	// them from 1.
	Trying func(i Info, move string, number int)
	// Failed is told of values outside the window of an iteration: at least (Lower) or
	// at most (Upper) Info.Score.
	Failed func(i Info, bound engine.Bound)
}

// Pace is how often news are told.
type Pace struct {
	// Still is how long a search says nothing of moves and windows, of which there are
	// too many in its first iterations.
	Still time.Duration
	// Every is the time between two words on how far it is, or after an iteration's
	// report; moves and windows are a tenth of it apart at least.
	Every time.Duration
}

var standardPace = Pace{Still: 3 * time.Second, Every: time.Second}

func (p Pace) or(standard Pace) Pace {
	if p == (Pace{}) {
		return standard
	}
	return p
}

// due tells whether news may be told after so long, when the last ones of their kind
// were told at last.
func (p Pace) due(now, last time.Duration) bool {
	return now >= p.Still && now-last >= p.Every/10
}

// newsroom is what the first thread tells between iterations.
type newsroom struct {
	News
	pace                 Pace
	said, tried, outside time.Duration // when the last ones were told
}

// info is a report with what all threads have done.
func (t *Thought) info(r engine.Report) Info {
	return Info{Report: r, Nodes: r.Nodes + t.others.Load(), Known: r.Known + t.known.Load(), Elapsed: time.Since(t.start)}
}

// going tells how far the search is, if that is due.
func (t *Thought) going(nodes uint64) {
	n := &t.news
	if n.Going == nil || time.Since(t.start)-n.said < n.pace.Every {
		return
	}
	i := t.info(engine.Report{Nodes: nodes})
	n.said = i.Elapsed
	n.Going(i)
}

// listen lets a search tell what somebody wants to hear.
func (t *Thought) listen(opts *engine.Options) {
	n := &t.news
	opts.Trying, opts.Failed = nil, nil
	if n.Trying != nil {
		opts.Trying = func(depth, number int, text func() string) {
			if now := time.Since(t.start); n.pace.due(now, n.tried) {
				n.tried = now
				n.Trying(Info{Report: engine.Report{Depth: depth}, Elapsed: now}, text(), number)
			}
		}
	}
	if n.Failed != nil {
		opts.Failed = func(bound engine.Bound, report func() engine.Report) {
			if now := time.Since(t.start); n.pace.due(now, n.outside) {
				n.outside = now
				n.Failed(t.info(report()), bound)
			}
		}
	}
}
