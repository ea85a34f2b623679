package accounts

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/protobuf/types/known/timestamppb"

	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

func TestRatingHistory(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
		ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
		seatA, seatR := &accountsv1.RatedSeat{Account: ana.Id}, &accountsv1.RatedSeat{Account: rui.Id}
		rate := func(game int, at time.Time, halfPoints, revision int32) *accountsv1.RateResponse {
			t.Helper()
			w.now = at
			req := rateRequest(game, seatA, seatR, halfPoints)
			req.FinishedAt, req.Revision = timestamppb.New(at), revision
			resp, err := w.as("play").Rate(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			return resp
		}
		day := func(n int) time.Time { return monday.AddDate(0, 0, n) } // at eight o'clock
		rate(10, day(0), 2, 0)
		first := rate(11, day(0).Add(15*time.Hour+59*time.Minute), 2, 0)
		second := rate(12, day(1), 0, 0)
		third := rate(10, day(3), 0, 1)
		point := func(day string, r *accountsv1.RateResponse, i, changes int) *accountsv1.RatingPoint {
			return &accountsv1.RatingPoint{Day: day, Rating: r.Seats[i].After, Deviation: r.Seats[i].Deviation, Changes: int32(changes)}
		}
		ask := func(viewer, of string, days int32) (*accountsv1.GetRatingHistoryResponse, error) {
			return w.access().GetRatingHistory(w.person(viewer), &accountsv1.GetRatingHistoryRequest{Account: of, Rules: "chess", Speed: "blitz", Days: days})
		}
		for i, account := range []string{ana.Id, rui.Id} {
			got, err := ask(account, account, 0)
			wantErr(t, "one's own", err, nil)
			wantProto(t, "one's own", got, &accountsv1.GetRatingHistoryResponse{Points: []*accountsv1.RatingPoint{
				point("2026-03-16", first, i, 2), point("2026-03-17", second, i, 1), point("2026-03-19", third, i, 1),
			}})
		}
		got, err := ask(ana.Id, ana.Id, 3)
		wantErr(t, "three days", err, nil)
		wantProto(t, "three days", got, &accountsv1.GetRatingHistoryResponse{Points: []*accountsv1.RatingPoint{
			point("2026-03-17", second, 0, 1), point("2026-03-19", third, 0, 1),
		}})
		got, err = w.access().GetRatingHistory(w.person(ana.Id), &accountsv1.GetRatingHistoryRequest{Account: ana.Id, Rules: "chess", Speed: "rapid"})
		wantErr(t, "another speed", err, nil)
		wantProto(t, "another speed", got, &accountsv1.GetRatingHistoryResponse{})

		// A child's is for those who look after it; an adult's for everyone.
		_, err = ask(rui.Id, ana.Id, 0)
		wantProblem(t, "another child's", err, "account_not_found")
		_, err = ask(ana.Id, id(9999), 0)
		wantProblem(t, "nobody's", err, "account_not_found")
		grown := form("Eva")
		grown.BirthDate = "1980-05-01"
		eva, err := w.register("eva", grown)
		wantErr(t, "an adult", err, nil)
		_, err = ask(ana.Id, eva.Id, 0)
		wantErr(t, "an adult's", err, nil)
		_, err = ask(eva.Id, ana.Id, 0)
		wantProblem(t, "a child's, asked by a stranger who is an adult", err, "account_not_found")
		w.makeOperator(eva.Id)
		_, err = ask(eva.Id, ana.Id, 0)
		wantErr(t, "asked by the operator", err, nil)
		wantLedgerSound(t, store)
	})
}

func TestPointsAreBoundedToTheLatest(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		mustCreate(t, store, person(1, "ana"))
		for n := range 4 {
			game := result(10+n, Seat{Account: id(1)}, Seat{Level: "plies-2"}, 2)
			_, err := store.Rate(t.Context(), game, start, func(table Table) (Decision, error) {
				return settle(game, plies, table, monday.AddDate(0, 0, n))
			})
			wantErr(t, "Rate", err, nil)
		}
		points, err := store.Points(t.Context(), id(1), blitz, monday, 2)
		wantErr(t, "Points", err, nil)
		today := monday.Unix() / secondsADay
		if len(points) != 2 || points[0].Day != today+2 || points[1].Day != today+3 {
			t.Errorf("points %+v, want the last two days", points)
		}
	})
}

