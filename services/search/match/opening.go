package match

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/chess/pgn"
	"tabuleiro/games/draughts"
	"tabuleiro/games/draughts/pdn"
)

// Opening is how a pair of games begins.
type Opening struct {
	Name string
	// Start is where the record begins, Moves lead from there.
	Start games.Position
	Moves []string
}

func rulesOf(name string) (games.Game, error) {
	switch name {
	case "chess":
		return chess.New(), nil
	case "draughts":
		return draughts.Game{}, nil
	}
	return nil, fmt.Errorf("matches are of chess or draughts, not %q", name)
}

// ReadOpenings reads openings of a game: PGN or PDN (name ends in .pgn or .pdn),
// columns with tabs between and a heading (.tsv: "moves" in UCI, or "fen", and
// "name"), or positions, one a line (FEN or EPD). Openings in which a game is
// over or that do not follow the rules are left out; none left is an error.
func ReadOpenings(rules, name string, in io.Reader) ([]Opening, error) {
	game, err := rulesOf(rules)
	if err != nil {
		return nil, err
	}
	list, err := ReadLines(rules, name, in)
	if err != nil {
		return nil, err
	}
	sound := list[:0]
	for _, o := range list {
		if _, _, err := o.play(game); err == nil {
			sound = append(sound, o)
		}
	}
	if len(sound) == 0 {
		return nil, fmt.Errorf("there are no openings of %s in %s", rules, name)
	}
	return sound, nil
}

// ReadLines reads what ReadOpenings does and leaves nothing out: the moves of a
// table are not looked at, and games may be over.
func ReadLines(rules, name string, in io.Reader) ([]Opening, error) {
	game, err := rulesOf(rules)
	if err != nil {
		return nil, err
	}
	begin, err := game.Start("")
	if err != nil {
		return nil, err
	}
	var list []Opening
	switch {
	case strings.HasSuffix(name, ".pgn"):
		list, err = pgnOpenings(begin, in)
	case strings.HasSuffix(name, ".pdn"):
		list, err = pdnOpenings(begin, in)
	case strings.HasSuffix(name, ".tsv"):
		list, err = tableOpenings(begin, in)
	default:
		list, err = lineOpenings(rules, in)
	}
	if err != nil {
		return nil, fmt.Errorf("reading openings from %s: %w", name, err)
	}
	return list, nil
}

// play plays an opening; the game must not be over after it.
func (o Opening) play(game games.Game) ([]games.Move, games.Ruling, error) {
	ruling, err := game.Rule(o.Start)
	if err != nil {
		return nil, games.Ruling{}, err
	}
	var moves []games.Move
	for _, text := range o.Moves {
		var m games.Move
		if m, ruling, err = game.Apply(ruling.Position, text); err != nil {
			return nil, games.Ruling{}, err
		}
		moves = append(moves, m)
	}
	if ruling.Outcome != nil || len(ruling.Claims) > 0 {
		return nil, games.Ruling{}, errors.New("the game is over in the opening")
	}
	return moves, ruling, nil
}

func pgnOpenings(begin games.Position, in io.Reader) ([]Opening, error) {
	reader := pgn.NewReader(in, pgn.Config{})
	var list []Opening
	for {
		var g pgn.Game
		if err := reader.Next(&g); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		o := Opening{Start: begin}
		o.Name, _ = g.Tag("Opening")
		o.Start.Text = g.Start.FEN()
		p := g.Start
		for _, m := range g.Moves {
			o.Moves = append(o.Moves, p.UCI(m))
			p = p.Play(m)
		}
		list = append(list, o)
	}
}

func pdnOpenings(begin games.Position, in io.Reader) ([]Opening, error) {
	reader, err := pdn.NewReader(in, pdn.Config{})
	if err != nil {
		return nil, err
	}
	var list []Opening
	for {
		var g pdn.Game
		if err := reader.Next(&g); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		o := Opening{Start: begin}
		o.Name, _ = g.Tag("Opening")
		o.Start.Text = g.Start.Text()
		for _, ply := range g.Plies {
			if ply.IsSetup() {
				break
			}
			o.Moves = append(o.Moves, ply.Move.Text)
		}
		list = append(list, o)
	}
}

func tableOpenings(begin games.Position, in io.Reader) ([]Opening, error) {
	scanner := lines(in)
	var columns map[string]int
	var list []Opening
	for scanner.Scan() {
		cells := strings.Split(scanner.Text(), "\t")
		if columns == nil {
			columns = map[string]int{}
			for i, c := range cells {
				columns[c] = i
			}
			continue
		}
		cell := func(name string) string {
			if i, ok := columns[name]; ok && i < len(cells) {
				return cells[i]
			}
			return ""
		}
		o := Opening{Name: cell("name"), Start: begin}
		if fen := cell("fen"); fen != "" {
			o.Start.Text = fen
		} else {
			o.Moves = strings.Fields(cell("moves"))
		}
		list = append(list, o)
	}
	return list, scanner.Err()
}

func lineOpenings(rules string, in io.Reader) ([]Opening, error) {
	scanner := lines(in)
	var list []Opening
	for scanner.Scan() {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if rules == "chess" {
			// Of EPD the operations are not wanted; a FEN has two numbers there.
			fields := strings.Fields(text)
			text = strings.Join(fields[:min(len(fields), 4)], " ")
			if len(fields) >= 6 && !strings.Contains(fields[4]+fields[5], ";") && fields[4][0] >= '0' && fields[4][0] <= '9' {
				text += " " + fields[4] + " " + fields[5]
			}
		}
		list = append(list, Opening{Start: games.Position{Rules: rules, Text: text}})
	}
	return list, scanner.Err()
}

func lines(in io.Reader) *bufio.Scanner {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	return scanner
}

// draw is the opening of a pair of games: the openings are gone through in an
// order drawn by the seed, then again in another one. Random plies may follow,
// other ones for each pair.
func draw(game games.Game, openings []Opening, seed uint64, pair, plies int) Opening {
	order := rand.New(rand.NewPCG(seed, uint64(pair/len(openings)))).Perm(len(openings))
	o := openings[order[pair%len(openings)]]
	for attempt := range 100 {
		rng := rand.New(rand.NewPCG(seed, uint64(pair)<<16|uint64(attempt)))
		longer := o
		longer.Moves = append([]string(nil), o.Moves...)
		_, ruling, err := longer.play(game)
		for i := 0; i < plies && err == nil && len(ruling.Moves) > 0; i++ {
			longer.Moves = append(longer.Moves, ruling.Moves[rng.IntN(len(ruling.Moves))].Text)
			_, ruling, err = game.Apply(ruling.Position, longer.Moves[len(longer.Moves)-1])
		}
		if _, _, err := longer.play(game); err == nil {
			return longer
		}
	}
	return o
}
