package collections

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxOpening is how many plies of a record are looked at for its opening.
const maxOpening = 40

// Openings knows the names of openings by their positions. The zero value knows
// none.
type Openings struct{ byHash map[uint64]opening }

type opening struct{ eco, name string }

// ReadOpenings reads a table: a line of names of columns, then on each line the
// hash of a position in hexadecimal, the ECO code and the name, parted by tabs.
func ReadOpenings(in io.Reader) (*Openings, error) {
	o := &Openings{byHash: map[uint64]opening{}}
	lines := bufio.NewScanner(in)
	for number := 1; lines.Scan(); number++ {
		if number == 1 {
			continue
		}
		columns := strings.Split(lines.Text(), "\t")
		if len(columns) < 3 {
			return nil, fmt.Errorf("openings, line %d: %d columns", number, len(columns))
		}
		hash, err := strconv.ParseUint(columns[0], 16, 64)
		if err != nil {
			return nil, fmt.Errorf("openings, line %d: %w", number, err)
		}
		o.byHash[hash] = opening{columns[1], columns[2]}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read openings: %w", err)
	}
	return o, nil
}

// of is the opening of the last position that has a name.
func (o *Openings) of(positions []uint64) (eco, name string) {
	for i := min(len(positions)-1, maxOpening); i >= 0; i-- {
		if found, ok := o.byHash[positions[i]]; ok {
			return found.eco, found.name
		}
	}
	return "", ""
}
