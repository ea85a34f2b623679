package play

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"google.golang.org/grpc"

	"tabuleiro/internal/app"
	"tabuleiro/internal/db"
	"tabuleiro/internal/identity"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	rulesv1 "tabuleiro/proto/tabuleiro/rules/v1"
	"tabuleiro/services/play/collections"
)

// bindCollections serves collections beside games. The table of openings may be
// missing.
func bindCollections(env *app.Env, database *db.DB, rules grpc.ClientConnInterface, classes accountsv1.ClassesServiceClient, service *Service, openings fs.FS) (*collections.Service, error) {
	var table *collections.Openings
	if openings != nil {
		file, err := openings.Open("chess.tsv")
		if err != nil {
			return nil, fmt.Errorf("open the table of openings: %w", err)
		}
		defer file.Close()
		if table, err = collections.ReadOpenings(file); err != nil {
			return nil, err
		}
	}
	keeper := collections.New(collections.Config{}, collections.Deps{
		Store:    collections.NewSQL(database),
		Rules:    rulesv1.NewRulesServiceClient(rules),
		Records:  rulesv1.NewRecordsServiceClient(rules),
		Games:    service.Records(),
		Classes:  classesOf(classes),
		Openings: table,
		Metrics:  collections.NewMetrics(env.Metrics),
		Time:     database.Clock(),
		NewID:    newID,
		Log:      env.Log(name),
	})
	env.Serve(name, func(r grpc.ServiceRegistrar) { playv1.RegisterCollectionsServiceServer(r, keeper) })
	env.Go("collections", keeper.Run)
	return keeper, nil
}

// classesOf asks accounts for the classes of an account.
func classesOf(classes accountsv1.ClassesServiceClient) collections.Classes {
	return func(ctx context.Context, account string) ([]collections.Class, error) {
		answer, err := classes.ClassesOf(ctx, &accountsv1.ClassesOfRequest{Account: account})
		if err != nil {
			return nil, fmt.Errorf("ask for classes: %w", err)
		}
		var list []collections.Class
		for _, c := range answer.GetClasses() {
			list = append(list, collections.Class{ID: c.GetClass(), Name: c.GetName(), Teaches: c.GetTeaches(), Teachers: c.GetTeachers()})
		}
		return list, nil
	}
}

// Records are the games of the service as records.
func (s *Service) Records() collections.Games { return recordedGames{s} }

// recordedGames implements collections.Games.
type recordedGames struct{ service *Service }

// Game implements collections.Games.
func (g recordedGames) Game(ctx context.Context, caller identity.Caller, id string) (collections.Game, error) {
	state, err := g.service.visible(ctx, id, caller)
	if err != nil {
		return collections.Game{}, problemOf(err)
	}
	return g.recorded(ctx, state)
}

// May implements collections.Games.
func (g recordedGames) May(ctx context.Context, caller identity.Caller, account string) error {
	_, err := g.service.listed(ctx, caller, account, "mine")
	return err
}

// Finished implements collections.Games.
func (g recordedGames) Finished(ctx context.Context, player, rules, before string, limit int) ([]collections.Game, string, error) {
	states, err := g.service.deps.Store.List(ctx, ListQuery{
		Player: player, Rules: rules, Status: StatusFinished, Before: before, Limit: limit,
	})
	if err != nil {
		return nil, "", problemOf(err)
	}
	var games []collections.Game
	next := ""
	for _, state := range states {
		game, err := g.recorded(ctx, state)
		if err != nil {
			return nil, "", err
		}
		if seat := slices.IndexFunc(state.Seats[:], func(s Seat) bool { return s.Player == player }); seat >= 0 && !state.Self() {
			game.Side = []string{"white", "black"}[seat]
		}
		games = append(games, game)
		if len(states) == limit {
			next = state.ID
		}
	}
	return games, next, nil
}

// recorded is a game as records have it.
func (g recordedGames) recorded(ctx context.Context, s State) (collections.Game, error) {
	start := s.Start
	if start == "" { // a state of before games had one
		first, err := g.service.deps.Store.Events(ctx, s.ID, 0, 1)
		if err != nil {
			return collections.Game{}, problemOf(err)
		}
		if len(first) == 0 || first[0].Created == nil {
			return collections.Game{}, fmt.Errorf("game %s has no beginning", s.ID)
		}
		start = first[0].Created.Ruling.Position.Text
	}
	game := collections.Game{
		ID: s.ID, Rules: s.Rules, Start: start, Draws: s.Ruling.Position.Draws, Result: s.Result(), Tags: recordTags(s),
	}
	for _, ply := range s.Plies {
		game.Moves = append(game.Moves, ply.Move.Text)
	}
	return game, nil
}

// recordTags are the header of a game's record, with the names that its seats
// show.
func recordTags(s State) [][2]string {
	event := "Casual game"
	if s.Rated {
		event = "Rated game"
	}
	at := time.UnixMilli(s.CreatedAt).UTC()
	tags := [][2]string{
		{"Event", event},
		{"Site", "Tabuleiro"},
		{"Date", at.Format("2006.01.02")},
		{"Round", "-"},
		{"White", playerName(s.Seats[0])},
		{"Black", playerName(s.Seats[1])},
		{"UTCDate", at.Format("2006.01.02")},
		{"UTCTime", at.Format("15:04:05")},
		{"GameId", s.ID},
	}
	for i, name := range []string{"WhiteElo", "BlackElo"} {
		if rating := s.Seats[i].Rating; rating > 0 {
			tags = append(tags, [2]string{name, strconv.Itoa(int(rating))})
		}
	}
	control := "-"
	if s.Clock != nil {
		control = seconds(s.Clock.InitialMS) + "+" + seconds(s.Clock.IncrementMS)
	}
	tags = append(tags, [2]string{"TimeControl", control})
	if s.Outcome != nil {
		tags = append(tags, [2]string{"Termination", s.Outcome.Reason})
	}
	return tags
}

func seconds(ms int32) string { return strconv.FormatFloat(float64(ms)/1000, 'f', -1, 64) }

// playerName is a name as a line of a record holds it.
func playerName(s Seat) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, s.Name)
	return cmp.Or(strings.TrimSpace(name), "?")
}
