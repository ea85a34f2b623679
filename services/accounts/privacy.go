package accounts

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// exportPage is how many rating changes one page of an export has, and
	// auditPage how many rows of the audit log.
	exportPage = 1000
	auditPage  = 500
	// listDeletions and listAudit are how many are listed unless asked otherwise.
	listDeletions = 100
	listAudit     = 50
	// checkBatch is how many rows of the audit log one call checks, and checkRead
	// how many are read at once.
	checkBatch = 10000
	checkRead  = 1000
	// loginKept is how long nobody else may have the login of a deleted account, so
	// that friends of theirs do not meet a stranger under it.
	loginKept = 365 * 24 * time.Hour
	// servicePrefix begins the name of a service where an account could stand.
	servicePrefix = "service:"
)

// mayManage finds an account that the caller may export and delete besides their
// own: a child of theirs, a pupil whose account a class made, any for an operator.
// It says as what. Errors: ErrNotFound.
func mayManage(ctx context.Context, r SchoolReader, now time.Time, me Account, subject string) (Account, string, error) {
	account, relation, err := related(ctx, r, now, me, subject, relationSelf, relationTeacher, relationGuardian, relationOperator)
	if err != nil {
		return Account{}, "", err
	}
	if relation == relationTeacher && !account.Managed {
		// They may be something else too.
		children, err := childrenOf(ctx, r, now, me.ID)
		switch {
		case err != nil:
			return Account{}, "", err
		case slices.ContainsFunc(children, func(child Account) bool { return child.ID == subject }):
			relation = relationGuardian
		case slices.Contains(me.Roles, RoleOperator):
			relation = relationOperator
		default:
			return Account{}, "", ErrNotFound
		}
	}
	return account, relation, nil
}

// ExportAccount implements PrivacyService.
func (s *Service) ExportAccount(ctx context.Context, req *accountsv1.ExportAccountRequest) (*accountsv1.ExportAccountResponse, error) {
	caller, _ := identity.From(ctx)
	subject := cmp.Or(req.GetAccount(), caller.Account)
	resp := &accountsv1.ExportAccountResponse{}
	err := s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		resp = &accountsv1.ExportAccountResponse{}
		me, err := self(ctx, w)
		if err != nil {
			return err
		}
		account, relation, err := mayManage(ctx, w, s.now(), me, subject)
		if err != nil {
			return err
		}
		if before := req.GetAuditBefore(); before > 0 {
			return exportAudit(ctx, w, account.ID, before, resp)
		}
		if req.GetPage() > 0 {
			return nil
		}
		if err := s.exportFirst(ctx, w, account, resp); err != nil {
			return err
		}
		return w.Append(ctx, Audit{
			At: s.now(), Actor: me.ID, Action: actionExported, Subject: account.ID, Why: relation, Times: 1,
		})
	})
	if err != nil {
		return nil, problem(err)
	}
	if req.GetAuditBefore() > 0 {
		return resp, nil
	}
	if req.GetPage() == 0 {
		if resp.Account, err = s.account(ctx, subject); err != nil {
			return nil, err
		}
		if err := s.exportDevices(ctx, subject, resp); err != nil {
			return nil, problem(err)
		}
	}
	from := int(req.GetPage()) * exportPage
	entries, err := s.store.Entries(ctx, subject, "", from, exportPage+1)
	if err != nil {
		return nil, problem(err)
	}
	if len(entries) > exportPage {
		entries, resp.NextPage = entries[:exportPage], req.GetPage()+1
	}
	for _, entry := range entries {
		resp.RatingChanges = append(resp.RatingChanges, entry.changeOf(subject))
	}
	return resp, nil
}

// exportFactor is that there is a second factor; nil where there is none.
func exportFactor(ctx context.Context, r SchoolReader, account string) (*accountsv1.ExportedFactor, error) {
	factor, err := r.Factor(ctx, account)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	left, err := r.CountRecovery(ctx, account)
	out := &accountsv1.ExportedFactor{MadeAt: timestamppb.New(factor.MadeAt), RecoveryCodes: int32(left)}
	if factor.Confirmed() {
		out.ConfirmedAt = timestamppb.New(factor.ConfirmedAt)
	}
	return out, err
}

// exportDevices adds what acts for the account: names and dates, never secrets.
func (s *Service) exportDevices(ctx context.Context, account string, resp *accountsv1.ExportAccountResponse) error {
	tokens, err := s.store.TokensOf(ctx, account, s.now())
	if err != nil {
		return err
	}
	for _, token := range tokens {
		resp.Tokens = append(resp.Tokens, token.proto())
	}
	boards, err := s.store.Boards(ctx, account)
	if err != nil {
		return err
	}
	for _, board := range boards {
		resp.Boards = append(resp.Boards, board.proto())
	}
	return nil
}

