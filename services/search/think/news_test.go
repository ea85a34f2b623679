package think

import (
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	p := Pace{}.or(standardPace)
	for _, tt := range []struct {
		now, last time.Duration
		due       bool
	}{
		{2999 * time.Millisecond, 0, false},
		{3 * time.Second, 0, true},
		{4 * time.Second, 3950 * time.Millisecond, false},
		{4 * time.Second, 3900 * time.Millisecond, true},
	} {
		if got := p.due(tt.now, tt.last); got != tt.due {
			t.Errorf("%v after %v: %v", tt.now, tt.last, got)
		}
	}
}
