//go:build seededbugs

// Package seeded holds the switch of the bugs that are sown on purpose, so that
// the harnesses that hunt bugs can prove that they find them.
package seeded

import "os"

// On says whether the named bug is alive: TABULEIRO_SEEDED_BUG names one.
func On(name string) bool { return os.Getenv("TABULEIRO_SEEDED_BUG") == name }
