package accounts

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

func (w *world) pair(kind, name string) *accountsv1.StartPairingResponse {
	w.t.Helper()
	codes, err := w.access().StartPairing(w.t.Context(), &accountsv1.StartPairingRequest{Kind: kind, Name: name, Network: "192.0.2.0/24"})
	if err != nil {
		w.t.Fatal(err)
	}
	return codes
}

func (w *world) poll(device string) (*accountsv1.TakePairingResponse, error) {
	return w.access().TakePairing(w.t.Context(), &accountsv1.TakePairingRequest{DeviceCode: device, Device: "Chrome on Windows", Network: "192.0.2.0/24"})
}

func TestASharedPCIsPaired(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
		ana := w.mustRegister("Ana")
		w.makeOperator(ana.Id)
		codes := w.pair("shared_pc", "  sala 3, PC 7 ")
		if !regexp.MustCompile(`^[B-DF-HJ-NP-TV-XZ]{4}-[2-9]{4}$`).MatchString(codes.UserCode) || codes.IntervalS != 5 ||
			!codes.ExpiresAt.AsTime().Equal(monday.Add(10*time.Minute)) {
			t.Errorf("codes %v", codes)
		}
		waiting, err := w.poll(codes.DeviceCode)
		wantErr(t, "poll", err, nil)
		wantProto(t, "while it waits", waiting, &accountsv1.TakePairingResponse{Status: "pending", IntervalS: 5})
		w.now = w.now.Add(2 * time.Second)
		_, err = w.poll(codes.DeviceCode)
		if p := wantProblem(t, "a poll too soon", err, "too_many_requests"); p.RetryAfter != 3*time.Second {
			t.Errorf("try again in %v, want 3 s", p.RetryAfter)
		}

		typed := strings.ToLower(strings.Replace(codes.UserCode, "-", " ", 1))
		seen, err := w.access().GetPairing(w.person(ana.Id), &accountsv1.GetPairingRequest{UserCode: typed})
		wantErr(t, "GetPairing", err, nil)
		wantProto(t, "GetPairing", seen, &accountsv1.GetPairingResponse{
			Kind: "shared_pc", Name: "sala 3, PC 7", Network: "192.0.2.0/24", CreatedAt: timestamppb.New(monday), ExpiresAt: codes.ExpiresAt,
		})
		confirm := func(key, kind string, minutes int32) error {
			_, err := w.access().ConfirmPairing(rpc.WithKey(w.person(ana.Id), key), &accountsv1.ConfirmPairingRequest{UserCode: typed, Kind: kind, Minutes: minutes})
			return err
		}
		wantProblem(t, "as a board", confirm("k1", "board", 0), "pairing_kind")
		wantProblem(t, "for too short", confirm("k2", "shared_pc", 4), "bad_field", "minutes bad_field")
		wantErr(t, "confirm", confirm("k3", "shared_pc", 45), nil)
		wantErr(t, "the same command", confirm("k3", "shared_pc", 45), nil)
		wantProblem(t, "another command", confirm("k4", "shared_pc", 45), "pairing_not_found")

		w.now = w.now.Add(5 * time.Second)
		taken, err := w.poll(codes.DeviceCode)
		wantErr(t, "poll", err, nil)
		if taken.Status != "confirmed" || !taken.Session.ExpiresAt.AsTime().Equal(w.now.Add(45*time.Minute)) || taken.Session.Account.Id != ana.Id {
			t.Fatalf("taken %v", taken)
		}
		caller, err := w.caller(taken.Session.Token)
		wantErr(t, "the session", err, nil)
		wantSame(t, "its roles", caller.Roles, []string{"learner"}) // the operator stays at home
		list, err := w.access().ListSessions(w.by(taken.Session.Token), &accountsv1.ListSessionsRequest{})
		if err != nil || len(list.Sessions) != 1 || list.Sessions[0].Kind != "paired" || list.Sessions[0].Device != "Chrome on Windows" {
			t.Errorf("sessions %v, %v", list, err)
		}
		_, err = w.poll(codes.DeviceCode)
		wantProblem(t, "a second hand-over", err, "pairing_not_found")
		w.now = w.now.Add(30 * time.Minute)
		w.wantLive("after half an hour without use", taken.Session.Token, false)
		wantNoSecrets(t, w)
	})
}

