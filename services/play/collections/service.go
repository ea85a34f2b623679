// Package collections keeps collections of recorded games: files of PGN and PDN
// are imported piece by piece, searched, and exported, and so are the games that
// were played here.
//
// What a move or a position means, the rules service has said: records arrive
// with the hashes of their positions, which is all that is indexed.
package collections

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	"tabuleiro/services/play/keyed"
)

// Config bounds a Service. Zero values mean the defaults.
type Config struct {
	// MaxCollections is how many collections an owner may have (20), MaxRecords
	// how many records in all of them (200,000), MaxBytes how long their texts may be
	// together (256 MiB).
	MaxCollections, MaxRecords int
	MaxBytes                   int64
	// MaxImports is how many files an owner may import at once (2).
	MaxImports int
	// PurgeEvery is how often deleted collections are looked for (1 min).
	PurgeEvery time.Duration
}

func (c Config) withDefaults() Config {
	c.MaxCollections = cmp.Or(c.MaxCollections, 20)
	c.MaxRecords = cmp.Or(c.MaxRecords, 200_000)
	c.MaxBytes = cmp.Or(c.MaxBytes, 256<<20)
	c.MaxImports = cmp.Or(c.MaxImports, 2)
	c.PurgeEvery = cmp.Or(c.PurgeEvery, time.Minute)
	return c
}

const (
	// keptImports is how many reports a collection keeps.
	keptImports = 20
	// brokenAfter is when an import that gets nothing counts as broken off.
	brokenAfter = time.Hour
	// defaultPage and lineMoves are of lists.
	defaultPage = 20
	lineMoves   = 20
	shownMoves  = 10
	// runSize is about how long a run of an export is, in bytes.
	runSize = 512 << 10
	// gamesRun is how many games are written in a run.
	gamesRun = 50
)

// Time is the database's time.
type Time interface{ Now() time.Time }

// Games finds games that were played here.
type Games interface {
	// Game is a game that the caller may see; any other is the problem
	// game_not_found.
	Game(ctx context.Context, caller identity.Caller, id string) (Game, error)
	// May refuses, as account_not_found, whose games the caller may not list.
	May(ctx context.Context, caller identity.Caller, account string) error
	// Finished are a player's finished games, the newest first, before one of
	// them; next is where to go on, empty after the last.
	Finished(ctx context.Context, player, rules, before string, limit int) (games []Game, next string, err error)
}

// Game is a game as records have it.
type Game struct {
	ID, Rules string
	// Start is the position before the first move, Draws its draw rules.
	Start, Draws string
	// Moves are the exact texts of its moves.
	Moves  []string
	Result string
	// Tags are names and values.
	Tags [][2]string
	// Side is that of the player whose games are listed: "white", "black", or empty
	// for both.
	Side string
}

// Deps are what a Service works with.
type Deps struct {
	Store   Store
	Rules   rulesv1.RulesServiceClient
	Records rulesv1.RecordsServiceClient
	Games   Games
	// Classes are those of an account; nil where there are none.
	Classes  Classes
	Openings *Openings
	Metrics  *Metrics
	Time     Time
	// NewID makes a UUIDv7.
	NewID func() string
	Log   *slog.Logger
}

// Service keeps collections. It is safe for concurrent use.
type Service struct {
	playv1.UnimplementedCollectionsServiceServer

	cfg  Config
	deps Deps
}

// New makes a Service. It starts nothing: Run removes what was deleted.
func New(cfg Config, deps Deps) *Service {
	if deps.Log == nil {
		deps.Log = slog.New(slog.DiscardHandler)
	}
	if deps.Openings == nil {
		deps.Openings = &Openings{}
	}
	return &Service{cfg: cfg.withDefaults(), deps: deps}
}

