package main

import (
	"context"
	"fmt"

	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/hub"
	"tabuleiro/services/search/think"
)

type hubCmd struct {
	Line    bool              `help:"Answer lines FEN ms N and FEN nodes N instead of speaking the Hub protocol."`
	Hash    int               `default:"64" placeholder:"MIB" help:"The table of --line in MiB (${default})."`
	Threads int               `default:"1" placeholder:"N" help:"The threads of --line (${default})."`
	Options map[string]string `name:"engine-option" placeholder:"NAME=VALUE;..." help:"Switches of the engine for --line, such as evaluator=f2."`
}

func (c hubCmd) Run(ctx context.Context, s streams) error {
	if !c.Line {
		return complete(ctx, s, hub.Server{Version: builtVersion()})
	}
	if c.Hash < 1 || c.Hash > 1<<15 || c.Threads < 1 || c.Threads > 256 {
		fmt.Fprintln(s.Err, "tabuleiro: --hash is from 1 to 32768, --threads from 1 to 256")
		return exit(exitUsage)
	}
	line := hub.Line{Hash: c.Hash, Threads: c.Threads, Options: engine.Full()}
	for name, value := range c.Options {
		if err := think.SetOption(&line.Options, name, value); err != nil {
			fmt.Fprintf(s.Err, "tabuleiro: --engine-option: %v\n", err)
			return exit(exitUsage)
		}
	}
	return complete(ctx, s, line)
}
