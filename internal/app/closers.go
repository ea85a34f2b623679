package app

import (
	"errors"
	"fmt"
)

// closers is a stack: what was opened last is closed first.
type closers struct{ stack []closer }

type closer struct {
	name  string
	close func() error
}

func (c *closers) push(name string, close func() error) {
	c.stack = append(c.stack, closer{name, close})
}

// unwind closes everything, also after a failure.
func (c *closers) unwind() error {
	var failed []error
	for len(c.stack) > 0 {
		last := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		if err := last.close(); err != nil {
			failed = append(failed, fmt.Errorf("closing %s: %w", last.name, err))
		}
	}
	return errors.Join(failed...)
}
