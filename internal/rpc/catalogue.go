package rpc

import (
	"net/http"

	"google.golang.org/grpc/codes"
)

// Entry is one row of the catalogue of problems.
type Entry struct {
	// Code is the stable word that clients branch on and translate.
	Code string
	// Title is the English sentence for the code.
	Title string
	// Status is the HTTP status.
	Status int
	// GRPC is the code of the gRPC status.
	GRPC codes.Code
}

// kinds of problems: what HTTP and gRPC say to each.
func invalid(code, title string) Entry {
	return Entry{code, title, http.StatusBadRequest, codes.InvalidArgument}
}
func stranger(code, title string) Entry {
	return Entry{code, title, http.StatusUnauthorized, codes.Unauthenticated}
}
func denied(code, title string) Entry {
	return Entry{code, title, http.StatusForbidden, codes.PermissionDenied}
}
func missing(code, title string) Entry {
	return Entry{code, title, http.StatusNotFound, codes.NotFound}
}
func conflict(code, title string) Entry {
	return Entry{code, title, http.StatusConflict, codes.FailedPrecondition}
}
func unfit(code, title string) Entry {
	return Entry{code, title, http.StatusUnprocessableEntity, codes.InvalidArgument}
}
func refused(code, title string) Entry {
	return Entry{code, title, http.StatusUnprocessableEntity, codes.FailedPrecondition}
}
func tooMany(code, title string) Entry {
	return Entry{code, title, http.StatusTooManyRequests, codes.ResourceExhausted}
}
func away(code, title string) Entry {
	return Entry{code, title, http.StatusServiceUnavailable, codes.Unavailable}
}

