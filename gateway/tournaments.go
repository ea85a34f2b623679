package gateway

import (
	"bytes"
	"context"
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"tabuleiro/internal/identity"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// tournamentTable answers with the table of a tournament as CSV.
func (g *Gateway) tournamentTable(w http.ResponseWriter, r *http.Request) {
	caller, ok := g.asker(w, r)
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(identity.With(r.Context(), caller), restTime)
	defer cancel()
	out, err := g.hub.competitions.GetTournament(ctx, &playv1.GetTournamentRequest{Tournament: r.PathValue("tournament")})
	if err != nil {
		g.fail(w, r, err)
		return
	}
	text, err := tableOf(out.GetTournament())
	if err != nil {
		g.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="table.csv"`)
	_, _ = w.Write(text) // a client that is gone needs no answer
}

func tableOf(t *playv1.Tournament) ([]byte, error) {
	var out bytes.Buffer
	rows := csv.NewWriter(&out)
	if err := rows.Write(append([]string{"place", "seed", "name", "rating", "points", "games", "wins"}, t.GetBreaks()...)); err != nil {
		return nil, err
	}
	for _, line := range t.GetTable() {
		var p *playv1.TournamentPlayer
		if i := slices.IndexFunc(t.GetPlayers(), func(p *playv1.TournamentPlayer) bool { return p.GetNumber() == line.GetPlayer() }); i >= 0 {
			p = t.GetPlayers()[i]
		}
		row := []string{
			number(line.GetPlace()), number(p.GetSeed()), plainCell(p.GetName()), number(p.GetRating()),
			half(line.GetPoints()), number(line.GetGames()), number(line.GetWins()),
		}
		for _, b := range line.GetBreaks() {
			row = append(row, half(b))
		}
		if err := rows.Write(row); err != nil {
			return nil, err
		}
	}
	rows.Flush()
	return out.Bytes(), rows.Error()
}

func number(n int32) string { return strconv.Itoa(int(n)) }

func half(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// plainCell keeps spreadsheets from taking a name for a formula.
func plainCell(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r") {
		return "'" + text
	}
	return text
}
