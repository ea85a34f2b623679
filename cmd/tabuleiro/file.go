package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"tabuleiro/internal/app"
)

// optionFile is the YAML file of options: a kong.Resolver. Its keys are the names
// of the flags; nested keys are joined, so that
//
//	accounts:
//	  required_fields: [login, password]
//
// is --accounts-required-fields=login,password.
type optionFile struct {
	path   string
	values map[string]string
}

// maxFile bounds the file, in bytes.
const maxFile = 1 << 20

// fileOptions reads the file that --config or TABULEIRO_CONFIG names; without
// either it is empty. It is read before the flags are, since they rest on it.
func fileOptions(args []string) (*optionFile, error) {
	f := &optionFile{path: os.Getenv(variable("config")), values: map[string]string{}}
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if value, ok := strings.CutPrefix(arg, "--config="); ok {
			f.path = value
		} else if arg == "--config" && i+1 < len(args) {
			f.path = args[i+1]
		}
	}
	if f.path == "" {
		return f, nil
	}
	text, err := os.ReadFile(f.path)
	if err != nil {
		return nil, &app.OptionError{Option: "--config", Fault: err.Error()}
	}
	if len(text) > maxFile {
		return nil, &app.OptionError{Option: "--config", Fault: f.path + " is too large"}
	}
	var tree map[string]any
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&tree); err != nil && !errors.Is(err, io.EOF) {
		return nil, &app.OptionError{Option: "--config", Fault: fmt.Sprintf("%s: %v", f.path, err)}
	}
	if err := f.add("", tree); err != nil {
		return nil, &app.OptionError{Option: "--config", Fault: fmt.Sprintf("%s: %v", f.path, err)}
	}
	return f, nil
}

// add flattens the tree; a map keeps its entries under its own name too, for
// options that are maps.
func (f *optionFile) add(prefix string, tree map[string]any) error {
	for key, value := range tree {
		name := strings.ToLower(strings.ReplaceAll(key, "_", "-"))
		if prefix != "" {
			name = prefix + "-" + name
		}
		if _, twice := f.values[name]; twice {
			return fmt.Errorf("%s stands twice", name)
		}
		switch v := value.(type) {
		case map[string]any:
			if name == "services" {
				text, err := pairs(v)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				f.values[name] = text
				continue
			}
			if err := f.add(name, v); err != nil {
				return err
			}
		case []any:
			items := make([]string, 0, len(v))
			for _, item := range v {
				text, err := scalar(item)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				items = append(items, text)
			}
			f.values[name] = strings.Join(items, ",")
		default:
			text, err := scalar(v)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			f.values[name] = text
		}
	}
	return nil
}

func pairs(v map[string]any) (string, error) {
	var list []string
	for key, value := range v {
		text, err := scalar(value)
		if err != nil {
			return "", err
		}
		list = append(list, key+"="+text)
	}
	slices.Sort(list)
	return strings.Join(list, ","), nil
}

func scalar(v any) (string, error) {
	switch v.(type) {
	case string, bool, int, int64, uint64, float64:
		return fmt.Sprint(v), nil
	}
	return "", errors.New("is no text, number or yes or no")
}

// check refuses a key that is no option of any command.
func (f *optionFile) check(model *kong.Application) error {
	known := map[string]bool{}
	var collect func(node *kong.Node)
	collect = func(node *kong.Node) {
		for _, flag := range node.Flags {
			known[flag.Name] = true
		}
		for _, child := range node.Children {
			collect(child)
		}
	}
	collect(model.Node)
	var unknown []string
	for name := range f.values {
		if !known[name] || name == "config" || name == "help" {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return &app.OptionError{Option: "--config", Fault: fmt.Sprintf("%s: no such option: %s", f.path, strings.Join(unknown, ", "))}
	}
	return nil
}

// Validate implements kong.Resolver; check has done it.
func (f *optionFile) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver: the file gives what neither the command line
// nor the environment does.
func (f *optionFile) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	value, ok := f.values[flag.Name]
	if !ok || inherited(flag) != "" {
		return nil, nil
	}
	return value, nil
}

// inherited is the variable that gives a flag its value; empty where none does.
func inherited(flag *kong.Flag) string {
	for _, name := range flag.Envs {
		if _, ok := os.LookupEnv(name); ok {
			return name
		}
	}
	return ""
}
