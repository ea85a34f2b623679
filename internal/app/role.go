package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Role is a part of the system that runs in some process.
type Role struct {
	// Name is the role's, and its service's where it has one.
	Name string
	// Needs are the services that it calls.
	Needs []string
	// Bind makes the role from what the Env gives.
	Bind func(ctx context.Context, env *Env) error
}

// Choose returns the named roles, in the order in which they stand in all. The
// error names what is unknown or doubled.
func Choose(all []Role, names []string) ([]Role, error) {
	known := make([]string, 0, len(all))
	for _, r := range all {
		known = append(known, r.Name)
	}
	seen := map[string]bool{}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no role %q; choose of %s", name, strings.Join(known, ", "))
		}
		if seen[name] {
			return nil, fmt.Errorf("role %q stands twice", name)
		}
		seen[name] = true
	}
	var chosen []Role
	for _, r := range all {
		if seen[r.Name] {
			chosen = append(chosen, r)
		}
	}
	return chosen, nil
}

// inOrder puts each role after those that it needs, else as given. It refuses a
// cycle, and a need that is neither here nor at a known address.
func inOrder(roles []Role, elsewhere map[string]string) ([]Role, error) {
	byName := map[string]Role{}
	for _, r := range roles {
		byName[r.Name] = r
	}
	var ordered []Role
	state := map[string]int{} // 1: on the way, 2: done
	var visit func(r Role, path []string) error
	visit = func(r Role, path []string) error {
		path = append(path, r.Name)
		switch state[r.Name] {
		case 1:
			return fmt.Errorf("roles need each other in a circle: %s", strings.Join(path, " -> "))
		case 2:
			return nil
		}
		state[r.Name] = 1
		for _, need := range r.Needs {
			if next, here := byName[need]; here {
				if err := visit(next, path); err != nil {
					return err
				}
			} else if elsewhere[need] == "" {
				return &OptionError{"--services", fmt.Sprintf("%s needs %s: run it here too, or give its address (--services %s=HOST:PORT)", r.Name, need, need)}
			}
		}
		state[r.Name] = 2
		ordered = append(ordered, r)
		return nil
	}
	for _, r := range roles {
		if err := visit(r, nil); err != nil {
			return nil, err
		}
	}
	return ordered, nil
}
