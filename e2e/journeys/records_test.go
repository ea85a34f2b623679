package journeys

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"tabuleiro/e2e/shapetest"
)

type importReport struct {
	Import struct {
		ID, Status                                            string
		Read, Found, Added, Duplicates, Spoiled, Flawed, Over int
		Notes                                                 []struct {
			Code                string
			Index, Line, Column int
		}
	}
}

// upload sends a file of records.
func upload(p *shapetest.Person, collection, key, kind, file string) shapetest.Answer {
	p.T.Helper()
	req, err := http.NewRequestWithContext(p.T.Context(), http.MethodPost, p.URL+"/v1/collections/"+collection+"/imports", strings.NewReader(file))
	if err != nil {
		p.T.Fatal(err)
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Idempotency-Key", key)
	response, err := p.HTTP.Do(req)
	if err != nil {
		p.T.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.T.Fatal(err)
	}
	return shapetest.Answer{Status: response.StatusCode, Header: response.Header, Body: text}
}

// newCollection makes a collection and is its id.
func newCollection(p *shapetest.Person, rules string) string {
	p.T.Helper()
	var body struct{ Collection struct{ ID string } }
	answer := p.Post("/v1/collections", m{"rules": rules, "name": "Meus jogos"})
	p.Expect(http.StatusCreated, answer)
	if err := answer.Into(&body); err != nil {
		p.T.Fatal(err)
	}
	return body.Collection.ID
}

func imported(p *shapetest.Person, collection, file string) importReport {
	p.T.Helper()
	answer := upload(p, collection, shapetest.NewKey(), "application/vnd.chess-pgn", file)
	p.Expect(http.StatusCreated, answer)
	var report importReport
	if err := answer.Into(&report); err != nil {
		p.T.Fatal(err)
	}
	return report
}

// found is the numbers of the records that a search finds.
func found(p *shapetest.Person, collection, query string) string {
	p.T.Helper()
	var body struct{ Records []struct{ Number int } }
	answer := p.Get("/v1/collections/" + collection + "/records?" + query)
	p.Expect(http.StatusOK, answer)
	if err := answer.Into(&body); err != nil {
		p.T.Fatal(err)
	}
	var numbers []int
	for _, r := range body.Records {
		numbers = append(numbers, r.Number)
	}
	return strings.Trim(fmt.Sprint(numbers), "[]")
}

const fewGames = `[Event "Torneio"]
[Date "1999.07.??"]
[White "Silva, João"]
[Black "Costa, Ana"]
[Result "1-0"]

1. e4 c5 2. Nf3 d6 {the Sicilian} 3. d4 1-0

[White "Costa, Ana"]
[Black "Lima"]
[Result "0-1"]

1. Nf3 c5 2. e4 d6 0-1

[White "Spoiled"]

1. e4 Ke7 2. d4 *

[White "Silva, João"]
[Black "Costa, Ana"]

1. e4 c5 2. Nf3 d6 3. d4 1-0
`

// A collection of records is imported, searched, shown and exported, and nobody
// else sees it.
func TestCollections(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, bia := s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Adult())
		id := newCollection(ana, "chess")
		report := imported(ana, id, fewGames).Import
		if report.Status != "finished" || report.Found != 4 || report.Added != 2 || report.Duplicates != 1 || report.Spoiled != 1 || report.Read != len(fewGames) {
			t.Errorf("the report is %+v", report)
		}
		if n := report.Notes; len(n) != 2 || n[0].Line != 17 || n[0].Column != 7 || n[0].Index != 3 || n[1].Code != "duplicate" {
			t.Errorf("the notes are %+v", n)
		}
		sicilian := "position=rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R+w+KQkq+-+0+3"
		for query, want := range map[string]string{
			"":                                "1 2",
			"player=costa":                    "1 2",
			"player=JOAO&side=white":          "1",
			"result=0-1":                      "2",
			"eco=B5":                          "1 2",
			"opening=sicilian":                "1 2",
			"moves=e2e4+c7c5":                 "1",
			sicilian:                          "1 2",
			sicilian + "&result=1-0":          "1",
			"from=1999-07&to=1999":            "1",
			"player=nobody":                   "",
			"position=8/8/8/8/8/8/K7/1k6+w--": "refused",
		} {
			if want == "refused" {
				ana.Refused(http.StatusUnprocessableEntity, "bad_text", ana.Get("/v1/collections/"+id+"/records?"+query))
				continue
			}
			if got := found(ana, id, query); got != want {
				t.Errorf("%s finds %q, want %q", query, got, want)
			}
		}
		var one struct {
			Plies []struct{ Move, Notation, Position string }
			Text  string
		}
		answer := ana.Get("/v1/collections/" + id + "/records/1")
		ana.Expect(http.StatusOK, answer)
		if err := answer.Into(&one); err != nil {
			t.Fatal(err)
		}
		if len(one.Plies) != 5 || one.Plies[4].Notation != "d4" || !strings.HasPrefix(one.Plies[0].Position, "rnbqkbnr/pppppppp/8/8/4P3/") ||
			!strings.Contains(one.Text, "{the Sicilian}") {
			t.Errorf("the record is %s", answer.Body)
		}

		// What is exported is imported again as the same.
		answer = ana.Get("/v1/collections/" + id + "/export")
		ana.Expect(http.StatusOK, answer)
		copied := newCollection(bia, "chess")
		if report := imported(bia, copied, string(answer.Body)).Import; report.Added != 2 || report.Found != 2 {
			t.Errorf("the copy's report is %+v", report)
		}
		again := bia.Get("/v1/collections/" + copied + "/export")
		if !bytes.Equal(again.Body, answer.Body) {
			t.Errorf("the copy is\n%s\nof\n%s", again.Body, answer.Body)
		}

		for _, path := range []string{"", "/records", "/records/1", "/export", "/imports"} {
			bia.Refused(http.StatusNotFound, "collection_not_found", bia.Get("/v1/collections/"+id+path))
		}
		bia.Refused(http.StatusNotFound, "collection_not_found", upload(bia, id, shapetest.NewKey(), "text/plain", fewGames))
		s.Guest(t).Refused(http.StatusUnauthorized, "not_logged_in", upload(s.Guest(t), id, shapetest.NewKey(), "text/plain", fewGames))
		ana.Refused(http.StatusUnsupportedMediaType, "unsupported_media_type", upload(ana, id, shapetest.NewKey(), "application/json", fewGames))
		ana.Expect(http.StatusOK, ana.Post("/v1/collections/"+id+"/delete", m{}))
		ana.Refused(http.StatusNotFound, "collection_not_found", ana.Get("/v1/collections/"+id))
	})
}