// exportFirst reads what the first page has besides the account.
func (s *Service) exportFirst(ctx context.Context, r SchoolReader, account Account, resp *accountsv1.ExportAccountResponse) error {
	sessions, err := r.SessionsOf(ctx, account.ID)
	if err != nil {
		return err
	}
	for _, session := range sessions {
		resp.Sessions = append(resp.Sessions, &accountsv1.ExportedSession{
			Id: session.ID, CreatedAt: timestamppb.New(session.CreatedAt),
			ExpiresAt: timestamppb.New(session.ExpiresAt), SeenAt: timestamppb.New(session.SeenAt),
			Device: session.Device, Network: session.Network,
		})
	}
	if resp.Relations, err = relationsOf(ctx, r, account, s.now()); err != nil {
		return err
	}
	classes, roles, err := classesOf(ctx, r, account.ID)
	if err != nil {
		return err
	}
	for _, class := range classes {
		shown, err := class.proto(ctx, r, roles[class.ID])
		if err != nil {
			return err
		}
		resp.Classes = append(resp.Classes, shown)
	}
	if resp.SecondFactor, err = exportFactor(ctx, r, account.ID); err != nil {
		return err
	}
	return exportAudit(ctx, r, account.ID, 0, resp)
}

// exportAudit adds what the audit log has about an account before a number, and
// where it goes on.
func exportAudit(ctx context.Context, r SchoolReader, account string, before int32, resp *accountsv1.ExportAccountResponse) error {
	rows, err := r.AuditRows(ctx, AuditQuery{Subject: account, Before: before, Limit: auditPage + 1})
	if len(rows) > auditPage {
		rows = rows[:auditPage]
		resp.AuditNext = rows[auditPage-1].Number
	}
	for _, row := range rows {
		resp.Audit = append(resp.Audit, row.proto())
	}
	return err
}

// DeleteMe implements PrivacyService.
func (s *Service) DeleteMe(ctx context.Context, req *accountsv1.DeleteMeRequest) (*accountsv1.DeleteMeResponse, error) {
	caller, _ := identity.From(ctx)
	if req.GetPassword() == "" {
		return nil, problem(faultError{[]fault{{fieldPassword, codeFieldsMissing, "must not be empty"}}})
	}
	if ok, wait := s.deletes.try(caller.Account, s.now()); !ok {
		return nil, &rpc.Problem{Code: "too_many_requests", RetryAfter: wait}
	}
	person, err := s.store.Person(ctx, caller.Account)
	if err != nil {
		return nil, problem(err)
	}
	if !person.alive() {
		return &accountsv1.DeleteMeResponse{}, nil // asked again
	}
	match, err := s.hasher.Verify(ctx, req.GetPassword(), person.PasswordHash)
	if err != nil {
		return nil, problem(err)
	}
	if !match {
		return nil, rpc.Fail("invalid_login", "")
	}
	// The password is no part of what is stored of the command.
	err = s.carry(ctx, "DeleteMe", &accountsv1.DeleteMeRequest{}, func(ctx context.Context, w SchoolWriter, c *carried) error {
		return erase(ctx, w, c, c.me, relationSelf)
	}, nil)
	if err != nil {
		return nil, err
	}
	return &accountsv1.DeleteMeResponse{}, nil
}

// DeleteAccount implements PrivacyService.
func (s *Service) DeleteAccount(ctx context.Context, req *accountsv1.DeleteAccountRequest) (*accountsv1.DeleteAccountResponse, error) {
	caller, _ := identity.From(ctx)
	if caller.Account == req.GetAccount() {
		return nil, badField("account", "one's own account is deleted with its password, at /v1/me/delete")
	}
	err := s.carry(ctx, "DeleteAccount", req, func(ctx context.Context, w SchoolWriter, c *carried) error {
		account, relation, err := mayManage(ctx, w, c.At, c.me, req.GetAccount())
		if err != nil {
			return err
		}
		return erase(ctx, w, c, account, relation)
	}, nil)
	if err != nil {
		return nil, err
	}
	return &accountsv1.DeleteAccountResponse{}, nil
}

