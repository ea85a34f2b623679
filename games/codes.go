package games

// Code is a stable word for why a move or a position is refused. Clients
// translate it; it never changes its meaning.
type Code string

// The refusal codes. `tabuleiro codes` prints this table.
const (
	BadText             Code = "bad_text"
	BadPosition         Code = "bad_position"
	NoPiece             Code = "no_piece"
	NotYourPiece        Code = "not_your_piece"
	NotYourTurn         Code = "not_your_turn"
	CannotMoveSo        Code = "cannot_move_so"
	OwnPiece            Code = "own_piece"
	PathBlocked         Code = "path_blocked"
	KingLeftInCheck     Code = "king_left_in_check"
	CastlingKingMoved   Code = "castling_king_moved"
	CastlingRookMoved   Code = "castling_rook_moved"
	CastlingInCheck     Code = "castling_in_check"
	CastlingThrough     Code = "castling_through"
	CastlingInto        Code = "castling_into"
	CastlingBlocked     Code = "castling_blocked"
	PromotionMissing    Code = "promotion_missing"
	CaptureCompulsory   Code = "capture_compulsory"
	Majority            Code = "majority"
	ManBackwards        Code = "man_backwards"
	CapturedTwice       Code = "captured_twice"
	SquareTaken         Code = "square_taken"
	Ambiguous           Code = "ambiguous"
	GameOver            Code = "game_over"
	PromotionNotAllowed Code = "promotion_not_allowed"
)

// CodeEntry is one row of the table of codes.
type CodeEntry struct {
	Code     Code
	Sentence string
}

// Codes is the table of refusal codes in the order in which people meet them.
func Codes() []CodeEntry {
	return []CodeEntry{
		{BadText, "the text is no move or position that can be read"},
		{BadPosition, "the position cannot arise in this game"},
		{NoPiece, "there is no piece on the square"},
		{NotYourPiece, "the piece is the opponent's"},
		{NotYourTurn, "it is the other side's turn"},
		{CannotMoveSo, "the piece cannot move so"},
		{OwnPiece, "a piece of your own stands there"},
		{PathBlocked, "a piece stands in the way"},
		{KingLeftInCheck, "the king would be left in check"},
		{CastlingKingMoved, "castling: the king has moved"},
		{CastlingRookMoved, "castling: the rook has moved or is gone"},
		{CastlingInCheck, "castling: the king is in check"},
		{CastlingThrough, "castling: the king would pass through check"},
		{CastlingInto, "castling: the king would land in check"},
		{CastlingBlocked, "castling: a piece stands between"},
		{PromotionMissing, "the new piece of the promotion is missing"},
		{PromotionNotAllowed, "the move promotes to no such piece"},
		{CaptureCompulsory, "a capture is compulsory"},
		{Majority, "the capture that takes the most pieces is compulsory"},
		{ManBackwards, "a man moves forward only"},
		{CapturedTwice, "a piece cannot be captured twice"},
		{SquareTaken, "the square is taken"},
		{Ambiguous, "several moves read like this"},
		{GameOver, "the game is over"},
	}
}

// Sentence is the code's English sentence; the code itself where it is unknown.
func (c Code) Sentence() string {
	for _, e := range Codes() {
		if e.Code == c {
			return e.Sentence
		}
	}
	return string(c)
}
