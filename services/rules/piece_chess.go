package rules

import (
	"bytes"
	"io"
	"strconv"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/chess/pgn"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

type chessPiece struct {
	reader *pgn.Reader
	game   pgn.Game
}

func newChessPiece(text []byte) *chessPiece {
	return &chessPiece{reader: pgn.NewReader(bytes.NewReader(text), pgn.Config{})}
}

func (r *chessPiece) next() error { return r.reader.Next(&r.game) }

func (r *chessPiece) place() (int64, int, int) { return r.reader.Place() }

func (r *chessPiece) tagged() bool { return len(r.game.Tags) > 0 }

func (r *chessPiece) record(line int) *rulesv1.Record {
	g := &r.game
	out := &rulesv1.Record{Line: int32(line), Plies: int32(len(g.Moves)), Result: string(g.Result)}
	for _, t := range g.Tags {
		out.Tags = appendTag(out.Tags, t.Name, t.Value)
	}
	for _, e := range g.Errors {
		out.Faults = append(out.Faults, fault(string(e.Code), e.Line, e.Column, e.Ply, e.Message))
	}
	if g.Start != chess.Start() {
		out.Start = g.Start.FEN()
	}
	if !g.Spoiled && len(g.Moves) <= maxRecordPlies {
		moves := make([]byte, 0, 5*len(g.Moves))
		hashes := make([]byte, 0, 8*len(g.Moves)+8)
		hash := chessHash(&g.Start)
		hashes = append(hashes, hash[:]...)
		p := g.Start
		for i, m := range g.Moves {
			if i > 0 {
				moves = append(moves, ' ')
			}
			moves = append(moves, p.UCI(m)...)
			p = p.Play(m)
			hash = chessHash(&p)
			hashes = append(hashes, hash[:]...)
		}
		out.Moves, out.Hashes = string(moves), hashes
	}
	return keep(out, g.Spoiled, func(w io.Writer) error { return pgn.NewWriter(w).Write(g) })
}

// chessHash is the hash of the repetition key as rulings write it.
func chessHash(p *chess.Position) [8]byte {
	var room [16]byte
	key := strconv.AppendUint(room[:0], p.Hash(), 16)
	if missing := 16 - len(key); missing > 0 {
		key = append([]byte("0000000000000000")[:missing], key...)
	}
	return hashOf(string(key))
}

func writeChess(out io.Writer, start games.Position, in *rulesv1.WriteRecordRequest) error {
	setup, err := chess.ParseFEN(start.Text)
	if err != nil {
		return problem(err)
	}
	g := pgn.Game{Result: pgn.Result(in.GetResult())}
	if g.Start, err = setup.Position(); err != nil {
		return problem(err)
	}
	p := g.Start
	for i, text := range in.GetMoves() {
		m, refusal := p.ParseMove(text)
		if refusal != nil {
			return atMove(problem(refusal), i)
		}
		g.Moves = append(g.Moves, m)
		p = p.Play(m)
	}
	for _, t := range in.GetTags() {
		g.Tags = append(g.Tags, pgn.Tag{Name: t.GetName(), Value: t.GetValue()})
	}
	if err := pgn.NewWriter(out).Write(&g); err != nil {
		return badTags(err)
	}
	return nil
}
