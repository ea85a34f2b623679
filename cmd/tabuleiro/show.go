package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"
)

// showCmd takes the options of up or run and prints them in place of running.
type showCmd struct {
	Up  showUpCmd  `cmd:"" default:"withargs" help:"The options of up."`
	Run showRunCmd `cmd:"" help:"The options of run."`
}

type showUpCmd struct {
	upOptions `embed:""`
}

func (c showUpCmd) Run(parsed *kong.Context, file *optionFile, s streams) error {
	if err := c.config(s).Validate(); err != nil {
		return err
	}
	return show(parsed, file, s, nil)
}

type showRunCmd struct {
	runOptions `embed:""`
}

func (c showRunCmd) Run(parsed *kong.Context, file *optionFile, s streams) error {
	cfg, err := c.config(s)
	if err != nil {
		return err
	}
	if err := cfg.Validate(); err != nil {
		return err
	}
	return show(parsed, file, s, []string{"postgres-url", "redis-url", "nats-credentials"})
}

// show prints a line an option: its name, its value, where it comes from. Of
// secrets it says only whether they are set.
func show(parsed *kong.Context, file *optionFile, s streams, secrets []string) error {
	given := map[string]bool{}
	for _, p := range parsed.Path {
		if p.Flag != nil && !p.Resolved {
			given[p.Flag.Name] = true
		}
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	for _, flag := range parsed.Flags() {
		if flag.Name == "help" || flag.Name == "config" {
			continue
		}
		source := "default"
		_, inFile := file.values[flag.Name]
		switch {
		case given[flag.Name]:
			source = "flag"
		case inherited(flag) != "":
			source = "environment " + inherited(flag)
		case inFile:
			source = "file " + file.path
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", flag.Name, text(flag), source)
	}
	for _, name := range secrets {
		value, source := "(not set)", "default"
		if os.Getenv(variable(name)) != "" {
			value, source = "(set, hidden)", "environment "+variable(name)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", name, value, source)
	}
	return w.Flush()
}

// text is a value as it would stand after its flag.
func text(flag *kong.Flag) string {
	value := ""
	switch v := flag.Target.Interface().(type) {
	case []string:
		value = strings.Join(v, ",")
	case map[string]string:
		list := make([]string, 0, len(v))
		for key, entry := range v {
			list = append(list, key+"="+entry)
		}
		slices.Sort(list)
		value = strings.Join(list, ",")
	default:
		value = fmt.Sprint(v)
	}
	if value == "" {
		return `""`
	}
	return value
}
