// Package farm spreads a search over workers that are joined by nothing but the
// bus.
//
// The Coordinator of a search is itself a full searcher: it answers within its
// limit with or without workers, and with or without a bus. While it searches,
// it announces the search on search.open, hands a task to each worker that asks
// on search.<id>.task as long as helpers are wanted, and exchanges deep entries
// of the transposition table on search.<id>.tt. Every helper deepens the root
// in its own order; at the limit the deepest finished answer wins, the
// coordinator's own among equals. A Worker is trusted for values and nothing
// else: its move must be legal, its depth within reach, its line playable.
//
// Nothing in the path of an answer waits for the bus or the cache: what talks
// to the bus runs beside the search, bounded in number, and may be late.
package farm
