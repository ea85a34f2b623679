package draughts

import "tabuleiro/games"

// Position is a valid position: a value that can be copied, compared and kept,
// of four words so that it travels in registers. Where the side to move has no
// pieces or no moves, the game is over.
type Position struct {
	own, opponent Bitboard // of the side to move, of the other
	kings         Bitboard // of both sides; the bit secondMoves tells the side
	hash          uint64
}

// secondMoves is the bit of Position.kings, off the board, that is set where
// the second side is to move.
const secondMoves Bitboard = 1 << 63

// Move is a move by what it changes. Captures of the same pieces between the
// same two squares are the same Move, whatever their path.
type Move struct {
	// Captured are the squares of the taken pieces; empty for a quiet move.
	Captured Bitboard
	// From and To may be the same square where a capture runs in a circle.
	From, To Square
	// Promotes says that a man is crowned.
	Promotes bool
}

// newPosition sets up a position from the pieces of each side.
func newPosition(pieces [2]Bitboard, kings Bitboard, side games.Side) Position {
	p := Position{own: pieces[side], opponent: pieces[side.Other()], kings: kings}
	if side == games.Second {
		p.kings |= secondMoves
	}
	p.hash = p.freshHash()
	return p
}

// Start is the starting position.
func Start() Position {
	return newPosition([2]Bitboard{board & (1<<13 - 1), board &^ (1<<23 - 1)}, 0, games.First)
}

// Side is to move: First is White.
func (p Position) Side() games.Side { return games.Side(p.kings >> 63) }

// Hash is a 64-bit key of pieces and side to move. It is the same in every
// build and process.
func (p Position) Hash() uint64 { return p.hash }

// Pieces are the squares of the men and kings of s.
func (p Position) Pieces(s games.Side) Bitboard {
	if s == p.Side() {
		return p.own
	}
	return p.opponent
}

// Men are the squares of the men of s.
func (p Position) Men(s games.Side) Bitboard { return p.Pieces(s) &^ p.kings }

// Kings are the squares of the kings of s.
func (p Position) Kings(s games.Side) Bitboard { return p.Pieces(s) & p.kings }

// Empty are the free squares.
func (p Position) Empty() Bitboard { return board &^ (p.own | p.opponent) }

// Occupied are the squares of all pieces.
func (p Position) Occupied() Bitboard { return p.own | p.opponent }

// Play makes m, which must be one of the legal moves of p.
func (p Position) Play(m Move) Position {
	us := p.Side()
	from, to := m.From.Bit(), m.To.Bit()
	own, opponent, kings := p.own&^from|to, p.opponent, p.kings
	was := &zobrist[us][kings>>(m.From&63)&1]
	is := was
	switch {
	case kings&from != 0:
		kings = kings&^from | to
	case m.Promotes:
		kings |= to
		is = &zobrist[us][1]
	}
	hash := p.hash ^ was[m.From&63] ^ is[m.To&63] ^ zobristSide
	if m.Captured != 0 {
		for c := m.Captured; c != 0; c = c.Rest() {
			s := c.First()
			hash ^= zobrist[us.Other()][kings>>(s&63)&1][s&63]
		}
		opponent &^= m.Captured
		kings &^= m.Captured
	}
	return Position{own: opponent, opponent: own, kings: kings ^ secondMoves, hash: hash}
}

// zobrist are the parts of a hash: by side, man or king, and square. There are
// more numbers than squares, so that any six bits are an index.
var zobrist = makeZobrist()

const zobristSide = 0x9E3779B97F4A7C15

// makeZobrist draws the parts from splitmix64 with a fixed seed, so that
// hashes may be stored.
func makeZobrist() (z [2][2][64]uint64) {
	state := uint64(26)
	for side := range z {
		for kind := range z[side] {
			for s := range NumSquares {
				state += 0x9E3779B97F4A7C15
				x := state
				x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
				x = (x ^ x>>27) * 0x94D049BB133111EB
				z[side][kind][s] = x ^ x>>31
			}
		}
	}
	return z
}

func (p Position) freshHash() uint64 {
	var h uint64
	for _, side := range [2]games.Side{games.First, games.Second} {
		for b := p.Pieces(side); b != 0; b = b.Rest() {
			s := b.First()
			h ^= zobrist[side][p.kings>>s&1][s]
		}
	}
	if p.Side() == games.Second {
		h ^= zobristSide
	}
	return h
}
