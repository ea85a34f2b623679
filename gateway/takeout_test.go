package gateway

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

const childID = "018f0000-0000-7000-8000-00000000000c"

// fakeKept is what services keep about ana and a child of hers. It breaks where
// it is told to.
type fakeKept struct {
	accountsv1.UnimplementedPrivacyServiceServer
	playv1.UnimplementedTournamentsServiceServer
	tutorv1.UnimplementedTutorServiceServer
	playv1.UnimplementedCollectionsServiceServer

	play *fakePlay

	mu     sync.Mutex
	breaks string
	asked  []string
}

func (k *fakeKept) register(r grpc.ServiceRegistrar) {
	accountsv1.RegisterPrivacyServiceServer(r, k)
	tutorv1.RegisterTutorServiceServer(r, k)
	playv1.RegisterCollectionsServiceServer(r, k)
	playv1.RegisterTournamentsServiceServer(r, k)
}

// ask notes a question, and fails where it is told to.
func (k *fakeKept) ask(ctx context.Context, what, account string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	caller, _ := identity.From(ctx)
	k.asked = append(k.asked, what)
	switch {
	case caller.Account != accountID, account != "" && account != childID:
		return rpc.Fail("account_not_found", "")
	case what == k.breaks:
		return rpc.Fail("unavailable", "")
	}
	return nil
}

func (k *fakeKept) ExportAccount(ctx context.Context, in *accountsv1.ExportAccountRequest) (*accountsv1.ExportAccountResponse, error) {
	if before := in.GetAuditBefore(); before > 0 {
		out := &accountsv1.ExportAccountResponse{Audit: []*accountsv1.AuditEntry{{Number: before - 1}}}
		if before > 8 {
			out.AuditNext = before - 1
		}
		return out, k.ask(ctx, fmt.Sprint("audit ", before), in.GetAccount())
	}
	if err := k.ask(ctx, fmt.Sprint("account ", in.GetPage()), in.GetAccount()); err != nil {
		return nil, err
	}
	out := &accountsv1.ExportAccountResponse{RatingChanges: []*accountsv1.RatingChange{{Game: fmt.Sprint("page", in.GetPage())}}}
	if in.GetPage() == 0 {
		out.Account, out.NextPage = &accountsv1.Account{Id: accountID, Login: "ana"}, 1
		out.Audit, out.AuditNext = []*accountsv1.AuditEntry{{Number: 9}}, 9
	}
	return out, nil
}

func (k *fakeKept) ListLessons(ctx context.Context, in *tutorv1.ListLessonsRequest) (*tutorv1.ListLessonsResponse, error) {
	return &tutorv1.ListLessonsResponse{Lessons: []*tutorv1.Lesson{{Id: "chess/history", Passed: true}}}, k.ask(ctx, "lessons", in.GetAccount())
}

func (k *fakeKept) ExportGames(ctx context.Context, in *playv1.ExportGamesRequest) (*playv1.ExportGamesResponse, error) {
	out := &playv1.ExportGamesResponse{Text: in.GetRules() + " after " + in.GetBefore() + "\n"}
	if in.GetBefore() == "" {
		out.Next = "first"
	}
	return out, k.ask(ctx, in.GetRules()+" "+in.GetBefore(), in.GetAccount())
}

// ExportTournaments has two pages of those played in, and one that is organised.
func (k *fakeKept) ExportTournaments(ctx context.Context, in *playv1.ExportTournamentsRequest) (*playv1.ExportTournamentsResponse, error) {
	what := fmt.Sprint("tournaments ", in.GetOrganised(), in.GetBefore())
	out := &playv1.ExportTournamentsResponse{Tournaments: []*playv1.Tournament{{Name: what}}}
	if in.GetBefore() == "" && !in.GetOrganised() {
		out.Next = "first"
	}
	return out, k.ask(ctx, what, in.GetAccount())
}

func (k *fakeKept) ListCollections(ctx context.Context, _ *playv1.ListCollectionsRequest) (*playv1.ListCollectionsResponse, error) {
	return &playv1.ListCollectionsResponse{Collections: []*playv1.Collection{{Id: gameID, Rules: "draughts", Name: "../x"}}}, k.ask(ctx, "collections", "")
}

func (k *fakeKept) ExportRecords(ctx context.Context, in *playv1.ExportRecordsRequest) (*playv1.ExportRecordsResponse, error) {
	out := &playv1.ExportRecordsResponse{Text: fmt.Sprint("after ", in.GetAfter(), "\n")}
	if in.GetAfter() == 0 {
		out.Next = 7
	}
	return out, k.ask(ctx, "records", "")
}

