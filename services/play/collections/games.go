package collections

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

const (
	// gamesPage is how many of one's games are read at once, gamesLooks how many are
	// looked at for one page of a search.
	gamesPage  = 50
	gamesLooks = 400
)

// SearchGames implements playv1.CollectionsServiceServer. Nothing is kept for it:
// the games are written as records and read again, as an import would, so that a
// search finds them as they are now - decided otherwise since, or without the name
// of an account that was deleted.
func (s *Service) SearchGames(ctx context.Context, in *playv1.SearchGamesRequest) (*playv1.SearchGamesResponse, error) {
	caller, ok := identity.From(ctx)
	if !ok || caller.Account == "" {
		return nil, rpc.Fail("account_required", "")
	}
	if strings.ContainsFunc(in.GetBefore(), func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, badField("before", "must be the id of a game")
	}
	began := s.deps.Time.Now()
	q, err := s.query(ctx, in.GetRules(), asked{
		opening: in.GetOpening(), eco: in.GetEco(), moves: in.GetMoves(), position: in.GetPosition(), from: in.GetFrom(), to: in.GetTo(),
	})
	if err != nil {
		return nil, err
	}
	if strings.ContainsRune(in.GetOpponent(), 0) {
		return nil, badField("opponent", "the text holds a zero byte")
	}
	opponent := fold(in.GetOpponent())
	limit := int(cmp.Or(in.GetLimit(), defaultPage))
	out := &playv1.SearchGamesResponse{}
	defer func() { s.deps.Metrics.searched(searchGames, s.deps.Time.Now().Sub(began)) }()
	for before, looked := in.GetBefore(), 0; ; {
		games, next, err := s.deps.Games.Finished(ctx, caller.Account, in.GetRules(), before, gamesPage)
		if err != nil {
			return nil, err
		}
		records, err := s.recordsOf(ctx, in.GetRules(), games)
		if err != nil {
			return nil, err
		}
		for _, game := range games {
			record, written := records[game.ID]
			if !written || !game.fits(in.GetSide(), in.GetOutcome(), opponent, &record) || !q.finds(&record) {
				continue
			}
			out.Games = append(out.Games, &playv1.FoundGame{Game: game.ID, Record: record.wire(), Side: game.Side})
			if len(out.Games) == limit {
				out.Next = game.ID
				return out, nil
			}
		}
		looked += len(games)
		if next == "" {
			return out, nil
		}
		if before = next; looked >= gamesLooks {
			out.Next = next
			return out, nil
		}
	}
}

// fits tells whether a game is what its player asks for.
func (g *Game) fits(side, outcome, opponent string, r *Record) bool {
	if side != "" && g.Side != side {
		return false
	}
	other := r.Black
	if g.Side == "black" {
		other = r.White
	}
	if opponent != "" && !strings.Contains(fold(other), opponent) {
		return false
	}
	won, lost := "1-0", "0-1"
	if g.Side == "black" {
		won, lost = lost, won
	}
	switch outcome {
	case "won":
		return g.Side != "" && g.Result == won
	case "lost":
		return g.Side != "" && g.Result == lost
	case "drawn":
		return g.Result == "1/2-1/2"
	}
	return true
}

// recordsOf are games as records, by their ids.
func (s *Service) recordsOf(ctx context.Context, rules string, games []Game) (map[string]Record, error) {
	var text strings.Builder
	for _, game := range games {
		game.Tags = append(slices.DeleteFunc(slices.Clone(game.Tags), func(t [2]string) bool { return t[0] == gameTag }), [2]string{gameTag, game.ID})
		written, err := s.write(ctx, game)
		if err != nil {
			return nil, err
		}
		text.WriteString(written)
	}
	records := map[string]Record{}
	for rest, line := text.String(), int32(1); rest != ""; {
		piece := rest[:min(len(rest), runSize)]
		read, err := s.deps.Records.ReadRecords(ctx, &rulesv1.ReadRecordsRequest{
			Rules: rules, Text: []byte(piece), Last: len(piece) == len(rest), Line: line, Column: 1,
		})
		if err != nil {
			return nil, of("read games as records", err)
		}
		for _, r := range read.GetRecords() {
			for _, tag := range r.GetTags() {
				if tag.GetName() == gameTag && !r.GetSpoiled() {
					records[tag.GetValue()] = s.record(r)
				}
			}
		}
		if read.GetConsumed() == 0 {
			break // what is left is no record
		}
		rest, line = rest[read.GetConsumed():], read.GetLine()
	}
	return records, nil
}

// gameTag is a header that is kept beside a record's text, and tells here which game
// the record is of.
const gameTag = "Round"
