package gateway

import (
	"testing"

	playv1 "tabuleiro/proto/tabuleiro/play/v1"
)

// Numbers have gaps where players left before the start: a line of the table is of
// who has its number.
func TestTheTableFindsPlayersByTheirNumbers(t *testing.T) {
	got, err := tableOf(&playv1.Tournament{
		Breaks:  []string{"wins"},
		Players: []*playv1.TournamentPlayer{{Number: 2, Name: "ana", Seed: 2}, {Number: 5, Name: "bia", Seed: 1, Rating: 1500}},
		Table: []*playv1.TournamentStanding{
			{Place: 1, Player: 5, Points: 1, Games: 1, Wins: 1, Breaks: []float64{1}},
			{Place: 2, Player: 2, Games: 1, Breaks: []float64{0}},
		},
	})
	want := "place,seed,name,rating,points,games,wins,wins\n1,1,bia,1500,1,1,1,1\n2,2,ana,0,0,1,0,0\n"
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