func TestABoardIsPaired(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
		ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
		codes := w.pair("board", "tabuleiro da sala")
		confirm := func(key string) (*accountsv1.ConfirmPairingResponse, error) {
			return w.access().ConfirmPairing(rpc.WithKey(w.person(ana.Id), key), &accountsv1.ConfirmPairingRequest{UserCode: codes.UserCode, Kind: "board"})
		}
		made, err := confirm("k1")
		wantErr(t, "confirm", err, nil)
		want := &accountsv1.Board{Id: made.GetBoard().GetId(), Name: "tabuleiro da sala", CreatedAt: timestamppb.New(monday)}
		wantProto(t, "the board", made.Board, want)
		w.now = w.now.Add(time.Second)
		again, err := confirm("k1")
		wantErr(t, "the same command", err, nil)
		wantProto(t, "the first answer", again, made)
		taken, err := w.poll(codes.DeviceCode)
		wantErr(t, "poll", err, nil)
		if !strings.HasPrefix(taken.BoardSecret, "tbb_") || taken.Session != nil {
			t.Errorf("taken %v", taken)
		}
		wantProto(t, "the board taken", taken.Board, want)
		list, err := w.access().ListBoards(w.person(ana.Id), &accountsv1.ListBoardsRequest{})
		wantErr(t, "ListBoards", err, nil)
		wantProto(t, "boards", list, &accountsv1.ListBoardsResponse{Boards: []*accountsv1.Board{want}})
		for n, account := range []string{rui.Id, ana.Id, ana.Id} {
			_, err = w.access().RevokeBoard(w.person(account), &accountsv1.RevokeBoardRequest{Board: want.Id})
			wantErr(t, "RevokeBoard", err, nil)
			list, err = w.access().ListBoards(w.person(ana.Id), &accountsv1.ListBoardsRequest{})
			if kept := len(list.GetBoards()) > 0; err != nil || kept != (n == 0) {
				t.Errorf("after revoking by %s: %v, %v", account, list, err)
			}
		}
		// A board that is removed before it came for its secret gets none.
		codes = w.pair("board", "outro")
		made, err = confirm("k2")
		wantErr(t, "confirm", err, nil)
		_, err = w.access().RevokeBoard(w.person(ana.Id), &accountsv1.RevokeBoardRequest{Board: made.Board.Id})
		wantErr(t, "RevokeBoard", err, nil)
		taken, err = w.poll(codes.DeviceCode)
		wantErr(t, "poll", err, nil)
		wantProto(t, "a board removed", taken, &accountsv1.TakePairingResponse{Status: "denied"})
	})
}

func TestPairingRefusals(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		w := newWorld(t, func(_ *Config, d *Deps) { d.Store = store })
		ana, rui := w.mustRegister("Ana"), w.mustRegister("Rui")
		denied, old := w.pair("board", ""), w.pair("shared_pc", "")
		_, err := w.access().DenyPairing(w.person(ana.Id), &accountsv1.DenyPairingRequest{UserCode: denied.UserCode})
		wantErr(t, "deny", err, nil)
		got, err := w.poll(denied.DeviceCode)
		wantErr(t, "poll", err, nil)
		wantProto(t, "one denied", got, &accountsv1.TakePairingResponse{Status: "denied"})
		w.now = monday.Add(10 * time.Minute)
		_, err = w.poll(old.DeviceCode)
		wantProblem(t, "a poll too late", err, "pairing_not_found")
		_, err = w.poll("nonsense")
		wantProblem(t, "a device unknown", err, "pairing_not_found")
		for what, code := range map[string]string{"too old": old.UserCode, "used up": denied.UserCode, "unknown": "BCDF-2345", "no code": "!?"} {
			_, err := w.access().GetPairing(w.person(ana.Id), &accountsv1.GetPairingRequest{UserCode: code})
			if p := wantProblem(t, what, err, "pairing_not_found"); p.Detail != "" {
				t.Errorf("%s: the detail %q tells it from the others", what, p.Detail)
			}
		}
		if swept, err := w.svc.SweepSessions(t.Context()); swept != 1 || err != nil {
			t.Errorf("swept %d, %v, want 1", swept, err)
		}
		// Guesses are bounded by account, of all that take a code together.
		for range pairingBurst {
			_, err = w.access().GetPairing(w.person(rui.Id), &accountsv1.GetPairingRequest{UserCode: "BCDF-2345"})
			wantProblem(t, "a guess", err, "pairing_not_found")
		}
		_, err = w.access().ConfirmPairing(rpc.WithKey(w.person(rui.Id), "k"), &accountsv1.ConfirmPairingRequest{UserCode: "BCDF-2345", Kind: "board"})
		if p := wantProblem(t, "one too many", err, "too_many_requests"); p.RetryAfter <= 0 {
			t.Error("no time to try again")
		}
		for name, req := range map[string]*accountsv1.ConfirmPairingRequest{
			"a board for minutes": {UserCode: "BCDF-2345", Kind: "board", Minutes: 10},
			"a shared PC's name":  {UserCode: "BCDF-2345", Kind: "shared_pc", Name: "x"},
			"a kind unknown":      {UserCode: "BCDF-2345", Kind: "phone"},
			"too long":            {UserCode: "BCDF-2345", Kind: "shared_pc", Minutes: 481},
			"a control character": {UserCode: "BCDF-2345", Kind: "board", Name: "a\x00"},
		} {
			_, err := w.access().ConfirmPairing(rpc.WithKey(w.person(ana.Id), "k"), req)
			if p, _ := rpc.ProblemOf(err); p == nil || p.Code != "bad_field" {
				t.Errorf("%s: %v, want bad_field", name, err)
			}
		}
	})
}

