package tables

import "syscall"

// lowPriority gives way to everything else on the machine: on Linux, the thread
// that calls it. It is a wish; nothing depends on it.
func lowPriority() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, syscall.Gettid(), 19) }