// A file of many pieces is read to its end, once for its key.
func TestLongImport(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		var file strings.Builder
		squares := []string{"a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3", "a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4"}
		games := 0
		for _, first := range squares {
			for _, second := range squares {
				for _, third := range []string{"a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5", "a6", "b6", "c6", "d6", "e6", "f6", "g6", "h6"} {
					if first[0] == second[0] {
						continue
					}
					games++
					fmt.Fprintf(&file, "[Event \"%d\"]\n[White \"W%d\"]\n[Black \"Black\"]\n[Result \"*\"]\n\n1. %s %s 2. %s {%s} *\n\n",
						games, games%10, first, third, second, strings.Repeat("a comment ", 20))
				}
			}
		}
		ana := s.Register(t, shapetest.Adult())
		id, key := newCollection(ana, "chess"), shapetest.NewKey()
		var reports [2]importReport
		for i := range reports {
			answer := upload(ana, id, key, "application/octet-stream", file.String())
			ana.Expect(http.StatusCreated, answer)
			if err := answer.Into(&reports[i]); err != nil {
				t.Fatal(err)
			}
		}
		if r := reports[0].Import; r.Added != games || r.Found != games || r.Read != file.Len() || r.ID != reports[1].Import.ID || reports[1].Import.Added != games {
			t.Errorf("%d games in %d bytes: %+v", games, file.Len(), reports)
		}
		if got := found(ana, id, "player=W3&limit=3"); got != "3 13 23" {
			t.Errorf("found %s", got)
		}
		answer := ana.Get("/v1/collections/" + id + "/export")
		if got := bytes.Count(answer.Body, []byte("[Event ")); got != games {
			t.Errorf("%d games are exported, want %d", got, games)
		}
	})
}

// Games that were played here are records too.
func TestGamesAsRecords(t *testing.T) {
	shapetest.Each(t, func(t *testing.T, s *shapetest.Shape) {
		ana, bia := s.Register(t, shapetest.Adult()), s.Register(t, shapetest.Adult())
		g := meet(ana, bia, "chess", nil)
		play(ana, bia, g, "f3", "e5", "g4", "Qh4")
		answer := bia.Get("/v1/games/" + g + "/record")
		bia.Expect(http.StatusOK, answer)
		for _, part := range []string{`[White "` + ana.Account.Login + `"]`, `[Result "0-1"]`, `[Termination "checkmate"]`, "1. f3 e5 2. g4 Qh4# 0-1"} {
			if !strings.Contains(string(answer.Body), part) {
				t.Errorf("the record lacks %s:\n%s", part, answer.Body)
			}
		}
		d := meet(ana, bia, "draughts", nil)
		play(ana, bia, d, "c3-d4", "b6-a5")
		running := ana.Get("/v1/games/" + d + "/record")
		ana.Expect(http.StatusOK, running)
		if kind := running.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/x-draughts-pdn") || !strings.Contains(string(running.Body), "1. c3-d4 b6-a5 *") {
			t.Errorf("a running game is %s:\n%s", kind, running.Body)
		}
		stranger := s.Register(t, shapetest.Adult())
		stranger.Refused(http.StatusNotFound, "game_not_found", stranger.Get("/v1/games/"+g+"/record"))
		toe := ana.Create(m{"rules": "tictactoe", "opponent": "engine", "side": "first", "level": "plies-2"})
		ana.Refused(http.StatusUnprocessableEntity, "no_record_format", ana.Get("/v1/games/"+toe.ID+"/record"))

		all := ana.Get("/v1/me/games.pgn")
		ana.Expect(http.StatusOK, all)
		if string(all.Body) != string(answer.Body) {
			t.Errorf("all games are\n%s", all.Body)
		}
		if report := imported(ana, newCollection(ana, "chess"), string(all.Body)).Import; report.Added != 1 || report.Flawed != 0 {
			t.Errorf("the export is not read as it was written: %+v", report)
		}
		none := ana.Get("/v1/me/games.pdn")
		ana.Expect(http.StatusOK, none)
		if len(none.Body) != 0 {
			t.Errorf("unfinished games are exported:\n%s", none.Body)
		}
	})
}