func noPause(context.Context) error { return nil }

// Of all replicas one audits, once a day.
func TestOneReplicaAuditsTheRatings(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
		ana := w.mustRegister("Ana")
		if _, err := w.as("play").Rate(t.Context(), rateRequest(10, &accountsv1.RatedSeat{Account: ana.Id}, &accountsv1.RatedSeat{Level: "full"}, 2)); err != nil {
			t.Fatal(err)
		}
		audit := func(what string, wantMine int) {
			t.Helper()
			var mine atomic.Int32
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() {
					result, ours, err := w.svc.AuditRatings(t.Context(), func(d Discrepancy) { t.Errorf("%s: %s", what, d) }, noPause)
					if err != nil {
						t.Error(err)
					}
					if ours {
						mine.Add(1)
						if result.Accounts != 1 || result.Discrepancies != 0 {
							t.Errorf("%s: %+v", what, result)
						}
					}
				})
			}
			wg.Wait()
			if int(mine.Load()) != wantMine {
				t.Errorf("%s: %d replicas audited, want %d", what, mine.Load(), wantMine)
			}
		}
		w.now = monday.Add(-3*time.Hour - time.Millisecond) // before five
		audit("before its hour", 0)
		w.now = monday.Add(-3 * time.Hour)
		audit("at its hour", 1)
		w.now = monday.Add(10 * time.Hour)
		audit("later that day", 0)
		w.now = monday.Add(24 * time.Hour)
		audit("the next day", 1)
	})
}

// A wrong rating is told, by log and metric, and left as it is.
func TestTheAuditTellsAndMendsNothing(t *testing.T) {
	store := NewMemory()
	w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
	ana := w.mustRegister("Ana")
	if _, err := w.as("play").Rate(t.Context(), rateRequest(10, &accountsv1.RatedSeat{Account: ana.Id}, &accountsv1.RatedSeat{Level: "full"}, 2)); err != nil {
		t.Fatal(err)
	}
	key := ratingKey{ana.Id, blitz}
	wrong := store.ratings[key]
	wrong.Rating.Value += 50
	store.ratings[key] = wrong
	registry := prometheus.NewRegistry()
	audits, err := newAuditMetrics(registry.Register)
	if err != nil {
		t.Fatal(err)
	}
	housekeeping{service: w.svc, log: w.serverConfig().Log, audits: audits}.auditRatings(t.Context())
	if got := w.log.String(); !strings.Contains(got, "a rating is not what the ledger says") || !strings.Contains(got, ana.Id) {
		t.Errorf("the log says %s", got)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, family := range families {
		got[family.GetName()] = family.GetMetric()[0].GetGauge().GetValue()
	}
	wantSame(t, "metrics", got, map[string]float64{
		"tabuleiro_accounts_audit_accounts": 1, "tabuleiro_accounts_audit_discrepancies": 1,
		"tabuleiro_accounts_audit_finished_seconds": float64(monday.Unix()),
	})
	if store.ratings[key] != wrong {
		t.Error("the audit changed a rating")
	}
}

// ratedMeanwhile is a store in which a game is rated between two reads of an
// account: its rating has moved, its entries come later.
type ratedMeanwhile struct {
	Store
	reads int
}

func (s *ratedMeanwhile) Standings(ctx context.Context, accounts []string) ([]Standing, error) {
	list, err := s.Store.Standings(ctx, accounts)
	if s.reads++; s.reads == 1 {
		for i := range list {
			list[i].Rating.Value += 50
		}
	}
	return list, err
}

func TestAGameThatIsRatedMeanwhileIsNoDiscrepancy(t *testing.T) {
	store := &ratedMeanwhile{Store: NewMemory()}
	w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
	ana := w.mustRegister("Ana")
	if _, err := w.as("play").Rate(t.Context(), rateRequest(10, &accountsv1.RatedSeat{Account: ana.Id}, &accountsv1.RatedSeat{Level: "full"}, 2)); err != nil {
		t.Fatal(err)
	}
	store.reads = 0
	result, mine, err := w.svc.AuditRatings(t.Context(), func(d Discrepancy) { t.Errorf("told of %s", d) }, noPause)
	if err != nil || !mine || result.Discrepancies != 0 {
		t.Errorf("%+v, %v, %v", result, mine, err)
	}
}