// Run removes deleted collections, a little at a time, until the context ends.
func (s *Service) Run(ctx context.Context) error {
	tick := time.NewTicker(s.cfg.PurgeEvery)
	defer tick.Stop()
	for {
		for more := true; more && ctx.Err() == nil; {
			var err error
			if more, err = s.deps.Store.Purge(ctx); err != nil && ctx.Err() == nil {
				s.deps.Log.Warn("deleted collections are not removed yet", "err", err)
				more = false
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func (s *Service) now() int64 { return s.deps.Time.Now().UnixMilli() }

// problemOf is what an error means to a client.
func problemOf(err error) error {
	if err == nil {
		return nil
	}
	if p, ok := keyed.Problem(err); ok {
		return p
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return rpc.Fail("collection_not_found", "")
	case errors.Is(err, ErrNoRecord):
		return rpc.Fail("record_not_found", "")
	case errors.Is(err, ErrNoImport):
		return rpc.Fail("import_not_found", "")
	case errors.Is(err, ErrTooMany):
		return rpc.Fail("too_many_collections", "")
	case errors.Is(err, ErrFull):
		return rpc.Fail("storage_full", "")
	case errors.Is(err, ErrTooManyImports):
		return rpc.Fail("too_many_imports", "")
	}
	return err
}

// collection finds a collection of the caller; any other is not found.
func (s *Service) collection(ctx context.Context, id string) (Collection, error) {
	caller, ok := identity.From(ctx)
	if !ok || caller.Account == "" {
		return Collection{}, rpc.Fail("account_required", "")
	}
	c, err := s.deps.Store.Get(ctx, caller.Account, id)
	return c, problemOf(err)
}

// command is the command of a call of an account.
func command(ctx context.Context, method string, message interface {
	protoMessage
}) (keyed.Command, error) {
	caller, ok := identity.From(ctx)
	if !ok || caller.Account == "" {
		return keyed.Command{}, rpc.Fail("account_required", "")
	}
	return keyed.Of(ctx, method, message)
}

// CreateCollection implements playv1.CollectionsServiceServer.
func (s *Service) CreateCollection(ctx context.Context, in *playv1.CreateCollectionRequest) (*playv1.CreateCollectionResponse, error) {
	cmd, err := command(ctx, "CreateCollection", in)
	if err != nil {
		return nil, err
	}
	name, err := nameOf(in.GetName())
	if err != nil {
		return nil, err
	}
	c, err := s.deps.Store.Create(ctx, cmd, Collection{
		ID: s.deps.NewID(), Owner: cmd.Owner, Rules: in.GetRules(), Name: name, CreatedAt: s.now(),
	}, s.cfg.MaxCollections)
	if err != nil {
		return nil, problemOf(err)
	}
	m := c.wire()
	m.Own = true
	return &playv1.CreateCollectionResponse{Collection: m}, nil
}

// nameOf is a name without blanks around it.
func nameOf(text string) (string, error) {
	name := strings.TrimSpace(text)
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", badField("name", "a name is one line of text")
	}
	return name, nil
}

func badField(name, detail string) error {
	return &rpc.Problem{
		Code: "bad_field", Detail: detail,
		Fields: []rpc.Field{{Name: name, Code: "not_allowed", Detail: detail}},
	}
}

// ListCollections implements playv1.CollectionsServiceServer.
func (s *Service) ListCollections(ctx context.Context, in *playv1.ListCollectionsRequest) (*playv1.ListCollectionsResponse, error) {
	caller, ok := identity.From(ctx)
	if !ok || caller.Account == "" {
		return nil, rpc.Fail("account_required", "")
	}
	if in.GetList() == "shared" {
		return s.listShared(ctx, caller.Account)
	}
	list, err := s.deps.Store.List(ctx, caller.Account)
	if err != nil {
		return nil, problemOf(err)
	}
	shown, err := s.shown(ctx, list...)
	return &playv1.ListCollectionsResponse{Collections: shown}, err
}

// GetCollection implements playv1.CollectionsServiceServer.
func (s *Service) GetCollection(ctx context.Context, in *playv1.GetCollectionRequest) (*playv1.GetCollectionResponse, error) {
	caller, _ := identity.From(ctx)
	c, err := s.readable(ctx, in.GetCollection())
	if err != nil {
		return nil, err
	}
	if c.Owner != caller.Account {
		_, with, err := s.sharedWith(ctx, caller.Account)
		return &playv1.GetCollectionResponse{Collection: c.foreign(with[c.ID])}, err
	}
	shown, err := s.shown(ctx, c)
	if err != nil {
		return nil, err
	}
	return &playv1.GetCollectionResponse{Collection: shown[0]}, nil
}

// RenameCollection implements playv1.CollectionsServiceServer.
func (s *Service) RenameCollection(ctx context.Context, in *playv1.RenameCollectionRequest) (*playv1.RenameCollectionResponse, error) {
	cmd, err := command(ctx, "RenameCollection", in)
	if err != nil {
		return nil, err
	}
	name, err := nameOf(in.GetName())
	if err != nil {
		return nil, err
	}
	c, err := s.deps.Store.Rename(ctx, cmd, in.GetCollection(), name)
	if err != nil {
		return nil, problemOf(err)
	}
	shown, err := s.shown(ctx, c)
	if err != nil {
		return nil, err
	}
	return &playv1.RenameCollectionResponse{Collection: shown[0]}, nil
}

// DeleteCollection implements playv1.CollectionsServiceServer.
func (s *Service) DeleteCollection(ctx context.Context, in *playv1.DeleteCollectionRequest) (*playv1.DeleteCollectionResponse, error) {
	cmd, err := command(ctx, "DeleteCollection", in)
	if err != nil {
		return nil, err
	}
	if err := s.deps.Store.Delete(ctx, cmd, in.GetCollection()); err != nil {
		return nil, problemOf(err)
	}
	return &playv1.DeleteCollectionResponse{}, nil
}

// DeleteRecord implements playv1.CollectionsServiceServer.
func (s *Service) DeleteRecord(ctx context.Context, in *playv1.DeleteRecordRequest) (*playv1.DeleteRecordResponse, error) {
	cmd, err := command(ctx, "DeleteRecord", in)
	if err != nil {
		return nil, err
	}
	if err := s.deps.Store.DeleteRecord(ctx, cmd, in.GetCollection(), in.GetNumber()); err != nil {
		return nil, problemOf(err)
	}
	return &playv1.DeleteRecordResponse{}, nil
}

func (c Collection) wire() *playv1.Collection {
	return &playv1.Collection{
		Id: c.ID, Rules: c.Rules, Name: c.Name, Records: c.Records, Bytes: int32(min(c.Bytes, math.MaxInt32)), CreatedAt: timestamppb.New(time.UnixMilli(c.CreatedAt)),
	}
}

func (r *Record) wire() *playv1.RecordSummary {
	moves := strings.Fields(r.Line)
	return &playv1.RecordSummary{
		Number: r.Number, White: r.White, Black: r.Black, Event: r.Event, Site: r.Site, Date: r.Date, Result: r.Result,
		Eco: r.ECO, Opening: r.Opening, Plies: r.Plies, Moves: strings.Join(moves[:min(shownMoves, len(moves))], " "),
	}
}

// wire is an import at a moment.
func (i Import) wire(now int64, notes bool) *playv1.Import {
	m := &playv1.Import{
		Id: i.ID, Status: i.Status, Bytes: i.Bytes, Read: i.Read,
		Found: i.Found, Added: i.Added, Duplicates: i.Duplicates, Spoiled: i.Spoiled, Flawed: i.Flawed, Over: i.Over,
		CreatedAt: timestamppb.New(time.UnixMilli(i.CreatedAt)),
	}
	switch {
	case i.Status == ImportFinished:
		m.FinishedAt = timestamppb.New(time.UnixMilli(i.ChangedAt))
	case now-i.ChangedAt > brokenAfter.Milliseconds():
		m.Status = ImportBrokenOff
	}
	if !notes {
		return m
	}
	for _, n := range i.Notes {
		m.Notes = append(m.Notes, &playv1.ImportNote{
			Index: n.Index, Code: n.Code, Line: n.Line, Column: n.Column, Ply: n.Ply, Message: n.Message,
			LeftOut: n.LeftOut, Record: n.Record, Players: n.Players,
		})
	}
	return m
}

// of says what a failed call was for.
func of(doing string, err error) error { return fmt.Errorf("%s: %w", doing, err) }
