package rules

import (
	"bytes"
	"io"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
	"tabuleiro/games/draughts/pdn"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
)

const byteOrderMark = "\xEF\xBB\xBF"

type draughtsPiece struct {
	reader *pdn.Reader
	text   []byte
	// offset is where line is.
	offset int64
	line   int
	game   pdn.Game
}

func newDraughtsPiece(text []byte) (*draughtsPiece, error) {
	reader, err := pdn.NewReader(bytes.NewReader(text), pdn.Config{})
	if err != nil {
		return nil, err
	}
	return &draughtsPiece{reader: reader, text: text, line: 1}, nil
}

func (r *draughtsPiece) next() error { return r.reader.Next(&r.game) }

func (r *draughtsPiece) place() (int64, int, int) {
	line, column := r.reader.Place()
	for ; r.line < line; r.line++ {
		r.offset += int64(bytes.IndexByte(r.text[r.offset:], '\n')) + 1
	}
	offset := r.offset + int64(column) - 1
	if line == 1 && bytes.HasPrefix(r.text, []byte(byteOrderMark)) {
		offset += int64(len(byteOrderMark)) // which is no column
	}
	return min(offset, int64(len(r.text))), line, column
}

func (r *draughtsPiece) tagged() bool { return len(r.game.Tags) > 0 }

func (r *draughtsPiece) record(line int) *rulesv1.Record {
	g := &r.game
	out := &rulesv1.Record{Line: int32(line), Plies: int32(g.Moves()), Result: string(g.Result)}
	for _, t := range g.Tags {
		out.Tags = appendTag(out.Tags, t.Name, t.Value)
	}
	for _, e := range g.Errors {
		out.Faults = append(out.Faults, fault(string(e.Code), e.Line, e.Column, e.Ply, e.Message))
	}
	if g.Start != draughts.Start() {
		out.Start = g.Start.Text()
	}
	if r.setUpAnew() {
		return spoil(out, pdn.Unexpected, "a position is set up in the middle of the game, which a collection does not keep")
	}
	if !g.Spoiled && len(g.Plies) <= maxRecordPlies {
		at, err := (draughts.Game{}).Line(games.Position{Text: g.Start.Text()})
		if err != nil {
			return spoil(out, games.BadPosition, err.Error())
		}
		var moves, hashes []byte
		hashes = appendDraughtsHash(hashes, &at)
		for i := range g.Plies {
			text := g.Plies[i].Move.Text
			if _, at, err = at.Play(text); err != nil {
				return spoil(out, games.BadText, err.Error())
			}
			if i > 0 {
				moves = append(moves, ' ')
			}
			moves = append(moves, text...)
			hashes = appendDraughtsHash(hashes, &at)
		}
		out.Moves, out.Hashes = string(moves), hashes
	}
	return keep(out, g.Spoiled, func(w io.Writer) error { return pdn.NewWriter(w).Write(g) })
}

func appendDraughtsHash(out []byte, line *draughts.Line) []byte {
	position := line.Position()
	hash := hashOf(position.Text()) // the repetition key, as rulings have it
	return append(out, hash[:]...)
}

// setUpAnew tells whether another position is set up in the main line.
func (r *draughtsPiece) setUpAnew() bool {
	for i := range r.game.Plies {
		if r.game.Plies[i].IsSetup() {
			return true
		}
	}
	return false
}

func writeDraughts(out io.Writer, start games.Position, in *rulesv1.WriteRecordRequest) error {
	line, err := (draughts.Game{}).Line(games.Position{Text: start.Text, Draws: start.Draws})
	if err != nil {
		return problem(err)
	}
	g := pdn.Game{Start: line.Position(), Result: pdn.Result(in.GetResult())}
	for i, text := range in.GetMoves() {
		move, next, err := line.Play(text)
		if err != nil {
			return atMove(problem(err), i)
		}
		line = next
		g.Plies = append(g.Plies, pdn.Ply{Move: move})
	}
	for _, t := range in.GetTags() {
		g.Tags = append(g.Tags, pdn.Tag{Name: t.GetName(), Value: t.GetValue()})
	}
	if err := pdn.NewWriter(out).Write(&g); err != nil {
		return badTags(err)
	}
	return nil
}
