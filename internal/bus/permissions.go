package bus

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
)

// Role is a user of the bus.
type Role string

// The roles that use the bus.
const (
	RoleGateway Role = "gateway"
	RolePlay    Role = "play"
	RoleSearch  Role = "search"
	RoleWorker  Role = "worker"
	// RoleEdge is an agent that the installation itself runs, for any board.
	RoleEdge Role = "edge"
	// RoleAccounts only says that sessions may have ended.
	RoleAccounts Role = "accounts"
)

// Roles lists them all.
func Roles() []Role {
	return []Role{RoleGateway, RolePlay, RoleSearch, RoleWorker, RoleEdge, RoleAccounts}
}

// answerWithin is how long a role may answer a request that reached it.
const answerWithin = 30 * time.Second

// rights are the subjects that a role may use besides its own inbox. A role that
// answers may publish one answer to each request that it got.
type rights struct {
	publish, subscribe []string
	answers            bool
}

// rightsOf is the whole table; nothing else is allowed.
func rightsOf(role Role) (rights, bool) {
	switch role {
	case RoleGateway:
		return rights{
			publish:   []string{"presence.*", "board.*.desired", "board.*.replay"},
			subscribe: []string{"game.*.event", "tournament.*.event", "presence.*", "access.*", "board.*.sensor", "board.*.command", "board.*.hello", "board.*.lease"},
			answers:   true,
		}, true
	case RolePlay:
		return rights{
			publish:   []string{"game.*.event", "tournament.*.event"},
			subscribe: []string{"presence.*"},
		}, true
	case RoleSearch:
		return rights{
			publish:   []string{"search.open", "search.*.tt", "search.*.window", "search.*.stop"},
			subscribe: []string{"search.worker", "search.*.task", "search.*.tt", "search.*.window"},
			answers:   true,
		}, true
	case RoleWorker:
		return rights{
			publish:   []string{"search.worker", "search.*.task", "search.*.tt", "search.*.window"},
			subscribe: []string{"search.open", "search.*.tt", "search.*.window", "search.*.stop"},
		}, true
	case RoleEdge:
		return rights{
			publish:   []string{"board.*.sensor", "board.*.command", "board.*.hello", "board.*.lease"},
			subscribe: []string{"board.*.desired", "board.*.replay"},
			answers:   true,
		}, true
	case RoleAccounts:
		return rights{publish: []string{"access.*"}}, true
	}
	return rights{}, false
}

// inboxPrefix keeps a role's answers away from other roles.
func inboxPrefix(role Role) string { return "_INBOX_" + string(role) }

func isInbox(subject string) bool {
	return slices.ContainsFunc(Roles(), func(role Role) bool { return strings.HasPrefix(subject, inboxPrefix(role)+".") })
}

// mayPublish and maySubscribe ask the table before the server does: the server's
// refusal comes late and looks like a time-out.
func mayPublish(role Role, subject string) bool {
	if strings.ContainsAny(subject, "*>") {
		return false // the server takes a wildcard here for a letter
	}
	r, _ := rightsOf(role)
	return slices.ContainsFunc(r.publish, func(p string) bool { return covers(p, subject) })
}

func maySubscribe(role Role, subject string) bool {
	r, _ := rightsOf(role)
	return slices.ContainsFunc(r.subscribe, func(p string) bool { return covers(p, subject) })
}

// covers says whether pattern, whose wildcards are all `*`, allows the whole of
// subject, which may have wildcards too.
func covers(pattern, subject string) bool {
	p, s := strings.Split(pattern, "."), strings.Split(subject, ".")
	if len(p) != len(s) {
		return false
	}
	for i := range p {
		if s[i] == "" || s[i] == ">" || p[i] != "*" && p[i] != s[i] {
			return false
		}
	}
	return true
}

// ServerConfig renders the configuration of a separate nats-server with the same
// users, rights and limits as the embedded one. It holds public keys only.
func ServerConfig(keys *Keys, listen string) (string, error) {
	if _, _, err := net.SplitHostPort(listen); err != nil {
		return "", fmt.Errorf("bus: listen address: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by tabuleiro from its table of rights: write it anew rather than edit it.\n")
	fmt.Fprintf(&b, "listen: %q\nmax_payload: %d\nping_interval: %q\nping_max: %d\nwrite_deadline: %q\n",
		listen, MaxPayload, pingInterval, pingsOutstanding, writeDeadline)
	fmt.Fprintf(&b, "authorization {\n  timeout: %d\n  users: [\n", authSeconds)
	for _, role := range Roles() {
		r, _ := rightsOf(role)
		fmt.Fprintf(&b, "    # %s\n    {\n      nkey: %s\n      permissions: {\n", role, keys.Public(role))
		fmt.Fprintf(&b, "        publish: { allow: [%s] }\n", quoted(r.publish))
		fmt.Fprintf(&b, "        subscribe: { allow: [%s] }\n", quoted(append(slices.Clone(r.subscribe), inboxPrefix(role)+".>")))
		if r.answers {
			fmt.Fprintf(&b, "        allow_responses: { max: 1, expires: %q }\n", answerWithin)
		}
		fmt.Fprintf(&b, "      }\n    }\n")
	}
	fmt.Fprintf(&b, "  ]\n}\n")
	return b.String(), nil
}

func quoted(subjects []string) string {
	q := make([]string, len(subjects))
	for i, s := range subjects {
		q[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(q, ", ")
}
