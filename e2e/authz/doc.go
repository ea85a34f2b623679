// Package authz holds verdicts, written by hand, on who may call what: for every
// method of the contracts and every address of the gateway, by what the caller is
// to the object. The calls go over the wire to a server as people start it.
package authz
