package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"
)

// goParam keeps a file's code beside it. Only methods with an HTTP annotation
// get gateway code, the generator's default.
const goParam = "paths=source_relative"

// openAPIParam: one document; snake_case fields; schema names that no later
// file can change; no gRPC status as the default error (base.json has ours);
// comments kept beside references.
const openAPIParam = "allow_merge=true,merge_file_name=api,json_names_for_fields=false," +
	"openapi_naming_strategy=fqn,disable_default_errors=true,use_allof_for_refs=true"

// generate runs every generator and returns the content of each file that it
// would write, by path.
func generate(ctx context.Context, src source, o options) (map[string][]byte, error) {
	goPlugins := []string{"protoc-gen-go", "protoc-gen-go-grpc", "protoc-gen-grpc-gateway"}
	results := make([]map[string]string, len(goPlugins))
	var swagger map[string]string
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i, name := range goPlugins {
		g.Go(func() (err error) {
			results[i], err = plugin(ctx, name, goParam, src)
			return err
		})
	}
	g.Go(func() (err error) {
		swagger, err = plugin(ctx, "protoc-gen-openapiv2", openAPIParam, src)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, files := range results {
		for name, content := range files {
			out[filepath.Join(o.proto, filepath.FromSlash(name))] = []byte(content)
		}
	}
	for _, content := range swagger {
		doc, err := openAPI(ctx, []byte(content), src.accessOf(), filepath.Join(o.openapi, "base.json"))
		if err != nil {
			return nil, fmt.Errorf("OpenAPI: %w", err)
		}
		out[filepath.Join(o.openapi, "api.json")] = doc
	}
	return out, nil
}

func plugin(ctx context.Context, name, param string, src source) (map[string]string, error) {
	in, err := proto.Marshal(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: src.files, Parameter: &param, ProtoFile: src.set.File,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: encode request: %w", name, err)
	}
	cmd := exec.CommandContext(ctx, "go", "tool", name)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	raw, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var resp pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(raw, &resp); err != nil {
		return nil, fmt.Errorf("%s: decode response: %w", name, err)
	}
	if resp.Error != nil {
		return nil, fmt.Errorf("%s: %s", name, resp.GetError())
	}
	files := map[string]string{}
	for _, f := range resp.File {
		files[f.GetName()] = f.GetContent()
	}
	return files, nil
}

// generatedOnDisk reads the generated files that exist now, by path.
func generatedOnDisk(o options) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := filepath.WalkDir(o.proto, func(p string, d fs.DirEntry, err error) error {
		generated := strings.HasSuffix(p, ".pb.go") || strings.HasSuffix(p, ".pb.gw.go")
		if err != nil || d.IsDir() || !generated {
			return err
		}
		out[p], err = os.ReadFile(p)
		return err
	})
	if err != nil {
		return nil, err
	}
	api := filepath.Join(o.openapi, "api.json")
	content, err := os.ReadFile(api)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		out[api] = content
	}
	return out, nil
}

// change is a file that differs, and how: "missing", "outdated" or
// "left over" (no source makes it any more).
type change struct{ path, what string }

func compare(want, have map[string][]byte) []change {
	var out []change
	for path, content := range want {
		old, ok := have[path]
		switch {
		case !ok:
			out = append(out, change{path, "missing"})
		case !bytes.Equal(old, content):
			out = append(out, change{path, "outdated"})
		}
	}
	for path := range maps.Keys(have) {
		if _, ok := want[path]; !ok {
			out = append(out, change{path, "left over"})
		}
	}
	slices.SortFunc(out, func(a, b change) int { return strings.Compare(a.path, b.path) })
	return out
}

func apply(changes []change, want map[string][]byte) error {
	for _, c := range changes {
		if c.what == "left over" {
			if err := os.Remove(c.path); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(c.path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(c.path, want[c.path], 0o644); err != nil {
			return err
		}
	}
	return nil
}
