package accounts

import (
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"
	"github.com/pquerna/otp/hotp"
)

const (
	// totpSecret is the length of a secret: that of the hash, as RFC 4226 section 4
	// recommends.
	totpSecret = 20
	// totpDigits and totpPeriod are what every authenticator app can do.
	totpDigits = 6
	totpPeriod = 30 * time.Second
	// totpSkew is how many steps a clock may be off, in either direction.
	totpSkew = 1
	// totpIssuer is what the app shows the code under.
	totpIssuer = "Tabuleiro"
)

// totpText is a secret as one types it.
func totpText(secret []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
}

// totpStep is the time step at a moment (RFC 6238 section 4.2).
func totpStep(now time.Time) int64 { return now.Unix() / int64(totpPeriod/time.Second) }

// totpMatch finds the step that a code is of, around now and above the last one
// whose code was used: no code opens twice (RFC 6238 section 5.2).
func totpMatch(secret []byte, code string, now time.Time, last int64) (step int64, ok bool, err error) {
	text := totpText(secret)
	for at := totpStep(now) - totpSkew; at <= totpStep(now)+totpSkew; at++ {
		want, err := hotp.GenerateCode(text, uint64(at))
		if err != nil {
			return 0, false, fmt.Errorf("computing a code: %w", err)
		}
		if at > last && subtle.ConstantTimeCompare([]byte(code), []byte(want)) == 1 {
			step, ok = at, true
		}
	}
	return step, ok, nil
}

// totpCode is what was typed as a code of an app, without the blank that apps show
// in its middle; false for anything else.
func totpCode(typed string) (string, bool) {
	code := strings.ReplaceAll(strings.TrimSpace(typed), " ", "")
	return code, len(code) == totpDigits && strings.Trim(code, "0123456789") == ""
}

// totpURI is what apps read: the secret, under the login at this installation.
func totpURI(secret []byte, login string) string {
	label := url.PathEscape(totpIssuer + ":" + login)
	// Apps want %20, not +, and these values need neither.
	return fmt.Sprintf("otpauth://totp/%s?secret=%s&issuer=%s&algorithm=SHA1&digits=%d&period=%d",
		label, totpText(secret), totpIssuer, totpDigits, int(totpPeriod/time.Second))
}

// qrRows draws a text as a QR code: "1" for dark, a text a row.
func qrRows(text string) ([]string, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return nil, fmt.Errorf("drawing a QR code: %w", err)
	}
	bounds := code.Bounds()
	rows := make([]string, 0, bounds.Dy())
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		var row strings.Builder
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			// Dark modules are black.
			if r, _, _, _ := code.At(x, y).RGBA(); r == 0 {
				row.WriteByte('1')
			} else {
				row.WriteByte('0')
			}
		}
		rows = append(rows, row.String())
	}
	return rows, nil
}
