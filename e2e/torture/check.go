package torture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"tabuleiro/e2e/shapetest"
	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	"tabuleiro/games/tictactoe"
)

// checker compares what clients were promised with what there is, when all
// processes run again.
type checker struct {
	*run
	report *Report
	truth  *database
}

// kept is a game as the interface tells it at the end.
type kept struct {
	*match
	game   shapetest.Game
	events []shapetest.Event
	raw    []json.RawMessage
}

func (c *checker) check(ctx context.Context) error {
	byGame := map[string][]Entry{}
	for _, e := range c.journal.all() {
		if e.acknowledged() && !e.ofCup() {
			byGame[e.game.ID] = append(byGame[e.game.ID], e)
		}
	}
	var all []*kept
	for _, m := range c.matches {
		k, err := c.settle(ctx, m)
		if err != nil {
			return err
		}
		if k != nil {
			all = append(all, k)
		}
	}
	// Read behind the interface's back when nothing is owed any more.
	var err error
	if c.truth, err = readDatabase(ctx, c.shape, c.faults); err != nil {
		return err
	}
	for _, k := range all {
		c.report.Events += len(k.events)
		for _, e := range k.events {
			c.report.Kinds[e.Kind]++
		}
		c.checkVersions(k)
		c.checkJournal(k, byGame[k.id])
		c.checkActs(k, byGame[k.id])
		c.checkReplay(k)
		c.checkDatabase(k)
		c.checkClock(k)
		if err := c.checkStream(ctx, k); err != nil {
			return err
		}
	}
	c.checkCommands(byGame)
	c.checkLedger(all)
	if err := c.checkCups(ctx, all); err != nil {
		return err
	}
	return c.checkStandings(ctx)
}

// settle waits for what is owed to a game and reads all that the interface says
// of it; nil where the game is gone.
func (c *checker) settle(ctx context.Context, m *match) (*kept, error) {
	p := m.players[0]
	k := &kept{match: m}
	var err error
	if k.game, err = p.get(ctx, m.id); err != nil {
		return nil, ignoreAbandoned(err)
	}
	if m.end != "" && m.rated {
		k.game, err = p.await(ctx, m.id, "the rating", func(g shapetest.Game) bool {
			return g.Status != "finished" || g.Seats[0].RatingAfter+g.Seats[1].RatingAfter > 0
		})
		if ignoreAbandoned(err) != nil {
			return nil, err
		}
	}
	for after := int32(0); ; {
		answer, _, err := p.persist(ctx, http.MethodGet, fmt.Sprintf("/v1/games/%s/events?after=%d&limit=200", m.id, after), "", nil)
		if err != nil {
			return nil, ignoreAbandoned(err)
		}
		var page struct{ Events []json.RawMessage }
		if err := answer.Into(&page); err != nil {
			return nil, err
		}
		if len(page.Events) == 0 {
			return k, nil
		}
		for _, text := range page.Events {
			var e shapetest.Event
			if err := json.Unmarshal(text, &e); err != nil {
				return nil, fmt.Errorf("reading %s: %w", text, err)
			}
			k.events, k.raw = append(k.events, e), append(k.raw, text)
			after = e.Version
		}
	}
}

func ignoreAbandoned(err error) error {
	if errors.Is(err, errAbandoned) {
		return nil
	}
	return err
}

// checkVersions: numbered from 1 without a gap, turns and plies too, also where
// moves were taken back.
func (c *checker) checkVersions(k *kept) {
	turn, moves := int32(0), []string{}
	for i, e := range k.events {
		if e.Version != int32(i)+1 || e.GameID != k.id || e.Game.Version != e.Version {
			c.faults.add(faultGap, "event %d of game %s has version %d, its game %d", i+1, k.id, e.Version, e.Game.Version)
		}
		switch e.Kind {
		case "moved":
			turn++
			if e.Ply == nil || int(e.Ply.Ply) != len(moves)+1 {
				c.faults.add(faultGap, "move %d of game %s is ply %+v", len(moves)+1, k.id, e.Ply)
				return
			}
			moves = append(moves, e.Ply.Move.Text)
		case "taken_back":
			turn++
			left := len(moves) - backOf(c.truth.events[k.id], e.Version)
			if left < 0 || left == len(moves) {
				c.faults.add(faultGap, "event %d of game %s takes %d of %d plies back", i+1, k.id, len(moves)-left, len(moves))
				return
			}
			moves = moves[:left]
		}
		if e.Game.Turn != turn || int(e.Game.PlyCount) != len(moves) {
			c.faults.add(faultGap, "event %d of game %s shows turn %d and %d plies, not %d and %d", i+1, k.id, e.Game.Turn, e.Game.PlyCount, turn, len(moves))
		}
	}
	var told []string
	for _, ply := range k.game.Plies {
		told = append(told, ply.Move.Text)
	}
	if int(k.game.Version) != len(k.events) || k.game.Turn != turn || !slices.Equal(told, moves) {
		c.faults.add(faultGap, "game %s says version %d, turn %d, %v; its events say %d, %d, %v",
			k.id, k.game.Version, k.game.Turn, told, len(k.events), turn, moves)
	}
}

