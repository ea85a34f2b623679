package cache

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b breaker
		allow := func(want bool) {
			t.Helper()
			if got := b.allow(); got != want {
				t.Errorf("allow: got %v, want %v", got, want)
			}
		}
		done := func(ok, wantChanged bool) {
			t.Helper()
			if got := b.done(ok); got != wantChanged {
				t.Errorf("changed: got %v, want %v", got, wantChanged)
			}
		}
		fail := func(wantChanged bool) { t.Helper(); allow(true); done(false, wantChanged) }

		fail(false)
		fail(false)
		allow(true)
		done(true, false) // a success in between starts the count anew
		fail(false)
		fail(false)
		fail(true)
		allow(false)
		time.Sleep(breakTime)
		allow(true)
		allow(false) // only one finds out
		done(false, false)
		allow(false)
		time.Sleep(breakTime)
		allow(true)
		b.forget() // it did not find out: the next one does
		allow(true)
		done(true, true)
		allow(true)
		allow(true)
	})
}
