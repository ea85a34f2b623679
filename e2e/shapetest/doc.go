// Package shapetest starts Tabuleiro as its users do, as processes of the built
// binary, in both of its shapes, and talks to it as clients do.
//
// AllInOne is one process, `tabuleiro up`. Cluster is a process for every role,
// two for play and two workers, beside a NATS server in a process of its own,
// a fresh database in the PostgreSQL of the tests, and their Redis. Each runs a
// test against both:
//
//	func TestMain(m *testing.M) { shapetest.Main(m) }
//
//	func TestSomething(t *testing.T) {
//		shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
//			ana := s.Register(t, shapetest.Adult())
//			...
//		})
//	}
//
// No port is fixed: processes listen where there is room and say where. What
// calls them goes through a Front, whose address stays while the process behind
// it dies and returns elsewhere.
package shapetest
