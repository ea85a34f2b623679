package think

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time of the calling thread.
func threadTime() (time.Duration, bool) { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

// ProcessTime is the processor time of another process, all its threads
// together, and whether it is known. Linux keeps a clock for each, whose number
// is the complement of the process's with the kind of clock (2, what the
// scheduler counted) below it.
func ProcessTime(pid int) (time.Duration, bool) { return clock(^int32(pid)<<3 | 2) }

func clock(id int32) (time.Duration, bool) {
	var spec unix.Timespec
	if unix.ClockGettime(id, &spec) != nil {
		return 0, false
	}
	return time.Duration(spec.Nano()), true
}
