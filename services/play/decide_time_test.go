package play

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// TestTheQuotaBoundsWhatLatencyGivesBack: a credit is never more than was
// measured, than a move may get, than the quota holds and than the move took; so
// who lies about latency gains the quota and no more.
func TestTheQuotaBoundsWhatLatencyGivesBack(t *testing.T) {
	for _, test := range []struct {
		name               string
		lag, quota, took   int32
		credit, quotaAfter int32
	}{
		{"unknown", 0, 500, 3000, 0, 500},
		{"quick", 40, 500, 3000, 40, 560},
		{"slow", 300, 500, 3000, 300, 300},
		{"at most 500 a move", 4000, 1000, 3000, 500, 600},
		{"at most the quota", 300, 120, 3000, 120, 100},
		{"an empty quota", 300, 0, 3000, 0, 100},
		{"at most what it took", 300, 500, 200, 200, 400},
		{"a full quota", 10, 1000, 3000, 10, 1000},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := twoPersons(&Settings{InitialMS: 60_000, IncrementMS: 1000})
			clock := *s.Clock
			clock.Quota[0] = test.quota
			s.Clock = &clock
			s = given(s, Play{Player: "w", LagMS: test.lag}, plainRuling(1), at(int64(test.took)))
			if got, want := s.Clock.Remaining[0], 61_000-test.took+test.credit; got != want {
				t.Errorf("left %d ms, want %d", got, want)
			}
			ply := s.Plies[0]
			if ply.TookMS != test.took-test.credit || ply.CreditedMS != test.credit {
				t.Errorf("took %d, credited %d; want %d and %d", ply.TookMS, ply.CreditedMS, test.took-test.credit, test.credit)
			}
			if s.Clock.Quota[0] != test.quotaAfter || s.Clock.Quota[1] != firstQuota || s.Clock.Lag[0] != test.lag {
				t.Errorf("quotas %v, latencies %v; want %d", s.Clock.Quota, s.Clock.Lag, test.quotaAfter)
			}
		})
	}
}

// TestLatencyStealsNobodysTime is promise 7. A slow client and a quick one think
// equally long; each loses what it thought, and neither what the other's line took.
func TestLatencyStealsNobodysTime(t *testing.T) {
	const thinks, plies = 700, 40
	for _, lag := range []int32{0, 90, 300, 800} {
		s := twoPersons(&Settings{InitialMS: 60_000})
		now := int64(0)
		for ply := range plies {
			command := Play{Player: []string{"w", "b"}[ply%2], Turn: s.Turn}
			now += thinks
			if ply%2 == 1 { // the slow one
				command.LagMS = lag
				now += int64(lag)
			}
			s = given(s, command, plainRuling(ply+1), at(now))
		}
		quick, slow := s.Clock.Remaining[0], s.Clock.Remaining[1]
		if want := int32(60_000 - plies/2*thinks); quick != want {
			t.Errorf("latency %d: the quick client has %d ms left, want %d", lag, quick, want)
		}
		// The quota pays for all of a latency of up to 100 ms, and of a longer one
		// for 100 ms a move and what was saved.
		owed := int32(0)
		if lag > refill {
			owed = plies/2*lag - (firstQuota + (plies/2-1)*refill)
		}
		if want := 60_000 - plies/2*thinks - owed; slow != want {
			t.Errorf("latency %d: the slow client has %d ms left, want %d", lag, slow, want)
		}
	}
}

// TestAFlagWaitsForAMoveOnItsWay: who has moved in time is not flagged for the
// line, and who has not is, also when the move comes before the flag.
func TestAFlagWaitsForAMoveOnItsWay(t *testing.T) {
	s := twoPersons(&Settings{InitialMS: 5000})
	s = given(s, Play{Player: "w", LagMS: 200}, plainRuling(1), at(4000)) // 1200 left
	s = given(s, Play{Player: "b", Turn: 1}, plainRuling(2), at(4100))
	deadline, _ := s.Clock.Deadline()
	if want := at(4100 + 1200 + 400).UnixMilli(); deadline != want {
		t.Fatalf("the flag falls at %d, want %d: twice the last latency later", deadline, want)
	}
	if _, err := Decide(s, Flag{}, nil, at(4100+1200+399)); codeOf(err) != "not_due" {
		t.Errorf("the flag fell before: %v", err)
	}
	in := given(s, Play{Player: "w", Turn: 2, LagMS: 200}, plainRuling(3), at(4100+1200+199))
	if in.Status != StatusRunning || in.Clock.Remaining[0] != 1 {
		t.Errorf("a move in time: %s, %v", in.Status, in.Clock.Remaining)
	}
	events, err := Decide(s, Play{Player: "w", Turn: 2, LagMS: 200}, plainRuling(3), at(4100+1200+200))
	if codeOf(err) != "game_over" || len(events) != 1 || events[0].Outcome.Reason != "time" || events[0].Remaining[0] != 0 {
		t.Errorf("a move too late: %v, %v", events, err)
	}
	// A client without latency gains nothing from the wait of its flag.
	if _, err := Decide(s, Play{Player: "w", Turn: 2}, plainRuling(3), at(4100+1200)); codeOf(err) != "game_over" {
		t.Errorf("a quick move too late: %v", err)
	}
	// Nor does the opponent, whose clock does not run.
	if _, err := Decide(s, Play{Player: "b", Turn: 2, LagMS: 300}, plainRuling(3), at(4200)); codeOf(err) != "not_your_turn" {
		t.Errorf("out of turn: %v", err)
	}
}

func codeOf(err error) string {
	if refused, ok := err.(*Refused); ok {
		return refused.Code
	}
	return fmt.Sprint(err)
}

