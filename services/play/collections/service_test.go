package collections_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	"tabuleiro/services/play/collections"
)

// fakeRules reads files with a game a line, "white;black;result;moves", of which
// a "!" among the moves spoils the game. A position is named by the moves that
// lead to it.
type fakeRules struct {
	rulesv1.RulesServiceClient
	rulesv1.RecordsServiceClient
	limit int
}

func hashOf(key string) []byte {
	sum := sha256.Sum256([]byte(key))
	return sum[:8]
}

func (f fakeRules) ReadRecords(_ context.Context, in *rulesv1.ReadRecordsRequest, _ ...grpc.CallOption) (*rulesv1.ReadRecordsResponse, error) {
	out := &rulesv1.ReadRecordsResponse{Line: in.GetLine(), Column: 1}
	rest := in.GetText()
	for len(out.GetRecords()) < f.limit {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole && (!in.GetLast() || len(line) == 0) {
			break
		}
		rest = after
		out.Records = append(out.Records, f.record(string(line), out.Line))
		out.Line++
	}
	out.Consumed = int32(len(in.GetText()) - len(rest))
	return out, nil
}

func (fakeRules) record(line string, number int32) *rulesv1.Record {
	parts := strings.Split(line, ";")
	r := &rulesv1.Record{
		Line: number, Result: parts[2], Moves: parts[3], Text: line + "\n", Hashes: hashOf(""),
		Tags: []*rulesv1.RecordTag{
			{Name: "White", Value: parts[0]}, {Name: "Black", Value: parts[1]}, {Name: "Date", Value: "2020.05.??"},
			{Name: "Event", Value: "?"}, {Name: "ECO", Value: "b12x"}, {Name: "Opening", Value: "Its own"},
		},
	}
	moves := strings.Fields(parts[3])
	for i := range moves {
		r.Hashes = append(r.Hashes, hashOf(strings.Join(moves[:i+1], " "))...)
	}
	if len(parts) > 4 {
		r.Tags = append(r.Tags, &rulesv1.RecordTag{Name: "Round", Value: parts[4]})
	}
	r.Plies = int32(len(moves))
	if i := slices.Index(moves, "!"); i >= 0 {
		r.Spoiled, r.Text = true, ""
		r.Faults = append(r.Faults, &rulesv1.RecordFault{Code: "cannot_move_so", Line: number, Column: int32(i), Ply: int32(i) + 1, Message: "no"})
	}
	return r
}

func (fakeRules) Inspect(_ context.Context, in *rulesv1.InspectRequest, _ ...grpc.CallOption) (*rulesv1.InspectResponse, error) {
	if in.GetPosition().GetText() == "bad" {
		return nil, &rpc.Problem{Code: "bad_text", Fields: []rpc.Field{{Name: "position.text", Code: "bad"}}}
	}
	return &rulesv1.InspectResponse{Ruling: &commonv1.Ruling{Key: in.GetPosition().GetText()}}, nil
}

func (fakeRules) ReadRecord(_ context.Context, in *rulesv1.ReadRecordRequest, _ ...grpc.CallOption) (*rulesv1.ReadRecordResponse, error) {
	moves := strings.Fields(strings.Split(strings.TrimSpace(in.GetText()), ";")[3])
	g := &rulesv1.RecordedGame{Start: &commonv1.Position{Text: "start"}, Moves: moves, Notation: moves, Positions: append([]string{"start"}, moves...)}
	return &rulesv1.ReadRecordResponse{Games: []*rulesv1.RecordedGame{g}}, nil
}

func (fakeRules) WriteRecord(_ context.Context, in *rulesv1.WriteRecordRequest, _ ...grpc.CallOption) (*rulesv1.WriteRecordResponse, error) {
	return &rulesv1.WriteRecordResponse{Text: in.GetStart().GetText() + ":" + strings.Join(in.GetMoves(), ",") + in.GetResult() + "\n"}, nil
}

type fakeGames []collections.Game

func (g fakeGames) Game(_ context.Context, caller identity.Caller, id string) (collections.Game, error) {
	for _, game := range g {
		if game.ID == id && caller.Account == "ana" {
			return game, nil
		}
	}
	return collections.Game{}, rpc.Fail("game_not_found", "")
}

// May lets nobody list another's games but "the teacher".
func (g fakeGames) May(_ context.Context, caller identity.Caller, _ string) error {
	if caller.Account != "the teacher" {
		return rpc.Fail("account_not_found", "")
	}
	return nil
}

