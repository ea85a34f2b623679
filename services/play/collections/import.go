package collections

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"regexp"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

type protoMessage = proto.Message

// maxFaultNotes is how many faults of one record an import notes.
const maxFaultNotes = 3

// BeginImport implements playv1.CollectionsServiceServer.
func (s *Service) BeginImport(ctx context.Context, in *playv1.BeginImportRequest) (*playv1.BeginImportResponse, error) {
	cmd, err := command(ctx, "BeginImport", in)
	if err != nil {
		return nil, err
	}
	now := s.now()
	made, err := s.deps.Store.BeginImport(ctx, cmd, Import{
		ID: s.deps.NewID(), Collection: in.GetCollection(), Owner: cmd.Owner, Status: ImportRunning, Bytes: in.GetBytes(),
		Line: 1, Column: 1, CreatedAt: now, ChangedAt: now,
	}, s.most(), s.cfg.MaxImports, keptImports, now-brokenAfter.Milliseconds())
	if err != nil {
		return nil, problemOf(err)
	}
	s.deps.Metrics.began()
	// The same command again goes on where the import is by now.
	if made, err = s.deps.Store.Import(ctx, made.Collection, made.ID); err != nil {
		return nil, problemOf(err)
	}
	return &playv1.BeginImportResponse{Import: made.wire(now, true)}, nil
}

// most is what an owner may keep.
func (s *Service) most() Most { return Most{Records: s.cfg.MaxRecords, Bytes: s.cfg.MaxBytes} }

// ImportPiece implements playv1.CollectionsServiceServer.
func (s *Service) ImportPiece(ctx context.Context, in *playv1.ImportPieceRequest) (*playv1.ImportPieceResponse, error) {
	c, err := s.collection(ctx, in.GetCollection())
	if err != nil {
		return nil, err
	}
	before, err := s.deps.Store.Import(ctx, c.ID, in.GetImport())
	if err != nil {
		return nil, problemOf(err)
	}
	if before.Read != in.GetOffset() || before.Status != ImportRunning {
		// The piece was added already, or another one is to come.
		return &playv1.ImportPieceResponse{Import: before.wire(s.now(), true)}, nil
	}
	read, err := s.deps.Records.ReadRecords(ctx, &rulesv1.ReadRecordsRequest{
		Rules: c.Rules, Text: in.GetText(), Last: in.GetLast(), Line: before.Line, Column: before.Column, Inside: before.Inside,
	})
	if err != nil {
		return nil, of("read records", err)
	}
	piece := s.piece(before, read)
	if in.GetLast() && int(read.GetConsumed()) == len(in.GetText()) {
		piece.After.Status = ImportFinished
	}
	piece.After.ChangedAt = s.now()
	now, err := s.deps.Store.AddPiece(ctx, piece)
	if err != nil {
		return nil, problemOf(err)
	}
	s.deps.Metrics.read(before, now)
	return &playv1.ImportPieceResponse{Import: now.wire(s.now(), true)}, nil
}

// piece is what was read, for the store.
func (s *Service) piece(before Import, read *rulesv1.ReadRecordsResponse) Piece {
	p := Piece{Before: before, After: before, Most: s.most()}
	after := &p.After
	after.Notes = append([]Note(nil), before.Notes...)
	after.Read += read.GetConsumed()
	after.Line, after.Column, after.Inside = read.GetLine(), read.GetColumn(), read.GetInside()
	for _, r := range read.GetRecords() {
		after.Found++
		record := s.record(r)
		about := Note{Index: after.Found, Line: r.GetLine(), Column: 1, Players: clip(record.White+" - "+record.Black, 200)}
		for i, f := range r.GetFaults() {
			if i == maxFaultNotes {
				break
			}
			n := about
			n.Code, n.Line, n.Column, n.Ply, n.Message = f.GetCode(), f.GetLine(), f.GetColumn(), f.GetPly(), clip(f.GetMessage(), 500)
			n.LeftOut = r.GetSpoiled()
			after.note(n)
		}
		switch {
		case r.GetSpoiled():
			after.Spoiled++
			continue
		case len(r.GetFaults()) > 0:
			after.Flawed++
		}
		p.Records, p.Found = append(p.Records, record), append(p.Found, about)
	}
	return p
}

