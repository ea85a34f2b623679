package pgn

import "tabuleiro/games/chess"

// maxPlain is more than the bytes of a plainly written move with what ends it.
const maxPlain = 12

// mark says what a byte can begin.
type mark uint8

const (
	otherMark mark = iota
	pieceMark      // a plainly written move, but for castling
	digitMark      // a number
)

var marks = func() (t [256]mark) {
	for _, c := range []byte("abcdefghNBRQK") {
		t[c] = pieceMark
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digitMark
	}
	return t
}()

// roles are those of the letters of pieces.
var roles = func() (t [256]chess.Role) {
	t['N'], t['B'], t['R'], t['Q'], t['K'] = chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.King
	return t
}()

const (
	fileA    chess.Bitboard = 0x0101010101010101
	rank1    chess.Bitboard = 0xff
	anywhere                = ^chess.Bitboard(0)
)

// decode reads a move as records write it nearly always, with its length. NoMove
// means that the text has another form or is no legal move: only ParseSAN can
// tell. What decode reads, ParseSAN reads as the same move.
func decode(p *chess.Position, text []byte) (chess.Move, int) {
	b := (*[maxPlain]byte)(text)
	role, origins := roles[b[0]], anywhere
	promotion := chess.NoRole
	var file, rank byte
	i := 1
	if role == chess.NoRole {
		role = chess.Pawn
		file = b[0] - 'a'
		origins = fileA << file
		if b[1] == 'x' {
			file = b[2] - 'a'
			i = 3
		}
		rank = b[i] - '1'
		i++
		if b[i] == '=' {
			if promotion = roles[b[i+1]]; promotion == chess.NoRole {
				return chess.NoMove, 0
			}
			i += 2
		}
	} else {
		file, rank = b[1]-'a', b[2]-'1'
		switch {
		case file < 8 && rank < 8 && b[3]-'a' >= 8 && b[3] != 'x':
			i = 3
		case file < 8 && rank < 8:
			origins = 1 << (rank<<3 | file)
			i = 3
		case file < 8:
			origins = fileA << file
			i = 2
		case b[1]-'1' < 8:
			origins = rank1 << (8 * (b[1] - '1'))
			i = 2
		}
		if i != 3 || origins != anywhere {
			if b[i] == 'x' {
				i++
			}
			file, rank = b[i]-'a', b[i+1]-'1'
			i += 2
		}
	}
	if b[i] == '+' || b[i] == '#' {
		i++
	}
	if file >= 8 || rank >= 8 || !ends[b[i]] {
		return chess.NoMove, 0
	}
	return p.Only(role, origins, chess.At(int(file), int(rank)), promotion), i
}
