package rpc

import "tabuleiro/internal/identity"

// NoToken stands in the table for what no access token may call: what changes the
// account or makes tokens, and what stands outside of a person's own affairs.
const NoToken = ""

// ScopeOf is the scope that an access token needs to call a method,
// "/package.Service/Method"; NoToken where none may. What is not in the table is
// closed to tokens; a test fails for a method with an address that is in neither
// list, so that nobody forgets to decide.
func ScopeOf(full string) string { return scopes[full] }

// scopes has a verdict for every method that people may call over REST and that
// is not public.
var scopes = map[string]string{
	"/tabuleiro.play.v1.PlayService/GetGame":    identity.ScopeGamesRead,
	"/tabuleiro.play.v1.PlayService/ListGames":  identity.ScopeGamesRead,
	"/tabuleiro.play.v1.PlayService/ListEvents": identity.ScopeGamesRead,
	"/tabuleiro.play.v1.PlayService/CreateGame": identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/AcceptGame": identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/CancelGame": identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/Move":       identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/Resign":     identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/OfferDraw":  identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/AnswerDraw": identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/ClaimDraw":  identity.ScopeGamesPlay,

	"/tabuleiro.play.v1.PlayService/AbortGame":      identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/AnswerRematch":  identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/AnswerTakeback": identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/DeclineGame":    identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/OfferRematch":   identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/OfferTakeback":  identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/TouchPiece":     identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PlayService/Adjudicate":     NoToken,
	"/tabuleiro.play.v1.PaceService/ClaimWin":       identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PaceService/GiveTime":       identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PaceService/ResumeGame":     identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.PaceService/SuspendGame":    identity.ScopeGamesPlay,

	"/tabuleiro.tutor.v1.TutorService/ListLessons": identity.ScopeLearnRead,

	"/tabuleiro.accounts.v1.AccountsService/GetMe":             identity.ScopeAccountRead,
	"/tabuleiro.accounts.v1.AccountsService/ListRatingChanges": identity.ScopeAccountRead,
	"/tabuleiro.accounts.v1.AccountsService/OpenPolicy":        NoToken,
	"/tabuleiro.accounts.v1.AccountsService/ClaimOperator":     NoToken,

	"/tabuleiro.accounts.v1.AccessService/ListSessions":     NoToken,
	"/tabuleiro.accounts.v1.AccessService/EndSession":       NoToken,
	"/tabuleiro.accounts.v1.AccessService/EndOtherSessions": NoToken,
	"/tabuleiro.accounts.v1.AccessService/ChangePassword":   NoToken,
	"/tabuleiro.accounts.v1.AccessService/CreateToken":      NoToken,
	"/tabuleiro.accounts.v1.AccessService/ListTokens":       NoToken,
	"/tabuleiro.accounts.v1.AccessService/RevokeToken":      NoToken,
	"/tabuleiro.accounts.v1.AccessService/GetPairing":       NoToken,
	"/tabuleiro.accounts.v1.AccessService/ConfirmPairing":   NoToken,
	"/tabuleiro.accounts.v1.AccessService/DenyPairing":      NoToken,
	"/tabuleiro.accounts.v1.AccessService/ListBoards":       identity.ScopeAccountRead,
	"/tabuleiro.accounts.v1.AccessService/RevokeBoard":      NoToken,
	"/tabuleiro.accounts.v1.AccessService/GetRatingHistory": identity.ScopeAccountRead,

	"/tabuleiro.accounts.v1.ClassesService/AddPupils":     NoToken,
	"/tabuleiro.accounts.v1.ClassesService/AddTeacher":    NoToken,
	"/tabuleiro.accounts.v1.ClassesService/AllowPublic":   NoToken,
	"/tabuleiro.accounts.v1.ClassesService/ClaimCode":     NoToken,
	"/tabuleiro.accounts.v1.ClassesService/CreateClass":   NoToken,
	"/tabuleiro.accounts.v1.ClassesService/EndGuardian":   NoToken,
	"/tabuleiro.accounts.v1.ClassesService/FindPerson":    NoToken,
	"/tabuleiro.accounts.v1.ClassesService/KeepPupils":    NoToken,
	"/tabuleiro.accounts.v1.ClassesService/GetClass":      identity.ScopeClassRead,
	"/tabuleiro.accounts.v1.ClassesService/GiveRole":      NoToken,
	"/tabuleiro.accounts.v1.ClassesService/ListClasses":   identity.ScopeClassRead,
	"/tabuleiro.accounts.v1.ClassesService/ListRelations": identity.ScopeAccountRead,
	"/tabuleiro.accounts.v1.ClassesService/MakeCode":      NoToken,
	"/tabuleiro.accounts.v1.ClassesService/MovePupil":     NoToken,
	"/tabuleiro.accounts.v1.ClassesService/RemovePupil":   NoToken,
	"/tabuleiro.accounts.v1.ClassesService/RemoveTeacher": NoToken,
	"/tabuleiro.accounts.v1.ClassesService/ResetAccess":   NoToken,
	"/tabuleiro.accounts.v1.ClassesService/TakeRole":      NoToken,
	"/tabuleiro.accounts.v1.ClassesService/UpdateClass":   NoToken,
	"/tabuleiro.accounts.v1.ClassesService/UpdatePupil":   NoToken,

	"/tabuleiro.accounts.v1.PrivacyService/CheckAudit":     NoToken,
	"/tabuleiro.accounts.v1.PrivacyService/CorrectDetails": NoToken,
	"/tabuleiro.accounts.v1.PrivacyService/GetDetails":     NoToken,
	"/tabuleiro.accounts.v1.PrivacyService/DeleteAccount":  NoToken,
	"/tabuleiro.accounts.v1.PrivacyService/DeleteMe":       NoToken,
	"/tabuleiro.accounts.v1.PrivacyService/ExportAccount":  NoToken,
	"/tabuleiro.accounts.v1.PrivacyService/ListAudit":      NoToken,

	"/tabuleiro.accounts.v1.SecondFactorService/BeginSecondFactor":   NoToken,
	"/tabuleiro.accounts.v1.SecondFactorService/ConfirmSecondFactor": NoToken,
	"/tabuleiro.accounts.v1.SecondFactorService/EndSecondFactor":     NoToken,
	"/tabuleiro.accounts.v1.SecondFactorService/GetSecondFactor":     NoToken,
	"/tabuleiro.accounts.v1.SecondFactorService/RenewRecoveryCodes":  NoToken,
	"/tabuleiro.accounts.v1.SecondFactorService/ResetSecondFactor":   NoToken,

	"/tabuleiro.play.v1.CollectionsService/BeginImport":      identity.ScopeRecordsWrite,
	"/tabuleiro.play.v1.CollectionsService/CreateCollection": identity.ScopeRecordsWrite,
	"/tabuleiro.play.v1.CollectionsService/DeleteCollection": identity.ScopeRecordsWrite,
	"/tabuleiro.play.v1.CollectionsService/DeleteRecord":     identity.ScopeRecordsWrite,
	"/tabuleiro.play.v1.CollectionsService/ExportGames":      identity.ScopeGamesRead,
	"/tabuleiro.play.v1.CollectionsService/ExportRecords":    identity.ScopeRecordsRead,
	"/tabuleiro.play.v1.CollectionsService/GetCollection":    identity.ScopeRecordsRead,
	"/tabuleiro.play.v1.CollectionsService/GetGameRecord":    identity.ScopeGamesRead,
	"/tabuleiro.play.v1.CollectionsService/GetImport":        identity.ScopeRecordsRead,
	"/tabuleiro.play.v1.CollectionsService/GetRecord":        identity.ScopeRecordsRead,
	"/tabuleiro.play.v1.CollectionsService/ImportPiece":      identity.ScopeRecordsWrite,
	"/tabuleiro.play.v1.CollectionsService/ListCollections":  identity.ScopeRecordsRead,
	"/tabuleiro.play.v1.CollectionsService/ListImports":      identity.ScopeRecordsRead,
	"/tabuleiro.play.v1.CollectionsService/ListRecords":      identity.ScopeRecordsRead,
	"/tabuleiro.play.v1.CollectionsService/RenameCollection": identity.ScopeRecordsWrite,
	"/tabuleiro.play.v1.CollectionsService/SearchGames":      identity.ScopeGamesRead,
	// What a class sees is its teacher's to say, not a program's.
	"/tabuleiro.play.v1.CollectionsService/ShareCollection":   NoToken,
	"/tabuleiro.play.v1.CollectionsService/UnshareCollection": NoToken,

	"/tabuleiro.play.v1.TournamentsService/AddPlayers":        NoToken,
	"/tabuleiro.play.v1.TournamentsService/CancelTournament":  NoToken,
	"/tabuleiro.play.v1.TournamentsService/CreateTournament":  NoToken,
	"/tabuleiro.play.v1.TournamentsService/DecideBoard":       NoToken,
	"/tabuleiro.play.v1.TournamentsService/ExportTournaments": identity.ScopeGamesRead,
	"/tabuleiro.play.v1.TournamentsService/GetTournament":     identity.ScopeGamesRead,
	"/tabuleiro.play.v1.TournamentsService/JoinTournament":    identity.ScopeGamesPlay,
	"/tabuleiro.play.v1.TournamentsService/ListTournaments":   identity.ScopeGamesRead,
	"/tabuleiro.play.v1.TournamentsService/PairRound":         NoToken,
	"/tabuleiro.play.v1.TournamentsService/StartTournament":   NoToken,
	"/tabuleiro.play.v1.TournamentsService/WithdrawPlayer":    NoToken,
}

// narrow holds an access token to its scopes.
func narrow(m method, caller identity.Caller) *Problem {
	if m.access.GetPublic() {
		return nil
	}
	scope := ScopeOf("/" + m.service + "/" + m.name)
	switch {
	case caller.Allows(scope):
		return nil
	case scope == NoToken:
		return Fail("scope_missing", "no access token may do this; log in")
	}
	return Fail("scope_missing", "the access token lacks the scope "+scope)
}
