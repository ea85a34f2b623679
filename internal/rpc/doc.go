// Package rpc is how roles call each other: one way to serve, to dial and to
// say what went wrong.
//
// A handler refuses with a Problem, whose code stands in the one Catalogue:
//
//	return nil, rpc.Fail("stale_turn", "the game is at turn 7")
//	return nil, &rpc.Problem{Code: "ambiguous", Moves: []string{"Nbd2", "Nfd2"}}
//
// A Problem crosses gRPC whole; ProblemOf finds it again in whatever error a
// client got, and ToProblem makes one of any error. What a handler returns that
// is no Problem leaves as "internal" and is logged once with the request id; its
// text never leaves. A service may pass the error of a call to another service
// on: its Problem goes through.
//
// Before a handler runs, the server has checked the Caller against the access
// option of the method (closed unless marked), the idempotency key of commands
// (Key) and the rules of the request's fields (bad_field with all fields). The
// handler finds the Caller with identity.From(ctx).
//
// A client gives every call a deadline (DefaultDeadline where the context has
// none), the request id, the idempotency key of the context (WithKey), and the
// proof of who calls: the gateway's that of the person in the context, a
// service's always its own.
//
// Tests and the simulation use Direct: the same chain without a network.
package rpc
