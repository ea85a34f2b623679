// Package match plays engines against each other: ours in this process and
// programs that speak UCI, the Hub protocol or their one-line forms, in pairs of
// games with the colours changed, and says what the results tell.
//
// With limits of nodes or depth and our own engine on both sides a match is
// repeatable: its seed decides everything.
package match

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"tabuleiro/games"
	"tabuleiro/services/search/engine/endings"
	"tabuleiro/services/search/match/stats"
)

// Match is what is to be played.
type Match struct {
	// Build says which version of this program plays the match, as far as it knows.
	Build string
	// Rules is chess or draughts.
	Rules   string
	Engines [2]Engine
	// Openings are drawn from by the Seed; none is the start of the game. Plies
	// random moves follow.
	Openings []Opening
	Plies    int
	Seed     uint64
	// Games is how many are played at most; they come in pairs.
	Games int
	// Concurrency is how many games are played at once; less than one is one.
	Concurrency  int
	Adjudication Adjudication
	// Endings are the tables that our own engine looks draughts endings up in, nil for
	// none; Pieces is the most pieces that they know.
	Endings endings.Probe
	Pieces  int
	// Test, when set, ends the match early.
	Test *stats.Test
	// Margin is how much later than allowed an answer may come.
	Margin time.Duration
	// Patience is how long a program may take to answer what needs no thinking, or
	// beyond its time; it has lost then.
	Patience time.Duration
	// Journal is a file of finished games from which a broken off match goes on,
	// Record one that games are appended to; empty is none.
	Journal, Record string
	// Every is how many pairs pass between lines on the progress; 0 is none.
	Every int
}

// Summary is what came of a match, for its first engine.
type Summary struct {
	Pairs               stats.Pairs
	Wins, Draws, Losses int
	// Faults are games lost otherwise than on the board, by engine and kind.
	Faults [2]map[string]int
	// Reasons are how games ended.
	Reasons map[string]int
	Used    [2]used
	Verdict int
}

// runner is a match that is played.
type runner struct {
	Match
	game     games.Game
	openings []Opening
	out      io.Writer

	mu      sync.Mutex
	journal *journal
	record  *os.File
	entries map[int]entry // by game
	next    int           // the next pair to be given out
	summed  int           // pairs that are in the summary
	summary Summary
	err     error
}

// Run plays the match and writes its progress. It returns what was reached also
// where it failed.
func (m Match) Run(ctx context.Context, out io.Writer) (summary Summary, err error) {
	r := &runner{Match: m, out: out, entries: map[int]entry{}, summary: newSummary()}
	if r.game, err = rulesOf(m.Rules); err != nil {
		return r.summary, err
	}
	if r.openings = m.Openings; len(r.openings) == 0 {
		start, err := r.game.Start("")
		if err != nil {
			return r.summary, err
		}
		r.openings = []Opening{{Start: start}}
	}
	if m.Patience <= 0 {
		r.Patience = time.Minute
	}
	if err := r.open(); err != nil {
		return r.summary, err
	}
	defer func() { err = errors.Join(err, r.closeFiles()) }()

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var tables sync.WaitGroup
	for range max(m.Concurrency, 1) {
		tables.Go(func() {
			if err := r.table(ctx); err != nil {
				r.fail(err)
				cancel()
			}
		})
	}
	tables.Wait()
	return r.summary, r.err
}

func newSummary() Summary {
	return Summary{Faults: [2]map[string]int{{}, {}}, Reasons: map[string]int{}}
}

