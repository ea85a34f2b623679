package chess

import (
	"strings"

	"tabuleiro/games"
)

// maxMoveText bounds the text of a move that is read at all.
const maxMoveText = 24

// maxSAN is the length of the longest SAN that is written: Qa1xb2#, axb8=Q#.
const maxSAN = 7

// SAN writes a legal move in standard algebraic notation with the least
// disambiguation and its check mark.
func (p *Position) SAN(m Move) string {
	var room [maxSAN]byte
	return string(p.appendSAN(room[:0], m))
}

// appendSAN adds the SAN of a legal move.
func (p *Position) appendSAN(out []byte, m Move) []byte {
	return p.appendCheck(p.appendUnmarked(out, m), m)
}

// appendCheck adds the mark of a legal move that gives check or mate.
func (p *Position) appendCheck(out []byte, m Move) []byte {
	next := p.Play(m)
	switch {
	case !next.InCheck():
		return out
	case next.HasLegal():
		return append(out, '+')
	}
	return append(out, '#')
}

// appendUnmarked adds the SAN of a legal move without its check mark.
func (p *Position) appendUnmarked(out []byte, m Move) []byte {
	from, to, role := m.From(), m.To(), p.roleAt(m.From())
	capture := p.roleAt(to) != NoRole || m.IsEnPassant()
	switch {
	case m.IsCastling() && to > from:
		out = append(out, "O-O"...)
	case m.IsCastling():
		out = append(out, "O-O-O"...)
	default:
		if role != Pawn {
			out = append(out, role.Letter())
			out = p.appendOrigin(out, role, m)
		} else if capture {
			out = append(out, 'a'+byte(from.File()))
		}
		if capture {
			out = append(out, 'x')
		}
		out = append(out, to.String()...)
		if promotion := m.Promotion(); promotion != NoRole {
			out = append(out, '=', promotion.Letter())
		}
	}
	return out
}

// notator writes the SAN of the moves of one position. It knows beforehand which
// can give check, so that it plays only those.
type notator struct {
	p *Position
	// checks are the squares from which a piece gives check, by role.
	checks [8]Bitboard
	// shields are the own pieces that uncover a check when they leave their line
	// to the enemy king.
	shields Bitboard
	king    Square
}

func (p *Position) notator() notator {
	king, occupied, own := p.King(p.side^1)&63, p.Occupied(), p.Of(p.side)
	n := notator{p: p, king: king}
	n.checks[Pawn] = pawnAttacks[(p.side^1)&1][king]
	n.checks[Knight] = knightAttacks[king]
	n.checks[Bishop] = BishopAttacks(king, occupied)
	n.checks[Rook] = RookAttacks(king, occupied)
	n.checks[Queen] = n.checks[Bishop] | n.checks[Rook]
	snipers := (BishopAttacks(king, occupied&^(n.checks[Bishop]&own))&p.diagonals() |
		RookAttacks(king, occupied&^(n.checks[Rook]&own))&p.straights()) & own
	for ; snipers != 0; snipers &= snipers - 1 {
		n.shields |= between[king][snipers.First()&63] & own
	}
	return n
}

// append adds the SAN of a legal move.
func (n *notator) append(out []byte, m Move) []byte {
	from, to := m.From()&63, m.To()&63
	out = n.p.appendUnmarked(out, m)
	// Promotions, castling and captures in passing change more than two squares or
	// the role.
	if m&kindMask != 0 || n.checks[n.p.roleAt(from)]>>to&1 != 0 ||
		n.shields>>from&1 != 0 && lines[n.king][from]>>to&1 == 0 {
		return n.p.appendCheck(out, m)
	}
	return out
}

// appendOrigin adds what tells a piece from others of its kind that can legally
// go to the same square: the file, else the rank, else both.
func (p *Position) appendOrigin(out []byte, role Role, m Move) []byte {
	from, to := m.From(), m.To()
	switch {
	case role == King, p.Pieces(p.side, role)&p.reach(role, to) == from.Bit(), p.Only(role, ^Bitboard(0), to, NoRole) == m:
		return out
	case p.Only(role, fileA<<from.File(), to, NoRole) == m:
		return append(out, 'a'+byte(from.File()))
	case p.Only(role, rank1<<(8*from.Rank()), to, NoRole) == m:
		return append(out, '1'+byte(from.Rank()))
	}
	return append(out, from.String()...)
}

// reach is where a piece that is no pawn sees from a square.
func (p *Position) reach(role Role, s Square) Bitboard {
	switch role {
	case Knight:
		return KnightAttacks(s)
	case Bishop:
		return BishopAttacks(s, p.Occupied())
	case Rook:
		return RookAttacks(s, p.Occupied())
	case Queen:
		return QueenAttacks(s, p.Occupied())
	}
	return KingAttacks(s)
}

// ParseSAN reads a move in standard algebraic notation, leniently: too much
// disambiguation, a missing or needless x, wrong check marks, zeros for
// castling, e8Q, long forms such as Ng1-f3. Null moves are no moves. The
// refusal tells text that is no move, an illegal move and an ambiguous one
// apart; that of an ambiguous text has the readings as UCI.
func (p *Position) ParseSAN(text string) (Move, *games.Refusal) {
	return p.parseSAN(text, p.passing)
}

// ParseMove reads a move in UCI's form or in SAN.
func (p *Position) ParseMove(text string) (Move, *games.Refusal) {
	return p.parseMove(text, p.passing)
}

