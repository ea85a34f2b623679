// Package engines drives the built engine as other programs do: as a process
// with lines going in and coming out, in each of its protocols.
package engines