// record is what is kept of a record.
func (s *Service) record(r *rulesv1.Record) Record {
	out := Record{Result: r.GetResult(), Plies: r.GetPlies(), Text: r.GetText(), White: "?", Black: "?"}
	tag := func(name string) string {
		for _, t := range r.GetTags() {
			if t.GetName() == name {
				return t.GetValue()
			}
		}
		return ""
	}
	out.White, out.Black = cmp.Or(tag("White"), "?"), cmp.Or(tag("Black"), "?")
	out.Event, out.Site, out.Date, out.Round = known(tag("Event")), known(tag("Site")), dateOf(tag("Date")), known(tag("Round"))
	for at := 0; at+8 <= len(r.GetHashes()); at += 8 {
		out.Positions = append(out.Positions, binary.BigEndian.Uint64(r.GetHashes()[at:]))
	}
	out.ECO, out.Opening = s.deps.Openings.of(out.Positions)
	if out.ECO == "" {
		if eco := strings.ToUpper(tag("ECO")); ecoCode.MatchString(eco) {
			out.ECO = eco[:3]
		}
		out.Opening = known(tag("Opening"))
	}
	out.Positions = sorted(out.Positions)
	moves := strings.Fields(r.GetMoves())
	out.Line = strings.Join(moves[:min(lineMoves, len(moves))], " ")
	game := []string{r.GetStart(), r.GetMoves(), fold(out.White), fold(out.Black), out.Result}
	out.Hash, out.Other = hashOf(game...), hashOf(append(game, out.Date, out.Round)...)
	return out
}

func hashOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:16])
}

var ecoCode = regexp.MustCompile(`^[A-E][0-9]{2}`)

// known is a tag's value, empty where it says that nobody knows.
func known(value string) string {
	if value = strings.TrimSpace(value); value == "?" || value == "-" {
		return ""
	}
	return value
}

var dateTag = regexp.MustCompile(`^([0-9]{4})[.\-/]?([0-9?]{2})?[.\-/]?([0-9?]{2})?`)

// dateOf is a Date tag as far as it is known: YYYY, YYYY-MM or YYYY-MM-DD.
func dateOf(value string) string {
	m := dateTag.FindStringSubmatch(strings.TrimSpace(value))
	switch {
	case m == nil || m[1] == "0000":
		return ""
	case !within(m[2], 12):
		return m[1]
	case !within(m[3], 31):
		return m[1] + "-" + m[2]
	}
	return m[1] + "-" + m[2] + "-" + m[3]
}

// within tells whether two digits are a number from 1 on.
func within(text string, most int) bool {
	if len(text) != 2 || text[0] == '?' || text[1] == '?' {
		return false
	}
	n := int(text[0]-'0')*10 + int(text[1]-'0')
	return n >= 1 && n <= most
}

// clip cuts a text at the end of a character.
func clip(text string, most int) string {
	for len(text) > most || !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text[:min(most, len(text))], "")
	}
	return text
}

// ListImports implements playv1.CollectionsServiceServer.
func (s *Service) ListImports(ctx context.Context, in *playv1.ListImportsRequest) (*playv1.ListImportsResponse, error) {
	c, err := s.collection(ctx, in.GetCollection())
	if err != nil {
		return nil, err
	}
	list, err := s.deps.Store.Imports(ctx, c.ID, keptImports)
	if err != nil {
		return nil, problemOf(err)
	}
	out := &playv1.ListImportsResponse{}
	for _, i := range list {
		out.Imports = append(out.Imports, i.wire(s.now(), false))
	}
	return out, nil
}

// GetImport implements playv1.CollectionsServiceServer.
func (s *Service) GetImport(ctx context.Context, in *playv1.GetImportRequest) (*playv1.GetImportResponse, error) {
	c, err := s.collection(ctx, in.GetCollection())
	if err != nil {
		return nil, err
	}
	i, err := s.deps.Store.Import(ctx, c.ID, in.GetImport())
	if err != nil {
		return nil, problemOf(err)
	}
	return &playv1.GetImportResponse{Import: i.wire(s.now(), true)}, nil
}

// ExportRecords implements playv1.CollectionsServiceServer.
func (s *Service) ExportRecords(ctx context.Context, in *playv1.ExportRecordsRequest) (*playv1.ExportRecordsResponse, error) {
	c, err := s.readable(ctx, in.GetCollection())
	if err != nil {
		return nil, err
	}
	texts, next, err := s.deps.Store.Texts(ctx, c.ID, in.GetAfter(), runSize)
	if err != nil {
		return nil, problemOf(err)
	}
	return &playv1.ExportRecordsResponse{Text: strings.Join(texts, ""), Next: next, Rules: c.Rules}, nil
}

// noFormat refuses games that no format of records can hold.
func noFormat() error { return rpc.Fail("no_record_format", "") }
