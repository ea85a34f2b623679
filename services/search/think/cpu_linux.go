package think

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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

// Asleep tells whether no thread of a process runs or wants to, as far as is known.
func Asleep(pid int) bool {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil || len(threads) == 0 {
		return false
	}
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has ended
		}
		// The state stands behind the name, which is in brackets.
		at := bytes.LastIndexByte(text, ')')
		if at < 0 || at+2 >= len(text) || text[at+2] != 'S' {
			return false
		}
	}
	return true
}

// memory is what the machine has, in bytes; 0 for unknown.
func memory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
