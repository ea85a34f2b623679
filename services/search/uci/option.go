package uci

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/think"
)

// The bounds of the options, and what Hash is unless it is set.
const (
	DefaultHash, mostHash = 16, 1 << 15 // MiB
	mostThreads           = 256
	mostLines             = 218
	leastElo, mostElo     = 800, 2800
	mostOverhead          = 5000 // ms
)

// settings are what setoption sets.
type settings struct {
	hash, threads, lines int
	overhead             int
	ponder, chess960     bool
	ownBook              bool
	limited              bool
	elo                  int
	engine               engine.Options
}

// standardOverhead is for what lies between us and whoever takes the time, in
// milliseconds: runners count what they wait.
const standardOverhead = 5

func defaults() settings {
	return settings{hash: DefaultHash, threads: 1, lines: 1, overhead: standardOverhead, elo: mostElo, engine: engine.Full()}
}

// option is one of the list that uci prints.
type option struct {
	name string
	// about is what follows the name in the list.
	about string
	set   func(s *settings, value string) error
	// search tells that another search comes of it, which the values in the table
	// are not of.
	search bool
}

func spin(name string, standard, least, most int, field func(*settings) *int) option {
	return option{
		name: name, about: fmt.Sprintf("type spin default %d min %d max %d", standard, least, most),
		set: func(s *settings, value string) error {
			n, err := strconv.Atoi(value)
			if err != nil || n < least || n > most {
				return fmt.Errorf("%s is a number from %d to %d", name, least, most)
			}
			*field(s) = n
			return nil
		},
	}
}

func check(name string, standard bool, field func(*settings) *bool) option {
	return option{
		name: name, about: fmt.Sprintf("type check default %v", standard),
		set: func(s *settings, value string) error {
			switch strings.ToLower(value) {
			case "true":
				*field(s) = true
			case "false":
				*field(s) = false
			default:
				return fmt.Errorf("%s is true or false", name)
			}
			return nil
		},
	}
}

// options are all but Clear Hash, which sets nothing.
func options() []option {
	list := []option{
		spin("Hash", DefaultHash, 1, mostHash, func(s *settings) *int { return &s.hash }),
		spin("Threads", 1, 1, mostThreads, func(s *settings) *int { return &s.threads }),
		spin("MultiPV", 1, 1, mostLines, func(s *settings) *int { return &s.lines }),
		spin("Move Overhead", standardOverhead, 0, mostOverhead, func(s *settings) *int { return &s.overhead }),
		check("Ponder", false, func(s *settings) *bool { return &s.ponder }),
		check("OwnBook", false, func(s *settings) *bool { return &s.ownBook }),
		check("UCI_Chess960", false, func(s *settings) *bool { return &s.chess960 }),
		check("UCI_LimitStrength", false, func(s *settings) *bool { return &s.limited }),
		spin("UCI_Elo", mostElo, leastElo, mostElo, func(s *settings) *int { return &s.elo }),
	}
	full := engine.Full()
	for _, w := range append(full.SwitchesOf("chess"), engine.Switch{Name: "exact", On: new(bool)}) {
		name := w.Name
		list = append(list, option{
			name: name, about: fmt.Sprintf("type check default %v", *w.On), search: true,
			set: func(s *settings, value string) error {
				return think.SetOption(&s.engine, "chess", name, strings.ToLower(value))
			},
		})
	}
	return list
}

var errNoOption = errors.New("there is no such option")

// setOption sets an option by its name in any case, and tells whether another search
// comes of it.
func (s *settings) setOption(name, value string) (search bool, err error) {
	for _, o := range options() {
		if strings.EqualFold(o.name, name) {
			return o.search, o.set(s, value)
		}
	}
	return false, errNoOption
}

// nodesFor is how many nodes a limited strength may visit: 30 for 800 Elo and twice
// as many every 150 Elo. It rises with the number; that the number is the strength
// has not been measured.
func nodesFor(elo int) uint64 {
	nodes := 30.0
	for ; elo >= leastElo+150; elo -= 150 {
		nodes *= 2
	}
	return uint64(nodes * (1 + float64(elo-leastElo)/150))
}
