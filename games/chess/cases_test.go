package chess

import (
	"strconv"
	"testing"

	"tabuleiro/games"
)

// chessCase is a row of chess_cases.jsonl: right answers gathered from bug
// reports of other programs.
type chessCase struct {
	N            int      `json:"n"`
	Kind         string   `json:"kind"`
	FEN          string   `json:"fen"`
	Moves        []string `json:"moves"`
	UCI          *string  `json:"uci"`
	SAN          string   `json:"san"`
	Chess960     bool     `json:"chess960"`
	Legal        bool     `json:"legal"`
	FENLegal     string   `json:"fen_legal"`
	Times        int      `json:"times"`
	Valid        *bool    `json:"valid"`
	Insufficient *bool    `json:"insufficient"`
	GameOver     *bool    `json:"game_over"`
	Is50         *bool    `json:"is_50"`
	Is75         *bool    `json:"is_75"`
	Claim50      *bool    `json:"claim_50"`
	Claim3       *bool    `json:"claim_3"`
	Fivefold     *bool    `json:"fivefold"`
	Checkmate    *bool    `json:"checkmate"`
	Note         string   `json:"note"`
}

// nullMove is how the cases write a null move, which no game accepts.
const nullMove = "0000"

func TestCases(t *testing.T) {
	for _, c := range readRows[chessCase](t, "chess_cases.jsonl") {
		t.Run(strconv.Itoa(c.N), func(t *testing.T) {
			switch c.Kind {
			case "fen_after":
				if got := c.play(t).Position.Text; got != c.FENLegal {
					t.Errorf("got %s, want %s: %s", got, c.FENLegal, c.Note)
				}
			case "repetition":
				if got := c.play(t).Repetition; got != c.Times {
					t.Errorf("repeated %d times, want %d: %s", got, c.Times, c.Note)
				}
			case "legal":
				p := read(t, c.FEN, c.Chess960)
				if _, why := p.ParseUCI(*c.UCI); (why == nil) != c.Legal {
					t.Errorf("%s: refused with %v, want legal %v: %s", *c.UCI, why, c.Legal, c.Note)
				}
			case "san_write":
				p := read(t, c.FEN, c.Chess960)
				m, why := p.ParseUCI(*c.UCI)
				if why != nil {
					t.Fatal(why)
				}
				if got := p.SAN(m); got != c.SAN {
					t.Errorf("%s is %s, want %s: %s", *c.UCI, got, c.SAN, c.Note)
				}
			case "san_read":
				c.checkRead(t)
			case "status":
				c.checkStatus(t)
			case "fen_valid":
				c.checkValid(t)
			case "pgn":
				// Records are not this package's: the PGN reader has these cases.
			default:
				t.Errorf("unknown kind %q", c.Kind)
			}
		})
	}
}

// play applies the case's moves through the text interface.
func (c chessCase) play(t *testing.T) games.Ruling {
	t.Helper()
	g := Game{Chess960: c.Chess960}
	r, err := g.Rule(games.Position{Rules: "chess", Text: c.FEN})
	if err != nil {
		t.Fatal(err)
	}
	for _, move := range c.Moves {
		if _, r, err = g.Apply(r.Position, move); err != nil {
			t.Fatalf("%s: %v", move, err)
		}
	}
	return r
}

func (c chessCase) checkRead(t *testing.T) {
	p := read(t, c.FEN, c.Chess960)
	m, why := p.ParseSAN(c.SAN)
	if c.UCI == nil || *c.UCI == nullMove {
		if why == nil {
			t.Errorf("%s read as %s, want a refusal: %s", c.SAN, p.UCI(m), c.Note)
		}
		return
	}
	if why != nil {
		t.Fatalf("%s: %v: %s", c.SAN, why, c.Note)
	}
	if got := p.UCI(m); got != *c.UCI {
		t.Errorf("%s read as %s, want %s: %s", c.SAN, got, *c.UCI, c.Note)
	}
}

func (c chessCase) checkStatus(t *testing.T) {
	r := c.play(t)
	reason := ""
	if r.Outcome != nil {
		reason = r.Outcome.Reason
	}
	claim := func(word string) bool {
		for _, have := range r.Claims {
			if have == word {
				return true
			}
		}
		return false
	}
	for _, check := range []struct {
		what string
		want *bool
		got  bool
	}{
		{"insufficient", c.Insufficient, reason == "insufficient_material"},
		{"is_50", c.Is50, claim("moves_50")},
		{"claim_50", c.Claim50, claim("moves_50")},
		{"is_75", c.Is75, reason == "moves_75"},
		{"claim_3", c.Claim3, claim("repetition_3")},
		{"fivefold", c.Fivefold, reason == "repetition_5"},
		{"checkmate", c.Checkmate, reason == "checkmate"},
	} {
		if check.want != nil && *check.want != check.got {
			t.Errorf("%s is %v, want %v: %s", check.what, check.got, *check.want, c.Note)
		}
	}
	if over := r.Outcome != nil; c.GameOver != nil && over != *c.GameOver {
		t.Errorf("over: %v (%s), want %v: %s", over, reason, *c.GameOver, c.Note)
	}
}

// checkValid compares with true, false, or null for text that is no FEN.
func (c chessCase) checkValid(t *testing.T) {
	s, err := ParseFEN(c.FEN)
	if (err != nil) != (c.Valid == nil) {
		t.Fatalf("read with %v, want syntax error %v: %s", err, c.Valid == nil, c.Note)
	}
	if err != nil {
		return
	}
	if _, err := s.StrictPosition(); (err == nil) != *c.Valid {
		t.Errorf("strictly %v, want valid %v: %s", err, *c.Valid, c.Note)
	}
	if _, err := s.Position(); *c.Valid && err != nil {
		t.Errorf("leniently %v: %s", err, c.Note)
	}
}
