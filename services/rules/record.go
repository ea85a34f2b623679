package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/chess/pgn"
	"tabuleiro/games/draughts"
	"tabuleiro/games/draughts/pdn"
	"tabuleiro/internal/rpc"
	commonv1 "tabuleiro/proto/tabuleiro/common/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

const (
	defaultRecords = 100
	// answerSize is the size in bytes after which no more games are added to an
	// answer. A message may be four times as large, which the longest game of the
	// largest text stays below.
	answerSize = 1 << 20
)

// Replay plays a series of moves. It fails with bad_text or bad_position for
// the position, or with the code of the first move that is refused.
func (s *Service) Replay(ctx context.Context, req *rulesv1.ReplayRequest) (*rulesv1.ReplayResponse, error) {
	g, p, err := s.position(req.GetPosition())
	if err != nil {
		return nil, err
	}
	ruling, err := g.Rule(p)
	if err != nil {
		return nil, problem(err)
	}
	out := &rulesv1.ReplayResponse{}
	for i, text := range req.GetMoves() {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("replaying moves: %w", err)
		}
		move, next, err := g.Apply(ruling.Position, text)
		if err != nil {
			return nil, atMove(problem(err), i)
		}
		out.Moves = append(out.Moves, &rulesv1.ReplayedMove{
			Side: g.Sides()[ruling.Side], Move: wireMove(&move), Taken: taken(ruling.Pieces, move.Captures),
		})
		ruling = next
	}
	out.Ruling = wireRuling(g, &ruling)
	return out, nil
}

// atMove says which of several moves is refused.
func atMove(err error, i int) error {
	if p, ok := errors.AsType[*rpc.Problem](err); ok {
		p.Fields = []rpc.Field{{Name: fmt.Sprintf("moves[%d]", i), Code: p.Code, Detail: p.Detail}}
	}
	return err
}

// recordReader reads the records of one format one after another.
type recordReader interface {
	// next is the next game; io.EOF after the last.
	next() (*rulesv1.RecordedGame, error)
}

// ReadRecord reads records of games.
func (s *Service) ReadRecord(ctx context.Context, req *rulesv1.ReadRecordRequest) (*rulesv1.ReadRecordResponse, error) {
	reader, err := s.records(req)
	if err != nil {
		return nil, err
	}
	out := &rulesv1.ReadRecordResponse{}
	limit := int(cmp.Or(req.GetLimit(), defaultRecords))
	size := 0
	for index := int32(1); ; index++ {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("reading records: %w", err)
		}
		game, err := reader.next()
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("reading record %d: %w", index, err)
		case index <= req.GetSkip():
			continue
		case len(out.Games) == limit || size > answerSize:
			out.More = true
			return out, nil
		}
		game.Index, game.Rules = index, req.GetRules()
		out.Games = append(out.Games, game)
		size += weight(game)
	}
}

// weight is about the size of a game in a message.
func weight(g *rulesv1.RecordedGame) int {
	n := 256
	for _, list := range [][]string{g.GetMoves(), g.GetNotation(), g.GetPositions()} {
		for _, text := range list {
			n += len(text) + 2
		}
	}
	for _, t := range g.GetTags() {
		n += len(t.GetName()) + len(t.GetValue()) + 8
	}
	return n
}

func (s *Service) records(req *rulesv1.ReadRecordRequest) (recordReader, error) {
	g := s.game(req.GetRules())
	if g == nil {
		return nil, rpc.Fail("unknown_rules", "there is no such game")
	}
	start, err := g.Start(req.GetDraws())
	if err != nil {
		return nil, problem(err)
	}
	in := strings.NewReader(req.GetText())
	switch g.(type) {
	case chess.Game:
		return &pgnRecords{reader: pgn.NewReader(in, pgn.Config{}), positions: req.GetPositions(), draws: start.Draws}, nil
	case draughts.Game:
		reader, err := pdn.NewReader(in, pdn.Config{Draws: req.GetDraws()})
		if err != nil {
			return nil, problem(err)
		}
		return &pdnRecords{reader: reader, positions: req.GetPositions(), draws: start.Draws}, nil
	}
	return nil, rpc.Fail("unknown_rules", "the game has no records")
}

