package variant

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"tabuleiro/games"
)

// mostNodes keeps the tests quick; BenchmarkPerft checks what is deeper.
const mostNodes = 200_000

func kernel(t testing.TB, name string) *Kernel {
	t.Helper()
	all := Countries()
	i := slices.IndexFunc(all, func(r Rules) bool { return r.Name == name })
	if i < 0 {
		t.Fatalf("no country %q", name)
	}
	k, err := New(all[i])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func checkPerft(t *testing.T, k *Kernel, p *Position, want []uint64, paths bool) {
	t.Helper()
	for i, n := range want {
		if n > mostNodes {
			return
		}
		if got := k.Perft(p, i+1, paths); got != n {
			t.Errorf("%s, depth %d, paths %v: got %d, want %d", k.rules.Name, i+1, paths, got, n)
		}
	}
}

// countryCounts are counts from the start. They are public: those that dctl's
// tests hold (rhalbersma/dctl, test/src/algo/traversal/initial), which took them
// from the thread "Standard validation generator moves" of the shashki forum and
// the threads "Perft", "Perft for all recognized draughts variants" and "Perft
// on large boards" of the FMJD forum.
var countryCounts = []struct {
	country      string
	moves, paths []uint64
}{
	{
		"brazilian",
		[]uint64{7, 49, 302, 1469, 7473, 37628, 187302, 907830, 4431766},
		[]uint64{7, 49, 302, 1469, 7473, 37628, 187302, 907836, 4431847},
	},
	{
		"international",
		[]uint64{9, 81, 658, 4265, 27117, 167140, 1049442, 6483961},
		[]uint64{9, 81, 658, 4265, 27117, 167140, 1049442, 6483971},
	},
	{"canadian", []uint64{11, 121, 1222, 10053, 79049, 584100, 4369366}, nil},
	{"sri lankan", []uint64{11, 121, 1222, 10053, 79049, 584100, 4369366}, nil},
	{
		"russian",
		[]uint64{7, 49, 302, 1469, 7482, 37986, 190146, 929899, 4570586},
		[]uint64{7, 49, 302, 1469, 7482, 37986, 190146, 929905, 4570667},
	},
	{
		"pool",
		[]uint64{7, 49, 302, 1469, 7482, 37986, 190146, 929896, 4570534},
		[]uint64{7, 49, 302, 1469, 7482, 37986, 190146, 929902, 4570615},
	},
	{"english", []uint64{7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680}, nil},
	{"italian", []uint64{7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860875}, nil},
	{"spanish", []uint64{7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860866}, nil},
	{"portuguese", []uint64{7, 49, 302, 1469, 7361, 36473, 177532, 828783, 3860866}, nil},
	{"czech", []uint64{7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963671}, nil},
}

func TestPerftOfCountries(t *testing.T) {
	if len(countryCounts) != len(Countries()) {
		t.Errorf("counts of %d countries, there are %d", len(countryCounts), len(Countries()))
	}
	for _, tt := range countryCounts {
		t.Run(tt.country, func(t *testing.T) {
			k := kernel(t, tt.country)
			p := k.Start()
			checkPerft(t, k, &p, tt.moves, false)
			checkPerft(t, k, &p, tt.paths, true)
			if got := k.Perft(&p, 0, false); got != 1 {
				t.Errorf("depth 0: got %d, want 1", got)
			}
		})
	}
}

// BenchmarkPerft checks the deepest counts.
func BenchmarkPerft(b *testing.B) {
	for _, tt := range countryCounts {
		k := kernel(b, tt.country)
		p := k.Start()
		for _, how := range []struct {
			name   string
			counts []uint64
		}{{"moves", tt.moves}, {"paths", tt.paths}} {
			depth := len(how.counts)
			if depth == 0 {
				continue
			}
			b.Run(tt.country+"/"+how.name, func(b *testing.B) {
				for b.Loop() {
					if got := k.Perft(&p, depth, how.name == "paths"); got != how.counts[depth-1] {
						b.Fatalf("depth %d: got %d, want %d", depth, got, how.counts[depth-1])
					}
				}
				b.ReportMetric(float64(how.counts[depth-1])*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			})
		}
	}
}

// numbered reads a position with the numbers of PDN, which count from the top
// left.
func numbered(t *testing.T, k *Kernel, fen string) Position {
	t.Helper()
	fields := strings.Split(fen, ":")
	var lists [2]string
	for _, field := range fields[1:] {
		var names []string
		for item := range strings.SplitSeq(field[1:], ",") {
			name, king := strings.CutPrefix(item, "K")
			n, err := strconv.Atoi(name)
			if err != nil {
				t.Fatalf("%s: %v", fen, err)
			}
			half := k.size / 2
			row := k.size - 1 - (n-1)/half
			file := (n - 1) % half * 2
			if k.at(file, row) == NoSquare {
				file++
			}
			name = k.name(k.at(file, row))
			if king {
				name = "K" + name
			}
			names = append(names, name)
		}
		lists[strings.IndexByte("WB", field[0])] = ":" + field[:1] + strings.Join(names, ",")
	}
	p, err := k.Read(fields[0] + lists[0] + lists[1])
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// TestPathsOfOneMove is the position named after its number of paths.
func TestPathsOfOneMove(t *testing.T) {
	k := kernel(t, "international")
	p := numbered(t, k, "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46")
	if moves, paths := k.Perft(&p, 1, false), k.Perft(&p, 1, true); moves != 14 || paths != 178 {
		t.Errorf("%d moves, %d paths, want 14, 178", moves, paths)
	}
}

// TestPerftOfPositions has what the starting positions reach too late: kings,
// crownings, long captures, the Italian priorities. The counts are public:
// dctl's international/fmjd.cpp and italian/gilbert.cpp, from the threads
// "Perft" and "Perft for all recognized draughts variants" of the FMJD forum.
func TestPerftOfPositions(t *testing.T) {
	tests := []struct {
		name, country, fen string
		want               []uint64
	}{
		{"random 178", "international", "B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46",
			[]uint64{14, 55, 1168, 5432, 87195, 629010}},
		{"Woldouby", "international", "W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38",
			[]uint64{6, 12, 30, 73, 215, 590, 1944, 6269, 22369, 88050, 377436}},
		{"all kings", "international", "W:WK31,K32,K33,K34,K35,K36,K37,K38,K39,K40,K41,K42,K43,K44,K45,K46,K47,K48,K49,K50:" +
			"BK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12,K13,K14,K15,K16,K17,K18,K19,K20",
			[]uint64{17, 79, 352, 1399, 7062, 37589, 217575}},
		{"almost crowned", "international", "W:W6,7,8,9,10:B41,42,43,44,45", []uint64{9, 81, 795, 7578, 86351, 936311}},
		{"Gilbert 1", "italian", "W:W30,26,27,22,23,24,17,18,20:B14,15,16,9,11,5,6,1,3",
			[]uint64{5, 13, 42, 107, 360, 1099, 3736, 12495, 43686, 164177, 628686}},
		{"Gilbert 2", "italian", "B:W30,21,22,17,20,K6:B25,28,9,5,1,3", []uint64{6, 47, 271, 1916, 10810, 73137, 389809}},
		{"Gilbert 3", "italian", "W:WK27,K28,17,20,9,K12,8:B21,24,K19,K13,14,K11,4", []uint64{13, 112, 828, 6756, 46241, 368908}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			k := kernel(t, tt.country)
			p := numbered(t, k, tt.fen)
			// dctl counts moves on the large board and paths in Italy.
			checkPerft(t, k, &p, tt.want, tt.country == "italian")
		})
	}
}

func TestLegalDoesNotAllocate(t *testing.T) {
	list := make([]Move, 0, 128)
	for _, r := range Countries() {
		k := kernel(t, r.Name)
		p := k.Start()
		for range 30 {
			if n := testing.AllocsPerRun(5, func() { k.Legal(&p, &list) }); n != 0 {
				t.Errorf("%s: %v allocations", r.Name, n)
			}
			if len(list) == 0 {
				break
			}
			p = k.Play(&p, list[len(list)/2])
		}
		if p.Side != games.First && p.Side != games.Second {
			t.Error("no side is to move")
		}
	}
}
