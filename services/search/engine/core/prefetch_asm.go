//go:build amd64 || arm64

package core

// prefetch asks the processor to bring a slot's cache line nearer.
//
//go:noescape
func prefetch(s *slot)
