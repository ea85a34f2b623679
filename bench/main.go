// Command bench takes the figures of docs/figures: `go run . -what rules`, or accounts, play, streams, or tables.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"tabuleiro/bench/accounts"
	"tabuleiro/bench/engine"
	"tabuleiro/bench/measure"
	"tabuleiro/bench/play"
	"tabuleiro/bench/rules"
	"tabuleiro/bench/streams"
	"tabuleiro/bench/tables"
)

func main() {
	if err := bench(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench() error {
	what := flag.String("what", "rules", "the set of figures: rules, accounts, engine, streams, tables, or play (beside PostgreSQL: scripts/with-services.sh)")
	crowd := flag.Int("streams", 5000, "streams of one gateway, in the set streams")
	hub := flag.Bool("raw-hub", false, "only be the raw hub (what the bench starts itself for)")
	only := flag.String("only", "", "parts of the set, with commas between: "+strings.Join(rules.Parts(), ",")+" of rules, "+
		strings.Join(play.Parts(), ",")+" of play, "+strings.Join(engine.Parts(), ",")+" of engine; empty means all")
	rounds := flag.Int("rounds", 15, "interleaved rounds")
	seed := flag.Uint64("seed", 1, "makes the games")
	folder := flag.String("figures", "../docs/figures", "the folder that keeps the figures; empty keeps none")
	file := flag.String("read", "", "only read this file of records (what the bench starts itself for)")
	flag.Parse()
	if *file != "" {
		return rules.ReadRecords(*file, os.Stdout)
	}
	if *hub {
		return streams.RawHub()
	}
	if !slices.Contains([]string{"rules", "accounts", "play", "streams", "tables", "engine"}, *what) || *rounds < 1 || *crowd < 1 || flag.NArg() > 0 {
		flag.Usage()
		return fmt.Errorf("there are no figures %q in %d rounds", *what, *rounds)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var parts []string
	if *only != "" {
		parts = strings.Split(*only, ",")
	}
	run := &measure.Run{What: *what, Date: time.Now().UTC().Truncate(time.Second), Commit: commit(), Seed: *seed, Machine: measure.ThisMachine()}
	switch *what {
	case "accounts":
		err = accounts.Measure(*rounds, run)
	case "play":
		err = play.Measure(play.Config{Rounds: *rounds, Only: parts, Postgres: os.Getenv("TABULEIRO_TEST_POSTGRES")}, run)
	case "engine":
		err = engine.Measure(engine.Config{Rounds: *rounds, Root: "..", Only: parts}, run)
	case "streams":
		err = streams.Measure(streams.Config{Streams: *crowd, Rounds: *rounds, Seed: *seed, Self: self}, run)
	case "tables":
		err = tables.Measure(*rounds, run)
	default:
		err = rules.Measure(rules.Config{Rounds: *rounds, Seed: *seed, Self: self, Only: parts}, run)
	}
	if err != nil {
		return err
	}
	fmt.Print(run.Text())
	if *folder == "" || *only != "" {
		return nil // A part would look like a whole in the record.
	}
	return run.Save(*folder)
}

// commit is what the sources are, as far as git tells.
func commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--exclude", "*").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}
