package chess

import "tabuleiro/games"

var _ games.Explainer = Game{}

// Explain points at checks and the ways out, pins, and pieces that can be
// taken. A piece is hanging when taking it gains by the exchange of captures on
// its square, where pawns count 1, knights and bishops 3, rooks 5, queens 9, a
// pawn that takes on the last rank becomes a queen, pins hold, and a king takes
// only what nothing guards.
func (g Game) Explain(position games.Position) (games.Insight, error) {
	s, err := g.read(position, nil)
	if err != nil {
		return games.Insight{}, err
	}
	p := &s.p
	in := games.Insight{
		Position: games.Position{Rules: name, Text: p.FEN(), Draws: drawsSet, History: formatHistory(s.past)},
		Side:     p.side,
		Checks:   p.Checkers().Names(),
		Pins:     append(p.pins(White), p.pins(Black)...),
		Targets:  p.targets(),
	}
	var list MoveList
	p.Legal(&list)
	if p.outcome(list.Len(), s.occurrences()) == nil {
		var movable Bitboard
		for _, m := range list.All() {
			movable |= m.From().Bit()
		}
		in.Movable, in.Ways = movable.Names(), p.waysOut(&list)
	}
	return in, nil
}

// waysOut sorts the legal moves by how they answer a check; nil without one.
func (p *Position) waysOut(legal *MoveList) []games.Way {
	checkers := p.Checkers()
	if checkers == 0 {
		return nil
	}
	kinds := [3]string{games.WayCapture, games.WayFlee, games.WayBlock}
	var moves [3][]Move
	for _, m := range legal.All() {
		way := &moves[2]
		switch {
		case checkers.Has(m.To()), m.IsEnPassant() && checkers.Has(m.To()^8):
			way = &moves[0]
		case p.roleAt(m.From()) == King:
			way = &moves[1]
		}
		*way = append(*way, m)
	}
	var out []games.Way
	for i, way := range moves {
		if len(way) > 0 {
			out = append(out, games.Way{Kind: kinds[i], Moves: p.describeAll(way)})
		}
	}
	return out
}

// unanswered is a refusal to a side in check, with the ways out; without a
// check it stays as it is.
func (p *Position) unanswered(r *games.Refusal) *games.Refusal {
	if p.InCheck() {
		var list MoveList
		p.Legal(&list)
		r.Ways = p.waysOut(&list)
	}
	return r
}

// pins are a side's pieces that alone shield its king from an opponent's
// slider, sorted.
func (p *Position) pins(side games.Side) []games.Pin {
	king, occupied := p.King(side), p.Occupied()
	snipers := (BishopAttacks(king, 0)&p.diagonals() | RookAttacks(king, 0)&p.straights()) & p.Of(side^1)
	var pinned Bitboard
	pinner := map[string]Square{}
	for ; snipers != 0; snipers &= snipers - 1 {
		shield := Between(king, snipers.First()) & occupied
		if shield.Count() == 1 && shield&p.Of(side) != 0 {
			pinned |= shield
			pinner[shield.First().String()] = snipers.First()
		}
	}
	var pins []games.Pin
	for _, square := range pinned.Names() {
		pins = append(pins, games.Pin{
			Pinned: square, Pinner: pinner[square].String(), King: king.String(), Side: side,
		})
	}
	return pins
}

// targets are the pieces of both sides, kings left out, that the other side
// could take if it were to move, sorted by square.
func (p *Position) targets() []games.Target {
	var out []games.Target
	for _, square := range (p.Occupied() &^ p.Kings()).Names() {
		s := ParseSquare(square)
		owner := p.sideAt(s)
		q := *p
		if owner == q.side {
			q.side, q.passing = q.side^1, NoSquare
		}
		attackers, gain := q.takers(s), q.exchange(s)
		if q.passing != NoSquare && s == q.passing^8 {
			passers := q.passers()
			attackers |= passers
			next := q.Play(newMove(passers.First(), q.passing) | kindEnPassant)
			gain = max(gain, worth[Pawn]-next.exchange(q.passing))
		}
		if attackers == 0 {
			continue
		}
		out = append(out, games.Target{
			Square: square, Side: owner, Attackers: attackers.Names(),
			Defenders: p.defenders(s, owner, attackers).Names(), Hanging: gain > 0,
		})
	}
	return out
}

// worth is what an exchange counts, in pawns; kings are never taken.
var worth = [8]int{Pawn: 1, Knight: 3, Bishop: 3, Rook: 5, Queen: 9}

// takers are the pieces of the side to move that may legally take on a square
// that the opponent holds, en passant left out.
func (p *Position) takers(s Square) Bitboard {
	occupied := p.Occupied()
	var takers Bitboard
	for set := p.Attackers(s, p.side, occupied); set != 0; set &= set - 1 {
		from := set.First()
		king := p.King(p.side)
		if from == king {
			king = s
		}
		if !p.attackedAfter(king, occupied&^from.Bit(), s.Bit()) {
			takers |= from.Bit()
		}
	}
	return takers
}

// passers are the pawns that may take in passing, where p.passing is set.
func (p *Position) passers() Bitboard {
	var passers Bitboard
	for set := PawnAttacks(p.side^1, p.passing) & p.Pieces(p.side, Pawn); set != 0; set &= set - 1 {
		if p.passesSafely(set.First(), p.passing) {
			passers |= set & -set
		}
	}
	return passers
}

// exchange is what the side to move gains, in pawns, by taking on a square and
// going on there as long as that pays; 0 where it had better not begin.
func (p *Position) exchange(s Square) int {
	takers := p.takers(s)
	for _, role := range [...]Role{Pawn, Knight, Bishop, Rook, Queen, King} {
		set := takers & p.Pieces(p.side, role)
		if set == 0 {
			continue
		}
		m, gain := newMove(set.First(), s), worth[p.roleAt(s)]
		if role == Pawn && lastRanks.Has(s) {
			m, gain = m|promoteQueen, gain+worth[Queen]-worth[Pawn]
		}
		next := p.Play(m)
		return max(0, gain-next.exchange(s))
	}
	return 0
}

// defenders are the pieces of a side that guard its piece on a square: a pinned
// one only along its pin, the king only against a single attacker.
func (p *Position) defenders(s Square, side games.Side, attackers Bitboard) Bitboard {
	guards := p.Attackers(s, side, p.Occupied())
	king := p.King(side)
	if attackers.Count() > 1 {
		guards &^= king.Bit()
	}
	for _, pin := range p.pins(side) {
		pinned, pinner := ParseSquare(pin.Pinned), ParseSquare(pin.Pinner)
		if !(Between(king, pinner) | pinner.Bit()).Has(s) {
			guards &^= pinned.Bit()
		}
	}
	return guards
}
