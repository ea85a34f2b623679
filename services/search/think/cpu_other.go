//go:build !linux

package think

import "time"

func threadTime() (time.Duration, bool) { return 0, false }

// ProcessTime is not known here.
func ProcessTime(int) (time.Duration, bool) { return 0, false }

// Asleep is not known here.
func Asleep(int) bool { return false }

// memory is what the machine has, in bytes; 0 for unknown.
func memory() uint64 { return 0 }
