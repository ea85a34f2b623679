// Command protogen compiles proto/ and writes the Go code and the OpenAPI
// document that follow from it.
//
//	go run ./internal/protogen                   write what is generated
//	go run ./internal/protogen -check            name the files that are not current, and fail
//	go run ./internal/protogen -image FILE       also write the compiled image that buf lint reads
//
// The generators are the tools pinned in go.mod. Imports of google/api,
// buf/validate and the gateway's options resolve to descriptors linked into
// this program, so no third-party .proto file and no network is needed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	var o options
	flag.StringVar(&o.proto, "proto", "proto", "folder of the .proto sources; Go code is written beside them")
	flag.StringVar(&o.openapi, "openapi", "gateway/openapi", "folder of base.json (read) and api.json (written)")
	flag.StringVar(&o.image, "image", "", "also write the compiled image here, for buf")
	flag.BoolVar(&o.check, "check", false, "write nothing; fail naming the generated files that are not current")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "protogen: no arguments are taken, only flags")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

type options struct {
	proto, openapi, image string
	check                 bool
}

func run(ctx context.Context, o options) error {
	src, err := compile(ctx, o.proto)
	if err != nil {
		return err
	}
	if o.image != "" {
		if err := src.writeImage(o.image); err != nil {
			return err
		}
	}
	want, err := generate(ctx, src, o)
	if err != nil {
		return err
	}
	have, err := generatedOnDisk(o)
	if err != nil {
		return err
	}
	changes := compare(want, have)
	if !o.check {
		return apply(changes, want)
	}
	if len(changes) == 0 {
		return nil
	}
	for _, c := range changes {
		fmt.Fprintf(os.Stderr, "%s: %s\n", c.path, c.what)
	}
	return errors.New("generated code is not current: run `make generate` and commit the result")
}
