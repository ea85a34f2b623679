package torture

import (
	"slices"
	"strings"

	"tabuleiro/e2e/shapetest"
)

// acts are the events that a person's command brings about, and only that: what
// the time or the engine does is none of a person's side.
var acts = []string{
	"accepted", "cancelled", "moved", "draw_offered", "draw_declined", "finished",
	"takeback_offered", "takeback_declined", "taken_back", "rematch_offered", "rematch_declined", "rematched",
}

// brings are the events of which a command brings about one.
func brings(e Entry) []string {
	_, what, _ := strings.Cut(strings.TrimPrefix(e.Path, "/v1/games/"), "/")
	no, _ := e.Body["accept"].(bool)
	no = !no
	switch what {
	case "accept":
		return []string{"accepted"}
	case "cancel", "decline", "abort":
		return []string{"cancelled"}
	case "moves":
		return []string{"moved"}
	case "resign":
		return []string{"finished"}
	case "draw-offer": // which takes the offer that stands
		return []string{"draw_offered", "finished"}
	case "takeback-offer": // to which the engine agrees
		return []string{"takeback_offered", "taken_back"}
	case "rematch": // which takes the offer that stands
		return []string{"rematch_offered", "rematched"}
	case "draw-answer":
		return []string{map[bool]string{false: "finished", true: "draw_declined"}[no]}
	case "takeback-answer":
		return []string{map[bool]string{false: "taken_back", true: "takeback_declined"}[no]}
	case "rematch-answer":
		return []string{map[bool]string{false: "rematched", true: "rematch_declined"}[no]}
	}
	return []string{"created"}
}

// checkActs pairs commands with events: each command has brought about its event,
// none two, and no act of a person's is there that nobody has sent.
func (c *checker) checkActs(k *kept, entries []Entry) {
	taken := map[int32]Entry{}
	for _, e := range entries {
		at, ok := c.act(k, e)
		if !ok {
			continue
		}
		if other, twice := taken[at]; twice {
			c.faults.add(faultLost, "%s %v and %s %v of game %s are both version %d", e.Path, e.Body, other.Path, other.Body, k.id, at)
		}
		taken[at] = e
	}
	if k.end == "" {
		return // some command had no answer, and may have happened
	}
	for _, e := range k.events {
		person := slices.ContainsFunc(k.game.Seats, func(s shapetest.Seat) bool { return s.Side == e.Side && s.Kind == "person" })
		if _, sent := taken[e.Version]; !sent && person && slices.Contains(acts, e.Kind) {
			c.faults.add(faultTwice, "nobody has sent version %d of game %s: %s by %s", e.Version, k.id, e.Kind, e.Side)
		}
	}
}

// act is the event that a command has brought about.
func (c *checker) act(k *kept, e Entry) (version int32, ok bool) {
	at := int(e.game.Version)
	if at < 1 || at > len(k.events) {
		return 0, false // which is told elsewhere
	}
	kinds := brings(e)
	event := k.events[at-1]
	if event.Kind == "finished" && at > 1 && kinds[0] == "moved" {
		event = k.events[at-2] // the move has ended the game
	}
	// Who makes another game sits where the lot has put them; who took no seat or
	// left it has no side any more.
	side := event.Side == e.game.YourSide || e.game.YourSide == "" || kinds[0] == "created"
	if !slices.Contains(kinds, event.Kind) || !side {
		// Offers against the engine alone are answered at once, by nobody's side.
		if !(event.Kind == "rematched" && event.Side == "" && kinds[0] == "rematch_offered") {
			c.faults.add(faultLost, "%s %v of game %s by %s is version %d, which is %s by %s", e.Path, e.Body, k.id, e.game.YourSide, at, event.Kind, event.Side)
			return 0, false
		}
	}
	if kinds[0] == "moved" && (event.Ply == nil || event.Ply.Move.Text != e.Body["move"] || event.Game.Turn != e.Body["turn"].(int32)+1) {
		c.faults.add(faultLost, "the move %v of game %s is now %+v", e.Body, k.id, event.Ply)
	}
	return event.Version, true
}
