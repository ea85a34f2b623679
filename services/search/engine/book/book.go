// Package book is a book of openings: moves for positions, with weights, in a
// form that takes fourteen bytes a move and is searched where it lies.
//
// A book begins with "TABBOOK1", the number of bytes of the game's name and the
// name. Then come entries in rising order of key and move, each big-endian: the
// key of the position (64 bits, its hash), the FNV-1a of the move's exact text (32
// bits) and the weight (16 bits). A move counts only where it is legal, so a
// collision of hashes can make a choice poor, never wrong.
package book

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"tabuleiro/games"
	"tabuleiro/games/chess"
	"tabuleiro/games/draughts"
)

const (
	magic     = "TABBOOK1"
	entrySize = 8 + 4 + 2
	mostName  = 32
)

// Book answers for the positions of one game.
type Book struct {
	rules   string
	entries []byte
}

// Choice is a move of the book.
type Choice struct {
	// Move is the exact text.
	Move   string
	Weight int
}

// Key names a position of chess or draughts by what stands where and who moves;
// counters do not matter. The error is *games.Invalid.
func Key(p games.Position) (uint64, error) {
	switch p.Rules {
	case "chess":
		at, err := chess.ReadFEN(p.Text)
		if err != nil {
			return 0, err
		}
		return at.Hash(), nil
	case "draughts":
		at, err := draughts.Parse(p.Text)
		if err != nil {
			return 0, err
		}
		return at.Hash(), nil
	}
	return 0, &games.Invalid{Reasons: []string{"unknown_rules"}, Detail: "there are no books of this game"}
}

func moveKey(text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // a hash takes everything
	return h.Sum32()
}

// Read takes a book from its bytes, which it keeps.
func Read(data []byte) (*Book, error) {
	rest, ok := strings.CutPrefix(string(data[:min(len(data), len(magic)+1+mostName)]), magic)
	if !ok || rest == "" || int(rest[0]) >= len(rest) {
		return nil, errors.New("this is no book of openings")
	}
	name := rest[1 : 1+int(rest[0])]
	b := &Book{rules: name, entries: data[len(magic)+1+len(name):]}
	if len(b.entries)%entrySize != 0 {
		return nil, errors.New("the book is cut off")
	}
	for i := 1; i < b.Len(); i++ {
		if compare(b.at(i-1), b.at(i)) >= 0 {
			return nil, fmt.Errorf("entry %d of the book is out of order", i+1)
		}
	}
	return b, nil
}

// Bytes are what Read takes.
func (b *Book) Bytes() []byte {
	out := append([]byte(magic), byte(len(b.rules)))
	return append(append(out, b.rules...), b.entries...)
}

// Rules is the game.
func (b *Book) Rules() string { return b.rules }

// Len is the number of moves.
func (b *Book) Len() int { return len(b.entries) / entrySize }

type entry struct {
	key    uint64
	move   uint32
	weight uint16
}

func compare(a, b entry) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.move, b.move))
}

func (b *Book) at(i int) entry {
	e := b.entries[i*entrySize:]
	return entry{binary.BigEndian.Uint64(e), binary.BigEndian.Uint32(e[8:]), binary.BigEndian.Uint16(e[12:])}
}

// Moves are the moves of the book in a position among the exact texts of the legal
// ones, in their order; none where the book does not know the position.
func (b *Book) Moves(p games.Position, legal []string) []Choice {
	if p.Rules != b.rules {
		return nil
	}
	key, err := Key(p)
	if err != nil {
		return nil
	}
	first, end := 0, b.Len()
	for first < end {
		if middle := (first + end) / 2; b.at(middle).key < key {
			first = middle + 1
		} else {
			end = middle
		}
	}
	weights := map[uint32]int{}
	for i := first; i < b.Len() && b.at(i).key == key; i++ {
		weights[b.at(i).move] = int(b.at(i).weight)
	}
	var list []Choice
	for _, text := range legal {
		if w := weights[moveKey(text)]; w > 0 {
			list = append(list, Choice{text, w})
		}
	}
	return list
}

