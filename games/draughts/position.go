package draughts

import "tabuleiro/games"

// Position is a valid position: a value that can be copied, compared and kept.
// Where the side to move has no pieces or no moves, the game is over.
type Position struct {
	pieces [2]Bitboard // by side
	kings  Bitboard    // of both sides
	hash   uint64
	side   games.Side
}

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

// Start is the starting position.
func Start() Position {
	p := Position{}
	p.pieces[games.First] = board & (1<<13 - 1)
	p.pieces[games.Second] = board &^ (1<<23 - 1)
	p.hash = p.freshHash()
	return p
}

// Side is to move: First is White.
func (p *Position) Side() games.Side { return p.side }

// Hash is a 64-bit key of pieces and side to move. It is the same in every
// build and process.
func (p *Position) Hash() uint64 { return p.hash }

// Pieces are the squares of the men and kings of s.
func (p *Position) Pieces(s games.Side) Bitboard { return p.pieces[s] }

// Men are the squares of the men of s.
func (p *Position) Men(s games.Side) Bitboard { return p.pieces[s] &^ p.kings }

// Kings are the squares of the kings of s.
func (p *Position) Kings(s games.Side) Bitboard { return p.pieces[s] & p.kings }

// Empty are the free squares.
func (p *Position) Empty() Bitboard {
	return board &^ (p.pieces[games.First] | p.pieces[games.Second])
}

// Play makes m, which must be one of the legal moves of p.
func (p *Position) Play(m Move) Position {
	q := *p
	us := p.side
	from, to := m.From.Bit(), m.To.Bit()
	q.pieces[us] = q.pieces[us]&^from | to
	if p.kings&from != 0 {
		q.kings = q.kings&^from | to
		q.hash ^= zobrist[us][1][m.From] ^ zobrist[us][1][m.To]
	} else if m.Promotes {
		q.kings |= to
		q.hash ^= zobrist[us][0][m.From] ^ zobrist[us][1][m.To]
	} else {
		q.hash ^= zobrist[us][0][m.From] ^ zobrist[us][0][m.To]
	}
	if m.Captured != 0 {
		them := us.Other()
		for c := m.Captured; c != 0; c = c.Rest() {
			s := c.First()
			q.hash ^= zobrist[them][p.kings>>s&1][s]
		}
		q.pieces[them] &^= m.Captured
		q.kings &^= m.Captured
	}
	q.side = us.Other()
	q.hash ^= zobristSide
	return q
}

// zobrist are the parts of a hash: by side, man or king, and square.
var zobrist = makeZobrist()

const zobristSide = 0x9E3779B97F4A7C15

// makeZobrist draws the parts from splitmix64 with a fixed seed, so that
// hashes may be stored.
func makeZobrist() (z [2][2][NumSquares]uint64) {
	state := uint64(26)
	for side := range z {
		for kind := range z[side] {
			for s := range z[side][kind] {
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

func (p *Position) freshHash() uint64 {
	var h uint64
	for side, pieces := range p.pieces {
		for b := pieces; b != 0; b = b.Rest() {
			s := b.First()
			h ^= zobrist[side][p.kings>>s&1][s]
		}
	}
	if p.side == games.Second {
		h ^= zobristSide
	}
	return h
}
