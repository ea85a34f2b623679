package main

import (
	"os"
	"time"

	"tabuleiro/services/search/epd"
	"tabuleiro/services/search/think"
)

type epdCmd struct {
	File  string        `arg:"" name:"file" help:"Chess positions with bm or am, a line each (EPD)."`
	Every int           `default:"1" placeholder:"N" help:"Take only each Nth, from the first on (${default})."`
	CPU   time.Duration `name:"cpu" default:"1s" help:"Processor time a position (${default})."`
	Nodes uint64        `placeholder:"N" help:"Nodes a position instead, which is repeatable."`
	Hash  int           `default:"64" placeholder:"MIB" help:"Size of the table (${default})."`
}

func (c epdCmd) Run(s streams) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	list, err := epd.Read(file)
	if err != nil {
		return err
	}
	limits := think.Limits{CPU: c.CPU}
	if c.Nodes > 0 {
		limits = think.Limits{Nodes: c.Nodes}
	}
	_, _, err = epd.Suite{Cases: list, Every: c.Every, Limits: limits, Hash: max(c.Hash, 1) << 20}.Run(s.Out)
	return err
}
