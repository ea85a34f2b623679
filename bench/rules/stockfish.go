package rules

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"tabuleiro/bench/measure"
)

// debians is where Debian puts the program that chess is compared with.
const debians = "/usr/games/stockfish"

// stockfish is a running process of it, on one thread.
type stockfish struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
	// name is how it calls itself.
	name string
}

func startStockfish() (*stockfish, error) {
	path, err := exec.LookPath(debians)
	if err != nil {
		if path, err = exec.LookPath("stockfish"); err != nil {
			return nil, errors.New("the figures of chess and draughts are ratios to Stockfish, which is not here: " +
				"install Debian's package stockfish (apt-get install --no-install-recommends stockfish)")
		}
	}
	s := &stockfish{cmd: exec.Command(path)}
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("starting stockfish: %w", err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting stockfish: %w", err)
	}
	s.out = bufio.NewScanner(out)
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting stockfish: %w", err)
	}
	name, err := s.ask("id name ", "uci")
	if err == nil {
		_, err = s.ask("readyok", "setoption name Threads value 1", "isready")
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	s.name = name
	return s, nil
}

// ask sends lines and returns what follows a prefix in the first answer that
// has it.
func (s *stockfish) ask(prefix string, lines ...string) (string, error) {
	for _, line := range lines {
		if _, err := io.WriteString(s.in, line+"\n"); err != nil {
			return "", fmt.Errorf("asking stockfish: %w", err)
		}
	}
	for s.out.Scan() {
		if rest, ok := strings.CutPrefix(s.out.Text(), prefix); ok {
			return rest, nil
		}
	}
	return "", fmt.Errorf("stockfish ended instead of answering %q: %w", lines, errors.Join(s.out.Err(), io.ErrUnexpectedEOF))
}

// perft counts leaves with its bulk counting, and is the processor time it took.
func (s *stockfish) perft(fen string, depth int) (uint64, time.Duration, error) {
	if _, err := s.ask("readyok", "position fen "+fen, "isready"); err != nil {
		return 0, 0, err
	}
	before, err := measure.ChildCPU(s.cmd.Process.Pid)
	if err != nil {
		return 0, 0, err
	}
	text, err := s.ask("Nodes searched: ", "go perft "+strconv.Itoa(depth))
	if err != nil {
		return 0, 0, err
	}
	after, err := measure.ChildCPU(s.cmd.Process.Pid)
	if err != nil {
		return 0, 0, err
	}
	nodes, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("reading stockfish's count: %w", err)
	}
	return nodes, after - before, nil
}

// stop ends the process and waits for it.
func (s *stockfish) stop() error {
	_, err := io.WriteString(s.in, "quit\n")
	if err := errors.Join(err, s.in.Close()); err != nil {
		_ = s.cmd.Process.Kill()
	}
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("ending stockfish: %w", err)
	}
	return nil
}
