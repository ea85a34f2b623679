package collections

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

// ListRecords implements playv1.CollectionsServiceServer.
func (s *Service) ListRecords(ctx context.Context, in *playv1.ListRecordsRequest) (*playv1.ListRecordsResponse, error) {
	c, err := s.readable(ctx, in.GetCollection())
	if err != nil {
		return nil, err
	}
	began := s.deps.Time.Now()
	q, err := s.query(ctx, c.Rules, asked{
		player: in.GetPlayer(), opening: in.GetOpening(), event: in.GetEvent(), eco: in.GetEco(), moves: in.GetMoves(),
		position: in.GetPosition(), from: in.GetFrom(), to: in.GetTo(),
	})
	if err != nil {
		return nil, err
	}
	q.Collection, q.Side, q.Result = c.ID, in.GetSide(), in.GetResult()
	q.After, q.Limit = in.GetAfter(), int(cmp.Or(in.GetLimit(), defaultPage))
	records, next, err := s.deps.Store.Search(ctx, q)
	if err != nil {
		return nil, problemOf(err)
	}
	by := searchFields
	if q.Position != nil {
		by = searchPosition
	}
	s.deps.Metrics.searched(by, s.deps.Time.Now().Sub(began))
	out := &playv1.ListRecordsResponse{Next: next}
	for i := range records {
		out.Records = append(out.Records, records[i].wire())
	}
	return out, nil
}

// asked are the texts of a search.
type asked struct{ player, opening, event, eco, moves, position, from, to string }

// query is what a search looks for in records.
func (s *Service) query(ctx context.Context, rules string, a asked) (Query, error) {
	q := Query{
		Player: fold(a.player), Opening: fold(a.opening), Event: fold(a.event), ECO: strings.ToUpper(a.eco), From: a.from, To: a.to,
	}
	for name, text := range map[string]string{"player": q.Player, "opening": q.Opening, "event": q.Event, "moves": a.moves} {
		if strings.ContainsRune(text, 0) {
			return q, badField(name, "the text holds a zero byte")
		}
	}
	moves := strings.Fields(a.moves)
	if len(moves) > lineMoves {
		return q, badField("moves", "at most 20 moves are searched")
	}
	q.Line = strings.Join(moves, " ")
	if a.position != "" {
		hash, err := s.hashOf(ctx, rules, a.position)
		if err != nil {
			return q, err
		}
		q.Position = &hash
	}
	return q, nil
}

// hashOf is the hash of a position as records have it: of the repetition key that
// the rules service says.
func (s *Service) hashOf(ctx context.Context, rules, text string) (uint64, error) {
	got, err := s.deps.Rules.Inspect(ctx, &rulesv1.InspectRequest{Position: &commonv1.Position{Rules: rules, Text: text}})
	if err != nil {
		if p, ok := rpc.ProblemOf(err); ok {
			for i := range p.Fields {
				p.Fields[i].Name = strings.TrimSuffix(p.Fields[i].Name, ".text")
			}
		}
		return 0, of("ask the rules for a position", err)
	}
	sum := sha256.Sum256([]byte(got.GetRuling().GetKey()))
	return binary.BigEndian.Uint64(sum[:]), nil
}

// GetRecord implements playv1.CollectionsServiceServer.
func (s *Service) GetRecord(ctx context.Context, in *playv1.GetRecordRequest) (*playv1.GetRecordResponse, error) {
	c, err := s.readable(ctx, in.GetCollection())
	if err != nil {
		return nil, err
	}
	r, err := s.deps.Store.Record(ctx, c.ID, in.GetNumber())
	if err != nil {
		return nil, problemOf(err)
	}
	read, err := s.deps.Rules.ReadRecord(ctx, &rulesv1.ReadRecordRequest{Rules: c.Rules, Text: r.Text, Limit: 1, Positions: true})
	if err != nil {
		return nil, of("read a record", err)
	}
	out := &playv1.GetRecordResponse{Record: r.wire(), Rules: c.Rules, Text: r.Text}
	if len(read.GetGames()) == 0 {
		return out, nil
	}
	g := read.GetGames()[0]
	for _, t := range g.GetTags() {
		out.Tags = append(out.Tags, &playv1.RecordTag{Name: t.GetName(), Value: t.GetValue()})
	}
	out.Start = g.GetStart().GetText()
	for i, move := range g.GetMoves() {
		ply := &playv1.RecordPly{Ply: int32(i) + 1, Move: move}
		if i < len(g.GetNotation()) {
			ply.Notation = g.GetNotation()[i]
		}
		if i+1 < len(g.GetPositions()) {
			ply.Position = g.GetPositions()[i+1]
		}
		out.Plies = append(out.Plies, ply)
	}
	return out, nil
}

// GetGameRecord implements playv1.CollectionsServiceServer.
func (s *Service) GetGameRecord(ctx context.Context, in *playv1.GetGameRecordRequest) (*playv1.GetGameRecordResponse, error) {
	caller, ok := identity.From(ctx)
	if !ok {
		return nil, rpc.Fail("not_logged_in", "")
	}
	game, err := s.deps.Games.Game(ctx, caller, in.GetGame())
	if err != nil {
		return nil, err
	}
	text, err := s.write(ctx, game)
	if err != nil {
		return nil, err
	}
	return &playv1.GetGameRecordResponse{Text: text, Rules: game.Rules}, nil
}

// ExportGames implements playv1.CollectionsServiceServer.
func (s *Service) ExportGames(ctx context.Context, in *playv1.ExportGamesRequest) (*playv1.ExportGamesResponse, error) {
	caller, ok := identity.From(ctx)
	if !ok || caller.Account == "" {
		return nil, rpc.Fail("account_required", "")
	}
	if strings.ContainsFunc(in.GetBefore(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, badField("before", "must be the id of a game")
	}
	account := cmp.Or(in.GetAccount(), caller.Account)
	if account != caller.Account {
		if err := s.deps.Games.May(ctx, caller, account); err != nil {
			return nil, err
		}
	}
	games, next, err := s.deps.Games.Finished(ctx, account, in.GetRules(), in.GetBefore(), gamesRun)
	if err != nil {
		return nil, err
	}
	out := &playv1.ExportGamesResponse{Next: next}
	var text strings.Builder
	for i, game := range games {
		written, err := s.write(ctx, game)
		if err != nil {
			return nil, err
		}
		text.WriteString(written)
		if text.Len() > runSize && i+1 < len(games) {
			out.Next = game.ID
			break
		}
	}
	out.Text = text.String()
	return out, nil
}

func (s *Service) write(ctx context.Context, game Game) (string, error) {
	if game.Rules != "chess" && game.Rules != "draughts" {
		return "", noFormat()
	}
	in := &rulesv1.WriteRecordRequest{
		Start: &commonv1.Position{Rules: game.Rules, Text: game.Start, Draws: game.Draws}, Moves: game.Moves, Result: game.Result,
	}
	for _, t := range game.Tags {
		in.Tags = append(in.Tags, &rulesv1.RecordTag{Name: t[0], Value: t[1]})
	}
	out, err := s.deps.Records.WriteRecord(ctx, in)
	if err != nil {
		return "", of("write a record", err)
	}
	return out.GetText(), nil
}
