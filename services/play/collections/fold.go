package collections

import "strings"

// fold makes texts comparable for people: lower case, without the accents of
// Latin letters, runs of blanks as one.
func fold(text string) string {
	return strings.Join(strings.Fields(strings.Map(plain, strings.ToLower(text))), " ")
}

var accents = func() map[rune]rune {
	table := map[rune]rune{}
	for base, letters := range map[rune]string{
		'a': "àáâãäåāăą", 'c': "çćĉċč", 'd': "ďđ", 'e': "èéêëēĕėęě", 'g': "ĝğġģ", 'h': "ĥħ", 'i': "ìíîïĩīĭįı",
		'j': "ĵ", 'k': "ķ", 'l': "ĺļľł", 'n': "ñńņň", 'o': "òóôõöøōŏő", 'r': "ŕŗř", 's': "śŝşšș", 't': "ţťŧț",
		'u': "ùúûüũūŭůűų", 'w': "ŵ", 'y': "ýÿŷ", 'z': "źżž",
	} {
		for _, r := range letters {
			table[r] = base
		}
	}
	return table
}()

func plain(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case r >= 0x300 && r < 0x370: // combining accents
		return -1
	}
	if base, ok := accents[r]; ok {
		return base
	}
	return r
}
