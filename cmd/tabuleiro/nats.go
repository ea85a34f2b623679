package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"tabuleiro/internal/app"
	"tabuleiro/internal/bus"
)

type natsCmd struct {
	Credentials natsCredentialsCmd `cmd:"" help:"Write the credentials of a role, for a process elsewhere."`
	Server      natsServerCmd      `cmd:"" help:"Print the configuration of a separate nats-server."`
}

// natsKeys finds the keys of the installation.
type natsKeys struct {
	Data string `default:"${data}" placeholder:"FOLDER" help:"The data folder (${default})."`
	Keys string `placeholder:"FOLDER" help:"Folder of keys; keys/ in the data folder unless given."`
}

func (k natsKeys) load() (*bus.Keys, error) {
	if k.Keys == "" {
		k.Keys = filepath.Join(k.Data, "keys")
	}
	// It may be asked before the first start.
	if err := os.MkdirAll(k.Keys, 0o700); err != nil {
		return nil, &app.OptionError{Option: "--keys", Fault: err.Error()}
	}
	keys, err := bus.LoadKeys(k.Keys)
	if err != nil {
		return nil, &app.OptionError{Option: "--keys", Fault: err.Error()}
	}
	return keys, nil
}

type natsCredentialsCmd struct {
	natsKeys `embed:""`
	Role     string `arg:"" help:"The role, such as worker."`
	Out      string `placeholder:"FILE" help:"The file to write; ROLE.creds unless given. It is never written over."`
}

func (c natsCredentialsCmd) Run(s streams) error {
	role := bus.Role(c.Role)
	if !slices.Contains(bus.Roles(), role) {
		return &app.OptionError{Option: "ROLE", Fault: fmt.Sprintf("%q does not use the bus; choose of %v", c.Role, bus.Roles())}
	}
	keys, err := c.load()
	if err != nil {
		return err
	}
	if c.Out == "" {
		c.Out = c.Role + ".creds"
	}
	if err := keys.WriteCredentials(c.Out, role); err != nil {
		return &app.OptionError{Option: "--out", Fault: err.Error()}
	}
	_, err = fmt.Fprintln(s.Out, c.Out)
	return err
}

type natsServerCmd struct {
	natsKeys `embed:""`
	Listen   string `default:"127.0.0.1:4222" placeholder:"HOST:PORT" help:"Where it shall listen (${default})."`
}

func (c natsServerCmd) Run(s streams) error {
	keys, err := c.load()
	if err != nil {
		return err
	}
	text, err := bus.ServerConfig(keys, c.Listen)
	if err != nil {
		return &app.OptionError{Option: "--listen", Fault: err.Error()}
	}
	_, err = fmt.Fprint(s.Out, text)
	return err
}
