package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"tabuleiro/internal/identity"
)

const (
	// deviceLife is how long a browser is known after its last log-in.
	deviceLife = 180 * 24 * time.Hour
	// maxDeviceLogins is how many IDs a browser is known for, the latest.
	maxDeviceLogins = 8
)

// deviceCookie is what is known of the browser; nothing where it has no cookie of
// ours. It gives no rights: it only keeps who is known apart from who guesses.
func (g *Gateway) deviceCookie(r *http.Request) identity.Device {
	c, err := r.Cookie(g.cookieName(r, "device"))
	if err != nil {
		return identity.Device{}
	}
	device, err := g.deps.Keys.VerifyDevice(c.Value, g.deps.Now())
	if err != nil {
		return identity.Device{}
	}
	return device
}

// rememberDevice notes in the browser that this ID has logged in there.
func (g *Gateway) rememberDevice(w http.ResponseWriter, r *http.Request, login string) {
	device, mark := g.deviceCookie(r), loginMark(foldLogin(login))
	if device.ID == "" {
		device.ID = uuid.NewString()
	}
	device.Logins = slices.DeleteFunc(device.Logins, func(m string) bool { return m == mark })
	device.Logins = append([]string{mark}, device.Logins[:min(len(device.Logins), maxDeviceLogins-1)]...)
	g.setCookie(w, r, "device", g.deps.Signer.SignDevice(device, g.deps.Now(), deviceLife), deviceLife)
}

// loginMark stands for an ID in a cookie, which others at the same PC may read.
func loginMark(login string) string {
	sum := sha256.Sum256([]byte("tabuleiro device " + login))
	return hex.EncodeToString(sum[:8])
}

// deviceOf says in a few words what program on what system a request comes from,
// for people who look at their own sessions: no versions, no models, nothing by
// which a device could be told from others of its kind.
func deviceOf(userAgent string) string {
	program := firstOf(userAgent, [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chromium/", "Chromium"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
		{"curl/", "curl"}, {"python-requests/", "Python"}, {"Go-http-client/", "Go"}, {"okhttp/", "Android app"},
	})
	system := firstOf(userAgent, [][2]string{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"},
		{"Macintosh", "macOS"}, {"Linux", "Linux"},
	})
	switch {
	case program == "":
		return system
	case system == "":
		return program
	}
	return program + " on " + system
}

// firstOf is the name of the first mark that stands in the text.
func firstOf(text string, marks [][2]string) string {
	for _, mark := range marks {
		if strings.Contains(text, mark[0]) {
			return mark[1]
		}
	}
	return ""
}

// network is where a request comes from, so coarse that many share it: a /24 of
// IPv4 or a /48 of IPv6.
func (g *Gateway) network(r *http.Request) string {
	text, _, _ := strings.Cut(g.address(r), "/")
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return ""
	}
	bits := 24
	if ip.Is6() {
		bits = 48
	}
	network, err := ip.WithZone("").Prefix(bits)
	if err != nil {
		return ""
	}
	return network.String()
}
