package gateway

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"google.golang.org/protobuf/proto"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	playv1 "tabuleiro/proto/tabuleiro/play/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

// takeoutRate bounds exports of one person.
var takeoutRate = rate{3, 10 * time.Minute}

const (
	// maxTakeouts is how many archives are written at once.
	maxTakeouts = 4
	// takeoutPage is how many games are read at once.
	takeoutPage = 100
)

// takeoutReadme says what is in the archive.
const takeoutReadme = `Tabuleiro

Este arquivo contém tudo o que o Tabuleiro guarda sobre uma conta.
This archive holds all that Tabuleiro keeps about one account.

account.json          cadastro, sessões, tokens, tabuleiros, segundo fator (sem segredos), relações, turmas
                      profile, sessions, tokens, boards, second factor (no secrets), relations, classes
audit_log.jsonl       registro de auditoria / audit log, one entry a line, the newest first
rating_changes.jsonl  histórico de pontuação / history of ratings, one a line
lessons.json          lições / lessons
games.jsonl           partidas com todos os lances / games with all moves, one a line
chess.pgn             partidas de xadrez terminadas / finished games of chess
draughts.pdn          partidas de damas terminadas / finished games of draughts
tournaments.jsonl     torneios jogados e organizados, só o que é da pessoa
                      tournaments played in and organised, only what is about the person, one a line
collections/          coleções próprias / collections of one's own
`

// takeouts is what exports need.
type takeouts struct {
	privacy accountsv1.PrivacyServiceClient
	play    playv1.PlayServiceClient
	tutor   tutorv1.TutorServiceClient
	// competitions are the tournaments.
	competitions playv1.TournamentsServiceClient
	often        *limiter
	// places has one for each archive that is being written.
	places chan struct{}
}

func newTakeouts(deps Deps) takeouts {
	return takeouts{
		privacy: accountsv1.NewPrivacyServiceClient(deps.Accounts), play: playv1.NewPlayServiceClient(deps.Play),
		tutor: tutorv1.NewTutorServiceClient(deps.Tutor), competitions: playv1.NewTournamentsServiceClient(deps.Play),
		often: newLimiter(deps.Now, takeoutRate), places: make(chan struct{}, maxTakeouts),
	}
}

