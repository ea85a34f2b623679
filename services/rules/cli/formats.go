package cli

import (
	"bytes"
	"errors"
	"io"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/chess/pgn"
	"tabuleiro/games/draughts"
	"tabuleiro/games/draughts/pdn"
)

// open chooses the format of a game's records.
func (c Record) open(g games.Game, in io.Reader) (records, error) {
	switch g.(type) {
	case chess.Game:
		return c.openPGN(g, in)
	case draughts.Game:
		return c.openPDN(g, in)
	}
	return nil, errors.New("there is no format for records of " + g.Name() + "; --rules is chess or draughts")
}

type pgnRecords struct {
	reader *pgn.Reader
	game   pgn.Game
	tags   [][2]string
	moves  []string
}

func (c Record) openPGN(g games.Game, in io.Reader) (records, error) {
	config := pgn.Config{Chess960: c.Chess960}
	if c.FEN != nil {
		p, err := readOption(g, c.FEN, c.Chess960)
		if err != nil {
			return nil, err
		}
		config.Start = p.(chessPosition).p
	}
	return &pgnRecords{reader: pgn.NewReader(in, config)}, nil
}

func (r *pgnRecords) next() error { return r.reader.Next(&r.game) }

func (r *pgnRecords) spoiled() bool { return r.game.Spoiled }

func (r *pgnRecords) record() record {
	g := &r.game
	r.tags, r.moves = r.tags[:0], r.moves[:0]
	for _, t := range g.Tags {
		r.tags = append(r.tags, [2]string{t.Name, t.Value})
	}
	// What a move's text needs of its position, all the game's have in common.
	for _, m := range g.Moves {
		r.moves = append(r.moves, g.Start.UCI(m))
	}
	out := record{
		Rules: "chess", Plies: len(g.Moves), Result: string(g.Result), FinalFEN: g.Final.FEN(),
		Tags: r.tags, Moves: r.moves,
	}
	for _, e := range g.Errors {
		out.Errors = append(out.Errors, recordFault(e))
	}
	return out
}

func (r *pgnRecords) write(out *bytes.Buffer) error { return pgn.NewWriter(out).Write(&r.game) }

type pdnRecords struct {
	reader *pdn.Reader
	game   pdn.Game
}

func (c Record) openPDN(g games.Game, in io.Reader) (records, error) {
	config := pdn.Config{Draws: c.Draws}
	if c.FEN != nil {
		p, err := readOption(g, c.FEN, false)
		if err != nil {
			return nil, err
		}
		config.Start = p.(draughtsPosition).p
	}
	reader, err := pdn.NewReader(in, config)
	if err != nil {
		return nil, err
	}
	return &pdnRecords{reader: reader}, nil
}

func (r *pdnRecords) next() error { return r.reader.Next(&r.game) }

func (r *pdnRecords) spoiled() bool { return r.game.Spoiled }

func (r *pdnRecords) record() record {
	g := &r.game
	out := record{
		Rules: "draughts", Plies: g.Moves(), Result: string(g.Result), FinalFEN: g.Final.Text(),
		Tags: make([][2]string, 0, len(g.Tags)), Moves: make([]string, 0, len(g.Plies)),
	}
	for _, t := range g.Tags {
		out.Tags = append(out.Tags, [2]string{t.Name, t.Value})
	}
	for i := range g.Plies {
		if p := &g.Plies[i]; !p.IsSetup() {
			out.Moves = append(out.Moves, p.Move.Text)
		}
	}
	for _, e := range g.Errors {
		out.Errors = append(out.Errors, recordFault(e))
	}
	return out
}

func (r *pdnRecords) write(out *bytes.Buffer) error { return pdn.NewWriter(out).Write(&r.game) }