// Pick draws a move by the weights: always the same one for a seed and a position.
func (b *Book) Pick(p games.Position, legal []string, seed int32) (move string, known bool) {
	list := b.Moves(p, legal)
	sum := 0
	for _, c := range list {
		sum += c.Weight
	}
	if sum == 0 {
		return "", false
	}
	key, _ := Key(p) // Moves has read it
	at := rand.New(rand.NewPCG(uint64(uint32(seed)), key)).IntN(sum)
	for _, c := range list {
		if at -= c.Weight; at < 0 {
			return c.Move, true
		}
	}
	return "", false // not reached
}

// Builder gathers what a book is made of.
type Builder struct {
	game  games.Game
	known map[uint64]*gathered
}

// gathered is what is known of a position.
type gathered struct {
	position games.Position
	legal    []string
	weights  map[string]int
}

// NewBuilder makes a builder for chess or draughts; nil for other games.
func NewBuilder(rules string) *Builder {
	b := &Builder{known: map[uint64]*gathered{}}
	switch rules {
	case "chess":
		b.game = chess.New()
	case "draughts":
		b.game = draughts.Game{}
	default:
		return nil
	}
	return b
}

// Add takes a line of moves in any notation, so many plies of it at most. Where
// some moves end in "!", only these are for the book, the others lead there. It
// returns how many moves it read; the error is why it read no more.
func (b *Builder) Add(start games.Position, moves []string, weight, plies int) (int, error) {
	marked := slices.ContainsFunc(moves, func(m string) bool { return strings.HasSuffix(m, "!") })
	at, err := b.game.Rule(start)
	if err != nil {
		return 0, err
	}
	for i, text := range moves[:max(0, min(len(moves), plies))] {
		text, mark := strings.CutSuffix(text, "!")
		move, next, err := b.game.Apply(at.Position, text)
		if err != nil {
			return i, err
		}
		if mark || !marked {
			key, err := Key(at.Position)
			if err != nil {
				return i, err
			}
			g := b.known[key]
			if g == nil {
				g = &gathered{position: at.Position, weights: map[string]int{}}
				for _, m := range at.Moves {
					g.legal = append(g.legal, m.Text)
				}
				b.known[key] = g
			}
			g.weights[move.Text] += weight
		}
		at = next
	}
	return min(len(moves), plies), nil
}

// Review asks about every position with its moves, in the order of their keys, and
// keeps those that it is told to keep.
func (b *Builder) Review(keep func(p games.Position, moves []string) ([]string, error)) error {
	keys := make([]uint64, 0, len(b.known))
	for key := range b.known {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		g := b.known[key]
		var moves []string
		for _, text := range g.legal {
			if g.weights[text] > 0 {
				moves = append(moves, text)
			}
		}
		kept, err := keep(g.position, moves)
		if err != nil {
			return err
		}
		for _, text := range moves {
			if !slices.Contains(kept, text) {
				delete(g.weights, text)
			}
		}
	}
	return nil
}

// Prune drops the moves that Build would leave out.
func (b *Builder) Prune(least int, share float64) {
	for _, g := range b.known {
		most := 0
		for _, w := range g.weights {
			most = max(most, w)
		}
		for text, w := range g.weights {
			if w < least || float64(w) < share*float64(most) {
				delete(g.weights, text)
			}
		}
	}
}

// Drop leaves a move of a position out, and tells whether it was there.
func (b *Builder) Drop(p games.Position, move string) bool {
	key, err := Key(p)
	if err != nil || b.known[key] == nil || b.known[key].weights[move] == 0 {
		return false
	}
	delete(b.known[key].weights, move)
	return true
}

// Build makes the book of moves that have at least a weight and, of the heaviest
// move of their position, at least a share from 0 to 1.
func (b *Builder) Build(least int, share float64) *Book {
	b.Prune(least, share)
	var list []entry
	for key, g := range b.known {
		for text, w := range g.weights {
			list = append(list, entry{key, moveKey(text), uint16(min(w, 1<<16-1))})
		}
	}
	slices.SortFunc(list, compare)
	list = slices.CompactFunc(list, func(a, b entry) bool { return compare(a, b) == 0 })
	book := &Book{rules: b.game.Name()}
	for _, e := range list {
		book.entries = binary.BigEndian.AppendUint64(book.entries, e.key)
		book.entries = binary.BigEndian.AppendUint32(book.entries, e.move)
		book.entries = binary.BigEndian.AppendUint16(book.entries, e.weight)
	}
	return book
}
