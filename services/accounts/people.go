package accounts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

// registerScope is the scope of the keys of registrations, which nobody makes
// while logged in.
const registerScope = "register"

// Register implements AccountsService.
func (s *Service) Register(ctx context.Context, req *accountsv1.RegisterRequest) (*accountsv1.RegisterResponse, error) {
	form := registration{
		login: req.GetLogin(), password: req.GetPassword(), firstName: req.GetFirstName(), surname: req.GetSurname(),
		birthDate: req.GetBirthDate(), sex: req.GetSex(), policy: req.GetPolicy(),
	}.tidy()
	account, err := form.account(s.required, s.now())
	if err != nil {
		return nil, problem(err)
	}
	command := Command{Scope: registerScope, Key: rpc.Key(ctx), Body: form.body(), At: account.CreatedAt}
	switch _, err := s.store.Command(ctx, command.Scope, command.Key); {
	case err == nil:
		return s.registeredBefore(ctx, command, form.password)
	case !errors.Is(err, ErrNotFound):
		return nil, problem(err)
	}

	hash, err := s.hasher.Hash(ctx, form.password)
	if err != nil {
		return nil, problem(err)
	}
	account.ID = s.newID()
	command.Account = account.ID
	err = s.store.Create(ctx, Person{Account: account, PasswordHash: hash}, command)
	if errors.Is(err, ErrKeyUsed) {
		return s.registeredBefore(ctx, command, form.password)
	}
	if err != nil {
		return nil, problem(err)
	}
	return &accountsv1.RegisterResponse{Account: account.proto(nil)}, nil
}

// registeredBefore answers a registration whose key was used. The password is no
// part of the stored body: it is the same when it opens the account.
func (s *Service) registeredBefore(ctx context.Context, asked Command, password string) (*accountsv1.RegisterResponse, error) {
	first, err := s.repeated(ctx, asked)
	if err != nil {
		return nil, problem(err)
	}
	person, err := s.store.Person(ctx, first.Account)
	if err != nil {
		return nil, problem(fmt.Errorf("reading an account: %w", err))
	}
	switch same, err := s.hasher.Verify(ctx, password, person.PasswordHash); {
	case err != nil:
		return nil, problem(err)
	case !same:
		return nil, rpc.Fail("key_reused", "")
	}
	return &accountsv1.RegisterResponse{Account: person.proto(nil)}, nil
}

// GetMe implements AccountsService.
func (s *Service) GetMe(ctx context.Context, _ *accountsv1.GetMeRequest) (*accountsv1.GetMeResponse, error) {
	account, err := s.own(ctx)
	if err != nil {
		return nil, err
	}
	return &accountsv1.GetMeResponse{Account: account}, nil
}

// own is the caller's account with its ratings.
func (s *Service) own(ctx context.Context) (*accountsv1.Account, error) {
	caller, _ := identity.From(ctx)
	return s.account(ctx, caller.Account)
}

func (s *Service) account(ctx context.Context, id string) (*accountsv1.Account, error) {
	accounts, err := s.store.Accounts(ctx, []string{id})
	if err != nil {
		return nil, problem(err)
	}
	if len(accounts) == 0 || !accounts[0].alive() {
		return nil, problem(ErrNotFound)
	}
	standings, err := s.store.Standings(ctx, []string{id})
	if err != nil {
		return nil, problem(err)
	}
	now := s.now()
	ratings := make([]*accountsv1.Rating, len(standings))
	for i, standing := range standings {
		ratings[i] = standing.proto(now)
	}
	return accounts[0].proto(ratings), nil
}

// OpenPolicy implements AccountsService.
func (s *Service) OpenPolicy(ctx context.Context, req *accountsv1.OpenPolicyRequest) (*accountsv1.OpenPolicyResponse, error) {
	if err := s.mayOpen(ctx, req.GetAccount()); err != nil {
		return nil, problem(err)
	}
	command := s.command(ctx, "OpenPolicy", req.GetAccount())
	command.Account = req.GetAccount()
	err := s.store.OpenPolicy(ctx, req.GetAccount(), command)
	if errors.Is(err, ErrKeyUsed) {
		_, err = s.repeated(ctx, command)
	}
	if err != nil {
		return nil, problem(err)
	}
	return &accountsv1.OpenPolicyResponse{Policy: PolicyOpen}, nil
}

