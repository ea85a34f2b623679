package pgn

import (
	"unicode/utf8"
)

// appendUTF8 appends text that is UTF-8 as it is and any other as Latin-1.
func appendUTF8(out, text []byte) []byte {
	if utf8.Valid(text) {
		return append(out, text...)
	}
	for _, c := range text {
		out = utf8.AppendRune(out, rune(c))
	}
	return out
}

// appendJoined appends text with each run of blanks and control characters as
// one blank and none at its ends.
func appendJoined(out, text []byte) []byte {
	gap := false
	start := len(out)
	for _, c := range text {
		if isBlank(c) {
			gap = true
			continue
		}
		if gap && len(out) > start {
			out = append(out, ' ')
		}
		gap = false
		out = append(out, c)
	}
	return out
}

// comment is the text of a comment as games keep it.
func comment(raw []byte) string {
	joined := appendJoined(nil, raw)
	if utf8.Valid(joined) {
		return string(joined)
	}
	return string(appendUTF8(nil, joined))
}
