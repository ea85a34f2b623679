package accounts

import (
	"context"
	"time"
)

// Class is a class of a school.
type Class struct {
	ID, Name string
	// Year is the school year; 0 for none.
	Year int32
	// CreatedAt has milliseconds.
	CreatedAt time.Time
	// ArchivedAt is zero while the class is not archived.
	ArchivedAt time.Time
}

// Archived says whether the class gives no rights any more.
func (c Class) Archived() bool { return !c.ArchivedAt.IsZero() }

// Pupil is an account's place in a class.
type Pupil struct {
	Class, Account string
	// Batch is the command that made the account, and Place where it stood in its
	// list; empty and 0 for one that came by a code or from another class.
	Batch string
	Place int32
	// JoinedAt has milliseconds.
	JoinedAt time.Time
	// ArchivedAt is zero while the pupil is not archived.
	ArchivedAt time.Time
}

// Purposes of one-time codes.
const (
	// CodeAccess sets the password of the account it is about.
	CodeAccess = "access"
	// CodeTeacher gives the role of teacher.
	CodeTeacher = "teacher"
	// CodeGuardian makes a guardian of the account it is about.
	CodeGuardian = "guardian"
	// CodePupil gives a place in its class.
	CodePupil = "pupil"
)

// Code is a one-time code that waits to be used. Its text is stored nowhere.
type Code struct {
	Hash    [32]byte
	Purpose string
	// Account and Class are what it is about; empty for neither.
	Account, Class string
	MadeBy         string
	// Batch is the command that made it.
	Batch     string
	ExpiresAt time.Time
	// Tries counts wrong guesses, of access codes only.
	Tries int32
}

// Actions of the audit log.
const (
	actionOperatorClaimed = "operator_claimed"
	actionPolicyOpened    = "policy_opened"
	actionRoleGiven       = "role_given"
	actionRoleTaken       = "role_taken"
	actionCodeMade        = "code_made"
	actionGuardianAdded   = "guardian_added"
	actionGuardianEnded   = "guardian_ended"
	actionClassMade       = "class_made"
	actionClassChanged    = "class_changed"
	actionClassArchived   = "class_archived"
	actionClassRestored   = "class_restored"
	actionTeacherAdded    = "teacher_added"
	actionTeacherRemoved  = "teacher_removed"
	actionPupilAdded      = "pupil_added"
	actionPupilJoined     = "pupil_joined"
	actionPupilChanged    = "pupil_changed"
	actionPupilArchived   = "pupil_archived"
	actionPupilRestored   = "pupil_restored"
	actionPupilMoved      = "pupil_moved"
	actionPupilRemoved    = "pupil_removed"
	actionAccessReset     = "access_reset"
	actionAccessSet       = "access_set"
	actionAccessGuessed   = "access_code_wrong"
	actionPublicAllowed   = "public_allowed"
	actionPublicForbidden = "public_forbidden"
	actionPassword        = "password_changed"
	actionTokenMade       = "token_made"
	actionDevicePaired    = "device_paired"
	actionExported        = "account_exported"
	actionCorrected       = "details_corrected"
	actionShielded        = "protection_began"
	actionUnshielded      = "protection_ended"
	actionDeleted         = "account_deleted"
	actionLoginFailed     = "login_failed"
	actionUnused          = "unused_noticed"
	actionPupilsKept      = "pupils_kept"
	actionFactorSet       = "second_factor_set"
	actionFactorEnded     = "second_factor_ended"
	actionRecoveryMade    = "recovery_codes_made"
)

// Audit is one row of the audit log.
type Audit struct {
	// Number counts from 1 without gaps. The store gives it, and Hash.
	Number int32
	At     time.Time
	// Actor is an account, "service:" and a name, or empty for nobody known.
	Actor, Action string
	// Subject, Class and Object are ids or empty.
	Subject, Class, Object string
	// Why is a word for programs.
	Why string
	// Times is how often it happened, where many are noted as one.
	Times int32
	// Hash covers the row and the hash of the row before it.
	Hash [32]byte
}

// AuditQuery narrows a list of audit rows; empty fields do not.
type AuditQuery struct {
	Subject, Actor, Action string
	// Classes are those that a row must be in, or Subjects whom it must be about:
	// one of both is enough. nil for all.
	Classes, Subjects []string
	// Before is a number that rows are below; 0 for none.
	Before int32
	Limit  int
}

// Deletion is one entry of the list of deleted accounts.
type Deletion struct {
	Number  int32
	Account string
	At      time.Time
}

// deletedLogin stands in the place of a deleted account's login.
const deletedLogin = "deleted"