func TestStorePairingsAreBounded(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		ctx := t.Context()
		mustCreate(t, store, person(1, "ana"))
		pairing := func(n int, code string) Pairing {
			return Pairing{
				DeviceHash: [32]byte{byte(n)}, UserCode: code, Kind: DeviceBoard, Name: "b", Network: "n", Status: PairingOpen,
				CreatedAt: monday.Add(time.Duration(n) * time.Minute), ExpiresAt: monday.Add(time.Duration(n)*time.Minute + time.Minute),
			}
		}
		wantErr(t, "one", store.OpenPairing(ctx, pairing(0, "A"), 2), nil)
		same := pairing(1, "A")
		same.CreatedAt = monday
		wantErr(t, "a code in use", store.OpenPairing(ctx, same, 2), ErrTaken)
		other := pairing(2, "B")
		other.CreatedAt = monday
		wantErr(t, "another", store.OpenPairing(ctx, other, 2), nil)
		third := pairing(3, "C")
		third.CreatedAt = monday
		wantErr(t, "too many", store.OpenPairing(ctx, third, 2), ErrFull)
		wantErr(t, "a code that has expired", store.OpenPairing(ctx, pairing(1, "A"), 2), nil)
		got, err := store.Pairing(ctx, "A")
		wantErr(t, "Pairing", err, nil)
		wantSame(t, "Pairing", got, pairing(1, "A"))

		answer := PairingAnswer{UserCode: "A", Status: PairingConfirmed, Account: id(1), Board: Board{ID: id(50), Account: id(1), CreatedAt: monday}, Now: monday}
		wantErr(t, "no more boards", store.AnswerPairing(ctx, answer, 0, keyed(id(1), "k", id(1))), ErrFull)
		wantErr(t, "a board", store.AnswerPairing(ctx, answer, 1, keyed(id(1), "k", id(1))), nil)
		wantErr(t, "its key again", store.AnswerPairing(ctx, answer, 1, keyed(id(1), "k", id(1))), ErrKeyUsed)
		boards, err := store.Boards(ctx, id(1))
		wantErr(t, "Boards", err, nil)
		wantSame(t, "Boards", boards, []Board{{ID: id(50), Account: id(1), Name: "b", CreatedAt: monday}})
	})
}

func TestStoreClaimsADayOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		for n, want := range []struct {
			job, day string
			first    bool
		}{{"audit", "2026-03-16", true}, {"audit", "2026-03-16", false}, {"other", "2026-03-16", true}, {"audit", "2026-03-17", true}} {
			first, err := store.ClaimDay(t.Context(), want.job, want.day, monday)
			if first != want.first || err != nil {
				t.Errorf("claim %d: %v, %v, want %v", n, first, err, want.first)
			}
		}
	})
}