func (r *runner) open() error {
	if r.Journal != "" {
		j, entries, err := openJournal(r.Journal, r.settings())
		if err != nil {
			return err
		}
		r.journal = j
		for _, e := range entries {
			r.entries[e.Game] = e
		}
		r.sum()
	}
	if r.Record != "" {
		file, err := os.OpenFile(r.Record, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
		if err != nil {
			return errors.Join(err, r.closeFiles())
		}
		r.record = file
	}
	return nil
}

func (r *runner) closeFiles() error {
	var err error
	if r.journal != nil {
		err = r.journal.close()
	}
	if r.record != nil {
		err = errors.Join(err, r.record.Close())
	}
	return err
}

func (r *runner) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

// pair is the next pair with a game that is not in the journal.
func (r *runner) pair() (n int, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ; 2*r.next < r.Games && r.summary.Verdict == 0 && r.err == nil; r.next++ {
		_, one := r.entries[2*r.next]
		_, two := r.entries[2*r.next+1]
		if !one || !two {
			r.next++
			return r.next - 1, true
		}
	}
	return 0, false
}

// table plays pair after pair.
func (r *runner) table(ctx context.Context) error {
	var players [2]player // by engine
	defer func() {
		for _, p := range players {
			if p != nil {
				p.close()
			}
		}
	}()
	for {
		pair, more := r.pair()
		if !more {
			return nil
		}
		opening := draw(r.game, r.openings, r.Seed, pair, r.Plies)
		for colour := range 2 {
			number := 2*pair + colour
			r.mu.Lock()
			_, known := r.entries[number]
			r.mu.Unlock()
			if known {
				continue
			}
			for i, p := range players {
				if p == nil {
					p, err := newPlayer(r.Engines[i], r.Rules, r.Endings, r.Patience)
					if err != nil {
						return fmt.Errorf("starting %s: %w", r.Engines[i].Name, err)
					}
					players[i] = p
				}
			}
			// In the second game of a pair the second engine has the first side.
			white, black := colour, 1-colour
			limits := [2]Limit{r.Engines[white].Limit, r.Engines[black].Limit}
			g, err := playGame(ctx, r.game, opening, [2]player{players[white], players[black]}, limits, r.Margin, r.Adjudication)
			if err != nil {
				return fmt.Errorf("game %d: %w", number+1, err)
			}
			if g.fault != nil {
				engine := white
				if g.faulty == games.Second {
					engine = black
				}
				players[engine].close()
				players[engine] = nil
			}
			if err := r.finish(number, &g); err != nil {
				return err
			}
		}
	}
}

func newPlayer(e Engine, rules string, probe endings.Probe, patience time.Duration) (player, error) {
	switch e.Protocol {
	case "uci":
		return newUCI(e, patience)
	case "hub":
		return newHub(e, patience)
	case "line":
		return newLine(e, patience)
	}
	return newOwn(e, rules, probe)
}

// finish keeps a game.
func (r *runner) finish(number int, g *played) error {
	white := number % 2
	black := 1 - white
	e := entry{Game: number, Points: g.points, Plies: len(g.moves), Reason: g.reason}
	if white == 1 {
		e.Points = 2 - g.points
	}
	if g.fault != nil {
		e.Faulty, e.Fault = 1+white, g.fault.Error()
		if g.faulty == games.Second {
			e.Faulty = 1 + black
		}
	}
	at := len(g.moves) - len(g.replies)
	side := 0
	if ruling, err := r.game.Rule(g.start); err == nil {
		side = int(ruling.Side)
	}
	for i, reply := range g.replies {
		if (at+i+side)%2 == 0 {
			e.Used[white].add(reply)
		} else {
			e.Used[black].add(reply)
		}
	}
	text, err := record(r.Rules, [2]string{r.Engines[white].Name, r.Engines[black].Name},
		[2]Limit{r.Engines[white].Limit, r.Engines[black].Limit}, number+1, time.Now(), g)
	if err != nil {
		return fmt.Errorf("recording game %d: %w", number+1, err)
	}

	r.mu.Lock()
	defer r.mu.Unlock()
	if r.record != nil {
		if _, err := r.record.Write(text); err != nil {
			return err
		}
	}
	if r.journal != nil {
		if err := r.journal.add(e); err != nil {
			return err
		}
	}
	if e.Fault != "" {
		fmt.Fprintf(r.out, "game %d: %s: %s\n", number+1, r.Engines[e.Faulty-1].Name, e.Fault)
	}
	r.entries[number] = e
	r.sum()
	return nil
}

// sum adds pairs to the summary in their order, so that a test ends at the same
// pair however many games run at once.
func (r *runner) sum() {
	for r.summary.Verdict == 0 {
		one, ok := r.entries[2*r.summed]
		two, both := r.entries[2*r.summed+1]
		if !ok || !both {
			return
		}
		s := &r.summary
		s.Pairs.Add(one.Points, two.Points)
		for _, e := range []entry{one, two} {
			switch e.Points {
			case 2:
				s.Wins++
			case 1:
				s.Draws++
			default:
				s.Losses++
			}
			s.Reasons[e.Reason]++
			if e.Faulty > 0 {
				s.Faults[e.Faulty-1][e.Reason]++
			}
			for i := range s.Used {
				s.Used[i].sum(e.Used[i])
			}
		}
		r.summed++
		if r.Test != nil {
			s.Verdict = r.Test.Verdict(s.Pairs)
		}
		if r.Every > 0 && r.summed%r.Every == 0 {
			fmt.Fprintln(r.out, r.Line(*s))
		}
	}
}
