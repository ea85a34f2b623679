package tournaments

import (
	"tabuleiro/internal/seeded"
	"tabuleiro/services/play/tournaments/pairing"
)

// boards are those of the next round, with the results of those that are not
// played.
func (s *State) boards() []Board {
	switch s.Kind {
	case Swiss:
		return s.swissBoards()
	case Knockout:
		return s.knockoutBoards()
	}
	order := s.order()
	var boards []Board
	pairs := pairing.Berger
	if s.Alternate {
		pairs = pairing.Double
	}
	for _, p := range pairs(len(order), len(s.Played)) {
		b := Board{White: order[p.White], Black: none, Result: Rest}
		if p.Black != none {
			b.Black, b.Result = order[p.Black], s.walkover(order[p.White], order[p.Black])
			b.Decided = b.Result != ""
		}
		boards = append(boards, b)
	}
	return boards
}

// walkover is the result of a board of which a player has left; empty where both
// play.
func (s *State) walkover(white, black int) string {
	in := func(p int) bool { return s.Players[p].Status == PlayerIn }
	switch {
	case in(white) && in(black):
		return ""
	case in(white):
		return WhiteWins
	case in(black):
		return BlackWins
	}
	return BothLose
}

// first is the colour of the highest seed in the first round.
func (s *State) first() int8 {
	if s.Seed&1 == 1 {
		return pairing.Black
	}
	return pairing.White
}

func (s *State) swissBoards() []Board {
	order := s.order()
	place := map[int]int{}
	for i, p := range order {
		place[p] = i
	}
	entries := make([]pairing.Entry, len(order))
	for i, p := range order {
		entries[i].Out = s.Players[p].Status != PlayerIn
	}
	for r := range s.Played {
		s.enter(entries, place, &s.Played[r])
	}
	var boards []Board
	for _, p := range pairing.Swiss(entries, s.first()) {
		if p.Black == none {
			boards = append(boards, Board{White: order[p.White], Black: none, Result: Bye})
		} else {
			boards = append(boards, Board{White: order[p.White], Black: order[p.Black]})
		}
	}
	return boards
}

// enter adds a round to what Swiss pairings need to know. Games that were not
// played give points and no colour, and the opponents may meet again.
func (s *State) enter(entries []pairing.Entry, place map[int]int, r *Round) {
	before := make([]int, len(entries))
	for i := range entries {
		before[i] = entries[i].Points
		entries[i].Floats = [2]int8{0, entries[i].Floats[0]}
	}
	for i := range r.Boards {
		b := &r.Boards[i]
		white, black, played := b.points()
		w := place[b.White]
		entries[w].Points += white
		if b.Black == none {
			entries[w].Bye = true
			entries[w].Floats[0] = pairing.Down
			continue
		}
		k := place[b.Black]
		entries[k].Points += black
		if !played {
			entries[w].Bye = entries[w].Bye || white == 2
			entries[k].Bye = entries[k].Bye || black == 2
			continue
		}
		entries[w].Colours, entries[k].Colours = append(entries[w].Colours, pairing.White), append(entries[k].Colours, pairing.Black)
		entries[w].Met, entries[k].Met = append(entries[w].Met, k), append(entries[k].Met, w)
		switch {
		case before[w] > before[k]:
			entries[w].Floats[0], entries[k].Floats[0] = pairing.Down, pairing.Up
		case before[w] < before[k]:
			entries[w].Floats[0], entries[k].Floats[0] = pairing.Up, pairing.Down
		}
	}
}

func (s *State) knockoutBoards() []Board {
	var pairs [][2]int
	if len(s.Played) == 0 {
		order := s.order()
		for _, p := range pairing.Bracket(len(order)) {
			pair := [2]int{order[p.White], none}
			if p.Black != none {
				pair[1] = order[p.Black]
			}
			pairs = append(pairs, pair)
		}
	} else {
		// The winners of neighbours meet.
		before := s.current().Boards
		for i := 0; i+1 < len(before); i += 2 {
			pairs = append(pairs, [2]int{before[i].winner(), before[i+1].winner()})
		}
	}
	var boards []Board
	for _, p := range pairs {
		boards = append(boards, s.match(p[0], p[1]))
	}
	return boards
}

// match is a board of a knock-out. In turns the better and the other seed begin
// with White.
func (s *State) match(a, b int) Board {
	if a == none {
		a, b = b, a
	}
	if b == none {
		return Board{White: a, Black: none, Result: Bye}
	}
	if s.Players[b].Seed < s.Players[a].Seed {
		a, b = b, a
	}
	if (len(s.Played)%2 == 0) != (s.first() == pairing.White) {
		a, b = b, a
	}
	board := Board{White: a, Black: b, Result: s.walkover(a, b)}
	if board.Result == BothLose { // nobody is left: the better seed goes on in name
		board.Result = WhiteWins
		if s.Players[b].Seed < s.Players[a].Seed {
			board.Result = BlackWins
		}
	}
	board.Decided = board.Result != ""
	return board
}

// breaks are the tie-breaks of a kind of tournament, in their order.
func breaks(kind string) []string {
	if kind == Swiss {
		return []string{pairing.BuchholzCut1, pairing.Buchholz, pairing.DirectEncounter, pairing.SonnebornBerger, pairing.Wins}
	}
	return []string{pairing.DirectEncounter, pairing.SonnebornBerger, pairing.Wins}
}

// Table is the table of a tournament that has started: in a knock-out by the
// rounds that were won.
func Table(s State) []pairing.Standing {
	order := s.order()
	place := map[int]int{}
	for i, p := range order {
		place[p] = i
	}
	var games []pairing.Game
	rounds := 0
	for r := range s.Played {
		if r+1 < len(s.Played) || s.complete() {
			rounds++
		}
		for i := range s.Played[r].Boards {
			b := &s.Played[r].Boards[i]
			if b.Result == "" || b.Result == Rest {
				continue
			}
			white, black, played := b.points()
			g := pairing.Game{White: place[b.White], Black: none, WhitePoints: white, BlackPoints: black, Played: played}
			if b.Black != none {
				g.Black = place[b.Black]
			}
			games = append(games, g)
			if played && seeded.On("result_counted_twice") {
				games = append(games, g)
			}
		}
	}
	names := breaks(s.Kind)
	if s.Kind == Knockout {
		names = nil
	}
	standings := pairing.Table(len(order), rounds, games, names)
	for i := range standings {
		standings[i].Player = order[standings[i].Player]
	}
	return standings
}