// mayOpen refuses accounts that are gone and, of a teacher, those that are no
// pupils of theirs. Errors: ErrNotFound.
func (s *Service) mayOpen(ctx context.Context, account string) error {
	return s.store.View(ctx, func(ctx context.Context, r SchoolReader) error {
		if caller, _ := identity.From(ctx); caller.Has(RoleOperator) {
			_, err := living(ctx, r, account)
			return err
		}
		me, err := self(ctx, r)
		if err != nil {
			return err
		}
		_, _, err = related(ctx, r, s.now(), me, account, relationTeacher)
		return err
	})
}

// GetPlayers implements AccountsService.
func (s *Service) GetPlayers(ctx context.Context, req *accountsv1.GetPlayersRequest) (*accountsv1.GetPlayersResponse, error) {
	wanted := req.GetAccounts()
	if login := req.GetLogin(); login != "" && !strings.ContainsRune(login, 0) {
		person, err := s.store.PersonByLogin(ctx, login)
		switch {
		case err == nil:
			wanted = append(slices.Clip(wanted), person.ID)
		case !errors.Is(err, ErrNotFound):
			return nil, problem(err)
		}
	}
	accounts, err := s.store.Accounts(ctx, wanted)
	if err != nil {
		return nil, problem(err)
	}
	byID := map[string]*accountsv1.Player{}
	accounts = slices.DeleteFunc(accounts, func(a Account) bool { return !a.alive() })
	for _, account := range accounts {
		byID[account.ID] = &accountsv1.Player{
			Account: account.ID, Name: account.Login, Policy: account.Policy,
			Protected: account.protected(s.now()), PublicGames: account.publicGames(s.now()),
		}
	}
	if req.GetRules() != "" {
		standings, err := s.store.Standings(ctx, wanted)
		if err != nil {
			return nil, problem(err)
		}
		now, pool := s.now(), Pool{Rules: req.GetRules(), Speed: req.GetSpeed()}
		for _, account := range accounts {
			byID[account.ID].Rating = start(account, pool).proto(now)
		}
		for _, standing := range standings {
			if player := byID[standing.Account]; player != nil && standing.Pool == pool {
				player.Rating = standing.proto(now)
			}
		}
	}
	resp := &accountsv1.GetPlayersResponse{}
	for _, id := range wanted {
		if player := byID[id]; player != nil {
			resp.Players = append(resp.Players, player)
		}
	}
	for _, name := range req.GetLevels() {
		if level, ok := s.levels[name]; ok {
			resp.Levels = append(resp.Levels, &accountsv1.Player{Name: name, Rating: &accountsv1.Rating{
				Rules: req.GetRules(), Speed: req.GetSpeed(),
				Rating: int32(math.Round(level.Value)), Deviation: int32(math.Round(level.Deviation)),
			}})
		}
	}
	return resp, nil
}

// proto is the account as its owner sees it.
func (a Account) proto(ratings []*accountsv1.Rating) *accountsv1.Account {
	return &accountsv1.Account{
		Id: a.ID, Login: a.Login, FirstName: a.FirstName, Surname: a.Surname, BirthDate: a.BirthDate, Sex: a.Sex,
		Policy: a.Policy, Roles: a.roles(), CreatedAt: timestamppb.New(a.CreatedAt), Ratings: ratings,
	}
}

// roles are all roles of the account, the one that everyone has first.
func (a Account) roles() []string { return append([]string{RoleLearner}, a.Roles...) }

// proto is the rating with its record, as it stands now.
func (s Standing) proto(now time.Time) *accountsv1.Rating {
	rating := s.now(now)
	return &accountsv1.Rating{
		Rules: s.Pool.Rules, Speed: s.Pool.Speed,
		Rating: rounded(rating.Value), Deviation: rounded(rating.Deviation), Provisional: rating.Provisional(),
		Wins: s.Wins, Draws: s.Draws, Losses: s.Losses,
	}
}
