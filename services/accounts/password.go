package accounts

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// minStaffPassword is the least length of those who see other people's data, in
// characters.
const minStaffPassword = 12

// commonWords are the words that passwords are made of too often: our own list,
// one a line, in lower case.
//
//go:embed common_words.txt
var commonWords string

// commonTails are what people put behind a word to please a form.
var commonTails = []string{
	"", "!", "1", "12", "123", "1234", "12345", "123456", "1234567", "12345678", "123456789", "@123", "_123", "123!", "1!",
	"01", "10", "11", "22", "99", "00", "007", "2020", "2021", "2022", "2023", "2024", "2025", "2026", "2027", "@2024", "@2025", "@2026",
}

// commonPasswords are all words with all tails.
var commonPasswords = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.Lines(commonWords) {
		word = strings.TrimSpace(word)
		for _, tail := range commonTails {
			all[word+tail] = true
		}
	}
	return all
})

// checkPassword says what is wrong with a new password of an account: its length,
// or that it is among the first that anybody would try. There are no rules about
// what kinds of signs it has: they make passwords worse.
func checkPassword(field, password, login string, staff bool) []fault {
	least := minPassword
	detail := "8 characters or more"
	if staff {
		least, detail = minStaffPassword, "12 characters or more for teachers and operators"
	}
	switch length := utf8.RuneCountInString(password); {
	case length < least:
		return []fault{{field, codePasswordShort, detail}}
	case length > maxPassword:
		return []fault{{field, codeBadField, "128 characters at most"}}
	case common(password, login):
		return []fault{{field, codePasswordCommon, "others would try this first"}}
	}
	return nil
}

// common says whether a password is easy to guess, whoever it belongs to or for
// someone with this login.
func common(password, login string) bool {
	lower := strings.ToLower(password)
	// Signs that stand for letters fool nobody.
	plain := strings.NewReplacer("@", "a", "4", "a", "3", "e", "0", "o", "$", "s", "5", "s").Replace(lower)
	if commonPasswords()[lower] || commonPasswords()[plain] {
		return true
	}
	if login = strings.ToLower(login); login != "" && strings.Trim(lower, "0123456789!@#_-. ") == login {
		return true
	}
	return repeats(lower) || runs(lower)
}

// repeats says whether the text is a piece of at most four characters, again and
// again: "aaaaaaaa", "12121212", "abcdabcd".
func repeats(text string) bool {
	signs := []rune(text)
	for period := 1; period <= 4; period++ {
		same := true
		for i := period; i < len(signs) && same; i++ {
			same = signs[i] == signs[i-period]
		}
		if same {
			return true
		}
	}
	return false
}

// rows are what fingers run along.
var rows = []string{"01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qazwsxedcrfvtgbyhnujmikolp", "1q2w3e4r5t6y7u8i9o0p"}

// runs says whether the text is a piece of a row, in either direction.
func runs(text string) bool {
	signs := []rune(text)
	for i, j := 0, len(signs)-1; i < j; i, j = i+1, j-1 {
		signs[i], signs[j] = signs[j], signs[i]
	}
	backwards := string(signs)
	for _, row := range rows {
		if strings.Contains(row, text) || strings.Contains(row, backwards) {
			return true
		}
	}
	return false
}
