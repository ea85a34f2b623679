package endings

import "tabuleiro/games"

const (
	// MinPieces and MaxPieces bound the number of pieces on the board.
	MinPieces = 2
	MaxPieces = 5

	// width is the number of squares, and of bytes for a configuration.
	width = 32
)

// kind is what a piece is.
type kind uint8

const (
	whiteMan kind = iota
	whiteKing
	blackMan
	blackKing
	kinds
)

func kindOf(side games.Side, king bool) kind {
	k := kind(2 * side)
	if king {
		k++
	}
	return k
}

func (k kind) side() games.Side { return games.Side(k / 2) }

func (k kind) king() bool { return k%2 == 1 }

// material is the number of pieces by kind.
type material [kinds]uint8

func (m material) white() int { return int(m[whiteMan] + m[whiteKing]) }

func (m material) black() int { return int(m[blackMan] + m[blackKing]) }

// turned is m with the colours exchanged.
func (m material) turned() material {
	return material{m[blackMan], m[blackKing], m[whiteMan], m[whiteKing]}
}

// normal says that White is the side that a class calls White.
func (m material) normal() bool {
	if m.white() != m.black() {
		return m.white() > m.black()
	}
	return m[whiteKing] >= m[blackKing]
}

// key is m as a number below keys.
func (m material) key() int {
	const base = MaxPieces // a side without pieces is in no class
	return int(m[0]) + base*(int(m[1])+base*(int(m[2])+base*int(m[3])))
}

const keys = MaxPieces * MaxPieces * MaxPieces * MaxPieces

// class is where the positions of one material are.
type class struct {
	material material
	// apart is the kind of the piece that is set apart.
	apart kind
	// strides are what the number of a kind's squares counts in that of a
	// configuration.
	strides [kinds]uint32
	configs uint32
	// offset is where the bytes begin among those of all classes with as many
	// pieces: a byte for each number with White to move, then with Black.
	offset int
}

// size is the number of bytes with one side to move.
func (c *class) size() int { return int(c.configs) * width }

// pieces is the number of pieces of both sides.
func (c *class) pieces() int { return c.material.white() + c.material.black() }

// piecesOf is the number of pieces of a side.
func (c *class) piecesOf(side games.Side) int {
	if side == games.First {
		return c.material.white()
	}
	return c.material.black()
}

// left is how many pieces of a kind a configuration has.
func (c *class) left(k kind) int {
	n := int(c.material[k])
	if k == c.apart {
		n--
	}
	return n
}

// newClass numbers the positions of m, which is normal. The kind set apart is
// one with the fewest pieces, kings first since they move most.
func newClass(m material, offset int) class {
	c := class{material: m, offset: offset, configs: 1}
	fewest := uint8(MaxPieces)
	for _, k := range [kinds]kind{blackKing, whiteKing, blackMan, whiteMan} {
		if m[k] > 0 && m[k] < fewest {
			fewest, c.apart = m[k], k
		}
	}
	for k := range kinds {
		c.strides[k] = c.configs
		c.configs *= sets(k, c.left(k))
	}
	return c
}

// place is the class of a material.
type place struct {
	class  *class
	turned bool
}

// plan is all classes and how they are found.
type plan struct {
	// classes are by number of pieces, in the order in which they are solved.
	classes [MaxPieces + 1][]class
	places  [keys]place
}

var all = makePlan()

func makePlan() *plan {
	p := &plan{}
	for n := MinPieces; n <= MaxPieces; n++ {
		offset := 0
		for men := 0; men <= n; men++ {
			for _, m := range materials(n, men) {
				c := newClass(m, offset)
				offset += 2 * c.size()
				p.classes[n] = append(p.classes[n], c)
			}
		}
		for i := range p.classes[n] {
			c := &p.classes[n][i]
			p.places[c.material.turned().key()] = place{c, true}
			p.places[c.material.key()] = place{c, false}
		}
	}
	return p
}

// materials are the normal ones of n pieces of both sides, men among them.
func materials(n, men int) []material {
	var out []material
	for white := n - 1; white > 0; white-- {
		for whiteMen := range min(men, white) + 1 {
			m := material{
				uint8(whiteMen), uint8(white - whiteMen),
				uint8(men - whiteMen), uint8(n - white - men + whiteMen),
			}
			if men-whiteMen <= n-white && m.normal() {
				out = append(out, m)
			}
		}
	}
	return out
}

// Size is the number of bytes of the tables of exactly that many pieces.
func Size(pieces int) int {
	last := all.classes[pieces][len(all.classes[pieces])-1]
	return last.offset + 2*last.size()
}