// Catalogue lists every problem that a client can meet, by status. Codes never
// change their meaning. The refusals of moves and positions are those of the
// games' own table, which a test compares.
func Catalogue() []Entry {
	return []Entry{
		invalid("bad_json", "The body is not valid JSON."),
		invalid("unknown_field", "The body has a field that is not known here."),
		invalid("bad_type", "A field has a value of the wrong type."),
		invalid("bad_field", "A field has a value that is not allowed."),
		invalid("unknown_rules", "There is no such game here."),
		invalid("bad_request", "The request cannot be understood."),
		invalid("bad_topic", "The topic of the stream is not known."),
		invalid("bad_cursor", "The cursor of the stream cannot be read."),
		invalid("key_missing", "The command needs an Idempotency-Key."),
		invalid("bad_key", "An Idempotency-Key is 1 to 128 visible ASCII characters."),

		stranger("not_logged_in", "Log in first."),
		stranger("session_ended", "The session has ended; log in again."),
		stranger("token_ended", "The access token has expired or was revoked."),
		stranger("invalid_login", "The ID or the password is wrong."),
		stranger("second_factor_required", "The password is right; the log-in needs a code of the second factor too."),

		denied("forbidden", "This is not allowed."),
		denied("account_required", "This needs an account; log in first."),
		denied("scope_missing", "The access token may not do this."),
		denied("wrong_password", "The password is wrong."),
		denied("second_factor_wrong", "The code is wrong or has been used."),
		denied("gate_closed", "Pass this game's lessons first, then the engine plays."),
		denied("not_your_seat", "You do not play in this game."),
		denied("not_your_pupils", "A teacher decides games of their own pupils; an operator decides any."),
		denied("bad_host", "The request names a host that is not served here."),
		denied("bad_origin", "The request comes from another site."),
		denied("bad_code", "The code is wrong or has been used."),
		denied("minor_private", "Games of minors are private unless a teacher or guardian allows more."),

		missing("not_found", "There is nothing at this address."),
		missing("game_not_found", "There is no such game."),
		missing("account_not_found", "There is no such account."),
		missing("class_not_found", "There is no such class."),
		missing("collection_not_found", "There is no such collection."),
		missing("record_not_found", "There is no such record in the collection."),
		missing("import_not_found", "There is no such import."),
		missing("tournament_not_found", "There is no such tournament."),
		missing("player_not_found", "There is no such player in the tournament."),
		missing("board_not_found", "There is no such board in the round."),
		missing("pairing_not_found", "There is no such code, or it is used up."),

		{"method_not_allowed", "This address does not know the method.", http.StatusMethodNotAllowed, codes.Unimplemented},
		{"request_timeout", "The request took too long to arrive.", http.StatusRequestTimeout, codes.DeadlineExceeded},
		{"cancelled", "The request was given up before its answer.", http.StatusRequestTimeout, codes.Canceled},

		conflict("stale_turn", "The game has moved on since."),
		conflict("not_your_turn", "It is the other side's turn."),
		conflict("game_over", "The game is over."),
		conflict("game_started", "The game has already begun."),
		conflict("game_not_started", "The game waits for its second player."),
		conflict("seat_taken", "The seat is taken."),
		conflict("own_game", "The seat is in a game of your own."),
		conflict("offer_standing", "You have made this offer already."),
		conflict("storage_full", "You keep as many records as you may; delete a collection first."),
		conflict("no_offer", "There is no offer to answer."),
		conflict("abort_late", "Each side has made its first move; resign instead."),
		conflict("option_off", "The game was made without this."),
		conflict("no_takeback", "There is no move of yours to take back."),
		conflict("takeback_standing", "A wish to take a move back already stands."),
		conflict("game_not_over", "The game goes on."),
		conflict("no_rematch", "This game cannot be played again."),
		conflict("rematch_standing", "Your offer of another game already stands."),
		conflict("no_change", "The game has this result."),
		conflict("rating_pending", "The last result is being rated; try again."),
		conflict("no_claim", "There is no such draw to claim."),
		conflict("import_ended", "The import has ended or got another file; begin a new one."),
		conflict("asked_enough", "Too much has been offered and taken back in this game; it takes moves and its end only."),
		conflict("opponent_away", "The other player is away; a game with a clock begins when both are here."),
		conflict("not_gone", "The opponent has not been gone for long enough."),
		conflict("no_clock", "The game has no clock that runs."),
		conflict("has_clock", "A game with a clock cannot be saved for later."),
		conflict("time_given", "The opponent cannot be given more time in this game."),
		conflict("game_suspended", "The game is saved for later."),
		conflict("not_suspended", "The game is not saved for later."),
		conflict("tournament_started", "The tournament has started."),
		conflict("tournament_not_started", "The tournament has not started."),
		conflict("tournament_over", "The tournament is over."),
		conflict("tournament_full", "The tournament takes nobody else in."),
		conflict("already_joined", "The player is in the tournament."),
		conflict("too_few_players", "The tournament has too few players."),
		conflict("round_not_complete", "Games of the round are being played."),
		conflict("round_over", "The round is over; only the current one is decided."),
		conflict("login_taken", "The ID is taken."),
		conflict("class_archived", "The class is archived; restore it first."),
		conflict("class_full", "The class has no more room."),
		conflict("last_teacher", "A class needs a teacher; add another, or archive it, first."),
		conflict("last_operator", "The installation needs an operator; name another first."),
		conflict("not_made_by_class", "Only the person may do this: no class made the account."),
		conflict("second_factor_set", "There is a second factor; end it first."),
		conflict("no_second_factor", "There is no second factor, or its secret waited too long."),
		conflict("too_many_tokens", "There are as many access tokens as there may be; revoke one first."),
		conflict("too_many_boards", "There are as many boards as there may be; remove one first."),
		conflict("pairing_kind", "The device asks for something else."),
		conflict("rating_conflict", "The game was rated with another result."),
		conflict("key_reused", "The Idempotency-Key was used for another command."),
		{"conflict", "Something else changed it at the same time; try again.", http.StatusConflict, codes.Aborted},

		{"body_too_large", "The body is too large.", http.StatusRequestEntityTooLarge, codes.ResourceExhausted},
		{"unsupported_media_type", "The body must be application/json.", http.StatusUnsupportedMediaType, codes.InvalidArgument},

		unfit("fields_missing", "Fields are missing."),
		unfit("no_record_format", "There is no format for records of this game."),
		unfit("bad_date", "There is no such day."),
		unfit("password_short", "The password is too short."),
		unfit("login_reserved", "Nobody may have this ID."),
		refused("protection_kept", "The protection of minors ends by a birth date that a guardian, a teacher or the operator enters."),
		refused("adult_required", "This is for adults with an account of their own."),
		unfit("password_common", "The password is too easy to guess."),
		refused("policy_refused", "Open play is for those born 18 years ago; a teacher can open it."),

		unfit("bad_text", "The text is no move or position that can be read."),
		unfit("bad_position", "The position cannot arise in this game."),
		unfit("bad_record", "The record cannot be read that far."),
		unfit("rated_not_allowed", "Such a game cannot count for ratings."),
		refused("touched_piece", "The piece that was touched has to move."),
		refused("touched_stuck", "The piece has no legal move."),
		unfit("promotion_missing", "The new piece of the promotion is missing."),
		unfit("ambiguous", "Several moves read like this."),
		refused("no_piece", "There is no piece on the square."),
		refused("not_your_piece", "The piece is the opponent's."),
		refused("cannot_move_so", "The piece cannot move so."),
		refused("own_piece", "A piece of your own stands there."),
		refused("path_blocked", "A piece stands in the way."),
		refused("king_left_in_check", "The king would be left in check."),
		refused("castling_king_moved", "Castling: the king has moved."),
		refused("castling_rook_moved", "Castling: the rook has moved or is gone."),
		refused("castling_in_check", "Castling: the king is in check."),
		refused("castling_through", "Castling: the king would pass through check."),
		refused("castling_into", "Castling: the king would land in check."),
		refused("castling_blocked", "Castling: a piece stands between."),
		refused("promotion_not_allowed", "The move promotes to no such piece."),
		refused("capture_compulsory", "A capture is compulsory."),
		refused("majority", "The capture that takes the most pieces is compulsory."),
		refused("man_backwards", "A man moves forward only."),
		refused("captured_twice", "A piece cannot be captured twice."),
		refused("square_taken", "The square is taken."),

		tooMany("too_many_requests", "Too many requests; wait a little."),
		tooMany("too_many_logins", "Too many attempts to log in; wait a little."),
		tooMany("too_many_games", "Too many games at once; finish one first."),
		tooMany("too_many_classes", "Too many classes; archive one first."),
		tooMany("too_many_codes", "Too many codes wait to be used."),
		tooMany("too_many_collections", "Too many collections; delete one first."),
		tooMany("too_many_shares", "The collection is shared with too many classes; take it from one first."),
		tooMany("too_many_imports", "Too many imports at once; wait until one has ended."),
		tooMany("too_many_tournaments", "Too many tournaments at once; end one first."),
		tooMany("too_many_streams", "Too many streams at once; close one first."),

		{"headers_too_large", "The headers are too large.", http.StatusRequestHeaderFieldsTooLarge, codes.ResourceExhausted},
		{"internal", "Something went wrong here; it has been noted.", http.StatusInternalServerError, codes.Internal},

		away("unavailable", "This does not work just now; try again."),
		away("gate_unavailable", "Whether the gate is open cannot be told just now; try again."),
		away("clock_uncertain", "The time is not known well enough just now; try again."),
		{"search_busy", "The engine is busy; try again.", http.StatusServiceUnavailable, codes.ResourceExhausted},
		{"timeout", "The answer took too long; try again.", http.StatusGatewayTimeout, codes.DeadlineExceeded},
	}
}

// byCode is the catalogue once more, to look up; it never changes.
var byCode = func() map[string]Entry {
	entries := map[string]Entry{}
	for _, e := range Catalogue() {
		entries[e.Code] = e
	}
	return entries
}()

// Lookup finds the entry of a code.
func Lookup(code string) (Entry, bool) {
	e, ok := byCode[code]
	return e, ok
}
