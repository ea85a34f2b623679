package engines

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEndOfInput: who drives the engine goes away while it thinks. It answers and
// ends; a question of one line has its own limit.
func TestEndOfInput(t *testing.T) {
	for _, p := range protocols {
		t.Run(p.name, func(t *testing.T) {
			c := run(t, p)
			if len(p.think) > 0 {
				c.say(p.think...)
				c.until("info ")
			} else {
				c.say(start + " ms 50")
			}
			if err := c.in.Close(); err != nil {
				t.Fatal(err)
			}
			c.until(p.answer)
			c.endsWell()
		})
	}
}

// TestRubbish: lines without sense, also of 100 KB and while it thinks, are
// passed over. The next question is answered.
func TestRubbish(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	noise := func(size int) string {
		b := make([]byte, size)
		for i := range b {
			if b[i] = byte(rng.Uint32()); b[i] == '\n' {
				b[i] = 0
			}
		}
		return string(b)
	}
	for _, p := range protocols {
		t.Run(p.name, func(t *testing.T) {
			c := run(t, p)
			lines := []string{"", " ", "\x00", "go", "go go go", "position", "pos pos=", "level x=", "setoption name value", "joho"}
			for range 5 {
				lines = append(lines, noise(100_000), noise(50))
			}
			for _, word := range []string{"x", "go ", "position fen ", "position startpos moves ", "pos pos=", "setoption name ", "9 "} {
				lines = append(lines, strings.Repeat(word, 100_000/len(word)), word+strings.Repeat("8/", 50_000), word+strings.Repeat("\t", 100_000))
			}
			lines = append(lines, strings.Repeat("y", 2<<20)) // too long to be read at all
			c.say(lines...)
			c.say(p.stop, p.ping)
			c.until(p.pong)
			if len(p.think) > 0 {
				c.say(p.think...)
				c.say(noise(100_000), p.ping)
				c.until(p.pong)
				c.say(p.stop)
				c.until(p.answer)
			}
			if err := c.in.Close(); err != nil {
				t.Fatal(err)
			}
			c.endsWell()
		})
	}
}

// TestClosedOutput: nobody reads the answers any more, but the input stays open.
// The program ends and does not think on for nobody.
func TestClosedOutput(t *testing.T) {
	for _, p := range protocols {
		t.Run(p.name, func(t *testing.T) {
			c := run(t, p)
			c.say(p.think...)
			if err := c.out.Close(); err != nil {
				t.Fatal(err)
			}
			c.say(p.ping)
			if state := c.end(); state.Success() {
				t.Errorf("it ended as if all were said: %v", state)
			}
		})
	}
}