func TestCreditOfOutages(t *testing.T) {
	base := at(0).UnixMilli()
	gap := func(from, until int64) Outage { return Outage{base + from, base + until} }
	running := given(twoPersons(&Settings{InitialMS: 60_000}), Play{Player: "w"}, plainRuling(1), at(1000))
	for _, test := range []struct {
		name    string
		state   State
		outages []Outage
		now     int64
		want    int32
	}{
		{"none", running, nil, 9000, 0},
		{"all of it", running, []Outage{gap(2000, 7000)}, 9000, 5000},
		{"before the turn", running, []Outage{gap(-9000, 900)}, 9000, 0},
		{"from before the turn", running, []Outage{gap(-9000, 1500)}, 9000, 500},
		{"not over yet", running, []Outage{gap(8000, 12_000)}, 9000, 1000},
		{"later", running, []Outage{gap(9500, 12_000)}, 9000, 0},
		{"two", running, []Outage{gap(2000, 3000), gap(5000, 8000)}, 9000, 4000},
		{"two that overlap", running, []Outage{gap(5000, 8000), gap(2000, 6000)}, 9000, 6000},
		{"longer than the time left", running, []Outage{gap(1500, 200_000)}, 200_500, 198_500},
		{"without a clock", twoPersons(nil), []Outage{gap(-1000, 5000)}, 9000, 0},
		{"not begun", made(person("white"), openSeat("black"), &Settings{InitialMS: 60_000}, false), []Outage{gap(0, 5000)}, 9000, 0},
		{"over", given(running, Resign{Player: "w"}, nil, at(1100)), []Outage{gap(0, 5000)}, 9000, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := at(test.now).UnixMilli()
			events := creditOutages(test.state, test.outages, now)
			if test.want == 0 {
				if len(events) != 0 {
					t.Fatalf("got %+v", events)
				}
				return
			}
			if len(events) != 1 || events[0].CreditMS != test.want {
				t.Fatalf("got %+v, want %d ms", events, test.want)
			}
			after := Fold(test.state, events)
			used := int32(test.now-1000) - test.want
			if got := after.Clock.Remaining; got != [2]int32{59_000, 60_000 - used} || after.Clock.At != now || after.Clock.Running != 1 {
				t.Errorf("the clock is %+v, %d ms were used", after.Clock, used)
			}
			// Once given it is given.
			if again := creditOutages(after, test.outages, now+10); len(again) != 0 && test.outages[0].Until <= now {
				t.Errorf("given twice: %+v", again)
			}
			// The flag is owed anew, at its new time.
			begin, done := changeDue(test.state, after)
			want := Obligation{Kind: DueFlag, Version: after.Version, At: now + int64(after.Clock.Remaining[1])}
			if !slices.Equal(begin, []Obligation{want}) || len(done) != 0 {
				t.Errorf("begins %v, ends %v; want %v", begin, done, want)
			}
		})
	}
}

func TestStoreNotesOutages(t *testing.T) {
	eachPair(t, func(t *testing.T, one, other Store) {
		beat := func(s Store, at, gap int64, want ...Outage) {
			t.Helper()
			got, err := s.Beat(t.Context(), at, gap)
			must(t, err)
			if len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("beat at %d: got %v, want %v", at, got, want)
			}
		}
		beat(one, 1_000_000, 3000)
		beat(other, 1_003_000, 3000)
		beat(one, 1_002_000, 3000) // late: another was faster
		beat(other, 1_006_001, 3000, Outage{1_003_000, 1_006_001})
		beat(one, 1_006_001, 3000, Outage{1_003_000, 1_006_001})
		beat(one, 1_006_002, 0, Outage{1_003_000, 1_006_001}, Outage{1_006_001, 1_006_002})
		// However many there are, the last ones are known.
		at := int64(1_600_000_000_000)
		for range 700 {
			at += 5000
			_, err := one.Beat(t.Context(), at, 3000)
			must(t, err)
		}
		all, err := other.Beat(t.Context(), at+1, 3000)
		must(t, err)
		if n := len(all); n < 100 || all[n-1] != (Outage{at - 5000, at}) || all[n-100] != (Outage{at - 500_000, at - 495_000}) {
			t.Errorf("%d outages are known, the last %v", n, all[max(0, n-3):])
		}
		for i := 1; i < len(all); i++ {
			if all[i].From < all[i-1].Until || all[i].Until-all[i].From > 1_600_000_000_000 {
				t.Fatalf("outage %d is %v after %v", i, all[i], all[i-1])
			}
		}
	})
}

func TestStoreListsRunningClocks(t *testing.T) {
	eachStore(t, func(t *testing.T, s Store) {
		clock := &Settings{InitialMS: 60_000}
		must(t, s.Commit(t.Context(), create(t, "g3", person("white"), person("black"), clock)))
		must(t, s.Commit(t.Context(), create(t, "g1", person("white"), person("black"), clock)))
		must(t, s.Commit(t.Context(), create(t, "g2", person("white"), person("black"), nil)))
		must(t, s.Commit(t.Context(), create(t, "g4", person("white"), openSeat("black"), clock)))
		for _, test := range []struct {
			after string
			limit int
			want  []string
		}{{"", 10, []string{"g1", "g3"}}, {"", 1, []string{"g1"}}, {"g1", 10, []string{"g3"}}, {"g3", 10, nil}} {
			got, err := s.Clocked(t.Context(), test.after, test.limit)
			must(t, err)
			if !slices.Equal(got, test.want) {
				t.Errorf("after %q: got %v, want %v", test.after, got, test.want)
			}
		}
	})
}
