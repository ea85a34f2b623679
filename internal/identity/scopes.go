package identity

import "slices"

// Scopes are what an access token may be given. Reading does not follow from
// writing: a token has what it was given and nothing else.
const (
	// ScopeGamesRead: games, their events and lists, players as games show them.
	ScopeGamesRead = "games:read"
	// ScopeGamesPlay: make and accept games, and everything that a player does.
	ScopeGamesPlay = "games:play"
	// ScopeRecordsRead and ScopeRecordsWrite: collections of records.
	ScopeRecordsRead  = "records:read"
	ScopeRecordsWrite = "records:write"
	// ScopeLearnRead and ScopeLearnWrite: lessons, quizzes, exercises.
	ScopeLearnRead  = "learn:read"
	ScopeLearnWrite = "learn:write"
	// ScopeAccountRead: one's own account and ratings.
	ScopeAccountRead = "account:read"
	// ScopeClassRead: classes, for those who teach them.
	ScopeClassRead = "class:read"
)

// Scopes lists them all.
func Scopes() []string {
	return []string{
		ScopeGamesRead, ScopeGamesPlay, ScopeRecordsRead, ScopeRecordsWrite,
		ScopeLearnRead, ScopeLearnWrite, ScopeAccountRead, ScopeClassRead,
	}
}

// Narrowed says whether the Caller came with an access token, which may do only
// what its scopes say.
func (c Caller) Narrowed() bool { return len(c.Scopes) > 0 }

// Allows says whether the Caller may do what needs a scope; "" is what no access
// token may do.
func (c Caller) Allows(scope string) bool {
	return !c.Narrowed() || scope != "" && slices.Contains(c.Scopes, scope)
}
