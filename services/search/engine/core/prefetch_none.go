//go:build !amd64 && !arm64

package core

func prefetch(*slot) {}