// backOf is how many plies an event has taken back.
func backOf(events []eventRow, version int32) int {
	for _, e := range events {
		if e.version == version {
			return e.body.Back
		}
	}
	return 0
}

// checkJournal: every acknowledged command is there, as it was acknowledged.
func (c *checker) checkJournal(k *kept, entries []Entry) {
	for _, e := range entries {
		if int(e.game.Version) > len(k.events) || e.game.Version < 1 {
			c.faults.add(faultLost, "%s %v of game %s was acknowledged as version %d of %d", e.Path, e.Body, k.id, e.game.Version, len(k.events))
			continue
		}
		there := k.events[e.game.Version-1].Game
		if there.Turn != e.game.Turn || there.Status != e.game.Status || there.Position != e.game.Position || there.Result != e.game.Result {
			c.faults.add(faultLost, "%s %v of game %s gave turn %d, %s, %s; version %d is turn %d, %s, %s",
				e.Path, e.Body, k.id, e.game.Turn, e.game.Status, e.game.Position.Text, e.game.Version, there.Turn, there.Status, there.Position.Text)
		}
	}
	if k.end != "" && k.game.Status != k.end {
		c.faults.add(faultLost, "game %s was %s and is %s", k.id, k.end, k.game.Status)
	}
}

// checkReplay: the moves lead to the position, by the rules.
func (c *checker) checkReplay(k *kept) {
	rules := map[string]games.Game{"chess": chess.Game{}, "draughts": draughts.Game{}, "tictactoe": tictactoe.Game{}}[k.rules]
	position, err := rules.Start("")
	for _, ply := range k.game.Plies {
		if err != nil {
			break
		}
		var ruling games.Ruling
		_, ruling, err = rules.Apply(position, ply.Move.Text)
		position = ruling.Position
	}
	if err != nil || position.Text != k.game.Position.Text {
		c.faults.add(faultGap, "the moves of game %s lead to %s (%v), not to %s", k.id, position.Text, err, k.game.Position.Text)
	}
}

// checkDatabase: the interface says what the tables hold.
func (c *checker) checkDatabase(k *kept) {
	row, ok := c.truth.games[k.id]
	events := c.truth.events[k.id]
	if !ok || row.version != k.game.Version || row.status != k.game.Status || row.state.Version != k.game.Version ||
		row.state.Turn != k.game.Turn || row.state.Ruling.Position.Text != k.game.Position.Text {
		c.faults.add(faultDatabase, "game %s is %+v, its row %+v", k.id, k.game, row)
	}
	if len(events) != len(k.events) {
		c.faults.add(faultDatabase, "game %s has %d events, in its table %d", k.id, len(k.events), len(events))
		return
	}
	for i, e := range events {
		told := k.events[i]
		same := e.version == told.Version && e.body.Kind == told.Kind && e.body.Side == told.Side
		if same && told.Kind == "moved" {
			same = e.body.Ply.Move.Text == told.Ply.Move.Text && e.body.Ply.Number == told.Ply.Ply &&
				e.body.Ruling.Position.Text == told.Game.Position.Text
		}
		if !same {
			c.faults.add(faultDatabase, "event %d of game %s is %+v, in its table %+v", i+1, k.id, told, e)
		}
	}
	if k.end != "" {
		for _, due := range c.truth.due[k.id] {
			c.faults.add(faultStuck, "game %s has ended and still owes %s", k.id, due)
		}
	}
}

// checkStream: the watcher saw every event once, in order, as it is stored.
func (c *checker) checkStream(ctx context.Context, k *kept) error {
	if err := k.stream.AwaitVersion(ctx, int32(len(k.events))); err != nil {
		c.faults.add(faultStream, "game %s, version %d: %v", k.id, len(k.events), err)
	}
	k.stream.Close()
	c.report.Returns += k.stream.Returns()
	frames := k.stream.Frames()
	for i, f := range frames {
		if i >= len(k.raw) || f.Kind == "snapshot" || f.Version != int32(i)+1 {
			c.faults.add(faultStream, "frame %d of game %s is %s of version %d of %d", i+1, k.id, f.Kind, f.Version, len(k.raw))
			return nil
		}
		seen, err := shapetest.Plain(f.Event)
		if err != nil {
			return fmt.Errorf("reading a frame: %w", err)
		}
		there, err := shapetest.Plain(k.raw[i])
		if err != nil {
			return fmt.Errorf("reading an event: %w", err)
		}
		if !reflect.DeepEqual(seen, there) {
			c.faults.add(faultStream, "frame %d of game %s is %s, the event %s", i+1, k.id, f.Event, k.raw[i])
		}
	}
	return nil
}
