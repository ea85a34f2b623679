package chesssearch

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"tabuleiro/games/chess"
	"tabuleiro/services/search/engine/chesseval"
	"tabuleiro/services/search/engine/core"
)

func parse(t testing.TB, fen string) chess.Position {
	t.Helper()
	setup, err := chess.ParseFEN(fen)
	if err != nil {
		t.Fatal(err)
	}
	p, err := setup.Position()
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// walk visits positions of random games until there were so many.
func walk(t testing.TB, n int, visit func(p *chess.Position)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	starts := []chess.Position{
		parse(t, chess.StartFEN),
		parse(t, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
		parse(t, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
	}
	var list chess.MoveList
	for i := 0; ; i++ {
		p := starts[i%len(starts)]
		for range 120 {
			p.Legal(&list)
			if list.Len() == 0 {
				break
			}
			p = p.Play(list.At(rng.IntN(list.Len())))
			visit(&p)
			if n--; n == 0 {
				return
			}
		}
	}
}

// settle is the slow reference of an exchange: what the side to move wins on a
// square by taking with its least piece, or by leaving it.
func settle(board map[chess.Square]chess.Piece, to chess.Square, side chess.Piece) int {
	var from chess.Square
	least := chess.NoRole
	for s, piece := range board {
		if s == to || piece>>3 != side {
			continue
		}
		if reaches(board, s, to) && (least == chess.NoRole || values[piece.Role()] < values[least] || piece.Role() == least && s < from) {
			least, from = piece.Role(), s
		}
	}
	if least == chess.NoRole {
		return 0
	}
	next := map[chess.Square]chess.Piece{}
	for s, piece := range board {
		if s != from {
			next[s] = piece
		}
	}
	next[to] = board[from]
	if least == chess.King {
		for s, piece := range next {
			if piece>>3 != side && s != to && reaches(next, s, to) {
				return 0
			}
		}
	}
	return max(0, values[board[to].Role()]-settle(next, to, side^1))
}

func reaches(board map[chess.Square]chess.Piece, from, to chess.Square) bool {
	var occupied chess.Bitboard
	for s := range board {
		occupied |= s.Bit()
	}
	switch piece := board[from]; piece.Role() {
	case chess.Pawn:
		return chess.PawnAttacks(piece.Side(), from).Has(to)
	case chess.Knight:
		return chess.KnightAttacks(from).Has(to)
	case chess.King:
		return chess.KingAttacks(from).Has(to)
	case chess.Bishop:
		return chess.BishopAttacks(from, occupied).Has(to)
	case chess.Rook:
		return chess.RookAttacks(from, occupied).Has(to)
	}
	return chess.QueenAttacks(from, occupied).Has(to)
}

func TestExchangeEqualsASlowReference(t *testing.T) {
	var list chess.MoveList
	compared := 0
	walk(t, 1500, func(p *chess.Position) {
		p.Legal(&list)
		for i, m := range list.All() {
			if m.IsCastling() || m.Promotion() != chess.NoRole || isQuiet(p, m) && i%7 != 0 {
				continue
			}
			board := map[chess.Square]chess.Piece{}
			for set := p.Occupied(); set != 0; set &= set - 1 {
				board[set.First()] = p.PieceAt(set.First())
			}
			won := values[board[m.To()].Role()]
			if m.IsEnPassant() {
				won = values[chess.Pawn]
				delete(board, m.To()^8)
			}
			piece := board[m.From()]
			delete(board, m.From())
			board[m.To()] = piece
			want := won - settle(board, m.To(), piece>>3^1)
			if piece.Role() == chess.King {
				want = won // A legal move of the king is onto a square that nobody holds.
			}
			if got := exchange(p, m); got != want {
				t.Fatalf("%s: %s wins %d, want %d", p.FEN(), p.UCI(m), got, want)
			}
			compared++
		}
	})
	if compared < 3000 {
		t.Fatalf("only %d moves were compared", compared)
	}
}

// What the search keeps up to date equals what is computed afresh.
func TestPlayKeepsThePlacement(t *testing.T) {
	k := new(kept)
	k.searcher.memory = &k.memory
	s := &k.searcher
	s.keys, s.table = make([]uint64, 8), core.NewTable(1)
	var list chess.MoveList
	castlings := 0
	walk(t, 3000, func(p *chess.Position) {
		f := s.at(0)
		f.pos, f.placement, f.still = *p, chesseval.Placements(p), p.Halfmove()
		p.Legal(&list)
		for _, m := range list.All() {
			s.play(0, m)
			next := s.at(1)
			if want := chesseval.Placements(&next.pos); next.placement != want {
				t.Fatalf("%s: after %s %d, want %d", p.FEN(), p.UCI(m), next.placement, want)
			}
			if s.keys[1] != next.pos.Hash() {
				t.Fatalf("%s: after %s the key is not the position's", p.FEN(), p.UCI(m))
			}
			if m.IsCastling() {
				castlings++
			}
		}
	})
	if castlings < 20 {
		t.Fatalf("only %d castlings", castlings)
	}
}

// Every legal move is picked once, whatever is remembered.
func TestPickerGivesEachMoveOnce(t *testing.T) {
	k := new(kept)
	k.searcher.memory = &k.memory
	s := &k.searcher
	rng := rand.New(rand.NewPCG(7, 8))
	for ply := -lead; ply < 2; ply++ {
		s.at(ply).follow = &k.memory.none
	}
	var list chess.MoveList
	s.at(0).move, s.at(0).to = 1, 77
	walk(t, 3000, func(p *chess.Position) {
		f := s.at(1)
		f.pos = *p
		p.Look(&f.sight)
		p.Legal(&list)
		if list.Len() == 0 {
			return
		}
		pick := func() chess.Move { return list.At(rng.IntN(list.Len())) }
		f.killers = [2]chess.Move{pick(), chess.Move(rng.IntN(1 << 16))}
		k.memory.counters[77] = pick()
		table := chess.NoMove
		if rng.IntN(2) == 0 {
			table = pick()
		}
		s.start(1, table, false)
		var got []chess.Move
		for m := s.next(1, true); m != chess.NoMove; m = s.next(1, true) {
			got = append(got, m)
		}
		if table != chess.NoMove && got[0] != table {
			t.Fatalf("%s: the table's move came not first", p.FEN())
		}
		want := slices.Clone(list.All())
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: picked %v, legal %v", p.FEN(), got, want)
		}
	})
}

func find(t testing.TB, fen string, limits core.Limits, opts core.Options) core.Result {
	t.Helper()
	return Search(parse(t, fen), nil, limits, opts, core.NewTable(1<<22))
}

func TestFindsMatesInSomeMoves(t *testing.T) {
	for _, c := range []struct {
		fen   string
		move  string
		plies int
	}{
		{"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1},
		{"2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", "f3f7", 3},
		{"r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5},
		{"4k3/8/4K3/8/8/8/8/7R w - - 0 1", "h1h8", 1},
		{"8/8/8/8/8/1k6/7r/K7 b - - 0 1", "h2h1", 1},
	} {
		r := find(t, c.fen, core.Limits{Depth: 12}, core.Full())
		if r.Move != c.move || r.Score != core.Win-c.plies || len(r.Line) != c.plies {
			t.Errorf("%s: %s with %d, line %v, want %s in %d plies", c.fen, r.Move, r.Score, r.Line, c.move, c.plies)
		}
	}
}

// The same search again, on a fresh table, visits the same nodes. Whoever
// changes search or evaluation pins the counts anew.
func TestPinnedNodes(t *testing.T) {
	for _, c := range []struct {
		fen   string
		depth int
		nodes uint64
	}{
		{chess.StartFEN, 8, 5227},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 7, 7792},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 10, 7963},
	} {
		first := find(t, c.fen, core.Limits{Depth: c.depth}, core.Full())
		again := find(t, c.fen, core.Limits{Depth: c.depth}, core.Full())
		if first.Nodes != again.Nodes || first.Score != again.Score || !slices.Equal(first.Line, again.Line) {
			t.Errorf("%s: %+v, then %+v", c.fen, first, again)
		}
		if first.Nodes != c.nodes {
			t.Errorf("%s: %d nodes, pinned %d", c.fen, first.Nodes, c.nodes)
		}
	}
}

func TestNodeLimitHolds(t *testing.T) {
	r := find(t, chess.StartFEN, core.Limits{Nodes: 5000}, core.Full())
	if r.Nodes < 5000 || r.Nodes > 5001 || r.Depth < 4 {
		t.Errorf("%+v", r)
	}
}

func TestOneLegalMoveIsAnsweredAtOnce(t *testing.T) {
	r := find(t, "k7/8/1R6/8/8/8/8/K6R b - - 0 1", core.Limits{}, core.Full())
	if r.Move != "a8a7" || r.Nodes > 100 || !r.Complete {
		t.Errorf("%+v", r)
	}
}

func TestOnlyLimitsTheRoot(t *testing.T) {
	r := find(t, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", core.Limits{Depth: 6, Only: []string{"e1d2", "e1e2"}}, core.Full())
	if r.Move != "e1d2" && r.Move != "e1e2" {
		t.Errorf("%+v", r)
	}
}

// Lines are different moves, the best first, and the first is what a search for
// one finds.
func TestLinesAreTheBestMoves(t *testing.T) {
	opts := core.Full()
	opts.Lines = 3
	var last []core.Report
	opts.Report = func(r core.Report) {
		if r.Index == 0 {
			last = last[:0]
		}
		last = append(last, r)
	}
	r := find(t, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", core.Limits{Depth: 8}, opts)
	if len(last) != 3 || last[0].Line[0] != "a1a8" || last[0].Score != core.Win-1 || r.Move != "a1a8" {
		t.Fatalf("%+v of %+v", r, last)
	}
	seen := map[string]bool{}
	for i, l := range last {
		if l.Index != i || l.Lines != 3 || l.Depth != 8 || i > 0 && l.Score > last[i-1].Score || seen[l.Line[0]] {
			t.Fatalf("line %d: %+v", i, last)
		}
		seen[l.Line[0]] = true
	}
}

func TestDrawsInsideTheSearch(t *testing.T) {
	// Black is lost but for checks without end.
	if r := find(t, "5rk1/5ppp/8/8/8/7q/PPP2P2/R1Q2RK1 b - - 0 1", core.Limits{Depth: 10}, core.Full()); r.Score != 0 || r.Move != "h3g4" {
		t.Errorf("perpetual check: %+v", r)
	}
	// The next quiet move is the hundredth ply; only the mate counts.
	if r := find(t, "7k/8/8/8/8/8/R7/K7 w - - 99 90", core.Limits{Depth: 5}, core.Full()); r.Score != 0 {
		t.Errorf("fifty moves: %+v", r)
	}
	if r := find(t, "7k/R7/6K1/8/8/8/8/8 w - - 99 90", core.Limits{Depth: 5}, core.Full()); r.Score != core.Win-1 {
		t.Errorf("mate with the hundredth ply: %+v", r)
	}
	// A position that stood twice before is a draw at once.
	p := parse(t, "8/8/4k3/3r4/8/4K3/4R3/8 w - - 8 9")
	m := chess.NoMove
	var list chess.MoveList
	p.Legal(&list)
	for _, each := range list.All() {
		if p.UCI(each) == "e3f4" {
			m = each
		}
	}
	next := p.Play(m)
	past := []uint64{next.Hash(), 1, 2, 3, next.Hash(), 4, 5}
	got := Search(p, past, core.Limits{Depth: 1, Only: []string{"e3f4"}}, core.Options{}, core.NewTable(1<<16))
	if got.Score != 0 {
		t.Errorf("third occurrence: %+v", got)
	}
}

// Nothing that can be set up makes the search fall over, and it answers with a
// legal move.
func TestOddPositions(t *testing.T) {
	for _, fen := range []string{
		"QQQQQQ2/QQQQQ3/8/8/8/8/7k/K7 b - - 0 1",
		"kqqqqqqn/nnnnnnnn/bbbbbbbb/8/8/8/1P6/K7 w - - 0 1",
		"QQQQQQ1k/8/8/8/8/8/8/K7 b - - 0 1",
		"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
		"8/PPPPPPPP/8/8/8/k7/pppppppp/K7 w - - 99 200",
		"4k3/8/8/8/8/8/8/4K2R w K - 98 150",
		"8/8/8/2k5/8/8/2K5/8 w - - 0 1",
	} {
		p := parse(t, fen)
		var list chess.MoveList
		p.Legal(&list)
		if list.Len() == 0 {
			continue
		}
		r := Search(p, nil, core.Limits{Nodes: 20000}, core.Full(), core.NewTable(1<<16))
		legal := false
		for _, m := range list.All() {
			legal = legal || p.UCI(m) == r.Move
		}
		if !legal {
			t.Errorf("%s: %q is not legal", fen, r.Move)
		}
	}
	// Shuffling without end goes far from the root.
	opts := core.Full()
	opts.Singular, opts.NullMove = false, false
	if r := find(t, "8/8/1p1p1p1p/1P1P1P1P/8/8/k7/7K w - - 0 1", core.Limits{Nodes: 300000}, opts); r.Depth < 20 {
		t.Errorf("depth %d", r.Depth)
	}
}

// A quiet move that mates came so late that it was left out with the other quiet
// moves, at every depth that was tried.
func TestAQuietMateIsSeenAmongLateMoves(t *testing.T) {
	r := find(t, "k7/7p/1K6/8/8/8/8/5Q2 b - - 0 1", core.Limits{Depth: 7}, core.Full())
	if r.Score != -(core.Win-2) && r.Score != -(core.Win-4) {
		t.Errorf("%d %v, want a loss in 2 or 4 plies", r.Score, r.Line)
	}
}

// Any switch may be off, alone or with others.
func TestEverySwitchTurns(t *testing.T) {
	const fen = "r2q1rk1/1b2bppp/p2p1n2/1p2p3/3nP3/1BN1BN1P/PPPQ1PP1/R4RK1 w - - 0 1"
	all := core.Full()
	base := find(t, fen, core.Limits{Depth: 9}, all).Nodes
	same := 0
	for i := range all.SwitchesOf("chess") {
		opts := core.Full()
		s := opts.SwitchesOf("chess")[i]
		*s.On = false
		r := find(t, fen, core.Limits{Depth: 9}, opts)
		if len(r.Line) == 0 || r.Depth != 9 {
			t.Errorf("without %s: %+v", s.Name, r)
		}
		if r.Nodes == base {
			t.Logf("without %s: the same nodes", s.Name)
			same++
		}
	}
	// Only what serves at greater depths may change nothing here.
	if same > 1 {
		t.Errorf("%d switches changed nothing", same)
	}
}

// Searchers that share a table give legal lines, whoever wrote its entries.
func TestHelpersShareATable(t *testing.T) {
	table := core.NewTable(1 << 18)
	p := parse(t, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	var group sync.WaitGroup
	results := make([]core.Result, 3)
	for i := range results {
		group.Go(func() {
			opts := core.Full()
			opts.Helper = i
			results[i] = Search(p, nil, core.Limits{Nodes: 20000}, opts, table)
		})
	}
	group.Wait()
	for i, r := range results {
		at := p
		for _, text := range r.Line {
			var list chess.MoveList
			at.Legal(&list)
			j := slices.IndexFunc(list.All(), func(m chess.Move) bool { return at.UCI(m) == text })
			if j < 0 {
				t.Fatalf("searcher %d: %s of %v is not legal", i, text, r.Line)
			}
			at = at.Play(list.At(j))
		}
		if r.Depth < 4 {
			t.Errorf("searcher %d: %+v", i, r)
		}
	}
}

func TestNothingIsAllocatedInTheTree(t *testing.T) {
	table := core.NewTable(1 << 20)
	p := parse(t, "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9")
	Search(p, nil, core.Limits{Nodes: 1000}, core.Full(), table)
	few := testing.AllocsPerRun(2, func() { Search(p, nil, core.Limits{Nodes: 1000}, core.Full(), table) })
	many := testing.AllocsPerRun(2, func() { Search(p, nil, core.Limits{Nodes: 50000}, core.Full(), table) })
	if many > few+400 { // the lines of more iterations
		t.Errorf("%v allocations in 1,000 nodes, %v in 50,000", few, many)
	}
}

// The queen may not stand where a rook looks, the rook not where a knight does,
// and a lesser piece need not mind a greater one.
func TestThreatenedByLesserPieces(t *testing.T) {
	p := parse(t, "4k3/8/2n5/5p2/8/8/3Q4/r3K3 w - - 0 1")
	unsafe := threatened(&p)
	for _, c := range []struct {
		role   chess.Role
		square chess.Square
		want   bool
	}{
		{chess.Queen, chess.At(0, 4), true},   // by the rook
		{chess.Rook, chess.At(0, 4), true},    // by the knight
		{chess.Rook, chess.At(0, 2), false},   // a rook does not fear a rook
		{chess.Queen, chess.At(0, 2), true},   // a queen does
		{chess.Knight, chess.At(3, 3), false}, // by the other knight alone
		{chess.Knight, chess.At(4, 3), true},  // by the pawn
		{chess.Pawn, chess.At(4, 3), false},
	} {
		if got := unsafe[c.role].Has(c.square); got != c.want {
			t.Errorf("role %d on %d: %v", c.role, c.square, got)
		}
	}
}
