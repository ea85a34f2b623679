package accounts

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// skeleton is a login as the eye tells it from others: two with one skeleton are
// taken for each other, so only one account has it. Logins are ASCII, which leaves
// of the confusable characters of Unicode (UTS 39) 0 and o; 1, i and l; rn and m;
// vv and w. The migration that made the table of skeletons does the same in SQL.
func skeleton(login string) string {
	text := strings.NewReplacer("0", "o", "1", "l", "i", "l").Replace(foldLogin(login))
	// One after the other, as SQL does it.
	return strings.ReplaceAll(strings.ReplaceAll(text, "rn", "m"), "vv", "w")
}

// reservedLogins are names that people would take for the system, for whoever runs
// it, or for one of its players that is no person.
var reservedLogins = []string{
	"admin", "administrator", "administrador", "anonymous", "anonimo", "computer", "computador", "diretor",
	"diretora", "engine", "everyone", "full", "gateway", "help", "ajuda", "host", "me", "mod", "moderator",
	"moderador", "nobody", "ninguem", "null", "owner", "play", "postmaster", "removed", "root", "rules",
	"search", "security", "staff", "superuser", "support", "suporte", "sysadmin", "teacher", "professor",
	"professora", "tutor", "undefined", "webmaster", "worker", "www",
	// Engines.
	"stockfish", "scan", "kingsrow", "lc0", "leela", "komodo", "houdini", "rybka", "fritz", "alphazero",
	"chessmaster", "chinook", "aurora",
}

// reservedBeginnings are those of names that are given by the system.
var reservedBeginnings = []string{
	"accounts-", "bot-", "deleted", "engine-", "guest", "level-", "operator", "plies", "system", "tabuleiro",
}

// reserved says whether nobody may register a login, however it is spelled:
// separators between its letters make no other name.
func reserved(login string) bool {
	bare := skeleton(strings.NewReplacer("_", "", "-", "", ".", "").Replace(login))
	dashed := skeleton(strings.NewReplacer("_", "-", ".", "-").Replace(login))
	if slices.ContainsFunc(reservedLogins, func(name string) bool { return skeleton(name) == bare }) {
		return true
	}
	return slices.ContainsFunc(reservedBeginnings, func(name string) bool {
		if strings.HasSuffix(name, "-") {
			return strings.HasPrefix(dashed, skeleton(name))
		}
		return strings.HasPrefix(bare, skeleton(name))
	})
}

// loginAnimals make logins that a child can read, spell and remember.
var loginAnimals = []string{
	"anta", "arara", "beijaflor", "boto", "bugio", "calango", "caracol", "coruja", "cotia", "cutia", "ema", "falcao",
	"foca", "galo", "garca", "gato", "girafa", "golfinho", "grilo", "jabuti", "jacare", "jaguar", "joaninha",
	"lebre", "lhama", "lobo", "lontra", "macaco", "mico", "onca", "ourico", "paca", "panda", "pato", "pavao",
	"peixe", "pomba", "preguica", "puma", "quati", "raposa", "rato", "sabia", "sagui", "sapo", "siri", "suricato",
	"tamandua", "tartaruga", "tatu", "tigre", "tubarao", "tucano", "urso", "vagalume", "zebra", "zorro",
}

// maxGiven is how many letters of a name a generated login shows: enough to find
// one's own in a list, and no surname.
const maxGiven = 10

// givenName is the first word of a name in the letters of a login; "aluno" where
// it has none of them.
func givenName(name string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(name), " ")
	given := asciiLetters(first)
	if len(given) < 2 {
		return "aluno"
	}
	return given[:min(len(given), maxGiven)]
}

// asciiLetters drops accents and whatever is no letter a to z.
func asciiLetters(text string) string {
	var out strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		if 'a' <= r && r <= 'z' {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// suggestLogin makes a login of a name and lots below 65536: the given name, an
// animal, and two digits.
func suggestLogin(name string, animal, number uint16) string {
	digits := number % 100
	return givenName(name) + "." + loginAnimals[int(animal)%len(loginAnimals)] +
		string([]byte{byte('0' + digits/10), byte('0' + digits%10)})
}
