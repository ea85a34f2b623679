//go:build !linux

package tables

// lowPriority does nothing where a priority would be that of the whole process.
func lowPriority() {}