type pgnRecords struct {
	reader    *pgn.Reader
	game      pgn.Game
	positions bool
	draws     string
}

func (r *pgnRecords) next() (*rulesv1.RecordedGame, error) {
	if err := r.reader.Next(&r.game); err != nil {
		return nil, err
	}
	g := &r.game
	out := &rulesv1.RecordedGame{
		Start:   &commonv1.Position{Rules: "chess", Text: g.Start.FEN(), Draws: r.draws},
		Result:  string(g.Result),
		Final:   g.Final.FEN(),
		Spoiled: g.Spoiled,
	}
	for _, t := range g.Tags {
		out.Tags = append(out.Tags, &rulesv1.RecordTag{Name: t.Name, Value: t.Value})
	}
	for _, e := range g.Errors {
		out.Faults = append(out.Faults, fault(string(e.Code), e.Line, e.Column, e.Ply, e.Message))
	}
	p := g.Start
	if r.positions {
		out.Positions = append(out.Positions, p.FEN())
	}
	for _, m := range g.Moves {
		out.Moves = append(out.Moves, p.UCI(m))
		out.Notation = append(out.Notation, p.SAN(m))
		p = p.Play(m)
		if r.positions {
			out.Positions = append(out.Positions, p.FEN())
		}
	}
	return out, nil
}

type pdnRecords struct {
	reader    *pdn.Reader
	game      pdn.Game
	positions bool
	draws     string
}

func (r *pdnRecords) next() (*rulesv1.RecordedGame, error) {
	if err := r.reader.Next(&r.game); err != nil {
		return nil, err
	}
	g := &r.game
	out := &rulesv1.RecordedGame{
		Start:   &commonv1.Position{Rules: "draughts", Text: g.Start.Text(), Draws: r.draws},
		Result:  string(g.Result),
		Final:   g.Final.Text(),
		Spoiled: g.Spoiled,
	}
	for _, t := range g.Tags {
		out.Tags = append(out.Tags, &rulesv1.RecordTag{Name: t.Name, Value: t.Value})
	}
	for _, e := range g.Errors {
		out.Faults = append(out.Faults, fault(string(e.Code), e.Line, e.Column, e.Ply, e.Message))
	}
	return out, r.moves(out)
}

// moves adds the moves of the main line, up to a setup: what follows one is no
// game from the start.
func (r *pdnRecords) moves(out *rulesv1.RecordedGame) error {
	p := r.game.Start
	if r.positions {
		out.Positions = append(out.Positions, p.Text())
	}
	line, err := draughts.Game{}.Line(games.Position{Text: p.Text(), Draws: r.draws})
	if err != nil {
		return problem(err)
	}
	for i := range r.game.Plies {
		ply := &r.game.Plies[i]
		if ply.IsSetup() {
			out.Spoiled = true
			out.Final = now(&line)
			out.Faults = append(out.Faults, fault(string(pdn.Unexpected), 1, 1, i+1, "the main line goes on from another position"))
			return nil
		}
		out.Moves = append(out.Moves, ply.Move.Text)
		out.Notation = append(out.Notation, ply.Move.Notation)
		if _, line, err = line.Play(ply.Move.Text); err != nil {
			return problem(err)
		}
		if r.positions {
			out.Positions = append(out.Positions, now(&line))
		}
	}
	return nil
}

func now(l *draughts.Line) string {
	p := l.Position()
	return p.Text()
}

func fault(code string, line, column, ply int, message string) *rulesv1.RecordFault {
	return &rulesv1.RecordFault{Code: code, Line: int32(line), Column: int32(column), Ply: int32(ply), Message: message}
}