func (g fakeGames) Finished(_ context.Context, _, rules, before string, limit int) ([]collections.Game, string, error) {
	var out []collections.Game
	for _, game := range slices.Backward(g) {
		if game.Rules == rules && (before == "" || game.ID < before) {
			if len(out) == limit {
				return out, out[limit-1].ID, nil
			}
			out = append(out, game)
		}
	}
	return out, "", nil
}

type fixedTime struct{ ms int64 }

func (t *fixedTime) Now() time.Time { return time.UnixMilli(t.ms) }

type world struct {
	*collections.Service
	t    *testing.T
	time *fixedTime
	keys int
	cfg  collections.Config
	deps collections.Deps
}

// games makes the service write games so that they can be read again.
func (w *world) games() {
	w.deps.Records = gameRules{fakeRules{limit: 3}}
	w.Service = collections.New(w.cfg, w.deps)
}

// classes gives accounts their classes.
func (w *world) classes(of func(account string) []collections.Class) {
	w.deps.Classes = func(_ context.Context, account string) ([]collections.Class, error) { return of(account), nil }
	w.Service = collections.New(w.cfg, w.deps)
}

func newWorld(t *testing.T, cfg collections.Config, games ...collections.Game) *world {
	table := "hash\teco\tname\n" + hex.EncodeToString(hashOf("e4 c5")) + "\tB20\tSicilian\n"
	openings, err := collections.ReadOpenings(strings.NewReader(table))
	must(t, err)
	w := &world{t: t, time: &fixedTime{ms: 1_000_000}, cfg: cfg}
	rules := fakeRules{limit: 3}
	ids := 0
	w.deps = collections.Deps{
		Store: collections.NewMemory(), Rules: rules, Records: rules, Games: fakeGames(games), Openings: openings, Time: w.time,
		NewID: func() string { ids++; return fmt.Sprintf("id%02d", ids) },
	}
	w.Service = collections.New(cfg, w.deps)
	return w
}

// as is a context of an account, with a new key.
func (w *world) as(account string) context.Context {
	w.keys++
	ctx := identity.With(w.t.Context(), identity.Caller{Account: account, Session: "s"})
	return rpc.WithKey(ctx, fmt.Sprint("key", w.keys))
}

func (w *world) collection(account string) string {
	w.t.Helper()
	out, err := w.CreateCollection(w.as(account), &playv1.CreateCollectionRequest{Rules: "chess", Name: " Mine "})
	must(w.t, err)
	if out.GetCollection().GetName() != "Mine" {
		w.t.Errorf("got %v", out)
	}
	return out.GetCollection().GetId()
}

// load imports a file as the gateway does, in pieces of a size.
func (w *world) load(account, collection, file string, size int) *playv1.Import {
	w.t.Helper()
	ctx := w.as(account)
	begun, err := w.BeginImport(ctx, &playv1.BeginImportRequest{Collection: collection, Bytes: int32(len(file))})
	must(w.t, err)
	now := begun.GetImport()
	for range 10_000 {
		at := int(now.GetRead())
		end := min(at+size, len(file))
		out, err := w.ImportPiece(ctx, &playv1.ImportPieceRequest{
			Collection: collection, Import: now.GetId(), Offset: int32(at), Text: []byte(file[at:end]), Last: end == len(file),
		})
		must(w.t, err)
		if now = out.GetImport(); now.GetStatus() == "finished" {
			return now
		}
	}
	w.t.Fatal("the import has no end")
	return nil
}

func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	if p, ok := rpc.ProblemOf(err); !ok || p.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
}

const file = "Ana;Bia;1-0;e4 c5 Nf3\nBia;Ana;0-1;d4 ! d5\nCai;Ana;1/2-1/2;d4 d5\nAna;Bia;1-0;e4 c5 Nf3\nDo;Re;*;e4 e5"

