package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	// Linked for their descriptors, which proto/ imports.
	_ "buf.build/gen/go/bufbuild/protovalidate/protocolbuffers/go/buf/validate"
	_ "github.com/grpc-ecosystem/grpc-gateway/v2/protoc-gen-openapiv2/options"
	_ "google.golang.org/genproto/googleapis/api/annotations"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

// source is what was compiled: our files, and the set that holds them and
// everything that they import, each after its imports.
type source struct {
	files []string
	set   *descriptorpb.FileDescriptorSet
}

func compile(ctx context.Context, root string) (source, error) {
	files, err := protoFiles(root)
	if err != nil {
		return source{}, err
	}
	if len(files) == 0 {
		return source{}, fmt.Errorf("no .proto file under %s", root)
	}
	c := protocompile.Compiler{
		Resolver: protocompile.CompositeResolver{
			&protocompile.SourceResolver{ImportPaths: []string{root}},
			protocompile.ResolverFunc(linked),
		},
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	compiled, err := c.Compile(ctx, files...)
	if err != nil {
		return source{}, err
	}
	src := source{files: files, set: &descriptorpb.FileDescriptorSet{}}
	seen := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(fd protoreflect.FileDescriptor) {
		if seen[fd.Path()] {
			return
		}
		seen[fd.Path()] = true
		for i := range fd.Imports().Len() {
			add(fd.Imports().Get(i).FileDescriptor)
		}
		src.set.File = append(src.set.File, protodesc.ToFileDescriptorProto(fd))
	}
	for _, f := range compiled {
		add(f)
	}
	return src, nil
}

// protoFiles lists the .proto files under root, sorted, relative to it.
func protoFiles(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".proto") {
			return err
		}
		rel, err := filepath.Rel(root, p)
		files = append(files, filepath.ToSlash(rel))
		return err
	})
	slices.Sort(files)
	return files, err
}

func linked(path string) (protocompile.SearchResult, error) {
	fd, err := protoregistry.GlobalFiles.FindFileByPath(path)
	if errors.Is(err, protoregistry.NotFound) {
		return protocompile.SearchResult{}, fmt.Errorf("%s is neither under proto/ nor linked into internal/protogen: %w", path, fs.ErrNotExist)
	}
	return protocompile.SearchResult{Desc: fd}, err
}

// writeImage writes the compiled files as a buf image.
func (s source) writeImage(path string) error {
	image := &descriptorpb.FileDescriptorSet{}
	for _, f := range s.set.File {
		f = proto.CloneOf(f)
		if !slices.Contains(s.files, f.GetName()) {
			markImport(f)
		}
		image.File = append(image.File, f)
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(image)
	if err != nil {
		return fmt.Errorf("encode image: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b, 0o644)
}

// markImport sets buf's ImageFile extension (field 8042) to is_import = true
// (its field 1), so that buf skips the files that are not ours.
func markImport(f *descriptorpb.FileDescriptorProto) {
	b := protowire.AppendTag(nil, 8042, protowire.BytesType)
	b = protowire.AppendBytes(b, []byte{0x08, 0x01})
	f.ProtoReflect().SetUnknown(b)
}
