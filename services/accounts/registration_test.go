package accounts

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var today = time.Date(2026, 3, 14, 10, 0, 0, 0, time.UTC)

func ana() registration {
	return registration{
		login: "Ana.Silva", password: "segredo-da-ana", firstName: "Ana", surname: "Silva",
		birthDate: "29/02/2016", sex: "female",
	}
}

func TestRegistrationMakesAnAccount(t *testing.T) {
	got, err := ana().account(FoundingFields(), today)
	want := Account{
		Login: "Ana.Silva", FirstName: "Ana", Surname: "Silva", BirthDate: "2016-02-29", Sex: "female",
		Policy: PolicyGuided, CreatedAt: today,
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestEmptyFieldsAreNamedAllAtOnce(t *testing.T) {
	_, err := registration{login: " \t", birthDate: "  "}.tidy().account(FoundingFields(), today)
	var want []string
	for _, field := range FoundingFields() {
		want = append(want, field+" fields_missing")
	}
	if got := faultsOf(err); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// Empty ones are named before anything else is looked at.
	r := ana()
	r.sex, r.birthDate = "", "31/02/2010"
	_, err = r.account(FoundingFields(), today)
	if got := faultsOf(err); !reflect.DeepEqual(got, []string{"sex fields_missing"}) {
		t.Errorf("got %v, want only the empty field", got)
	}
}

func TestAPolicyMayAskForLess(t *testing.T) {
	r := registration{login: "ana", password: "segredo-da-ana"}
	got, err := r.account([]string{"login", "password"}, today)
	want := Account{Login: "ana", Policy: PolicyGuided, CreatedAt: today}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	// What is given all the same is looked at.
	r.birthDate = "31/02/2010"
	_, err = r.account([]string{"login", "password"}, today)
	if got := faultsOf(err); !reflect.DeepEqual(got, []string{"birth_date bad_date"}) {
		t.Errorf("got %v, want bad_date", got)
	}
}

func faultsOf(err error) []string {
	var fault faultError
	if !errors.As(err, &fault) {
		return []string{fmt.Sprint(err)}
	}
	var texts []string
	for _, f := range fault.faults {
		texts = append(texts, f.field+" "+f.code)
	}
	return texts
}

func TestRegistrationRefusals(t *testing.T) {
	tests := []struct {
		name   string
		change func(*registration)
		want   []string
	}{
		{"login too short", func(r *registration) { r.login = "an" }, []string{"login bad_field"}},
		{"login too long", func(r *registration) { r.login = strings.Repeat("a", 33) }, []string{"login bad_field"}},
		{"login with a blank", func(r *registration) { r.login = "ana silva" }, []string{"login bad_field"}},
		{"login with a look-alike letter", func(r *registration) { r.login = "аna" }, []string{"login bad_field"}},
		{"password of 7", func(r *registration) { r.password = "çççççç7" }, []string{"password password_short"}},
		{"password of 129", func(r *registration) { r.password = strings.Repeat("a", 129) }, []string{"password bad_field"}},
		{"first name of 65", func(r *registration) { r.firstName = strings.Repeat("á", 65) }, []string{"first_name bad_field"}},
		{"surname with a line break", func(r *registration) { r.surname = "Sil\nva" }, []string{"surname bad_field"}},
		{"sex unknown", func(r *registration) { r.sex = "F" }, []string{"sex bad_field"}},
		{"policy unknown", func(r *registration) { r.policy = "free" }, []string{"policy bad_field"}},
		{"open for a child", func(r *registration) { r.policy = "open" }, []string{"policy policy_refused"}},
		{"31 February", func(r *registration) { r.birthDate = "31/02/2010" }, []string{"birth_date bad_date"}},
		{"29 February of a common year", func(r *registration) { r.birthDate = "2015-02-29" }, []string{"birth_date bad_date"}},
		{"tomorrow", func(r *registration) { r.birthDate = "2026-03-15" }, []string{"birth_date bad_date"}},
		{"before 1900", func(r *registration) { r.birthDate = "31/12/1899" }, []string{"birth_date bad_date"}},
		{"American order", func(r *registration) { r.birthDate = "12/31/2010" }, []string{"birth_date bad_date"}},
		{"one digit", func(r *registration) { r.birthDate = "1/2/2010" }, []string{"birth_date bad_date"}},
		{"two digits of the year", func(r *registration) { r.birthDate = "01/02/10" }, []string{"birth_date bad_date"}},
		{"words", func(r *registration) { r.birthDate = "yesterday" }, []string{"birth_date bad_date"}},
		{"several", func(r *registration) { r.login, r.password, r.birthDate, r.policy = "a", "a", "a", "open" },
			[]string{"login bad_field", "password password_short", "birth_date bad_date"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := ana()
			test.change(&r)
			_, err := r.account(FoundingFields(), today)
			if got := faultsOf(err); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestPasswordsAreCountedInCharacters(t *testing.T) {
	for _, password := range []string{"çãéíóúâê", strings.Repeat("好棋子象馬", 25) + "兵卒車", "5 maçãs!", "  a dama"} {
		r := ana()
		r.password = password
		if _, err := r.tidy().account(FoundingFields(), today); err != nil {
			t.Errorf("%q: %v", password, err)
		}
	}
}

func TestOpenIsForThoseWhoAreEighteen(t *testing.T) {
	tests := []struct {
		birth string
		adult bool
	}{
		{"14/03/2008", true}, {"2008-03-14", true}, {"2008-03-15", false}, {"1950-01-01", true}, {"2026-03-14", false},
	}
	for _, test := range tests {
		r := ana()
		r.birthDate, r.policy = test.birth, PolicyOpen
		got, err := r.account(FoundingFields(), today)
		if (err == nil) != test.adult {
			t.Errorf("born %s: %v, want adult %v", test.birth, err, test.adult)
		}
		if err == nil && (!got.Adult || got.Policy != PolicyOpen) {
			t.Errorf("born %s: %+v, want an adult with an open policy", test.birth, got)
		}
	}
	// An age that is not known is not 18.
	r := registration{login: "ana", password: "segredo-da-ana", policy: PolicyOpen}
	_, err := r.account([]string{"login", "password"}, today)
	if got := faultsOf(err); !reflect.DeepEqual(got, []string{"policy policy_refused"}) {
		t.Errorf("without a birth date: %v, want policy_refused", got)
	}
}

func TestBodyCoversEveryFieldButThePassword(t *testing.T) {
	base := ana().body()
	changes := []func(*registration){
		func(r *registration) { r.login += "x" }, func(r *registration) { r.firstName += "x" },
		func(r *registration) { r.surname += "x" }, func(r *registration) { r.birthDate += "x" },
		func(r *registration) { r.sex += "x" }, func(r *registration) { r.policy += "x" },
		// Moving a letter over the border of two fields is a change.
		func(r *registration) { r.firstName, r.surname = "AnaS", "ilva" },
	}
	for i, change := range changes {
		r := ana()
		change(&r)
		if r.body() == base {
			t.Errorf("change %d leaves the body as it was", i)
		}
	}
	r := ana()
	r.password = "another one"
	if r.body() != base {
		t.Error("the password changes the body")
	}
}

// A day reads the same in both formats, and what looks like a day is one or is
// refused.
func TestParseDateReadsBothFormatsAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		year := rapid.IntRange(1890, 2030).Draw(t, "year")
		month := rapid.IntRange(0, 13).Draw(t, "month")
		day := rapid.IntRange(0, 32).Draw(t, "day")
		iso, isoOK := parseDate(fmt.Sprintf("%04d-%02d-%02d", year, month, day), today)
		local, localOK := parseDate(fmt.Sprintf("%02d/%02d/%04d", day, month, year), today)
		exact := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		exists := exact.Day() == day && exact.Month() == time.Month(month) && year >= 1900 && !exact.After(today)
		if isoOK != exists || localOK != exists || !iso.Equal(local) || exists && !iso.Equal(exact) {
			t.Fatalf("%v %v, %v %v, want %v %v", iso, isoOK, local, localOK, exact, exists)
		}
	})
}

func TestParseDateRefusesWhatIsNoDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9/ -]{0,12}`).Draw(t, "text")
		date, ok := parseDate(text, today)
		if ok && text != date.Format(time.DateOnly) && text != date.Format("02/01/2006") {
			t.Fatalf("%q reads as %v", text, date)
		}
	})
}