// takeout answers with everything that is kept about an account, as a ZIP: the
// caller's own at /v1/me/export, another's that they may have at
// /v1/accounts/{account}/export. It holds one page of anything at a time.
func (g *Gateway) takeout(w http.ResponseWriter, r *http.Request) {
	caller, err := g.person(r)
	if err != nil {
		g.fail(w, r, err)
		return
	}
	if !g.mayBy(g.takeouts.often, caller.Account, w, r) {
		return
	}
	select {
	case g.takeouts.places <- struct{}{}:
		defer func() { <-g.takeouts.places }()
	default:
		g.fail(w, r, &rpc.Problem{Code: "too_many_requests", RetryAfter: 10 * time.Second})
		return
	}
	t := &takeout{
		gateway: g, ctx: identity.With(r.Context(), caller), control: http.NewResponseController(w), account: r.PathValue("account"),
	}
	if t.account == caller.Account {
		t.account = ""
	}
	// The first page decides whether the caller may have it.
	var first *accountsv1.ExportAccountResponse
	err = t.timed(func(ctx context.Context) (err error) {
		first, err = g.takeouts.privacy.ExportAccount(ctx, &accountsv1.ExportAccountRequest{Account: t.account})
		return err
	})
	if err != nil {
		g.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="tabuleiro-%s-%s.zip"`,
		first.GetAccount().GetLogin(), g.deps.Now().UTC().Format(time.DateOnly)))
	t.zip = zip.NewWriter(w)
	if err := t.write(first); err != nil {
		// Broken off, so that nobody takes it for whole.
		panic(http.ErrAbortHandler)
	}
}

// takeout is one archive on its way.
type takeout struct {
	gateway *Gateway
	ctx     context.Context
	control *http.ResponseController
	zip     *zip.Writer
	// account is whose it is; empty for the caller's own.
	account string
}

// timed bounds one step: what it asks for, and how long the client takes for what
// came of the one before.
func (t *takeout) timed(step func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(t.ctx, restTime)
	defer cancel()
	_ = t.control.SetWriteDeadline(time.Now().Add(restTime + pieceTime))
	return step(ctx)
}

func (t *takeout) write(first *accountsv1.ExportAccountResponse) error {
	if err := t.file("README.txt", func(into io.Writer) error {
		_, err := io.WriteString(into, takeoutReadme)
		return err
	}); err != nil {
		return err
	}
	steps := []func() error{
		func() error { return t.profile(first) },
		func() error { return t.audit(first) },
		func() error { return t.changes(first) },
		t.lessons, t.games,
		func() error { return t.records("chess", "chess.pgn") },
		func() error { return t.records("draughts", "draughts.pdn") },
		t.tournaments, t.collections,
		t.zip.Close,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// file writes one file of the archive.
func (t *takeout) file(name string, write func(io.Writer) error) error {
	into, err := t.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: t.gateway.deps.Now().UTC()})
	if err != nil {
		return err
	}
	if err := write(into); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return t.zip.Flush()
}

// line writes a message on a line of its own.
func line(into io.Writer, m proto.Message) error {
	text, err := marshal(m)
	if err != nil {
		return err
	}
	_, err = into.Write(append(text, '\n'))
	return err
}

func (t *takeout) profile(first *accountsv1.ExportAccountResponse) error {
	profile := proto.CloneOf(first)
	profile.RatingChanges, profile.NextPage, profile.Audit, profile.AuditNext = nil, 0, nil, 0
	return t.file("account.json", func(into io.Writer) error { return line(into, profile) })
}

// audit is what the log has about the person.
func (t *takeout) audit(page *accountsv1.ExportAccountResponse) error {
	return t.file("audit_log.jsonl", func(into io.Writer) error {
		for {
			for _, entry := range page.GetAudit() {
				if err := line(into, entry); err != nil {
					return err
				}
			}
			next := page.GetAuditNext()
			if next == 0 {
				return nil
			}
			err := t.timed(func(ctx context.Context) (err error) {
				page, err = t.gateway.takeouts.privacy.ExportAccount(ctx, &accountsv1.ExportAccountRequest{Account: t.account, AuditBefore: next})
				return err
			})
			if err != nil {
				return err
			}
		}
	})
}

func (t *takeout) changes(page *accountsv1.ExportAccountResponse) error {
	return t.file("rating_changes.jsonl", func(into io.Writer) error {
		for {
			for _, change := range page.GetRatingChanges() {
				if err := line(into, change); err != nil {
					return err
				}
			}
			next := page.GetNextPage()
			if next == 0 {
				return nil
			}
			err := t.timed(func(ctx context.Context) (err error) {
				page, err = t.gateway.takeouts.privacy.ExportAccount(ctx, &accountsv1.ExportAccountRequest{Account: t.account, Page: next})
				return err
			})
			if err != nil {
				return err
			}
		}
	})
}

func (t *takeout) lessons() error {
	return t.file("lessons.json", func(into io.Writer) error {
		return t.timed(func(ctx context.Context) error {
			lessons, err := t.gateway.takeouts.tutor.ListLessons(ctx, &tutorv1.ListLessonsRequest{Account: t.account})
			if err != nil {
				return err
			}
			return line(into, lessons)
		})
	})
}

func (t *takeout) games() error {
	return t.file("games.jsonl", func(into io.Writer) error {
		for before, more := "", true; more; {
			err := t.timed(func(ctx context.Context) error {
				list, err := t.gateway.takeouts.play.ListGames(ctx, &playv1.ListGamesRequest{Player: t.account, Limit: takeoutPage, Before: before})
				if err != nil {
					return err
				}
				for _, game := range list.GetGames() {
					before = game.GetId()
					whole, err := t.gateway.takeouts.play.GetGame(ctx, &playv1.GetGameRequest{Game: before})
					switch {
					case err != nil && rpc.ToProblem(err).Code == "game_not_found":
						continue // forgotten since the list was read
					case err != nil:
						return err
					}
					if err := line(into, whole.GetGame()); err != nil {
						return err
					}
				}
				more = len(list.GetGames()) == takeoutPage
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// records are the finished games of one kind as others can read them.
func (t *takeout) records(rules, name string) error {
	return t.file(name, func(into io.Writer) error {
		for before, more := "", true; more; {
			err := t.timed(func(ctx context.Context) error {
				out, err := t.gateway.collections.ExportGames(ctx, &playv1.ExportGamesRequest{Rules: rules, Before: before, Account: t.account})
				if err != nil {
					return err
				}
				before, more = out.GetNext(), out.GetNext() != ""
				_, err = io.WriteString(into, out.GetText())
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// tournaments are those played in, and then those organised.
func (t *takeout) tournaments() error {
	return t.file("tournaments.jsonl", func(into io.Writer) error {
		for _, organised := range []bool{false, true} {
			for before, more := "", true; more; {
				err := t.timed(func(ctx context.Context) error {
					out, err := t.gateway.takeouts.competitions.ExportTournaments(ctx, &playv1.ExportTournamentsRequest{
						Account: t.account, Organised: organised, Before: before,
					})
					if err != nil {
						return err
					}
					for _, tournament := range out.GetTournaments() {
						if err := line(into, tournament); err != nil {
							return err
						}
					}
					before, more = out.GetNext(), out.GetNext() != ""
					return nil
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// collections are the caller's alone: nobody else sees them.
func (t *takeout) collections() error {
	if t.account != "" {
		return nil
	}
	var list *playv1.ListCollectionsResponse
	err := t.timed(func(ctx context.Context) (err error) {
		list, err = t.gateway.collections.ListCollections(ctx, &playv1.ListCollectionsRequest{})
		return err
	})
	if err != nil {
		return err
	}
	for i, collection := range list.GetCollections() {
		extension := "pgn"
		if collection.GetRules() == "draughts" {
			extension = "pdn"
		}
		err := t.file(fmt.Sprintf("collections/%03d.%s", i+1, extension), func(into io.Writer) error {
			for after, more := int32(0), true; more; {
				err := t.timed(func(ctx context.Context) error {
					out, err := t.gateway.collections.ExportRecords(ctx, &playv1.ExportRecordsRequest{Collection: collection.GetId(), After: after})
					if err != nil {
						return err
					}
					after, more = out.GetNext(), out.GetNext() != 0
					_, err = io.WriteString(into, out.GetText())
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