func TestImportReportsAndSearches(t *testing.T) {
	w := newWorld(t, collections.Config{})
	id := w.collection("ana")
	report := w.load("ana", id, file, 40)
	if report.GetFound() != 5 || report.GetAdded() != 3 || report.GetDuplicates() != 1 || report.GetSpoiled() != 1 ||
		report.GetRead() != int32(len(file)) || report.GetFinishedAt() == nil {
		t.Errorf("got %v", report)
	}
	if n := report.GetNotes(); len(n) != 2 || n[0].GetCode() != "cannot_move_so" || n[0].GetIndex() != 2 || n[0].GetLine() != 2 || n[0].GetPly() != 2 ||
		!n[0].GetLeftOut() || n[1].GetCode() != "duplicate" || n[1].GetRecord() != 1 || n[1].GetPlayers() != "Ana - Bia" {
		t.Errorf("got %v", n)
	}
	list := func(in *playv1.ListRecordsRequest) []int32 {
		t.Helper()
		in.Collection = id
		out, err := w.ListRecords(w.as("ana"), in)
		must(t, err)
		var got []int32
		for _, r := range out.GetRecords() {
			got = append(got, r.GetNumber())
		}
		return got
	}
	for name, test := range map[string]struct {
		in   *playv1.ListRecordsRequest
		want []int32
	}{
		"all":      {&playv1.ListRecordsRequest{}, []int32{1, 2, 3}},
		"player":   {&playv1.ListRecordsRequest{Player: "ANÁ"}, []int32{1, 2}},
		"position": {&playv1.ListRecordsRequest{Position: "e4"}, []int32{1, 3}},
		"opening":  {&playv1.ListRecordsRequest{Opening: "sicil", Eco: "b2"}, []int32{1}},
		"own name": {&playv1.ListRecordsRequest{Opening: "its own", Eco: "B12"}, []int32{2, 3}},
		"moves":    {&playv1.ListRecordsRequest{Moves: " e4  c5 "}, []int32{1}},
		"date":     {&playv1.ListRecordsRequest{From: "2020-05", To: "2020-05"}, []int32{1, 2, 3}},
	} {
		if got := list(test.in); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
	got, err := w.GetRecord(w.as("ana"), &playv1.GetRecordRequest{Collection: id, Number: 1})
	must(t, err)
	if len(got.GetPlies()) != 3 || got.GetPlies()[2].GetPosition() != "Nf3" || got.GetStart() != "start" ||
		got.GetRecord().GetOpening() != "Sicilian" || got.GetRecord().GetDate() != "2020-05" || got.GetRecord().GetEvent() != "" {
		t.Errorf("got %v", got)
	}
	out, err := w.ExportRecords(w.as("ana"), &playv1.ExportRecordsRequest{Collection: id})
	must(t, err)
	if want := "Ana;Bia;1-0;e4 c5 Nf3\nCai;Ana;1/2-1/2;d4 d5\nDo;Re;*;e4 e5\n"; out.GetText() != want || out.GetNext() != 0 {
		t.Errorf("got %q", out.GetText())
	}
}

// TestImportGoesOn: the same command finds the import where it broke off, and a
// piece that comes twice is added once.
func TestImportGoesOn(t *testing.T) {
	w := newWorld(t, collections.Config{})
	id := w.collection("ana")
	ctx := w.as("ana")
	begin := &playv1.BeginImportRequest{Collection: id}
	begun, err := w.BeginImport(ctx, begin)
	must(t, err)
	piece := &playv1.ImportPieceRequest{Collection: id, Import: begun.GetImport().GetId(), Text: []byte(file)}
	first, err := w.ImportPiece(ctx, piece)
	must(t, err)
	twice, err := w.ImportPiece(ctx, piece)
	must(t, err)
	again, err := w.BeginImport(ctx, begin)
	must(t, err)
	if first.GetImport().GetAdded() != 2 || twice.GetImport().GetRead() != first.GetImport().GetRead() || twice.GetImport().GetFound() != 3 ||
		again.GetImport().GetRead() != first.GetImport().GetRead() {
		t.Errorf("got %v, %v, %v", first, twice, again)
	}
	w.time.ms += 3600*1000 + 1
	old, err := w.GetImport(w.as("ana"), &playv1.GetImportRequest{Collection: id, Import: begun.GetImport().GetId()})
	must(t, err)
	if old.GetImport().GetStatus() != "broken_off" {
		t.Errorf("got %v", old)
	}
}

func TestRefusals(t *testing.T) {
	w := newWorld(t, collections.Config{MaxCollections: 1, MaxImports: 1})
	id := w.collection("ana")
	begun, err := w.BeginImport(w.as("ana"), &playv1.BeginImportRequest{Collection: id})
	must(t, err)
	guest := func() context.Context {
		return identity.With(t.Context(), identity.Caller{Guest: true, Session: "g"})
	}
	for name, test := range map[string]struct {
		call func() error
		code string
	}{
		"one more collection": {func() error {
			_, err := w.CreateCollection(w.as("ana"), &playv1.CreateCollectionRequest{Rules: "chess", Name: "x"})
			return err
		}, "too_many_collections"},
		"a name of blanks": {func() error {
			_, err := w.CreateCollection(w.as("bia"), &playv1.CreateCollectionRequest{Rules: "chess", Name: " "})
			return err
		}, "bad_field"},
		"a name of two lines": {func() error {
			_, err := w.RenameCollection(w.as("ana"), &playv1.RenameCollectionRequest{Collection: id, Name: "a\nb"})
			return err
		}, "bad_field"},
		"a guest": {func() error { _, err := w.ListCollections(guest(), nil); return err }, "account_required"},
		"another's": {func() error {
			_, err := w.GetCollection(w.as("bia"), &playv1.GetCollectionRequest{Collection: id})
			return err
		}, "collection_not_found"},
		"another's records": {func() error {
			_, err := w.ListRecords(w.as("bia"), &playv1.ListRecordsRequest{Collection: id})
			return err
		}, "collection_not_found"},
		"another's export": {func() error {
			_, err := w.ExportRecords(w.as("bia"), &playv1.ExportRecordsRequest{Collection: id})
			return err
		}, "collection_not_found"},
		"another's import": {func() error {
			_, err := w.ImportPiece(w.as("bia"), &playv1.ImportPieceRequest{Collection: id, Import: begun.GetImport().GetId()})
			return err
		}, "collection_not_found"},
		"into another's": {func() error {
			_, err := w.BeginImport(w.as("bia"), &playv1.BeginImportRequest{Collection: id})
			return err
		}, "collection_not_found"},
		"no import": {func() error {
			_, err := w.GetImport(w.as("ana"), &playv1.GetImportRequest{Collection: id, Import: "x"})
			return err
		}, "import_not_found"},
		"two imports": {func() error {
			_, err := w.BeginImport(w.as("ana"), &playv1.BeginImportRequest{Collection: id})
			return err
		}, "too_many_imports"},
		"no record": {func() error {
			_, err := w.GetRecord(w.as("ana"), &playv1.GetRecordRequest{Collection: id, Number: 1})
			return err
		}, "record_not_found"},
		"no record to delete": {func() error {
			_, err := w.DeleteRecord(w.as("ana"), &playv1.DeleteRecordRequest{Collection: id, Number: 1})
			return err
		}, "record_not_found"},
		"a position that is none": {func() error {
			_, err := w.ListRecords(w.as("ana"), &playv1.ListRecordsRequest{Collection: id, Position: "bad"})
			return err
		}, "bad_text"},
		"too many moves": {func() error {
			_, err := w.ListRecords(w.as("ana"), &playv1.ListRecordsRequest{Collection: id, Moves: strings.Repeat("e4 ", 21)})
			return err
		}, "bad_field"},
		"a zero byte": {func() error {
			_, err := w.ListRecords(w.as("ana"), &playv1.ListRecordsRequest{Collection: id, Player: "a\x00"})
			return err
		}, "bad_field"},
		"no game": {func() error {
			_, err := w.GetGameRecord(w.as("bia"), &playv1.GetGameRecordRequest{Game: "g"})
			return err
		}, "game_not_found"},
		"deleting another's": {func() error {
			_, err := w.DeleteCollection(w.as("bia"), &playv1.DeleteCollectionRequest{Collection: id})
			return err
		}, "collection_not_found"},
	} {
		t.Run(name, func(t *testing.T) { wantCode(t, test.call(), test.code) })
	}
}

func TestGamesAsRecords(t *testing.T) {
	var games []collections.Game
	for i := range 120 {
		games = append(games, collections.Game{ID: fmt.Sprintf("g%03d", i), Rules: "chess", Start: fmt.Sprint(i), Moves: []string{"a", "b"}, Result: "1-0"})
	}
	games = append(games, collections.Game{ID: "t", Rules: "tictactoe"})
	w := newWorld(t, collections.Config{}, games...)
	one, err := w.GetGameRecord(w.as("ana"), &playv1.GetGameRecordRequest{Game: "g007"})
	must(t, err)
	if one.GetText() != "7:a,b1-0\n" || one.GetRules() != "chess" {
		t.Errorf("got %v", one)
	}
	_, err = w.GetGameRecord(w.as("ana"), &playv1.GetGameRecordRequest{Game: "t"})
	wantCode(t, err, "no_record_format")
	var all, before string
	for {
		out, err := w.ExportGames(w.as("ana"), &playv1.ExportGamesRequest{Rules: "chess", Before: before})
		must(t, err)
		all += out.GetText()
		if before = out.GetNext(); before == "" {
			break
		}
	}
	if lines := strings.Split(all, "\n"); len(lines) != 121 || lines[0] != "119:a,b1-0" || lines[119] != "0:a,b1-0" {
		t.Errorf("got %d lines: %.80q", len(lines), all)
	}
}
