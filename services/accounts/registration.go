package accounts

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of the fields, in characters.
const (
	minLogin, maxLogin       = 3, 32
	minPassword, maxPassword = 8, 128
	maxName                  = 64
	minYear                  = 1900
	adultAge                 = 18
)

// Fields of a registration by their names on the wire.
const (
	fieldLogin     = "login"
	fieldPassword  = "password"
	fieldFirstName = "first_name"
	fieldSurname   = "surname"
	fieldBirthDate = "birth_date"
	fieldSex       = "sex"
	fieldPolicy    = "policy"
)

// FoundingFields are the six fields of a registration, all required unless the
// installation's policy relaxes it.
func FoundingFields() []string {
	return []string{fieldLogin, fieldPassword, fieldFirstName, fieldSurname, fieldBirthDate, fieldSex}
}

// registration is what a person typed, in the order of FoundingFields.
type registration struct {
	login, password, firstName, surname, birthDate, sex, policy string
}

// faultError says what is wrong with a registration, field by field. All faults
// have the same code or are of different fields.
type faultError struct{ faults []fault }

// fault is what is wrong with one field.
type fault struct{ field, code, detail string }

func (e faultError) Error() string {
	text := make([]string, len(e.faults))
	for i, f := range e.faults {
		text[i] = f.field + ": " + f.code
	}
	return "registration: " + strings.Join(text, ", ")
}

// Codes of faults, in the catalogue of problems.
const (
	codeFieldsMissing  = "fields_missing"
	codeBadField       = "bad_field"
	codeBadDate        = "bad_date"
	codePasswordShort  = "password_short"
	codePasswordCommon = "password_common"
	codePolicyRefused  = "policy_refused"
	codeLoginReserved  = "login_reserved"
)

// tidy drops the blanks around everything but the password.
func (r registration) tidy() registration {
	for _, field := range []*string{&r.login, &r.firstName, &r.surname, &r.birthDate, &r.sex, &r.policy} {
		*field = strings.TrimSpace(*field)
	}
	return r
}

// body is a hash of everything but the password.
func (r registration) body() [32]byte {
	hash := sha256.New()
	for _, field := range []string{r.login, r.firstName, r.surname, r.birthDate, r.sex, r.policy} {
		fmt.Fprintf(hash, "%d:%s", len(field), field)
	}
	return [32]byte(hash.Sum(nil))
}

// account makes the account that a tidy registration asks for, without an id.
// Empty required fields are refused all at once before anything else is looked
// at; then every field that is wrong is named.
func (r registration) account(required []string, now time.Time) (Account, error) {
	if missing := r.missing(required); len(missing) > 0 {
		return Account{}, faultError{missing}
	}
	var faults []fault
	refuse := func(field, code, detail string) { faults = append(faults, fault{field, code, detail}) }

	switch {
	case !validLogin(r.login):
		refuse(fieldLogin, codeBadField, `3 to 32 letters a to z, digits, "_", "-" or "."`)
	case reserved(r.login):
		refuse(fieldLogin, codeLoginReserved, "nobody may have this ID")
	}
	faults = append(faults, checkPassword(fieldPassword, r.password, r.login, false)...)
	birth, wrong := Details{r.firstName, r.surname, r.birthDate, r.sex}.check(now)
	faults = append(faults, wrong...)
	adult := !birth.IsZero() && !birth.AddDate(adultAge, 0, 0).After(now)
	switch r.policy {
	case "", PolicyGuided:
	case PolicyOpen:
		if !adult && len(faults) == 0 {
			refuse(fieldPolicy, codePolicyRefused, `"open" is for those born 18 years ago or more`)
		}
	default:
		refuse(fieldPolicy, codeBadField, `"guided" or "open"`)
	}
	if len(faults) > 0 {
		return Account{}, faultError{faults}
	}

	account := Account{
		Login: r.login, FirstName: r.firstName, Surname: r.surname, Sex: r.sex,
		Policy: PolicyGuided, Adult: adult, CreatedAt: now,
	}
	if !birth.IsZero() {
		account.BirthDate = birth.Format(time.DateOnly)
	}
	if r.policy == PolicyOpen {
		account.Policy = PolicyOpen
	}
	return account, nil
}

// check reads the birth date, zero for none, and names every field that is wrong.
func (d Details) check(now time.Time) (birth time.Time, faults []fault) {
	refuse := func(field, code, detail string) { faults = append(faults, fault{field, code, detail}) }
	for _, name := range []struct{ field, value string }{{fieldFirstName, d.FirstName}, {fieldSurname, d.Surname}} {
		if !validName(name.value) {
			refuse(name.field, codeBadField, "64 characters at most, none of them a control character")
		}
	}
	if d.BirthDate != "" {
		var ok bool
		if birth, ok = parseDate(d.BirthDate, now); !ok {
			refuse(fieldBirthDate, codeBadDate, "a day that exists, as yyyy-mm-dd or dd/mm/yyyy, from 1900 to today")
		}
	}
	if d.Sex != "" && !slices.Contains([]string{"female", "male", "other", "undisclosed"}, d.Sex) {
		refuse(fieldSex, codeBadField, `"female", "male", "other" or "undisclosed"`)
	}
	return birth, faults
}

// missing names the required fields that are empty, in the order of the form.
func (r registration) missing(required []string) []fault {
	values := map[string]string{
		fieldLogin: r.login, fieldPassword: r.password, fieldFirstName: r.firstName,
		fieldSurname: r.surname, fieldBirthDate: r.birthDate, fieldSex: r.sex,
	}
	var faults []fault
	for _, field := range FoundingFields() {
		if values[field] == "" && slices.Contains(required, field) {
			faults = append(faults, fault{field, codeFieldsMissing, "must not be empty"})
		}
	}
	return faults
}

// validLogin allows ASCII alone: opponents see the login, and letters of
// different scripts that look alike would let one person pose as another.
func validLogin(login string) bool {
	if len(login) < minLogin || len(login) > maxLogin {
		return false
	}
	for _, c := range []byte(login) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '-', c == '.':
		default:
			return false
		}
	}
	return true
}

// foldLogin is the form in which a login is unique.
func foldLogin(login string) string { return strings.ToLower(login) }

func validName(name string) bool {
	return utf8.RuneCountInString(name) <= maxName && !strings.ContainsFunc(name, unicode.IsControl)
}

// parseDate reads yyyy-mm-dd or dd/mm/yyyy; false for a day that does not exist,
// lies after today (UTC) or before 1900. It is strict about the digits, because
// time.Parse would take 1/2/2010 for dd/mm/yyyy.
func parseDate(text string, now time.Time) (time.Time, bool) {
	layout := time.DateOnly
	if strings.Contains(text, "/") {
		layout = "02/01/2006"
	}
	date, err := time.Parse(layout, text)
	if err != nil || date.Format(layout) != text || date.Year() < minYear || date.After(now) {
		return time.Time{}, false
	}
	return date, true
}
