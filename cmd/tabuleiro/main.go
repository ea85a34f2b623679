// Command tabuleiro is the one binary: it parses the configuration, chooses the
// roles and runs them. Each command is a struct of its flags in a file of its
// own; what it does lives with its owner.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"tabuleiro/internal/app"
)

// version is set when it is built (-ldflags "-X main.version=...").
var version = ""

// The exit codes: an error, bad usage or configuration, and the code that shells
// use for a second Ctrl-C.
const (
	exitError       = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// commands are all of the binary. A new command adds a line here and a file with
// its struct, whose Run may take streams and a context.Context.
type commands struct {
	Config string `placeholder:"FILE" help:"YAML file of options, named as the flags are. Flags come first, then TABULEIRO_* variables, then this file."`

	Up      upCmd      `cmd:"" help:"Run everything in one process."`
	Run     runCmd     `cmd:"" help:"Run some roles against NATS, PostgreSQL and Redis."`
	Show    showCmd    `cmd:"" name:"config" help:"Print the effective options and where they come from."`
	Migrate migrateCmd `cmd:"" help:"Bring the databases to what this version needs, and end."`
	NATS    natsCmd    `cmd:"" name:"nats" help:"Write what outside NATS servers and workers need."`
	Version versionCmd `cmd:"" help:"Print the version."`

	Moves   movesCmd   `cmd:"" help:"List the legal moves of positions."`
	Perft   perftCmd   `cmd:"" help:"Count the ways to play a number of plies."`
	Apply   applyCmd   `cmd:"" help:"Play moves and say what comes of each."`
	Record  recordCmd  `cmd:"" help:"Read files of recorded games, check every move, write them again."`
	Tables  tablesCmd  `cmd:"" help:"Build, verify and read the tables of draughts endings."`
	Game    gameCmd    `cmd:"" help:"Play against the engine in the terminal."`
	Tune    tuneCmd    `cmd:"" help:"Make the parameters of an evaluation from the engine's own games."`
	Compare compareCmd `cmd:"" help:"Search one position in every way, from plain minimax to the full search, and compare."`
	Eval    evalCmd    `cmd:"" help:"Say what a chess position is worth, factor by factor."`
	Codes   codesCmd   `cmd:"" help:"Print the codes with which moves and positions are refused."`

	UCI   uciCmd   `cmd:"" name:"uci" help:"Speak UCI, so that chess programs can use the engine."`
	Hub   hubCmd   `cmd:"" name:"hub" help:"Speak the Hub protocol, so that draughts programs can use the engine."`
	Match matchCmd `cmd:"" help:"Play engines against each other and say what the results tell."`
	Book  bookCmd  `cmd:"" help:"Make and ask books of openings."`
	EPD   epdCmd   `cmd:"" name:"epd" help:"Ask an engine positions with known answers."`
	Bench benchCmd `cmd:"" help:"Search fixed positions, and print the nodes, the same for one version, and the speed."`
}

// streams are what a command reads and writes.
type streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// exit is returned by a command that has said all and only wants its code.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals // the first one ends in order, so that nothing is lost
		cancel()
		<-signals
		os.Exit(exitInterrupted)
	}()
	os.Exit(execute(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// execute runs one command line and returns the exit code.
func execute(ctx context.Context, args []string, s streams) int {
	code, err := parseAndRun(ctx, args, s)
	if err != nil {
		fmt.Fprintf(s.Err, "tabuleiro: %v\n", err)
	}
	return code
}

func parseAndRun(ctx context.Context, args []string, s streams) (code int, err error) {
	file, err := fileOptions(args)
	if err != nil {
		return exitUsage, err
	}
	// Help ends the program in the middle of parsing.
	defer func() {
		switch value := recover().(type) {
		case nil:
		case exit:
			code, err = int(value), nil
		default:
			panic(value)
		}
	}()
	var c commands
	parser, err := kong.New(&c,
		kong.Name("tabuleiro"),
		kong.Description("Learn and play chess, Brazilian draughts and tic-tac-toe."),
		kong.Writers(s.Out, s.Err),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.DefaultEnvars("TABULEIRO"),
		kong.Resolvers(file),
		kong.Vars{"data": defaultData()},
		kong.Bind(s, file),
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		return exitError, err
	}
	if err := file.check(parser.Model); err != nil {
		return exitUsage, err
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return exitUsage, err
	}
	err = parsed.Run()
	if wanted, ok := errors.AsType[exit](err); ok {
		return int(wanted), nil
	}
	if _, ok := errors.AsType[*app.OptionError](err); ok {
		return exitUsage, err
	}
	if err != nil {
		return exitError, err
	}
	return 0, nil
}

// builtVersion is the version, or the commit where it was built without one.
func builtVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "unknown"
}

// refuse says what is wrong with how a command was called.
func refuse(s streams, err error) error {
	fmt.Fprintf(s.Err, "tabuleiro: %v\n", err)
	return exit(exitUsage)
}
