package tictactoe

// Symmetry is one of the eight ways to lay the board on itself: a number of
// quarter turns counter-clockwise in the two low bits, after a reflection of
// the files (a with c) where bit 2 is set. 0 changes nothing.
type Symmetry uint8

// Symmetries is their number; each is below it.
const Symmetries = 8

// images are the squares by symmetry.
var images = makeImages()

func makeImages() (table [Symmetries][9]Square) {
	for s := range Symmetry(Symmetries) {
		for sq := range Square(9) {
			file, row := int(sq)%3, int(sq)/3
			if s&4 != 0 {
				file = 2 - file
			}
			for range s & 3 {
				file, row = 2-row, file
			}
			table[s][sq] = Square(row*3 + file)
		}
	}
	return table
}

// Square is where s lays sq.
func (s Symmetry) Square(sq Square) Square { return images[s&7][sq] }

// Mask is where s lays each square of m.
func (s Symmetry) Mask(m Mask) Mask {
	var out Mask
	for ; m != 0; m = m.Rest() {
		out |= 1 << s.Square(m.First())
	}
	return out
}

// Position is p laid by s.
func (s Symmetry) Position(p Position) Position { return Position{s.Mask(p.x), s.Mask(p.o)} }

// Inverse undoes s: turns go the other way, reflections undo themselves.
func (s Symmetry) Inverse() Symmetry {
	if s&4 != 0 {
		return s & 7
	}
	return -s & 3
}

// Canonical is the one of the eight images of p that stands for all of them, by
// the least marks of X, then of O, and the first symmetry that leads there.
// Moves of the canonical position come back through its inverse.
func (p Position) Canonical() (Position, Symmetry) {
	least, by := p, Symmetry(0)
	for s := Symmetry(1); s < Symmetries; s++ {
		if q := s.Position(p); q.x < least.x || q.x == least.x && q.o < least.o {
			least, by = q, s
		}
	}
	return least, by
}