// erase deletes an account at once. Errors: last_operator, last_teacher.
func erase(ctx context.Context, w SchoolWriter, c *carried, account Account, why string) error {
	if slices.Contains(account.Roles, RoleOperator) {
		operators, err := w.Operators(ctx)
		if err != nil {
			return err
		}
		if operators == 1 {
			return rpc.Fail("last_operator", "")
		}
	}
	if err := leavesNoClass(ctx, w, account.ID); err != nil {
		return err
	}
	places, err := w.Places(ctx, []string{account.ID})
	if err != nil {
		return err
	}
	rows := []Audit{{Action: actionDeleted, Subject: account.ID, Why: why}}
	for i, place := range places {
		if i == 0 {
			rows[0].Class = place.Class
			continue
		}
		rows = append(rows, Audit{Action: actionPupilRemoved, Subject: account.ID, Class: place.Class, Why: actionDeleted})
	}
	for _, row := range rows {
		if err := c.note(ctx, w, row); err != nil {
			return err
		}
	}
	return w.Erase(ctx, account.ID, c.At)
}

// ListDeletions implements PrivacyService.
func (s *Service) ListDeletions(ctx context.Context, req *accountsv1.ListDeletionsRequest) (*accountsv1.ListDeletionsResponse, error) {
	var resp *accountsv1.ListDeletionsResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		list, err := r.Deletions(ctx, req.GetAfter(), int(cmp.Or(req.GetLimit(), listDeletions)))
		resp = &accountsv1.ListDeletionsResponse{}
		for _, d := range list {
			resp.Deletions = append(resp.Deletions, &accountsv1.Deletion{Number: d.Number, Account: d.Account, At: timestamppb.New(d.At)})
		}
		return err
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}

// RecordAudit implements PrivacyService.
func (s *Service) RecordAudit(ctx context.Context, req *accountsv1.RecordAuditRequest) (*accountsv1.RecordAuditResponse, error) {
	caller, _ := identity.From(ctx)
	body, err := proto.MarshalOptions{Deterministic: true}.Marshal(req)
	if err != nil {
		return nil, fmt.Errorf("hashing a command: %w", err)
	}
	command := s.command(ctx, "RecordAudit", string(body))
	// What a service has said is remembered beyond a deletion of who is named (erasing):
	// it may ask again after it.
	command.Scope, command.Account = servicePrefix+caller.Service, req.GetActor()
	err = s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		first, err := w.FindCommand(ctx, command.Scope, command.Key)
		switch {
		case err == nil && first.Body == command.Body:
			return nil
		case err == nil:
			return rpc.Fail("key_reused", "")
		case !errors.Is(err, ErrNotFound):
			return err
		}
		if known, err := w.FindAccounts(ctx, []string{req.GetActor()}); err != nil || len(known) == 0 {
			return cmp.Or(err, ErrNotFound)
		}
		for _, subject := range req.GetSubjects() {
			places, err := w.Places(ctx, []string{subject})
			if err != nil {
				return err
			}
			row := Audit{
				At: command.At, Actor: req.GetActor(), Action: req.GetAction(), Subject: subject,
				Object: req.GetObject(), Why: req.GetWhy(), Times: 1,
			}
			if len(places) > 0 {
				row.Class = places[0].Class
			}
			if err := w.Append(ctx, row); err != nil {
				return err
			}
		}
		return w.Keep(ctx, command)
	})
	if err != nil {
		return nil, problem(err)
	}
	return &accountsv1.RecordAuditResponse{}, nil
}

// ListAudit implements PrivacyService.
func (s *Service) ListAudit(ctx context.Context, req *accountsv1.ListAuditRequest) (*accountsv1.ListAuditResponse, error) {
	caller, _ := identity.From(ctx)
	query := AuditQuery{
		Subject: req.GetSubject(), Actor: req.GetActor(), Action: req.GetAction(), Before: req.GetBefore(),
		Limit: int(cmp.Or(req.GetLimit(), listAudit)),
	}
	var resp *accountsv1.ListAuditResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		resp = &accountsv1.ListAuditResponse{}
		me, err := self(ctx, r)
		if err != nil {
			return err
		}
		query.Classes, query.Subjects = nil, nil
		if req.GetClass() != "" {
			class, err := classFor(ctx, r, req.GetClass(), true)
			if err != nil {
				return err
			}
			if query.Subjects, err = managedIn(ctx, r, class); err != nil {
				return err
			}
			query.Classes = []string{class.ID}
		} else if !caller.Has(RoleOperator) {
			taught, err := r.ClassesTaught(ctx, caller.Account)
			if err != nil {
				return err
			}
			query.Classes = []string{}
			for _, class := range taught {
				query.Classes = append(query.Classes, class.ID)
			}
		}
		rows, err := r.AuditRows(ctx, query)
		if err != nil {
			return err
		}
		for _, row := range rows {
			resp.Entries = append(resp.Entries, row.proto())
		}
		resp.People, resp.Classes, err = auditNames(ctx, r, me, caller.Has(RoleOperator), rows)
		return err
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}

