// Package draughtssearch is the engine's own search of Brazilian draughts:
// alpha-beta with principal variations, written for one game so that a node
// costs little.
//
// Captures are compulsory, so most of what makes draughts sharp is forced, and
// a search sees far where it follows what is forced and trusts little else. A
// reply that is the only one costs no depth. A leaf is a position where neither
// side captures: while the side to move has to, it does; where the other side
// threatens to, one more ply is looked at. What a search with half the depth
// or less finds to be far outside the window is left alone (probable cuts), and
// late quiet moves are searched less deeply or, near the leaves, not at all, and
// a node without a move from the table one ply less deeply.
// Each of these is a switch in [core.Options].
package draughtssearch
