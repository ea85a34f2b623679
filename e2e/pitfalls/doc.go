// Package pitfalls holds the table of docs/pitfalls.md to its word, and has the
// tests of it that belong to no other package.
package pitfalls
