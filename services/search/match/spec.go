package match

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limit bounds what an engine may use for a move, or for a game where Base is
// set. Exactly one of the ways is used.
type Limit struct {
	Nodes    uint64
	Depth    int
	MoveTime time.Duration
	// CPU is processor time a move, for machines that do other work too.
	CPU time.Duration
	// Base is a clock for the game, with Increment after each move.
	Base, Increment time.Duration
}

// ParseLimit reads "nodes 5000", "depth 8", "movetime 100", "cpu 20" (both in
// milliseconds) or "tc 10+0.1" (seconds).
func ParseLimit(text string) (Limit, error) {
	kind, value, ok := strings.Cut(strings.TrimSpace(text), " ")
	value = strings.TrimSpace(value)
	bad := fmt.Errorf(`the limit %q is none of "nodes N", "depth N", "movetime MS", "cpu MS", "tc SECONDS+SECONDS"`, text)
	if !ok {
		return Limit{}, bad
	}
	if kind == "tc" {
		base, increment, _ := strings.Cut(value, "+")
		b, err := seconds(base)
		if err != nil || b <= 0 {
			return Limit{}, bad
		}
		i := time.Duration(0)
		if increment != "" {
			if i, err = seconds(increment); err != nil {
				return Limit{}, bad
			}
		}
		return Limit{Base: b, Increment: i}, nil
	}
	n, err := strconv.ParseUint(value, 10, 40)
	if err != nil || n == 0 {
		return Limit{}, bad
	}
	switch kind {
	case "nodes":
		return Limit{Nodes: n}, nil
	case "depth":
		if n > 1000 {
			return Limit{}, bad
		}
		return Limit{Depth: int(n)}, nil
	case "movetime":
		return Limit{MoveTime: time.Duration(min(n, 1<<30)) * time.Millisecond}, nil
	case "cpu":
		return Limit{CPU: time.Duration(min(n, 1<<30)) * time.Millisecond}, nil
	}
	return Limit{}, bad
}

func seconds(text string) (time.Duration, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0 && f < 1e6) {
		return 0, errors.New("no number of seconds")
	}
	return time.Duration(f * float64(time.Second)), nil
}

func (l Limit) String() string {
	switch {
	case l.Nodes > 0:
		return fmt.Sprintf("nodes %d", l.Nodes)
	case l.Depth > 0:
		return fmt.Sprintf("depth %d", l.Depth)
	case l.MoveTime > 0:
		return fmt.Sprintf("movetime %d", l.MoveTime.Milliseconds())
	case l.CPU > 0:
		return fmt.Sprintf("cpu %d", l.CPU.Milliseconds())
	}
	return fmt.Sprintf("tc %g+%g", l.Base.Seconds(), l.Increment.Seconds())
}

// Option is a setting of an engine.
type Option struct{ Name, Value string }

// Engine is one side of a match.
type Engine struct {
	Name string
	// Command starts a program; empty is our own engine, in this process.
	Command []string
	// Protocol is uci, hub or line; our own engine has none.
	Protocol string
	Limit    Limit
	Options  []Option
}

// ParseEngine reads "name=A;cmd=/usr/bin/a -x;proto=uci;limit=cpu 20;Hash=16".
// Without cmd it is our own engine in this process, whose options are Hash (MiB), in
// draughts tables (of endings, true unless it says false), and the engine's switches. What it does not say is taken from the arguments.
// A semicolon cannot be part of a value; words of cmd may be quoted.
func ParseEngine(text, rules string, limit Limit) (Engine, error) {
	e := Engine{Limit: limit}
	for part := range strings.SplitSeq(text, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" {
			return e, fmt.Errorf("the part %q of an engine is not key=value", part)
		}
		switch key {
		case "name":
			e.Name = value
		case "cmd":
			words, err := splitWords(value)
			if err != nil {
				return e, err
			}
			e.Command = words
		case "proto":
			e.Protocol = value
		case "limit":
			l, err := ParseLimit(value)
			if err != nil {
				return e, err
			}
			e.Limit = l
		default:
			e.Options = append(e.Options, Option{key, value})
		}
	}
	if e.Limit == (Limit{}) {
		return e, errors.New(`an engine needs a limit, such as "limit=nodes 5000"`)
	}
	if len(e.Command) == 0 {
		if e.Protocol != "" {
			return e, errors.New("proto is for programs; an engine without cmd is our own")
		}
		if e.Name == "" {
			e.Name = "tabuleiro"
		}
		_, _, err := readOwn(e, rules)
		return e, err
	}
	if e.Name == "" {
		e.Name = e.Command[0][strings.LastIndexByte(e.Command[0], '/')+1:]
	}
	if e.Protocol == "" {
		e.Protocol = map[string]string{"chess": "uci", "draughts": "hub"}[rules]
	}
	switch e.Protocol + " " + rules {
	case "uci chess", "hub draughts", "line draughts":
		return e, nil
	}
	return e, fmt.Errorf("there is no protocol %q for %s", e.Protocol, rules)
}

// splitWords splits at blanks outside quotes.
func splitWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, open := rune(0), false
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, open = r, true
		case r == ' ' || r == '\t':
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote is left open in %q", text)
	}
	if open {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("cmd names no program")
	}
	return words, nil
}