func (p *Position) parseMove(text string, passed Square) (Move, *games.Refusal) {
	text = strings.TrimSpace(text)
	if _, _, _, ok := splitUCI(text); ok {
		return p.parseUCI(text, passed)
	}
	return p.parseSAN(text, passed)
}

// sanText is what a SAN says, before it meets a position.
type sanText struct {
	castling   bool
	wing       int
	role       Role // NoRole for a pawn or, with a whole origin, for any piece.
	file, rank int  // Origin, -1 where not said.
	to         Square
	promotion  Role
}

func (p *Position) parseSAN(text string, passed Square) (Move, *games.Refusal) {
	s, ok := splitSAN(text)
	if !ok {
		return NoMove, refuse(games.BadText)
	}
	if s.castling {
		king := p.King(p.side)
		return p.findCastling(king, p.castlingRook(king, s.wing), s.wing)
	}
	if s.role == NoRole && s.file >= 0 && s.rank >= 0 {
		return p.find(At(s.file, s.rank), s.to, s.promotion, passed)
	}
	if s.role == NoRole {
		s.role = Pawn
		if s.file < 0 {
			s.file = s.to.File()
		}
	}
	return p.resolve(s, passed)
}

// resolve finds the one piece that a SAN can mean.
func (p *Position) resolve(s sanText, passed Square) (Move, *games.Refusal) {
	pieces := p.Pieces(p.side, s.role)
	if pieces == 0 {
		return NoMove, refuse(games.NoPiece)
	}
	if s.file >= 0 {
		pieces &= fileA << s.file
	}
	if s.rank >= 0 {
		pieces &= rank1 << (8 * s.rank)
	}
	if pieces == 0 {
		return NoMove, refuse(games.CannotMoveSo, s.to)
	}
	var found []Move
	var why *games.Refusal
	for set := pieces; set != 0; set &= set - 1 {
		m, refusal := p.find(set.First(), s.to, s.promotion, passed)
		switch {
		case refusal == nil && m.IsCastling():
			// Kxh1 and Kg1 do not say castling.
			refusal = refuse(games.CannotMoveSo, set.First(), s.to)
			fallthrough
		case refusal != nil:
			if why == nil || telling(refusal.Code) > telling(why.Code) {
				why = refusal
			}
		default:
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return NoMove, why
	case 1:
		return found[0], nil
	}
	why = &games.Refusal{Code: games.Ambiguous}
	for _, m := range found {
		why.Squares = append(why.Squares, m.From().String())
		why.Moves = append(why.Moves, p.UCI(m))
	}
	return NoMove, why
}

// telling ranks reasons: where several pieces could be meant, the one that came
// closest to moving says why.
func telling(code games.Code) int {
	switch code {
	case games.PromotionMissing, games.PromotionNotAllowed:
		return 4
	case games.KingLeftInCheck:
		return 3
	case games.PathBlocked:
		return 2
	case games.OwnPiece:
		return 1
	}
	return 0
}

// splitSAN reads the form of a SAN, whatever it would mean.
func splitSAN(text string) (s sanText, ok bool) {
	s.file, s.rank = -1, -1
	if len(text) > maxMoveText {
		return s, false
	}
	text = strings.TrimRight(strings.TrimSpace(text), "+#!?")
	for _, suffix := range []string{"e.p.", "e.p", "ep"} {
		if cut, found := strings.CutSuffix(text, suffix); found {
			text = strings.TrimSpace(cut)
			break
		}
	}
	text = strings.TrimRight(text, "+#!?")
	switch text {
	case "O-O", "0-0", "o-o":
		s.castling, s.wing = true, kingsWing
		return s, true
	case "O-O-O", "0-0-0", "o-o-o":
		s.castling, s.wing = true, queensWing
		return s, true
	}
	if text, ok = s.cutPromotion(text); !ok || len(text) < 2 {
		return s, false
	}
	if s.to = ParseSquare(text[len(text)-2:]); s.to == NoSquare {
		return s, false
	}
	text = text[:len(text)-2]
	if text != "" {
		if s.role = roleOf(text[0]); s.role != NoRole {
			text = text[1:]
		}
	}
	takes := false
	for _, mark := range []string{"x", ":", "-"} {
		if cut, found := strings.CutSuffix(text, mark); found {
			text, takes = cut, mark != "-"
			break
		}
	}
	if text != "" && text[0] >= 'a' && text[0] <= 'h' {
		s.file = int(text[0] - 'a')
		text = text[1:]
	}
	if text != "" && text[0] >= '1' && text[0] <= '8' {
		s.rank = int(text[0] - '1')
		text = text[1:]
	}
	pawn := s.role == NoRole || s.role == Pawn
	if text != "" || (pawn && s.file < 0 && (s.rank >= 0 || takes)) {
		return s, false
	}
	if s.role == Pawn && s.file < 0 {
		s.role = NoRole
	}
	return s, true
}

// cutPromotion takes the promotion off the end: e8=Q, e8Q, e8(Q), e8/Q, in
// either case.
func (s *sanText) cutPromotion(text string) (string, bool) {
	if text == "" {
		return text, false
	}
	body, bracket := strings.CutSuffix(text, ")")
	if body == "" {
		return text, false
	}
	last := body[len(body)-1]
	if last >= '1' && last <= '8' {
		return text, !bracket
	}
	if s.promotion = promotionOf(last); s.promotion == NoRole {
		return text, false
	}
	body = body[:len(body)-1]
	if bracket {
		return strings.CutSuffix(body, "(")
	}
	return strings.TrimRight(body, "=/"), true
}
