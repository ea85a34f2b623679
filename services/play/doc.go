// Package play keeps live games: moves, clocks, offers, the engine as opponent,
// and what must still happen when nobody asks for it.
//
// The core is a pure pair, [Decide] and [Evolve]: a command on a state gives
// events, events give the next state. The events are the truth; everything else
// (the game's row, the obligations, the answer to a client) is computed from
// them. [Service] wraps the pair with a [Store], the other services and the bus.
package play
