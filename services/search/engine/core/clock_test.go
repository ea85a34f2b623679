package core

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestBudgetKeepsWithinTheClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Clock{
			Remaining: time.Duration(rapid.Int64Range(0, int64(3*time.Hour)).Draw(t, "remaining")),
			Increment: time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "increment")),
			MovesToGo: rapid.IntRange(0, 100).Draw(t, "moves"),
			Overhead:  time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "overhead")),
		}
		b := NewBudget(c)
		left := max(c.Remaining-c.Overhead, time.Millisecond)
		if b.Soft <= 0 || b.Soft > b.Hard || b.Hard > left {
			t.Fatalf("%+v: soft %v, hard %v", c, b.Soft, b.Hard)
		}
	})
}

// used is the first of the moments at which a budget has enough.
func used(b *Budget, report func(depth int) Report) time.Duration {
	for i := 1; ; i++ {
		elapsed := time.Duration(i) * 10 * time.Millisecond
		if b.Enough(report(i), elapsed) {
			return elapsed
		}
	}
}

func TestBudgetFollowsTheSearch(t *testing.T) {
	clock := Clock{Remaining: time.Minute}
	moves := []string{"a2a3", "b2b3"}
	calm := used(NewBudget(clock), func(int) Report { return Report{Line: moves[:1], Share: 0.95} })
	plain := used(NewBudget(clock), func(int) Report { return Report{Line: moves[:1]} })
	falling := used(NewBudget(clock), func(d int) Report { return Report{Line: moves[:1], Score: -20 * d} })
	changing := used(NewBudget(clock), func(d int) Report { return Report{Line: moves[d&1:], Score: 0} })
	if !(calm < plain && plain < falling && plain < changing) {
		t.Fatalf("calm %v, plain %v, falling %v, changing %v", calm, plain, falling, changing)
	}
	if b := NewBudget(clock); changing > b.Hard {
		t.Fatalf("changing %v, hard %v", changing, b.Hard)
	}
}

func TestFixedBudgetIsUsedUp(t *testing.T) {
	b := Fixed(100*time.Millisecond, 10*time.Millisecond)
	if b.Soft != 90*time.Millisecond || b.Hard != b.Soft {
		t.Fatalf("%+v", b)
	}
	if got := used(b, func(int) Report { return Report{Line: []string{"a2a3"}} }); got != 90*time.Millisecond {
		t.Fatalf("used %v", got)
	}
}