// ListGames has a full page and one more game, of which one is forgotten before
// it is read.
func (p *fakePlay) ListGames(_ context.Context, in *playv1.ListGamesRequest) (*playv1.ListGamesResponse, error) {
	if in.GetBefore() != "" {
		return &playv1.ListGamesResponse{Games: []*playv1.Game{{Id: gameID}}}, nil
	}
	out := &playv1.ListGamesResponse{}
	for range in.GetLimit() - 1 {
		out.Games = append(out.Games, &playv1.Game{Id: gameID})
	}
	out.Games = append(out.Games, &playv1.Game{Id: childID})
	return out, nil
}

// unzip reads an archive: the names of its files in order, and their lines.
func unzip(t *testing.T, text string) ([]string, map[string][]string) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader([]byte(text)), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	lines := map[string][]string{}
	for _, file := range archive.File {
		from, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, file.Name)
		lines[file.Name] = strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	}
	return names, lines
}

func TestTakeout(t *testing.T) {
	w := newWorld(t, nil)
	bearer := []string{"Authorization", "Bearer " + token}
	resp, text := w.call(t, http.MethodGet, "/v1/me/export", "", bearer...)
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/zip" || !strings.HasPrefix(resp.Header.Get("Content-Disposition"), `attachment; filename="tabuleiro-ana-2`) {
		t.Fatalf("status %d, headers %v: %s", resp.StatusCode, resp.Header, text)
	}
	names, lines := unzip(t, text)
	if want := []string{"README.txt", "account.json", "audit_log.jsonl", "rating_changes.jsonl", "lessons.json", "games.jsonl", "chess.pgn", "draughts.pdn", "tournaments.jsonl", "collections/001.pdn"}; !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	for name, want := range map[string][]string{
		"account.json":         {`{"account":{"id":"` + accountID + `","login":"ana"}}`},
		"audit_log.jsonl":      {`{"number":9}`, `{"number":8}`, `{"number":7}`},
		"tournaments.jsonl":    {`{"name":"tournaments false"}`, `{"name":"tournaments falsefirst"}`, `{"name":"tournaments true"}`},
		"rating_changes.jsonl": {`{"game":"page0"}`, `{"game":"page1"}`},
		"lessons.json":         {`{"lessons":[{"id":"chess/history","passed":true}]}`},
		"chess.pgn":            {"chess after ", "chess after first"},
		"collections/001.pdn":  {"after 0", "after 7"},
	} {
		if !slices.Equal(lines[name], want) {
			t.Errorf("%s: got %q, want %q", name, lines[name], want)
		}
	}
	if got := len(lines["games.jsonl"]); got != takeoutPage {
		t.Errorf("%d games, want %d: the forgotten one is left out", got, takeoutPage)
	}

	resp, text = w.call(t, http.MethodGet, "/v1/accounts/"+childID+"/export", "", bearer...)
	if names, _ := unzip(t, text); resp.StatusCode != http.StatusOK || slices.Contains(names, "collections/001.pdn") {
		t.Errorf("a child's: status %d, files %v, want no collections", resp.StatusCode, names)
	}
	if resp, text = w.call(t, http.MethodGet, "/v1/accounts/"+gameID+"/export", "", bearer...); resp.StatusCode != http.StatusNotFound {
		t.Errorf("a stranger's: status %d: %s", resp.StatusCode, text)
	}
	resp, _ = w.call(t, http.MethodGet, "/v1/me/export", "", bearer...)
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
		t.Errorf("the fourth at once: status %d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
	}
	if resp, _ = w.call(t, http.MethodGet, "/v1/me/export", ""); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("nobody: status %d", resp.StatusCode)
	}
}

// An archive that cannot be finished breaks off, wherever that is: nobody takes it
// for whole.
func TestATakeoutThatBreaksIsNotWhole(t *testing.T) {
	for _, breaks := range []string{
		"account 1", "audit 8", "lessons", "chess ", "draughts first", "tournaments falsefirst", "tournaments true", "collections", "records",
	} {
		w := newWorld(t, nil)
		w.kept.breaks = breaks
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/v1/me/export", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := w.client.Do(req)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if err == nil {
			t.Errorf("breaks at %q: the answer is whole", breaks)
		}
	}
	w := newWorld(t, nil)
	w.kept.breaks = "account 0"
	if resp, text := w.call(t, http.MethodGet, "/v1/me/export", "", "Authorization", "Bearer "+token); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("breaks before it begins: status %d: %s", resp.StatusCode, text)
	}
}
