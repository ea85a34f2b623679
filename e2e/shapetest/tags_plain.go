//go:build !seededbugs

package shapetest

// buildTags are those of the binary, where it is built here.
const buildTags = ""
