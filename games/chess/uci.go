package chess

import "tabuleiro/games"

// UCI writes a legal move as in the UCI protocol: e2e4, a7a8q; castling is e1g1
// in standard chess and the king taking its rook in Chess960.
func (p *Position) UCI(m Move) string {
	i := (int(m.From())<<6 | int(p.landing(m))) * 4
	text := uciTexts[i : i+4]
	if role := m.Promotion(); role != NoRole {
		return text + string(role.Letter()+'a'-'A')
	}
	return text
}

// uciTexts holds the text of every pair of squares, so that most moves are
// written without allocating.
var uciTexts = func() string {
	out := make([]byte, 0, 64*64*4)
	for from := a1; from < NoSquare; from++ {
		for to := a1; to < NoSquare; to++ {
			out = append(out, 'a'+byte(from&7), '1'+byte(from>>3), 'a'+byte(to&7), '1'+byte(to>>3))
		}
	}
	return string(out)
}()

// landing is where a client moves the piece to: the king's destination when
// castling in standard chess, else the move's own.
func (p *Position) landing(m Move) Square {
	if m.IsCastling() && !p.chess960 {
		kingTo, _ := castlingTargets(m.From(), m.To())
		return kingTo
	}
	return m.To()
}

// ParseUCI reads a move in UCI's form and finds it among the legal moves.
func (p *Position) ParseUCI(text string) (Move, *games.Refusal) {
	return p.parseUCI(text, p.passing)
}

func (p *Position) parseUCI(text string, passed Square) (Move, *games.Refusal) {
	from, to, promotion, ok := splitUCI(text)
	if !ok {
		return NoMove, refuse(games.BadText)
	}
	return p.find(from, to, promotion, passed)
}

// splitUCI reads the form of a UCI move, whatever it would mean.
func splitUCI(text string) (from, to Square, promotion Role, ok bool) {
	if len(text) != 4 && len(text) != 5 {
		return NoSquare, NoSquare, NoRole, false
	}
	from, to = ParseSquare(text[:2]), ParseSquare(text[2:4])
	if from == NoSquare || to == NoSquare {
		return NoSquare, NoSquare, NoRole, false
	}
	if len(text) == 5 {
		promotion = promotionOf(text[4])
		ok = promotion != NoRole
		return from, to, promotion, ok
	}
	return from, to, NoRole, true
}

// promotionOf reads the letter of a promotion in either case. Pawn and king can
// be read, to be refused as what they are.
func promotionOf(letter byte) Role {
	if letter >= 'a' && letter <= 'z' {
		letter -= 'a' - 'A'
	}
	return roleOf(letter)
}
