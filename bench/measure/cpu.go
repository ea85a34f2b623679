// Package measure takes figures on a machine that others use too: processor
// time instead of the clock, interleaved rounds, medians with their interval,
// and a word where the spread is too wide to judge by.
package measure

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// CPU is the processor time that this process has used, in user and system.
func CPU() (time.Duration, error) {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		return 0, fmt.Errorf("reading the processor time: %w", err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()), nil
}

// ChildCPU is the processor time that a running child has used. getrusage knows
// only children that have ended, so it reads the clock that Linux keeps for
// every process, whose number is the complement of the process's with the kind
// of clock (2, what the scheduler counted) below it.
func ChildCPU(pid int) (time.Duration, error) {
	const scheduled = 2
	var spec unix.Timespec
	if err := unix.ClockGettime(^int32(pid)<<3|scheduled, &spec); err != nil {
		return 0, fmt.Errorf("reading the processor time of process %d: %w", pid, err)
	}
	return time.Duration(spec.Nano()), nil
}

// Spent is the processor time that a piece of work took this process.
func Spent(work func() error) (time.Duration, error) {
	before, err := CPU()
	if err != nil {
		return 0, err
	}
	if err := work(); err != nil {
		return 0, err
	}
	after, err := CPU()
	return after - before, err
}
