package match

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"strings"
)

// setting is one of those that make games of two runs comparable, by its name.
type setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// settings are all that games depend on. How many games there are, how many at once
// and what ends the match early are not among them.
func (m Match) settings() []setting {
	adj := m.Adjudication
	list := []setting{
		{"build", m.Build + " " + program(os.Executable())},
		{"rules", m.Rules},
		{"seed", fmt.Sprint(m.Seed)},
		{"plies", fmt.Sprint(m.Plies)},
		{"openings", fmt.Sprintf("%d, %s", len(m.Openings), sum(func(h hash.Hash) {
			for _, o := range m.Openings {
				fmt.Fprintf(h, "%q\n", append([]string{o.Start.Text, o.Start.History}, o.Moves...))
			}
		}))},
		{"margin", m.Margin.String()},
		{"patience", m.Patience.String()},
		{"resign", fmt.Sprintf("%d,%d", adj.ResignScore, adj.ResignMoves)},
		{"draw", fmt.Sprintf("%d,%d,%d", adj.DrawScore, adj.DrawMoves, adj.DrawFrom)},
		{"max-plies", fmt.Sprint(adj.MaxPlies)},
		{"tables", fmt.Sprintf("%d pieces, results %v", m.Pieces, adj.Exact != nil)},
	}
	for i, e := range m.Engines {
		text := fmt.Sprintf("%s %q %s %v %s", e.Name, e.Command, e.Protocol, e.Options, e.Limit)
		if len(e.Command) > 0 {
			text += " " + program(exec.LookPath(e.Command[0]))
		}
		list = append(list, setting{[]string{"engine a", "engine b"}[i], text})
	}
	return list
}

// sum is a short sum of what is written.
func sum(write func(hash.Hash)) string {
	h := sha256.New()
	write(h)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// program is the sum of a program's file, so that another build of it shows.
func program(path string, err error) string {
	if err == nil {
		var file *os.File
		if file, err = os.Open(path); err == nil {
			defer func() { _ = file.Close() }()
			text := sum(func(h hash.Hash) { _, err = io.Copy(h, file) })
			if err == nil {
				return text
			}
		}
	}
	return "(" + err.Error() + ")"
}

// differences says how the settings of a journal differ from those of a match.
func differences(journal, match []setting) string {
	was := map[string]string{}
	for _, s := range journal {
		was[s.Name] = s.Value
	}
	var parts []string
	for _, s := range match {
		if old := was[s.Name]; old != s.Value {
			parts = append(parts, fmt.Sprintf("%s was %q and is %q", s.Name, old, s.Value))
		}
		delete(was, s.Name)
	}
	for _, s := range journal {
		if old, there := was[s.Name]; there {
			parts = append(parts, fmt.Sprintf("%s was %q", s.Name, old))
		}
	}
	return strings.Join(parts, "; ")
}
