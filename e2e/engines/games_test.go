package engines

import (
	"strings"
	"testing"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
	hubtext "tabuleiro/services/search/hub"
)

// TestUCIGame plays a game as match runners do, each move under another limit;
// every answer is a legal move.
func TestUCIGame(t *testing.T) {
	c := run(t, uci)
	c.say("setoption name Hash value 4", "setoption name MultiPV value 2", "ucinewgame", "isready")
	c.until("readyok")
	at, err := chess.New().Rule(games.Position{Rules: "chess", Text: chess.StartFEN})
	if err != nil {
		t.Fatal(err)
	}
	moves := ""
	for _, limit := range []string{
		"depth 3", "nodes 500", "movetime 20", "wtime 1000 btime 1000 winc 10 binc 10", "wtime 500 btime 500 movestogo 20",
		"wtime -20 btime 3", "mate 1 nodes 2000", "depth 2 searchmoves", "infinite|stop", "infinite|isready|stop",
		"ponder wtime 1000 btime 1000|ponderhit", "ponder movetime 30|stop", "nodes 1", "depth 0", "movetime 0",
	} {
		words := strings.Split(limit, "|")
		only := strings.HasSuffix(limit, "searchmoves")
		if only {
			words[0] += " " + at.Moves[0].Text + " " + at.Moves[1].Text
		}
		c.say("position startpos"+moves, "go "+words[0])
		c.say(words[1:]...)
		text := c.until(c.answer)
		move, next, err := chess.New().Apply(at.Position, strings.Fields(text)[1])
		if err != nil {
			t.Fatalf("go %s: %q after%s: %v", limit, text, moves, err)
		}
		if only && move.Text != at.Moves[0].Text && move.Text != at.Moves[1].Text {
			t.Errorf("go %s: %s", words[0], text)
		}
		if moves == "" {
			moves = " moves"
		}
		moves, at = moves+" "+move.Text, next
	}
	c.say("quit")
	c.endsWell()
}

// TestHubGame is the same of draughts.
func TestHubGame(t *testing.T) {
	c := run(t, hub)
	c.say("set-param name=hash value=4", "new-game")
	at, err := draughts.Game{}.Rule(games.Position{Rules: "draughts", Text: start})
	if err != nil {
		t.Fatal(err)
	}
	position, err := hubtext.PositionText(start)
	if err != nil {
		t.Fatal(err)
	}
	var moves []string
	for _, limit := range []string{
		"depth=5|go think", "nodes=500|go think", "move-time=0.02|go think", "time=1 inc=0.01|go think", "time=0.5 moves=20|go think",
		"infinite|go think|stop", "infinite|go analyze|ping|stop", "move-time=0.02|go ponder|ponder-hit", "depth=3|go ponder|stop", "depth=0|go think",
		"move-time=0|go think",
	} {
		words := strings.Split(limit, "|")
		c.say("pos pos="+position+` moves="`+strings.Join(moves, " ")+`"`, "level "+words[0])
		c.say(words[1:]...)
		text := c.until(c.answer)
		found, err := hubtext.FindMove(at.Moves, hubtext.Parse(text).Args["move"])
		if err != nil {
			t.Fatalf("%s: %q after %v: %v", limit, text, moves, err)
		}
		move, next, err := draughts.Game{}.Apply(at.Position, found.Text)
		if err != nil {
			t.Fatalf("%s: %q after %v: %v", limit, text, moves, err)
		}
		moves, at = append(moves, hubtext.MoveText(move)), next
	}
	c.say("quit")
	c.endsWell()
}

// TestLineGame asks line after line of one game, by both limits.
func TestLineGame(t *testing.T) {
	c := run(t, line)
	at, err := draughts.Game{}.Rule(games.Position{Rules: "draughts", Text: start})
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []string{"ms 20", "nodes 500", "ms 1", "nodes 1", "ms 20", "nodes 2000"} {
		fen, _, _ := strings.Cut(at.Position.Text, " ")
		c.say(fen + " " + limit)
		text := c.until(c.answer)
		fields := strings.Fields(text)
		if len(fields) != 8 || fields[2] != "score" || fields[4] != "depth" || fields[6] != "nodes" {
			t.Fatalf("%s: %q", limit, text)
		}
		if _, at, err = (draughts.Game{}).Apply(at.Position, fields[1]); err != nil {
			t.Fatalf("%s: %q: %v", limit, text, err)
		}
	}
	if err := c.in.Close(); err != nil {
		t.Fatal(err)
	}
	c.endsWell()
}

// TestALineDependsOnItselfAlone: with nodes the first answer of a new installation,
// which has no tables of endings yet, is that of every other one.
func TestALineDependsOnItselfAlone(t *testing.T) {
	const question = "W:WKc1,e1,g3:BKb8,d8 nodes 30000"
	var answers []string
	for range 2 {
		c := run(t, line)
		for range 2 {
			c.say(question)
			answers = append(answers, c.until(c.answer))
		}
		c.say("W:WKa1:BKh8,Kg7 ms 50") // of three pieces, exact at once
		if text := c.until(c.answer); !strings.Contains(text, " depth 1 ") {
			t.Errorf("an ending that the tables know was searched: %s", text)
		}
	}
	for _, a := range answers[1:] {
		if a != answers[0] {
			t.Errorf("one question, other answers:\n%s\n%s", answers[0], a)
		}
	}
}
