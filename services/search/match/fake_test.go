package match

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"tabuleiro/games"
	"tabuleiro/games/chess"
)

// patienceForSlowMachines is a margin that no machine needs.
const patienceForSlowMachines = time.Minute

// TestMain makes the test binary a UCI program of a kind when it is started as
// one: "fake KIND".
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "fake" {
		if kind := os.Args[2]; kind == "hub" || kind == "line" {
			fakeHub(kind)
		} else {
			fakeUCI(kind)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fake is an engine that is this test binary.
func fake(t *testing.T, kind, limit string) Engine {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	l, err := ParseLimit(limit)
	if err != nil {
		t.Fatal(err)
	}
	return Engine{Name: kind, Command: []string{self, "fake", kind}, Protocol: "uci", Limit: l}
}

// fakeUCI answers as a program of some kind would: first plays the first legal
// move, crash ends at its third move, hang never answers, deaf does not hear
// stop, illegal plays what it may not, rubbish talks much, slow is late.
func fakeUCI(kind string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	ruling, asked := games.Ruling{}, 0
	say := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	answer := func() {
		say("info depth 2 score cp 13 nodes 40 time 1 pv %s", ruling.Moves[0].Text)
		say("bestmove %s ponder a7a6", ruling.Moves[0].Text)
	}
	for in.Scan() {
		fields := strings.Fields(in.Text())
		if len(fields) == 0 {
			continue
		}
		switch fields[0] {
		case "uci":
			if kind == "rubbish" {
				say("\x00\xff what\ninfo score cp\nbestmove\nuciok uciok")
			}
			say("id name fake\nuciok")
		case "isready":
			say("readyok")
		case "position":
			text, moves, _ := strings.Cut(in.Text(), " moves ")
			text = strings.TrimPrefix(strings.TrimPrefix(text, "position "), "fen ")
			if text == "startpos" {
				text = chess.StartFEN
			}
			var err error
			ruling, err = chess.New().Rule(games.Position{Rules: "chess", Text: text})
			for _, m := range strings.Fields(moves) {
				if err == nil {
					_, ruling, err = chess.New().Apply(ruling.Position, m)
				}
			}
			if err != nil {
				say("info string %v", err)
				os.Exit(3)
			}
		case "go":
			asked++
			switch kind {
			case "crash":
				if asked == 3 {
					os.Exit(2)
				}
				answer()
			case "hang":
			case "deaf":
				for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
				}
			case "illegal":
				say("bestmove e2e5")
			case "silent":
				say("bestmove")
			case "rubbish":
				say("info depth x score mate y nodes -3 multipv\ninfo\n\n%s", strings.Repeat("z", 100_000))
				answer()
			case "slow":
				<-time.After(60 * time.Millisecond)
				answer()
			default:
				if fields[1] != "infinite" {
					answer()
				}
			}
		case "stop":
			answer()
		case "quit":
			return
		}
	}
}