// managedIn are the pupils of a class whose accounts classes made: all that is
// done to those concerns their teachers. An archived class has none.
func managedIn(ctx context.Context, r SchoolReader, class Class) ([]string, error) {
	if class.Archived() {
		return nil, nil
	}
	pupils, err := r.PupilsOf(ctx, class.ID)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, pupil := range active(pupils) {
		ids = append(ids, pupil.Account)
	}
	accounts, err := r.FindAccounts(ctx, ids)
	if err != nil {
		return nil, err
	}
	ids = nil
	for _, account := range accounts {
		if account.Managed {
			ids = append(ids, account.ID)
		}
	}
	return ids, nil
}

// CheckAudit implements PrivacyService.
func (s *Service) CheckAudit(ctx context.Context, req *accountsv1.CheckAuditRequest) (*accountsv1.CheckAuditResponse, error) {
	var resp *accountsv1.CheckAuditResponse
	err := s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		resp = &accountsv1.CheckAuditResponse{}
		last, more, err := checkAudit(ctx, r, req.GetAfter())
		if broken, ok := errors.AsType[*BrokenChainError](err); ok {
			resp.Broken = broken.Number
		} else if err != nil {
			return err
		}
		resp.Checked, resp.More = last.Number, more
		if last.Number > 0 {
			resp.Hash = hex.EncodeToString(last.Hash[:])
		}
		return nil
	})
	if err != nil {
		return nil, problem(err)
	}
	return resp, nil
}

// checkAudit checks checkBatch rows at most, above a number, and says whether there
// are more. Errors: *BrokenChainError.
func checkAudit(ctx context.Context, r SchoolReader, after int32) (last Audit, more bool, err error) {
	if after > 0 {
		rows, err := r.AuditAfter(ctx, after-1, 1)
		if err != nil {
			return Audit{}, false, err
		}
		if len(rows) == 0 || rows[0].Number != after {
			return Audit{}, false, &BrokenChainError{Number: after}
		}
		last = rows[0]
	}
	for range checkBatch / checkRead {
		rows, err := r.AuditAfter(ctx, last.Number, checkRead)
		if err != nil {
			return last, false, err
		}
		if last, err = checkChain(last, rows); err != nil {
			return last, false, err
		}
		if len(rows) < checkRead {
			return last, false, nil
		}
	}
	return last, true, nil
}

// proto is the row as those see it whom it concerns.
func (a Audit) proto() *accountsv1.AuditEntry {
	return &accountsv1.AuditEntry{
		Number: a.Number, At: timestamppb.New(a.At), Actor: a.Actor, Action: a.Action, Subject: a.Subject,
		Class: a.Class, Object: a.Object, Why: a.Why, Count: a.Times, Hash: hex.EncodeToString(a.Hash[:]),
	}
}

// failures counts failed log-ins until the audit log notes them: one row an
// account, not one a guess.
type failures struct {
	mu     sync.Mutex
	counts map[string]int32
}

// add counts one; account is empty for a login that is not there. Of very many
// accounts at once the rest count as nobody's.
func (f *failures) add(account string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts = map[string]int32{}
	}
	if _, known := f.counts[account]; !known && len(f.counts) >= maxTracked {
		account = ""
	}
	if f.counts[account] < 1<<30 {
		f.counts[account]++
	}
}

// take hands out what was counted and begins anew.
func (f *failures) take() map[string]int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	counts := f.counts
	f.counts = nil
	return counts
}

// NoteFailures writes the failed log-ins since the last time into the audit log
// and says how many rows that made.
func (s *Service) NoteFailures(ctx context.Context) (int, error) {
	counts := s.failures.take()
	if len(counts) == 0 {
		return 0, nil
	}
	accounts := make([]string, 0, len(counts))
	for account := range counts {
		accounts = append(accounts, account)
	}
	slices.Sort(accounts)
	now := s.now()
	err := s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		for _, account := range accounts {
			if err := w.Append(ctx, Audit{At: now, Action: actionLoginFailed, Subject: account, Times: counts[account]}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		for account, count := range counts {
			for range count {
				s.failures.add(account) // next time
			}
		}
		return 0, err
	}
	return len(accounts), nil
}

// Tidy forgets codes that ended and lets logins be had again that were kept long
// enough, and says how many.
func (s *Service) Tidy(ctx context.Context) (codes, logins int, err error) {
	now := s.now()
	err = s.store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		if codes, err = w.SweepCodes(ctx, now, sweepBatch); err != nil {
			return err
		}
		if _, err := w.SweepGuesses(ctx, now, sweepBatch); err != nil {
			return err
		}
		logins, err = w.ReleaseLogins(ctx, now.Add(-loginKept))
		return err
	})
	return codes, logins, err
}
