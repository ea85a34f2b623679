//go:build !seededbugs

// Package seeded holds the switch of the bugs that are sown on purpose, so that
// the harnesses that hunt bugs can prove that they find them. Without the build
// tag seededbugs no bug can be switched on and the compiler removes them all.
package seeded

// On says whether the named bug is alive; never without the build tag.
func On(string) bool { return false }
