package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
)

// openAPI converts the generated OpenAPI 2.0 document to 3.0 and joins it with
// the hand-written part at basePath, an OpenAPI 3.0 document as well: title,
// streams, cookies, the shape of an error. A path may stand in only one of them,
// and the hand-written response "Problem" becomes every operation's default.
func openAPI(ctx context.Context, swagger []byte, methods map[string]access, basePath string) ([]byte, error) {
	var v2 openapi2.T
	if err := json.Unmarshal(swagger, &v2); err != nil {
		return nil, fmt.Errorf("read the generated document: %w", err)
	}
	doc, err := openapi2conv.ToV3(&v2)
	if err != nil {
		return nil, fmt.Errorf("convert to 3.0: %w", err)
	}
	if doc.Paths == nil {
		doc.Paths = openapi3.NewPaths()
	}
	addAccess(doc, methods)
	raw, err := os.ReadFile(basePath)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if err := addBase(doc, raw); err != nil {
			return nil, fmt.Errorf("%s: %w", basePath, err)
		}
	}
	addProblem(doc)
	addCreated(doc)
	return encode(ctx, doc)
}

func addBase(doc *openapi3.T, raw []byte) error {
	var base openapi3.T
	if err := json.Unmarshal(raw, &base); err != nil {
		return err
	}
	if base.Info != nil {
		doc.Info = base.Info
	}
	doc.Servers, doc.Security, doc.ExternalDocs = base.Servers, base.Security, base.ExternalDocs
	doc.Tags = append(base.Tags, doc.Tags...)
	for path, item := range base.Paths.Map() {
		have := doc.Paths.Value(path)
		if have == nil {
			doc.Paths.Set(path, item)
			continue
		}
		for method, op := range item.Operations() {
			if have.GetOperation(method) != nil {
				return fmt.Errorf("%s %s stands here and in proto/", method, path)
			}
			have.SetOperation(method, op)
		}
	}
	if base.Components == nil {
		return nil
	}
	c := doc.Components
	return errors.Join(
		join("schema", &c.Schemas, base.Components.Schemas),
		join("parameter", &c.Parameters, base.Components.Parameters),
		join("header", &c.Headers, base.Components.Headers),
		join("request body", &c.RequestBodies, base.Components.RequestBodies),
		join("response", &c.Responses, base.Components.Responses),
		join("security scheme", &c.SecuritySchemes, base.Components.SecuritySchemes),
		join("example", &c.Examples, base.Components.Examples),
	)
}

func join[M ~map[string]V, V any](what string, into *M, from M) error {
	if *into == nil {
		*into = M{}
	}
	for name, v := range from {
		if _, ok := (*into)[name]; ok {
			return fmt.Errorf("%s %q stands here and in proto/", what, name)
		}
		(*into)[name] = v
	}
	return nil
}

func addProblem(doc *openapi3.T) {
	if doc.Components.Responses["Problem"] == nil {
		return
	}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			if op.Responses.Default() == nil {
				op.Responses.Set("default", &openapi3.ResponseRef{Ref: "#/components/responses/Problem"})
			}
		}
	}
}

// creating are the operations that the gateway answers with 201 instead of 200.
var creating = []string{"PlayService_CreateGame", "AccountsService_Register",
	"ClassesService_CreateClass", "ClassesService_AddPupils", "ClassesService_MakeCode", "AccessService_CreateToken",
	"CollectionsService_CreateCollection", "TournamentsService_CreateTournament"}

func addCreated(doc *openapi3.T) {
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			if ok := op.Responses.Value("200"); ok != nil && slices.Contains(creating, op.OperationID) {
				op.Responses.Delete("200")
				op.Responses.Set("201", ok)
			}
		}
	}
}

// encode writes the document with sorted keys and checks that it is valid.
func encode(ctx context.Context, doc *openapi3.T) ([]byte, error) {
	raw, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	loader := openapi3.NewLoader()
	loader.Context = ctx
	again, err := loader.LoadFromData(raw)
	if err != nil {
		return nil, err
	}
	if err := again.Validate(ctx); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