// SchoolReader is what a transaction sees. Lists are sorted by id unless they say
// otherwise.
type SchoolReader interface {
	FactorReader
	UseReader
	// FindCommand finds a command carried out. Errors: ErrNotFound.
	FindCommand(ctx context.Context, scope, key string) (Command, error)
	// FindAccounts finds those of the ids that exist, tombstones too, in no order.
	FindAccounts(ctx context.Context, ids []string) ([]Account, error)
	// FindLogin finds an account that lives by its login. Errors: ErrNotFound.
	FindLogin(ctx context.Context, login string) (Person, error)
	// WithoutPassword is those of the accounts that have no password.
	WithoutPassword(ctx context.Context, ids []string) ([]string, error)
	// Operators counts the accounts with the role of operator.
	Operators(ctx context.Context) (int, error)
	// SessionsOf lists the sessions of an account, oldest first.
	SessionsOf(ctx context.Context, account string) ([]Session, error)

	// FindClass errors: ErrNotFound.
	FindClass(ctx context.Context, id string) (Class, error)
	// ClassesTaught and ClassesAttended list the classes of a teacher and of a pupil
	// who is not archived in them, archived classes too.
	ClassesTaught(ctx context.Context, teacher string) ([]Class, error)
	ClassesAttended(ctx context.Context, pupil string) ([]Class, error)
	// AllClasses lists classes newest first, below an id unless it is empty.
	AllClasses(ctx context.Context, before string, limit int) ([]Class, error)
	// TeachersOf lists the teachers of a class.
	TeachersOf(ctx context.Context, class string) ([]string, error)
	// PupilsOf lists the pupils of a class, archived ones too.
	PupilsOf(ctx context.Context, class string) ([]Pupil, error)
	// Places lists the places of accounts in all classes that are not archived,
	// archived places left out.
	Places(ctx context.Context, accounts []string) ([]Pupil, error)
	// BatchOf lists the pupils whose accounts a command made, in order of place.
	BatchOf(ctx context.Context, batch string) ([]Pupil, error)
	// GuardiansOf and ChildrenOf list the other side.
	GuardiansOf(ctx context.Context, child string) ([]string, error)
	ChildrenOf(ctx context.Context, guardian string) ([]string, error)

	// FindCode finds a code by its hash. Errors: ErrNotFound.
	FindCode(ctx context.Context, hash [32]byte) (Code, error)
	// AccessCodes finds the access codes of accounts.
	AccessCodes(ctx context.Context, accounts []string) ([]Code, error)
	// CodesOf finds the codes that a command made.
	CodesOf(ctx context.Context, batch string) ([]Code, error)
	// CountCodes counts the codes of a maker that are not access codes.
	CountCodes(ctx context.Context, maker string) (int, error)

	// AuditRows lists rows newest first.
	AuditRows(ctx context.Context, query AuditQuery) ([]Audit, error)
	// AuditAfter lists rows oldest first, above a number.
	AuditAfter(ctx context.Context, number int32, limit int) ([]Audit, error)
	// Deletions lists deletions in order, above a number.
	Deletions(ctx context.Context, after int32, limit int) ([]Deletion, error)
}

// SchoolWriter is what a transaction changes.
type SchoolWriter interface {
	SchoolReader
	FactorWriter
	UseWriter
	// Keep stores a command. Errors: ErrKeyUsed.
	Keep(ctx context.Context, command Command) error
	// Append adds a row to the audit log and gives it its number and hash.
	Append(ctx context.Context, row Audit) error

	// InsertAccount errors: ErrLoginTaken; the transaction goes on.
	InsertAccount(ctx context.Context, person Person) error
	// SetPassword sets the hash; empty for none.
	SetPassword(ctx context.Context, account, hash string) error
	// EndAll ends everything that an account is logged in by.
	EndAll(ctx context.Context, account string) error
	SetFirstName(ctx context.Context, account, name string) error
	// SetDetails sets names, birth date and sex.
	SetDetails(ctx context.Context, account string, details Details) error
	SetPublic(ctx context.Context, account string, allowed bool) error
	// SetRole gives or takes a role.
	SetRole(ctx context.Context, account, role string, has bool) error
	// Erase makes a tombstone of an account: all that is personal goes, and so do
	// its relations, codes, commands, sessions and second factor; its place in the list of
	// deletions is the next. Ratings and the ledger stay. The login can be had
	// again after ReleaseLogins.
	Erase(ctx context.Context, account string, at time.Time) error

	// PutClass stores a class, new or not.
	PutClass(ctx context.Context, class Class) error
	// PutTeacher and DropTeacher change nothing where it is so already.
	PutTeacher(ctx context.Context, class, account string) error
	DropTeacher(ctx context.Context, class, account string) error
	// PutPupil stores a place, new or not.
	PutPupil(ctx context.Context, pupil Pupil) error
	DropPupil(ctx context.Context, class, account string) error
	PutGuardian(ctx context.Context, child, guardian string, at time.Time) error
	DropGuardian(ctx context.Context, child, guardian string) error

	// PutCode stores a code; an access code replaces the account's older one.
	PutCode(ctx context.Context, code Code) error
	DropCode(ctx context.Context, hash [32]byte) error
	// CountTry counts a wrong guess at an access code.
	CountTry(ctx context.Context, account string) error
	// SweepCodes forgets at most limit codes that ended before now.
	SweepCodes(ctx context.Context, now time.Time, limit int) (int, error)
	// ReleaseLogins lets logins be had again whose accounts were deleted before.
	ReleaseLogins(ctx context.Context, before time.Time) (int, error)
}

// School keeps classes, relations, codes, the audit log and the list of deletions.
type School interface {
	// View runs a question on what is committed.
	View(ctx context.Context, f func(ctx context.Context, r SchoolReader) error) error
	// Change runs f in one serializable transaction and undoes it when f fails,
	// whose error it returns. f may run again and must set anew what it hands out.
	Change(ctx context.Context, f func(ctx context.Context, w SchoolWriter) error) error
}
