package draughts

import "tabuleiro/games"

// Threatened says whether the other side could capture if it were to move.
func (p Position) Threatened() bool {
	free := p.Empty()
	if jumpers(p.opponent&^p.kings, p.own, free) != 0 {
		return true
	}
	kings := p.opponent & p.kings
	return kings != 0 && flights(kings, free).behind(p.own, free) != 0
}

// CanMove says whether the side to move has a legal move, if it takes nothing.
func (p Position) CanMove() bool {
	free := p.Empty()
	men := p.own &^ p.kings
	if p.kings&secondMoves == 0 {
		if (men<<4|men<<5)&free != 0 {
			return true
		}
	} else if (men>>4|men>>5)&free != 0 {
		return true
	}
	kings := p.own & p.kings
	return (kings<<4|kings<<5|kings>>4|kings>>5)&free != 0
}

// Reach are the free squares that the kings of a side see without taking.
func (p Position) Reach(side games.Side) Bitboard {
	free := p.Empty()
	return flights(p.Kings(side), free).any() & free
}

// Exposed are the men and kings of the side to move that one capture of the
// other side could begin with, if it were to move.
func (p Position) Exposed() Bitboard {
	free := p.Empty()
	men := p.opponent &^ p.kings
	exposed := men<<4&(free>>4) | men<<5&(free>>5) | men>>4&(free<<4) | men>>5&(free<<5)
	if kings := p.opponent & p.kings; kings != 0 {
		f := flights(kings, free)
		exposed |= f.nw<<4&(free>>4) | f.ne<<5&(free>>5) | f.se>>4&(free<<4) | f.sw>>5&(free<<5)
	}
	return exposed & p.own
}
