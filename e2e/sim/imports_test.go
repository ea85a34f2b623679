package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tabuleiro/internal/db"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	"tabuleiro/services/play/collections"
	"tabuleiro/services/play/keyed"
)

// A file of records is imported piece by piece while everything fails: each of its
// games is there once, in order, however often a piece was sent.

// shelf is the store of collections as one replica sees it.
type shelf struct {
	collections.Store
	g games
}

func (s shelf) do(ctx context.Context, operation string, writes bool, f func() error) error {
	return s.g.step(ctx, "shelf."+operation, writes, writes, keyed.ErrUnavailable, db.ErrUnknown, f)
}

func (s shelf) Create(ctx context.Context, c keyed.Command, n collections.Collection, limit int) (made collections.Collection, err error) {
	err = s.do(ctx, "Create", true, func() (err error) { made, err = s.Store.Create(ctx, c, n, limit); return err })
	return made, err
}

func (s shelf) BeginImport(ctx context.Context, c keyed.Command, n collections.Import, most collections.Most, limit, keep int, since int64) (made collections.Import, err error) {
	err = s.do(ctx, "BeginImport", true, func() (err error) {
		made, err = s.Store.BeginImport(ctx, c, n, most, limit, keep, since)
		return err
	})
	return made, err
}

func (s shelf) Import(ctx context.Context, collection, id string) (i collections.Import, err error) {
	err = s.do(ctx, "Import", false, func() (err error) { i, err = s.Store.Import(ctx, collection, id); return err })
	return i, err
}

func (s shelf) AddPiece(ctx context.Context, p collections.Piece) (i collections.Import, err error) {
	err = s.do(ctx, "AddPiece", true, func() (err error) { i, err = s.Store.AddPiece(ctx, p); return err })
	return i, err
}

func (s shelf) Delete(ctx context.Context, c keyed.Command, id string) error {
	return s.do(ctx, "Delete", true, func() error { return s.Store.Delete(ctx, c, id) })
}

// The file: games 1 to 5, the second once more, and one that nobody can play.
var (
	pgnMoves = []string{"1. e4 e5 2. Nf3 Nc6", "1. d4 d5 2. c4 e6", "1. c4 e5 2. Nc3", "1. Nf3 d5 2. g3", "1. e4 c5 2. Nf3 d6"}
	pgn      = func() string {
		var text strings.Builder
		one := func(n int, moves string) {
			fmt.Fprintf(&text, "[Event \"Sim %d\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n%s 1-0\n\n", n, moves)
		}
		for i, moves := range pgnMoves {
			one(i+1, moves)
			if i == 2 {
				one(2, pgnMoves[1])
				one(9, "1. e5 e5")
			}
		}
		return text.String()
	}()
)

// importer is a page that sends the file.
type importer struct {
	player             *player
	collection, upload string // ids, once they are known
	read               int32
	stalls, flying     int
	done               bool
}

// library lets somebody's import go on, or begin.
func (w *world) library() bool {
	if len(w.importers) == 0 {
		if !w.chance(100) {
			return false
		}
		w.importers = append(w.importers, &importer{player: lot(w.scheduler, w.players[:4])})
	}
	return lot(w.scheduler, w.importers).step()
}

// step sends what comes next; false where there is nothing to send.
func (i *importer) step() bool {
	p := i.player
	if i.done || p.leaving || i.flying >= 2 {
		return false
	}
	i.flying++
	ended := func(take func(*attempt)) func(*attempt) {
		return func(a *attempt) {
			i.flying--
			if a.ok() {
				take(a)
			} else if a.definite() {
				p.w.violate("import", "%s %s was refused with %s", a.label, describe(a.request), a.code())
			}
		}
	}
	switch {
	case i.collection == "":
		p.ask(&playv1.CreateCollectionRequest{Rules: "chess", Name: "Sim"}, p.name+"-collection", ended(func(a *attempt) {
			if i.collection != "" && i.collection != a.collection.GetId() {
				p.w.violate("import", "%s: one command made two collections", a.label)
			}
			i.collection = a.collection.GetId()
		}))
	case i.upload == "":
		p.ask(&playv1.BeginImportRequest{Collection: i.collection, Bytes: int32(len(pgn))}, p.name+"-import", ended(func(a *attempt) {
			if i.upload != "" && i.upload != a.upload.GetId() {
				p.w.violate("import", "%s: one command began two imports", a.label)
			}
			i.upload = a.upload.GetId()
		}))
	default:
		end := min(len(pgn), int(i.read)+100+p.w.rng.IntN(200)*(1+i.stalls))
		piece := &playv1.ImportPieceRequest{
			Collection: i.collection, Import: i.upload, Offset: i.read, Text: []byte(pgn[i.read:end]), Last: end == len(pgn),
		}
		p.ask(piece, "", ended(func(a *attempt) {
			if i.stalls++; a.upload.GetRead() > i.read {
				i.read, i.stalls = a.upload.GetRead(), 0
			}
			i.done = i.done || a.upload.GetStatus() == collections.ImportFinished
		}))
	}
	return true
}

// checkImports looks at what is kept of the file.
func (w *world) checkImports() {
	for _, i := range w.importers {
		p := i.player
		list, err := w.shelfStore.List(w.ctx, p.caller.Account)
		if p.deletedAt > 0 {
			if err != nil || len(list) > 0 {
				w.violate("deleted", "%s is deleted and has %d collections (%v)", p.name, len(list), err)
			}
			continue
		}
		if err != nil || len(list) != 1 || !i.done || list[0].ID != i.collection {
			w.violate("import", "%s: done %v, %d collections (%v)", p.name, i.done, len(list), err)
			continue
		}
		texts, _, err := w.shelfStore.Texts(w.ctx, i.collection, 0, 1<<20)
		var events []string
		for _, text := range texts {
			_, rest, _ := strings.Cut(text, `[Event "Sim `)
			n, _, _ := strings.Cut(rest, `"`)
			events = append(events, n)
		}
		if want := []string{"1", "2", "3", "4", "5"}; err != nil || !slices.Equal(events, want) {
			w.violate("import", "%s: the records are %v (%v), not %v", p.name, events, err, want)
		}
		made, err := w.shelfStore.Import(w.ctx, i.collection, i.upload)
		if err != nil || made.Found != 7 || made.Added != 5 || made.Duplicates != 1 || made.Spoiled+made.Flawed < 1 {
			w.violate("import", "%s: the report is %+v (%v)", p.name, made, err)
		}
	}
}

// invokeShelf makes the calls of collections; false where a request is none.
func (w *world) invokeShelf(ctx context.Context, a *attempt) (bool, error) {
	switch in := a.request.(type) {
	case *playv1.CreateCollectionRequest:
		out, err := w.shelves.CreateCollection(ctx, in)
		a.collection = out.GetCollection()
		return true, err
	case *playv1.BeginImportRequest:
		out, err := w.shelves.BeginImport(ctx, in)
		a.upload = out.GetImport()
		return true, err
	case *playv1.ImportPieceRequest:
		out, err := w.shelves.ImportPiece(ctx, in)
		a.upload = out.GetImport()
		return true, err
	}
	return false, nil
}
