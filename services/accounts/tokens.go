package accounts

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// tokenPrefix begins every access token, so that scanners of published text find
	// those that leaked.
	tokenPrefix = "tbl_"
	// maxTokens is how many an account has at once.
	maxTokens = 20
	// tokenDays is how many days a token lasts unless asked otherwise.
	tokenDays = 90
)

// CreateToken implements AccessService.
func (s *Service) CreateToken(ctx context.Context, req *accountsv1.CreateTokenRequest) (*accountsv1.CreateTokenResponse, error) {
	caller, _ := identity.From(ctx)
	text, err := s.secret(tokenPrefix)
	if err != nil {
		return nil, err
	}
	days := int(req.GetDays())
	if days == 0 {
		days = tokenDays
	}
	if !validName(req.GetName()) {
		return nil, badField("name", "1 to 64 characters, none of them a control character")
	}
	now := s.now()
	token := AccessToken{
		ID: s.newID(), Account: caller.Account, Name: req.GetName(), Hash: hashToken(text),
		Scopes: slices.Sorted(slices.Values(req.GetScopes())), CreatedAt: now, ExpiresAt: now.AddDate(0, 0, days),
	}
	body := strings.Join([]string{strconv.Itoa(days), strings.Join(token.Scopes, " "), token.Name}, "\n")
	command := s.command(ctx, "CreateToken", body)
	command.Account, command.At = caller.Account, now
	err = s.store.CreateToken(ctx, token, maxTokens, command)
	switch {
	case errors.Is(err, ErrKeyUsed):
		return s.createdBefore(ctx, command, token, text)
	case errors.Is(err, ErrFull):
		return nil, rpc.Fail("too_many_tokens", "")
	case err != nil:
		return nil, problem(err)
	}
	return &accountsv1.CreateTokenResponse{Token: token.proto(), Text: text}, nil
}

// createdBefore answers a command whose key was used. The first text is stored
// nowhere: whoever asks again has not got it, so the token gets another one, unless
// somebody has used it.
func (s *Service) createdBefore(ctx context.Context, command Command, asked AccessToken, text string) (*accountsv1.CreateTokenResponse, error) {
	first, err := s.repeated(ctx, command)
	if err != nil {
		return nil, problem(err)
	}
	tokens, err := s.store.TokensOf(ctx, asked.Account, s.now())
	if err != nil {
		return nil, problem(err)
	}
	i := slices.IndexFunc(tokens, func(t AccessToken) bool { return t.CreatedAt.Equal(first.At) && t.Name == asked.Name })
	if i < 0 { // revoked since
		return nil, rpc.Fail("key_reused", "the token of this command was revoked")
	}
	renewed, err := s.store.RenewToken(ctx, tokens[i].ID, asked.Hash)
	if err != nil {
		return nil, problem(err)
	}
	if !renewed {
		text = ""
	}
	return &accountsv1.CreateTokenResponse{Token: tokens[i].proto(), Text: text}, nil
}

// ListTokens implements AccessService.
func (s *Service) ListTokens(ctx context.Context, _ *accountsv1.ListTokensRequest) (*accountsv1.ListTokensResponse, error) {
	caller, _ := identity.From(ctx)
	list, err := s.store.TokensOf(ctx, caller.Account, s.now())
	if err != nil {
		return nil, problem(err)
	}
	resp := &accountsv1.ListTokensResponse{}
	for _, token := range list {
		resp.Tokens = append(resp.Tokens, token.proto())
	}
	return resp, nil
}

// RevokeToken implements AccessService.
func (s *Service) RevokeToken(ctx context.Context, req *accountsv1.RevokeTokenRequest) (*accountsv1.RevokeTokenResponse, error) {
	caller, _ := identity.From(ctx)
	if err := s.store.RevokeToken(ctx, caller.Account, req.GetToken()); err != nil {
		return nil, problem(err)
	}
	s.ended(caller.Account)
	return &accountsv1.RevokeTokenResponse{}, nil
}

// authenticateToken finds who a program speaks for. The operator's rights are
// never lent to one.
func (s *Service) authenticateToken(ctx context.Context, text string) (*accountsv1.AuthenticateResponse, error) {
	token, account, err := s.store.Token(ctx, hashToken(text))
	if errors.Is(err, ErrNotFound) {
		return nil, rpc.Fail("token_ended", "")
	}
	if err != nil {
		return nil, problem(err)
	}
	now := s.now()
	if !token.ExpiresAt.After(now) {
		return nil, rpc.Fail("token_ended", "")
	}
	if now.Sub(token.UsedAt) >= sessionTouch {
		if err := s.store.TouchToken(ctx, token.ID, now); err != nil {
			return nil, problem(err)
		}
	}
	roles, err := s.rolesNow(ctx, account)
	if err != nil {
		return nil, problem(err)
	}
	roles = slices.DeleteFunc(roles, func(role string) bool { return role == RoleOperator })
	return &accountsv1.AuthenticateResponse{Account: account.ID, Session: token.ID, Roles: roles, Scopes: token.Scopes}, nil
}

func (t AccessToken) proto() *accountsv1.Token {
	token := &accountsv1.Token{
		Id: t.ID, Name: t.Name, Scopes: t.Scopes, CreatedAt: timestamppb.New(t.CreatedAt), ExpiresAt: timestamppb.New(t.ExpiresAt),
	}
	if !t.UsedAt.IsZero() {
		token.UsedAt = timestamppb.New(t.UsedAt.Truncate(time.Second))
	}
	return token
}
