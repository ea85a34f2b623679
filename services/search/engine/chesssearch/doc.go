// Package chesssearch is the full search for chess: principal variation search
// with iterative deepening over a shared transposition table, and every pruning
// and order that core.Options names.
//
// Within the tree nothing is allocated and nothing is called through an
// interface. With one searcher, a node limit and a fresh table the same search
// gives the same answer, node for node. Searchers on other goroutines may share
// the table.
//
// The pure search with values that do not depend on the order of moves, for
// teaching and for the classic levels, is the generic one in package engine.
package chesssearch
