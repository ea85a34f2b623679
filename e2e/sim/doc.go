// Package sim plays whole worlds of games in one process and in virtual time,
// where stores, calls, the bus and replicas fail, to break the promises about
// acknowledged moves, ratings, streams and rights.
//
// One seed is one history. Whatever runs stops before every step that another
// process could see (a call, its answer, an operation of a store) and waits
// until the scheduler, which draws everything from the seed, lets it go on; so
// at any moment one thing runs. The checker believes nothing but the journals
// of the clients, the log of the store, and rules of its own.
//
// A failing test prints its seed; `go test ./e2e/sim -run TestSimulation
// -sim.seed N -sim.games 1 -v` plays that history again.
package sim
