package cli

import (
	"slices"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/draughts"
)

type draughtsPosition struct{ p draughts.Position }

func (d draughtsPosition) text() string { return d.p.Text() }

func (d draughtsPosition) side() games.Side { return d.p.Side() }

func (d draughtsPosition) outcome() *games.Outcome {
	var legal draughts.MoveList
	switch d.p.Legal(&legal); {
	case d.p.Pieces(d.p.Side()) == 0:
		return &games.Outcome{Winner: d.p.Side().Other(), Reason: "no_pieces"}
	case len(legal) == 0:
		return &games.Outcome{Winner: d.p.Side().Other(), Reason: "no_moves"}
	}
	return nil
}

// joined is a move with all its paths.
type joined struct {
	move  draughts.Move
	texts []string
	paths [][]string
}

// joinedMoves are the legal moves, sorted by the text of their first path.
func (d draughtsPosition) joinedMoves() []joined {
	paths := d.p.LegalPaths()
	texts := make(map[*draughts.Path]string, len(paths))
	order := make([]*draughts.Path, len(paths))
	for i := range paths {
		order[i] = &paths[i]
		texts[order[i]] = paths[i].Text()
	}
	slices.SortFunc(order, func(a, b *draughts.Path) int { return strings.Compare(texts[a], texts[b]) })
	var out []joined
	for _, p := range order {
		i := slices.IndexFunc(out, func(j joined) bool { return j.move == p.Move })
		if i < 0 {
			i = len(out)
			out = append(out, joined{move: p.Move})
		}
		out[i].texts = append(out[i].texts, texts[p])
		out[i].paths = append(out[i].paths, squareNames(p.Squares()))
	}
	return out
}

// notation is the shortest form that tells the i-th move from all others.
func notation(all []joined, i int) string {
	m := all[i].move
	alone := !slices.ContainsFunc(all, func(j joined) bool {
		return j.move != m && j.move.From == m.From && j.move.To == m.To
	})
	if alone && m.Captured != 0 {
		return m.From.String() + "x" + m.To.String()
	}
	return all[i].texts[0]
}

func (d draughtsPosition) moves() []move {
	all := d.joinedMoves()
	out := make([]move, 0, len(all))
	for i, j := range all {
		from := j.move.From.String()
		line := move{
			From: &from, To: j.move.To.String(), Captures: captured(j.move.Captured), Paths: j.paths,
			Notation: notation(all, i), FENAfter: d.p.Play(j.move).Text(),
		}
		if j.move.Promotes {
			crown := "k"
			line.Promotion = &crown
		}
		out = append(out, line)
	}
	return out
}

func (d draughtsPosition) perft(depth int, paths, bulk bool) uint64 {
	return draughts.Perft(d.p, depth, paths, bulk)
}

func (d draughtsPosition) branches(paths bool) []branch {
	var out []branch
	all := d.joinedMoves()
	for i, j := range all {
		names := []string{notation(all, i)}
		if paths {
			names = j.texts
		}
		for _, name := range names {
			out = append(out, branch{name, draughtsPosition{d.p.Play(j.move)}})
		}
	}
	slices.SortFunc(out, byName)
	return out
}

func squareNames(squares []draughts.Square) []string {
	out := make([]string, len(squares))
	for i, s := range squares {
		out[i] = s.String()
	}
	return out
}

// captured are the squares of a set, sorted as text.
func captured(set draughts.Bitboard) []string {
	out := make([]string, 0, set.Count())
	for ; set != 0; set = set.Rest() {
		out = append(out, set.First().String())
	}
	slices.Sort(out)
	return out
}
