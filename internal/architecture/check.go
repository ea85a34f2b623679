package architecture

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Check parses every Go file of the module at root but its tests, whatever their
// build tags, and returns what breaks the rules, sorted, a line each:
// "file:line: reason".
func Check(root string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p != root && (skipped(d.Name()) || isModule(p)) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		found, err := checkFile(filepath.ToSlash(rel), p, nil)
		out = append(out, found...)
		return err
	})
	slices.Sort(out)
	return slices.Compact(out), err
}

func skipped(dir string) bool {
	return strings.HasPrefix(dir, ".") || dir == "node_modules" || dir == "testdata" || dir == "bin"
}

// isModule tells folders such as bench/ and tools/, which are modules of their own.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// checkFile checks the file that lies at name inside the module. Its text is src,
// or what the file at disk holds when src is nil.
func checkFile(name, disk string, src any) ([]string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, disk, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	dir := path.Dir(name)
	var out []string
	report := func(at token.Pos, reason string) {
		if reason != "" {
			out = append(out, fmt.Sprintf("%s:%d: %s", name, fset.Position(at).Line, reason))
		}
	}
	byName := map[string]string{} // import path by the name it has in this file
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, err
		}
		report(spec.Pos(), checkImport(dir, imported))
		if spec.Name != nil {
			byName[spec.Name.Name] = imported
			if spec.Name.Name == "." {
				report(spec.Pos(), "dot imports hide what is used")
			}
			continue
		}
		byName[defaultName(imported)] = imported
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok {
			if imported, ok := byName[id.Name]; ok {
				report(sel.Pos(), checkUse(dir, imported, sel.Sel.Name))
			}
		}
		return true
	})
	return out, nil
}

// defaultName guesses a package's name from its import path, by our convention
// for proto packages (playv1) and the usual one for versions (math/rand/v2).
func defaultName(imported string) string {
	base := path.Base(imported)
	parent := path.Base(path.Dir(imported))
	switch {
	case strings.HasPrefix(imported, module+"/proto/"):
		return parent + base
	case len(base) > 1 && base[0] == 'v' && base[1] >= '0' && base[1] <= '9':
		return parent
	}
	return base
}
