package match

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"tabuleiro/games/chess"
	"tabuleiro/games/chess/pgn"
	"tabuleiro/games/draughts"
	"tabuleiro/games/draughts/pdn"
)

// record writes a game as PGN or PDN, each move with the score for its player in
// pawns or men, the depth and the time in seconds.
func record(rules string, names [2]string, limits [2]Limit, round int, date time.Time, g *played) ([]byte, error) {
	tags := [][2]string{
		{"Event", "tabuleiro match"}, {"Site", "?"}, {"Date", date.Format("2006.01.02")}, {"Round", strconv.Itoa(round)},
		{"White", names[0]}, {"Black", names[1]}, {"Termination", termination(g)},
	}
	if g.opening.Name != "" {
		tags = append(tags, [2]string{"Opening", g.opening.Name})
	}
	if limits[0] == limits[1] {
		tags = append(tags, [2]string{"Limit", limits[0].String()})
	} else {
		tags = append(tags, [2]string{"Limit", limits[0].String() + ", " + limits[1].String()})
	}
	if g.fault != nil {
		tags = append(tags, [2]string{"Fault", clip(g.fault.Error(), 200)})
	}
	var out bytes.Buffer
	var err error
	if rules == "chess" {
		err = writePGN(&out, tags, g)
	} else {
		err = writePDN(&out, tags, g)
	}
	return out.Bytes(), err
}

func termination(g *played) string {
	if g.fault != nil {
		return g.fault.Kind
	}
	return g.reason
}

func clip(text string, most int) string {
	for i, r := range text {
		if i >= most || r == '\n' {
			return text[:i]
		}
	}
	return text
}

// remark is what is written behind the i-th move; empty in the opening.
func (g *played) remark(i int) string {
	at := i - (len(g.moves) - len(g.replies))
	if at < 0 {
		return ""
	}
	r := g.replies[at]
	if !r.scored {
		return fmt.Sprintf("%.3fs", r.spent.Seconds())
	}
	return fmt.Sprintf("%+.2f/%d %.3fs", float64(r.score)/100, r.depth, r.spent.Seconds())
}

func writePGN(out *bytes.Buffer, tags [][2]string, g *played) error {
	start, err := chess.ReadFEN(g.start.Text)
	if err != nil {
		return err
	}
	game := pgn.Game{Start: start, Result: []pgn.Result{pgn.BlackWins, pgn.Drawn, pgn.WhiteWins}[g.points]}
	for _, t := range tags {
		game.Tags = append(game.Tags, pgn.Tag{Name: t[0], Value: t[1]})
	}
	p := start
	for i, m := range g.moves {
		move, refusal := p.ParseUCI(m.Text)
		if refusal != nil {
			return refusal
		}
		game.Moves = append(game.Moves, move)
		if remark := g.remark(i); remark != "" {
			game.Notes = append(game.Notes, pgn.Note{After: i + 1, Comments: []string{remark}})
		}
		p = p.Play(move)
	}
	game.Final = p
	return pgn.NewWriter(out).Write(&game)
}

func writePDN(out *bytes.Buffer, tags [][2]string, g *played) error {
	start, err := draughts.Parse(g.start.Text)
	if err != nil {
		return err
	}
	game := pdn.Game{Start: start, Result: []pdn.Result{pdn.BlackWins, pdn.Drawn, pdn.WhiteWins}[g.points]}
	for _, t := range tags {
		game.Tags = append(game.Tags, pdn.Tag{Name: t[0], Value: t[1]})
	}
	for i, m := range g.moves {
		ply := pdn.Ply{Move: m}
		if remark := g.remark(i); remark != "" {
			ply.Comments = []string{remark}
		}
		game.Plies = append(game.Plies, ply)
	}
	return pdn.NewWriter(out).Write(&game)
}
