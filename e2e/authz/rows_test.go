package authz

import (
	"encoding/json"

	"tabuleiro/e2e/shapetest"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// row has the verdicts on one method. Somebody whom they do not name hears the
// word after "else:".
type row struct {
	method string // "play.v1.PlayService/Move"
	about  string // which of several rows
	// arrange makes what is called about; nil for nothing. It is made anew after
	// every call that succeeds and changes something.
	arrange  func(w *world, s scene) fixture
	body     string
	verdicts string
	// boards has the verdicts on a board that calls over REST with its secret; empty
	// where the method has no address. Over gRPC no Caller is a board.
	boards string
	// scope is what an access token needs, several by spaces; empty where none may.
	scope string
}

// Verdicts of many rows.
const (
	// Only services call it.
	closedTo = " nobody:not_logged_in else:forbidden"
	// Persons call it with an account, and it is about themselves alone.
	ownOnly = "guest:account_required nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:ok"
	// What belongs to self is not found by anybody else.
	selfOnly = "self:ok guest:account_required nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:"
	// What a class sees is read by its pupils and teachers.
	pupilsRead = "self:ok classmate:ok teacher:ok guest:account_required nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:collection_not_found"
	// A game of self and opponent: its players may. Spectators, and those who may see
	// the games of self, are no players, and nobody else finds it.
	playersOnly  = "self:ok opponent:ok " + onlookersNot + notFound
	onlookersNot = "spectator:not_your_seat teacher:not_your_seat guardian:not_your_seat operator:not_your_seat "
	// Its players and they see it.
	seenBy = "self:ok opponent:ok spectator:ok teacher:ok guardian:ok operator:ok "
	// What self's teachers, guardians and the operator may ask about self.
	overseen = "self:ok teacher:ok guardian:ok operator:ok "

	// A board is let in by its secret to its own subjects of the bus alone: at the
	// gateway it is nobody, whose credentials do not hold, while it is paired and
	// afterwards. Where old credentials are forgiven it is one of everybody.
	noBoards = "paired:session_ended unpaired:session_ended"
	anyBoard = "paired:ok unpaired:ok"

	notFound          = "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:game_not_found"
	servicesForbidden = "rules:forbidden play:forbidden search:forbidden worker:forbidden accounts:forbidden tutor:forbidden"
	guestsNeedAccount = "guest:account_required "
)

// Ways to arrange a game.
func open(w *world, s scene) fixture { return w.game(s, false, false) }

func sheltered(w *world, _ scene) fixture {
	return w.game(scene{"classmate", "teacher", "private"}, false, false)
}

func invited(w *world, s scene) fixture  { return w.game(s, false, true) }
func running(w *world, s scene) fixture  { return w.game(s, true, false) }
func twoMoves(w *world, s scene) fixture { return w.game(s, true, false, "e2e4", "e7e5") }

// classmates is a game of two pupils of the teacher.
func classmates(w *world, _ scene) fixture {
	return w.game(scene{"self", "classmate", "private"}, true, false, "e2e4", "e7e5")
}

func finished(w *world, s scene) fixture {
	f := twoMoves(w, s)
	do(w.play().Resign(w.by(s.opponent), &playv1.ResignRequest{Game: f["game"]}))
	return f
}

func clocked(w *world, s scene) fixture {
	return w.make(s, &playv1.CreateGameRequest{
		Rules: "chess", Opponent: "person", Side: "white", Visibility: s.visibility, Clock: &playv1.ClockSettings{InitialMs: 3600000},
	}, true, "e2e4", "e7e5")
}

func suspended(w *world, s scene) fixture {
	f := twoMoves(w, s)
	for _, who := range []string{s.self, s.opponent} {
		do(w.pace().SuspendGame(w.by(who), &playv1.SuspendGameRequest{Game: f["game"]}))
	}
	return f
}

func drawOffered(w *world, s scene) fixture {
	f := twoMoves(w, s)
	turn := int32(2)
	do(w.play().OfferDraw(w.by(s.opponent), &playv1.OfferDrawRequest{Game: f["game"], Turn: &turn}))
	return f
}

func takebackOffered(w *world, s scene) fixture {
	f := twoMoves(w, s)
	turn := int32(2)
	do(w.play().OfferTakeback(w.by(s.opponent), &playv1.OfferTakebackRequest{Game: f["game"], Turn: &turn}))
	return f
}

func repeated(w *world, s scene) fixture {
	return w.game(s, true, false, "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8")
}

func rematchOffered(w *world, s scene) fixture {
	f := finished(w, s)
	do(w.play().OfferRematch(w.by(s.opponent), &playv1.OfferRematchRequest{Game: f["game"]}))
	return f
}

const (
	aboutGame       = `{"game":"$game"}`
	aboutTournament = `{"tournament":"$tournament"}`
	// Who plays in the tournament, organises it, or oversees one of the players.
	competitors = "self:ok classmate:ok opponent:ok teacher:ok guardian:ok operator:ok "
	// The teacher's tournament of self and classmate.
	entered       = "self:ok classmate:ok teacher:"
	organiserOnly = "teacher:ok self:forbidden classmate:forbidden " + notEntered
	notEntered    = "guest:account_required nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:tournament_not_found"

	aboutTurn = `{"game":"$game","turn":$turn}`
)

var rows = []row{
	{method: "play.v1.PlayService/CreateGame", boards: noBoards, scope: "games:play", about: "chess", body: `{"rules":"chess","opponent":"self"}`,
		verdicts: ownOnly},
	{method: "play.v1.PlayService/CreateGame", boards: noBoards, scope: "games:play", about: "tic-tac-toe", body: `{"rules":"tictactoe","opponent":"self"}`,
		verdicts: "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:ok"},
	{method: "play.v1.PlayService/CreateGame", boards: noBoards, scope: "games:play", about: "in the place of a game of others", arrange: running,
		body:     `{"rules":"tictactoe","opponent":"self","replaces":{"game":"$game","how":"resign"}}`,
		verdicts: playersOnly},
	{method: "play.v1.PlayService/CreateGame", boards: noBoards, scope: "games:play", about: "public, which pupils may not unless it was allowed", body: `{"rules":"chess","opponent":"self","visibility":"public"}`,
		verdicts: "classmate:minor_private " + ownOnly},
	{method: "play.v1.PlayService/CreateGame", boards: noBoards, scope: "games:play", about: "rated, which visitors may not", body: `{"rules":"tictactoe","opponent":"person","rated":true}`,
		verdicts: ownOnly},

	{method: "play.v1.PlayService/AcceptGame", boards: noBoards, scope: "games:play", about: "an open seat", arrange: open, body: aboutGame,
		verdicts: "self:own_game " + ownOnly},
	{method: "play.v1.PlayService/AcceptGame", boards: noBoards, scope: "games:play", about: "a seat of a pupil who meets no strangers", arrange: sheltered, body: aboutGame,
		verdicts: "classmate:own_game self:ok teacher:ok " + notFound},
	{method: "play.v1.PlayService/AcceptGame", boards: noBoards, scope: "games:play", about: "a seat kept for somebody", arrange: invited, body: aboutGame,
		verdicts: "self:own_game opponent:ok spectator:not_your_seat " + notFound},
	// Who comes second hears so: anybody could see the seat while it was open, and
	// nobody guesses an id.
	{method: "play.v1.PlayService/AcceptGame", boards: noBoards, scope: "games:play", about: "a game that runs", arrange: running, body: aboutGame,
		verdicts: "self:own_game opponent:own_game nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:seat_taken"},
	{method: "play.v1.PlayService/CancelGame", boards: noBoards, scope: "games:play", arrange: open, body: aboutGame,
		verdicts: "self:ok guest:game_not_found nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:not_your_seat"},
	{method: "play.v1.PlayService/DeclineGame", boards: noBoards, scope: "games:play", arrange: invited, body: aboutGame,
		verdicts: guestsNeedAccount + "self:not_your_seat opponent:ok " + onlookersNot + notFound},
	{method: "play.v1.PlayService/AbortGame", boards: noBoards, scope: "games:play", arrange: running, body: aboutGame, verdicts: playersOnly},
	{method: "play.v1.PlayService/GetGame", boards: noBoards, scope: "games:read", about: "that runs", arrange: running, body: aboutGame,
		verdicts: seenBy + notFound},
	{method: "play.v1.PlayService/GetGame", boards: noBoards, scope: "games:read", about: "with an open seat", arrange: open, body: aboutGame,
		verdicts: "guest:game_not_found nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:ok"},
	{method: "play.v1.PlayService/GetGame", boards: noBoards, scope: "games:read", about: "with a seat kept for somebody", arrange: invited, body: aboutGame,
		verdicts: seenBy + notFound},
	{method: "play.v1.PlayService/GetGame", boards: noBoards, scope: "games:read", about: "that is over", arrange: finished, body: aboutGame,
		verdicts: seenBy + notFound},
	{method: "play.v1.PlayService/ListGames", boards: noBoards, scope: "games:read", body: `{}`,
		verdicts: "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:ok"},
	{method: "play.v1.PlayService/ListGames", boards: noBoards, scope: "games:read", about: "of a pupil", arrange: pupil, body: `{"player":"$account"}`,
		verdicts: overseen + "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:account_not_found"},
	{method: "play.v1.PlayService/Move", boards: noBoards, scope: "games:play", arrange: running, body: `{"game":"$game","turn":$turn,"move":"e2e4"}`,
		verdicts: "self:ok opponent:not_your_turn " + onlookersNot + notFound},
	{method: "play.v1.PlayService/Resign", boards: noBoards, scope: "games:play", arrange: twoMoves, body: aboutGame, verdicts: playersOnly},
	{method: "play.v1.PlayService/OfferDraw", boards: noBoards, scope: "games:play", arrange: twoMoves, body: aboutTurn, verdicts: playersOnly},
	{method: "play.v1.PlayService/AnswerDraw", boards: noBoards, scope: "games:play", arrange: drawOffered, body: `{"game":"$game","turn":$turn,"accept":true}`,
		verdicts: "self:ok opponent:no_offer " + onlookersNot + notFound},
	{method: "play.v1.PlayService/ClaimDraw", boards: noBoards, scope: "games:play", arrange: repeated, body: aboutTurn,
		verdicts: "self:ok opponent:not_your_turn " + onlookersNot + notFound},
	{method: "play.v1.PlayService/OfferTakeback", boards: noBoards, scope: "games:play", arrange: twoMoves, body: aboutTurn, verdicts: playersOnly},
	{method: "play.v1.PlayService/AnswerTakeback", boards: noBoards, scope: "games:play", arrange: takebackOffered, body: `{"game":"$game","turn":$turn,"accept":true}`,
		verdicts: "self:ok opponent:no_offer " + onlookersNot + notFound},
	{method: "play.v1.PlayService/TouchPiece", boards: noBoards, scope: "games:play", arrange: running, body: `{"game":"$game","turn":$turn,"square":"e2"}`,
		verdicts: "self:ok opponent:not_your_turn " + onlookersNot + notFound},
	{method: "play.v1.PlayService/OfferRematch", boards: noBoards, scope: "games:play", arrange: finished, body: aboutGame, verdicts: playersOnly},
	{method: "play.v1.PlayService/AnswerRematch", boards: noBoards, scope: "games:play", arrange: rematchOffered, body: `{"game":"$game","accept":true}`,
		verdicts: "self:ok opponent:no_offer " + onlookersNot + notFound},
	{method: "play.v1.PlayService/Adjudicate", boards: noBoards, arrange: twoMoves, body: `{"game":"$game","result":"1-0","note":"the bell rang"}`,
		verdicts: guestsNeedAccount + "teacher:not_your_pupils operator:ok former:game_not_found other:game_not_found nobody:not_logged_in gateway:not_logged_in else:forbidden"},
	{method: "play.v1.PlayService/Adjudicate", boards: noBoards, about: "of two pupils", arrange: classmates, body: `{"game":"$game","result":"1-0","note":"the bell rang"}`,
		verdicts: guestsNeedAccount + "teacher:ok operator:ok former:game_not_found other:game_not_found nobody:not_logged_in gateway:not_logged_in else:forbidden"},
	{method: "play.v1.PlayService/ListEvents", boards: noBoards, scope: "games:read", arrange: twoMoves, body: aboutGame,
		verdicts: seenBy + "gateway:ok " + notFound},

	{method: "play.v1.PaceService/ClaimWin", boards: noBoards, scope: "games:play", arrange: twoMoves, body: aboutGame,
		verdicts: "self:not_gone opponent:not_gone " + onlookersNot + notFound},
	{method: "play.v1.PaceService/GiveTime", boards: noBoards, scope: "games:play", arrange: clocked, body: aboutGame, verdicts: playersOnly},
	{method: "play.v1.PaceService/SuspendGame", boards: noBoards, scope: "games:play", arrange: twoMoves, body: aboutGame, verdicts: playersOnly},
	{method: "play.v1.PaceService/ResumeGame", boards: noBoards, scope: "games:play", arrange: suspended, body: aboutGame, verdicts: playersOnly},

	{method: "play.v1.TournamentsService/CreateTournament", boards: noBoards, body: `{"name":"x","rules":"tictactoe","kind":"round_robin"}`, verdicts: ownOnly},
	{method: "play.v1.TournamentsService/ListTournaments", boards: noBoards, scope: "games:read", body: `{}`, verdicts: ownOnly},
	{method: "play.v1.TournamentsService/ListTournaments", boards: noBoards, scope: "games:read", about: "that one may join", body: `{"list":"joinable"}`, verdicts: ownOnly},
	{method: "play.v1.TournamentsService/ListTournaments", boards: noBoards, scope: "games:read class:read", about: "that pupils play in", body: `{"list":"pupils"}`, verdicts: ownOnly},
	{method: "play.v1.TournamentsService/ExportTournaments", scope: "games:read", body: `{}`, verdicts: ownOnly},
	{method: "play.v1.TournamentsService/ExportTournaments", scope: "games:read", about: "of a pupil", arrange: pupil, body: `{"account":"$account"}`,
		verdicts: overseen + guestsNeedAccount + "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:account_not_found"},
	{method: "play.v1.TournamentsService/GetTournament", boards: noBoards, scope: "games:read", arrange: tournament, body: aboutTournament,
		verdicts: entered + "ok operator:ok gateway:ok " + notEntered},
	{method: "play.v1.TournamentsService/GetTournament", boards: noBoards, scope: "games:read", about: "of another organiser with a pupil of one's own", arrange: foreign, body: aboutTournament,
		verdicts: "stranger:ok self:ok teacher:ok operator:ok gateway:ok " + notEntered},
	// The opponent is in the tournament and does not play this game.
	{method: "play.v1.PlayService/GetGame", boards: noBoards, scope: "games:read", about: "of a tournament", arrange: competing, body: aboutGame,
		verdicts: competitors + notFound},
	{method: "play.v1.PlayService/ListEvents", boards: noBoards, scope: "games:read", about: "of a tournament", arrange: competing, body: aboutGame,
		verdicts: competitors + "gateway:ok " + notFound},
	{method: "play.v1.PlayService/AbortGame", boards: noBoards, scope: "games:play", about: "of a tournament", arrange: competing, body: aboutGame,
		verdicts: "self:ok classmate:ok opponent:not_your_seat teacher:not_your_seat guardian:not_your_seat operator:not_your_seat " + notFound},
	{method: "play.v1.CollectionsService/GetGameRecord", scope: "games:read", about: "of a tournament", arrange: competing, body: aboutGame,
		verdicts: competitors + notFound},
	{method: "play.v1.TournamentsService/JoinTournament", boards: noBoards, scope: "games:play", arrange: tournament, body: aboutTournament,
		verdicts: "self:already_joined classmate:already_joined teacher:ok " + notEntered},
	{method: "play.v1.TournamentsService/AddPlayers", boards: noBoards, arrange: tournament, body: `{"tournament":"$tournament","levels":["plies-2"]}`, verdicts: organiserOnly},
	{method: "play.v1.TournamentsService/WithdrawPlayer", boards: noBoards, arrange: tournament, body: aboutTournament,
		verdicts: "self:ok classmate:ok teacher:player_not_found " + notEntered},
	{method: "play.v1.TournamentsService/StartTournament", boards: noBoards, arrange: tournament, body: aboutTournament, verdicts: organiserOnly},
	{method: "play.v1.TournamentsService/PairRound", boards: noBoards, arrange: tournament, body: aboutTournament,
		verdicts: "teacher:tournament_not_started self:forbidden classmate:forbidden " + notEntered},
	{method: "play.v1.TournamentsService/DecideBoard", boards: noBoards, arrange: started, body: `{"tournament":"$tournament","round":1,"board":1,"result":"1-0"}`, verdicts: organiserOnly},
	{method: "play.v1.TournamentsService/DecideBoard", boards: noBoards, about: "at which the organiser sits", arrange: seated, body: `{"tournament":"$tournament","round":1,"board":1,"result":"1-0"}`,
		verdicts: "teacher:forbidden self:forbidden " + notEntered},
	{method: "play.v1.TournamentsService/CancelTournament", boards: noBoards, arrange: tournament, body: aboutTournament, verdicts: organiserOnly},

	{method: "play.v1.CollectionsService/CreateCollection", boards: noBoards, scope: "records:write", body: `{"rules":"chess","name":"x"}`, verdicts: ownOnly},
	{method: "play.v1.CollectionsService/ListCollections", boards: noBoards, scope: "records:read", body: `{}`, verdicts: ownOnly},
	{method: "play.v1.CollectionsService/GetCollection", boards: noBoards, scope: "records:read", arrange: collection, body: `{"collection":"$collection"}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/GetCollection", boards: noBoards, scope: "records:read", about: "that a class sees", arrange: shared, body: `{"collection":"$collection"}`, verdicts: pupilsRead},
	{method: "play.v1.CollectionsService/ListRecords", boards: noBoards, scope: "records:read", about: "that a class sees", arrange: shared, body: `{"collection":"$collection"}`, verdicts: pupilsRead},
	{method: "play.v1.CollectionsService/ExportRecords", scope: "records:read", about: "that a class sees", arrange: shared, body: `{"collection":"$collection"}`, verdicts: pupilsRead},
	{method: "play.v1.CollectionsService/DeleteCollection", boards: noBoards, scope: "records:write", about: "that a class sees", arrange: shared, body: `{"collection":"$collection"}`,
		verdicts: "teacher:ok guest:account_required nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:collection_not_found"},
	{method: "play.v1.CollectionsService/ShareCollection", boards: noBoards, arrange: teachers, body: `{"collection":"$collection","class":"$class"}`,
		verdicts: "teacher:ok guest:account_required nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:collection_not_found"},
	{method: "play.v1.CollectionsService/ShareCollection", boards: noBoards, about: "one's own, with a class that one does not teach", arrange: classed, body: `{"collection":"$collection","class":"$class"}`,
		verdicts: "self:class_not_found guest:account_required nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:collection_not_found"},
	{method: "play.v1.CollectionsService/UnshareCollection", boards: noBoards, arrange: shared, body: `{"collection":"$collection","class":"$class"}`,
		verdicts: "teacher:ok guest:account_required nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:collection_not_found"},
	{method: "play.v1.CollectionsService/SearchGames", boards: noBoards, scope: "games:read", body: `{"rules":"chess"}`, verdicts: ownOnly},
	{method: "play.v1.CollectionsService/RenameCollection", boards: noBoards, scope: "records:write", arrange: collection, body: `{"collection":"$collection","name":"y"}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/DeleteCollection", boards: noBoards, scope: "records:write", arrange: collection, body: `{"collection":"$collection"}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/BeginImport", scope: "records:write", arrange: collection, body: `{"collection":"$collection"}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/ImportPiece", scope: "records:write", arrange: importing, body: `{"collection":"$collection","import":"$import","offset":0,"text":"","last":true}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/ListImports", boards: noBoards, scope: "records:read", arrange: collection, body: `{"collection":"$collection"}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/GetImport", boards: noBoards, scope: "records:read", arrange: importing, body: `{"collection":"$collection","import":"$import"}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/ListRecords", boards: noBoards, scope: "records:read", arrange: collection, body: `{"collection":"$collection"}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/GetRecord", boards: noBoards, scope: "records:read", arrange: record, body: `{"collection":"$collection","number":1}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/DeleteRecord", boards: noBoards, scope: "records:write", arrange: record, body: `{"collection":"$collection","number":1}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/ExportRecords", scope: "records:read", arrange: record, body: `{"collection":"$collection"}`, verdicts: selfOnly + "collection_not_found"},
	{method: "play.v1.CollectionsService/GetGameRecord", scope: "games:read", arrange: finished, body: aboutGame, verdicts: seenBy + notFound},
	{method: "play.v1.CollectionsService/ExportGames", scope: "games:read", body: `{"rules":"chess"}`, verdicts: ownOnly},
	{method: "play.v1.CollectionsService/ExportGames", scope: "games:read", about: "of a pupil", arrange: pupil, body: `{"rules":"chess","account":"$account"}`,
		verdicts: overseen + guestsNeedAccount + "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:account_not_found"},

	{method: "accounts.v1.AccountsService/Register", boards: anyBoard, arrange: newcomer,
		body:     `{"login":"$login","password":"correct horse battery","first_name":"A","surname":"B","birth_date":"1990-01-01","sex":"other"}`,
		verdicts: "else:ok"},
	{method: "accounts.v1.AccountsService/LogIn", arrange: newcomer, body: `{"login":"$login","password":"not that one"}`, verdicts: "gateway:invalid_login" + closedTo},
	{method: "accounts.v1.AccountsService/LogOut", arrange: session, body: `{"token":"$token"}`, verdicts: "gateway:ok" + closedTo},
	{method: "accounts.v1.AccountsService/Authenticate", arrange: session, body: `{"token":"$token"}`, verdicts: "gateway:ok" + closedTo},
	{method: "accounts.v1.AccountsService/GetMe", boards: noBoards, scope: "account:read", body: `{}`, verdicts: ownOnly},
	{method: "accounts.v1.AccountsService/ListRatingChanges", boards: noBoards, scope: "account:read", body: `{}`, verdicts: ownOnly},
	{method: "accounts.v1.AccountsService/OpenPolicy", boards: noBoards, arrange: pupil, body: `{"account":"$account"}`,
		verdicts: guestsNeedAccount + "teacher:ok operator:ok former:account_not_found other:account_not_found nobody:not_logged_in gateway:not_logged_in else:forbidden"},
	{method: "accounts.v1.AccountsService/ClaimOperator", boards: noBoards, body: `{"code":"0000-0000-0000"}`,
		verdicts: guestsNeedAccount + "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:bad_code"},
	{method: "accounts.v1.AccountsService/GetPlayers", arrange: pupil, body: `{"accounts":["$account"]}`, verdicts: "play:ok tutor:ok" + closedTo},
	{method: "accounts.v1.AccountsService/Rate", arrange: result,
		body:     `{"game":"$game","rules":"chess","speed":"none","seats":[{"account":"$account"},{"level":"plies-4"}],"first_half_points":1,"finished_at":"2026-03-01T12:00:00Z"}`,
		verdicts: "play:ok" + closedTo},

	{method: "accounts.v1.AccessService/ListSessions", boards: noBoards, body: `{}`, verdicts: ownOnly},
	// What is not one's own is as good as ended: the answer is the same, and
	// TestNobodyEndsWhatIsNotTheirs sees that nothing happens.
	{method: "accounts.v1.AccessService/EndSession", boards: noBoards, arrange: nothing, body: `{"session":"$nothing"}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/EndOtherSessions", boards: noBoards, body: `{}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/ChangePassword", boards: noBoards, body: `{"old_password":"not that one","new_password":"fourteen white knights"}`,
		verdicts: guestsNeedAccount + "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:wrong_password"},
	{method: "accounts.v1.SecondFactorService/GetSecondFactor", boards: noBoards, body: `{}`, verdicts: ownOnly},
	{method: "accounts.v1.SecondFactorService/BeginSecondFactor", boards: noBoards, body: `{"password":"not that one"}`,
		verdicts: guestsNeedAccount + "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:wrong_password"},
	{method: "accounts.v1.SecondFactorService/ConfirmSecondFactor", boards: noBoards, body: `{"code":"000000"}`,
		verdicts: guestsNeedAccount + "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:no_second_factor"},
	{method: "accounts.v1.SecondFactorService/RenewRecoveryCodes", boards: noBoards, body: `{"password":"not that one","code":"000000"}`,
		verdicts: guestsNeedAccount + "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:wrong_password"},
	{method: "accounts.v1.SecondFactorService/EndSecondFactor", boards: noBoards, body: `{"password":"not that one","code":"000000"}`,
		verdicts: guestsNeedAccount + "nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:wrong_password"},
	{method: "accounts.v1.SecondFactorService/ResetSecondFactor", boards: noBoards, arrange: adult, body: `{"account":"$account"}`,
		verdicts: guestsNeedAccount + "operator:no_second_factor nobody:not_logged_in gateway:not_logged_in else:forbidden"},
	{method: "accounts.v1.AccessService/CreateToken", boards: noBoards, body: `{"name":"x","scopes":["games:read"]}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/ListTokens", boards: noBoards, body: `{}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/RevokeToken", boards: noBoards, arrange: nothing, body: `{"token":"$nothing"}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/StartPairing", body: `{"kind":"board"}`, verdicts: "gateway:ok" + closedTo},
	{method: "accounts.v1.AccessService/TakePairing", arrange: pairing, body: `{"device_code":"$device"}`, verdicts: "gateway:ok" + closedTo},
	// Whoever reads the code on a device lets it in, to their own account.
	{method: "accounts.v1.AccessService/GetPairing", boards: noBoards, arrange: pairing, body: `{"user_code":"$code"}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/ConfirmPairing", boards: noBoards, arrange: pairing, body: `{"user_code":"$code","kind":"board"}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/DenyPairing", boards: noBoards, arrange: pairing, body: `{"user_code":"$code"}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/ListBoards", boards: noBoards, scope: "account:read", body: `{}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/RevokeBoard", boards: noBoards, arrange: nothing, body: `{"board":"$nothing"}`, verdicts: ownOnly},
	{method: "accounts.v1.AccessService/GetRatingHistory", boards: noBoards, scope: "account:read", about: "of a pupil", arrange: pupil, body: `{"account":"$account","rules":"chess","speed":"none"}`,
		verdicts: "self:ok teacher:ok guardian:ok operator:ok guest:account_required nobody:not_logged_in gateway:not_logged_in " + servicesForbidden + " else:account_not_found"},
	{method: "accounts.v1.AccessService/GetRatingHistory", boards: noBoards, scope: "account:read", about: "of an adult", arrange: adult, body: `{"account":"$account","rules":"chess","speed":"none"}`, verdicts: ownOnly},

	{method: "tutor.v1.TutorService/CheckGate", arrange: pupil, body: `{"account":"$account","rules":"chess"}`, verdicts: "play:ok" + closedTo},
	{method: "tutor.v1.TutorService/ListLessons", boards: noBoards, scope: "learn:read", body: `{}`, verdicts: ownOnly},

	{method: "rules.v1.RulesService/ListRules", boards: anyBoard, body: `{}`, verdicts: "else:ok"},
	{method: "rules.v1.RulesService/Inspect", boards: anyBoard, body: `{"position":{"rules":"tictactoe"}}`, verdicts: "else:ok"},
	{method: "rules.v1.RulesService/Apply", boards: anyBoard, body: `{"position":{"rules":"tictactoe"},"move":"a1"}`, verdicts: "else:ok"},
	{method: "rules.v1.RulesService/Explain", boards: anyBoard, body: `{"position":{"rules":"tictactoe"}}`, verdicts: "else:ok"},
	{method: "rules.v1.RulesService/Replay", boards: anyBoard, body: `{"position":{"rules":"tictactoe"},"moves":["a1"]}`, verdicts: "else:ok"},
	{method: "rules.v1.RulesService/ReadRecord", boards: anyBoard, body: `{"rules":"chess","text":"1. e4 *"}`, verdicts: "else:ok"},
	{method: "rules.v1.RecordsService/ReadRecords", body: `{"rules":"chess","text":"MS4gZTQgKgo=","last":true,"line":1,"column":1}`, verdicts: "play:ok" + closedTo},
	{method: "rules.v1.RecordsService/WriteRecord", body: `{"start":{"rules":"chess"},"moves":["e2e4"],"result":"*"}`, verdicts: "play:ok" + closedTo},

	{method: "search.v1.SearchService/BestMove", body: `{"position":{"rules":"tictactoe"},"level":"plies-2","time_ms":50}`, verdicts: "play:ok tutor:ok" + closedTo},
	{method: "search.v1.SearchService/ListLevels", body: `{}`, verdicts: "play:ok gateway:ok" + closedTo},
}

func collection(w *world, _ scene) fixture {
	return fixture{"collection": w.rest("self", "/v1/collections", `{"rules":"chess","name":"mine"}`, "collection")}
}

// teachers is a collection of the teacher, shared one that the class sees, classed
// one of self beside the class.
func teachers(w *world, _ scene) fixture {
	answer := do(w.collections().CreateCollection(w.by("teacher"), &playv1.CreateCollectionRequest{Rules: "chess", Name: "for 4B"}))
	return fixture{"collection": answer.GetCollection().GetId(), "class": w.class, "owner": "teacher"}
}

func shared(w *world, s scene) fixture {
	f := teachers(w, s)
	do(w.collections().ShareCollection(w.by("teacher"), &playv1.ShareCollectionRequest{Collection: f["collection"], Class: w.class}))
	return f
}

func classed(w *world, s scene) fixture {
	f := collection(w, s)
	f["class"] = w.class
	return f
}

func tournament(w *world, _ scene) fixture { return teachersOf(w, "self", "classmate") }

// teachersOf is a tournament of the teacher with some players.
func teachersOf(w *world, players ...string) fixture {
	created := do(w.tournaments().CreateTournament(w.by("teacher"), &playv1.CreateTournamentRequest{
		Name: "4B", Rules: "tictactoe", Kind: "round_robin", Entry: "invited",
	}))
	id := created.GetTournament().GetId()
	var accounts []string
	for _, p := range players {
		accounts = append(accounts, w.people[p].account)
	}
	do(w.tournaments().AddPlayers(w.by("teacher"), &playv1.AddPlayersRequest{Tournament: id, Accounts: accounts}))
	return fixture{"tournament": id}
}

// foreign is a tournament of a stranger in which self was invited to play, and
// their teacher has no part.
func foreign(w *world, _ scene) fixture {
	created := do(w.tournaments().CreateTournament(w.by("stranger"), &playv1.CreateTournamentRequest{
		Name: "Open", Rules: "tictactoe", Kind: "round_robin", Entry: "invited",
	}))
	id := created.GetTournament().GetId()
	do(w.tournaments().AddPlayers(w.by("stranger"), &playv1.AddPlayersRequest{Tournament: id, Accounts: []string{w.people["self"].account}}))
	return fixture{"tournament": id, "organiser": "stranger"}
}

// competing is a game of self and classmate in a tournament of chess in which the
// opponent rests, who has the highest rating.
func competing(w *world, _ scene) fixture {
	created := do(w.tournaments().CreateTournament(w.by("teacher"), &playv1.CreateTournamentRequest{
		Name: "4B", Rules: "chess", Kind: "round_robin", Entry: "invited",
	}))
	id := created.GetTournament().GetId()
	do(w.tournaments().AddPlayers(w.by("teacher"), &playv1.AddPlayersRequest{
		Tournament: id, Accounts: []string{w.people["self"].account, w.people["classmate"].account, w.people["opponent"].account},
	}))
	do(w.tournaments().JoinTournament(w.by("opponent"), &playv1.JoinTournamentRequest{Tournament: id}))
	do(w.tournaments().StartTournament(w.by("teacher"), &playv1.StartTournamentRequest{Tournament: id}))
	f := fixture{"tournament": id, "organiser": "teacher"}
	w.must(shapetest.Poll(w.t.Context(), func() (bool, error) { // the game follows
		answer, err := w.tournaments().GetTournament(w.by("teacher"), &playv1.GetTournamentRequest{Tournament: id})
		if err != nil || answer.GetTournament().GetPaired() == 0 {
			return false, err
		}
		for _, board := range answer.GetTournament().GetPlayed()[0].GetBoards() {
			if len(board.GetGames()) == 1 {
				f["game"] = board.GetGames()[0].GetId()
			}
		}
		_, err = w.play().GetGame(w.by("self"), &playv1.GetGameRequest{Game: f["game"]})
		return err == nil, nil
	}))
	return f
}

func started(w *world, s scene) fixture { return w.begin(tournament(w, s)) }

// seated is the teacher's tournament in which the teacher plays with self.
func seated(w *world, _ scene) fixture { return w.begin(teachersOf(w, "teacher", "self")) }

// begin starts a tournament of the teacher.
func (w *world) begin(f fixture) fixture {
	do(w.tournaments().StartTournament(w.by("teacher"), &playv1.StartTournamentRequest{Tournament: f["tournament"]}))
	w.must(shapetest.Poll(w.t.Context(), func() (bool, error) { // the round follows
		answer, err := w.tournaments().GetTournament(w.by("teacher"), &playv1.GetTournamentRequest{Tournament: f["tournament"]})
		return answer.GetTournament().GetPaired() > 0, err
	}))
	return f
}

func importing(w *world, s scene) fixture {
	f := collection(w, s)
	m := find(w.t, "play.v1.CollectionsService/BeginImport")
	code, out := w.callGRPC(w.t, m, "self", f.fill(`{"collection":"$collection"}`))
	if code != "ok" {
		w.t.Fatalf("an import begins: %s", code)
	}
	f["import"] = out.(*playv1.BeginImportResponse).GetImport().GetId()
	return f
}

func record(w *world, s scene) fixture {
	f := collection(w, s)
	if code, text := w.ask(w.t, "self", "POST", f.fill("/v1/collections/$collection/imports"), "application/vnd.chess-pgn", "1. e4 e5 *\n"); code != "ok" {
		w.t.Fatalf("importing a record: %s", text)
	}
	return f
}

// rest makes something over REST and returns its id.
func (w *world) rest(who, path, body, name string) string {
	w.t.Helper()
	code, text := w.ask(w.t, who, "POST", path, "application/json", body)
	if code != "ok" {
		w.t.Fatalf("POST %s: %s", path, text)
	}
	var answer map[string]struct{ ID string }
	w.must(json.Unmarshal(text, &answer))
	return answer[name].ID
}

func newcomer(*world, scene) fixture { return fixture{"login": shapetest.NewLogin()} }

func session(w *world, _ scene) fixture {
	answer := do(w.accounts().LogIn(w.t.Context(), &accountsv1.LogInRequest{Login: w.people["stranger"].login, Password: password}))
	return fixture{"token": answer.GetToken()}
}

func pupil(w *world, _ scene) fixture { return fixture{"account": w.people["self"].account} }

func adult(w *world, _ scene) fixture { return fixture{"account": w.people["opponent"].account} }

func nothing(*world, scene) fixture { return fixture{"nothing": shapetest.NewKey()} }

func pairing(w *world, _ scene) fixture {
	answer := do(w.access().StartPairing(w.t.Context(), &accountsv1.StartPairingRequest{Kind: "board", Name: "the board in the hall"}))
	return fixture{"device": answer.GetDeviceCode(), "code": answer.GetUserCode()}
}

func result(w *world, s scene) fixture {
	f := pupil(w, s)
	f["game"] = shapetest.NewKey()
	return f
}
