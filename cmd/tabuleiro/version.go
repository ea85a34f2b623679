package main

import (
	"fmt"
	"runtime"
)

type versionCmd struct{}

func (versionCmd) Run(s streams) error {
	_, err := fmt.Fprintf(s.Out, "tabuleiro %s %s %s/%s\n", builtVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
