package accounts

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// codeAlphabet is Crockford's: no letter that reads like another sign.
	codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	// codeLength gives 60 random bits, out of reach of guesses over a network.
	codeLength = 12
	codeGroup  = 4

	// An account may try a few codes at once and then one a minute.
	claimBurst = 5
	claimEvery = time.Minute
)

// NewOperatorCode makes the one-time code of an installation that has neither a
// code nor an operator, stores its hash, and returns it in groups of four; empty
// for any other installation. What it returns is stored nowhere.
func (s *Service) NewOperatorCode(ctx context.Context) (string, error) {
	code, err := s.newCode()
	if err != nil {
		return "", err
	}
	fresh, err := s.store.KeepCode(ctx, hashCode(code), s.now())
	if err != nil || !fresh {
		return "", err
	}
	return code, nil
}

// newCode makes a code in groups of four.
func (s *Service) newCode() (string, error) {
	random := make([]byte, codeLength)
	if _, err := io.ReadFull(s.random, random); err != nil {
		return "", fmt.Errorf("making a code: %w", err)
	}
	var code strings.Builder
	for i, b := range random {
		if i > 0 && i%codeGroup == 0 {
			code.WriteByte('-')
		}
		code.WriteByte(codeAlphabet[int(b)%len(codeAlphabet)])
	}
	return code.String(), nil
}

// ClaimOperator implements AccountsService.
func (s *Service) ClaimOperator(ctx context.Context, req *accountsv1.ClaimOperatorRequest) (*accountsv1.ClaimOperatorResponse, error) {
	caller, _ := identity.From(ctx)
	if ok, wait := s.claims.try(caller.Account, s.now()); !ok {
		p := rpc.Fail("too_many_requests", "")
		p.RetryAfter = wait
		return nil, p
	}
	hash := hashCode(req.GetCode())
	command := s.command(ctx, "ClaimOperator", string(hash[:]))
	command.Account = caller.Account
	err := s.store.Claim(ctx, caller.Account, hash, command)
	if errors.Is(err, ErrKeyUsed) {
		_, err = s.repeated(ctx, command)
	}
	if err != nil {
		return nil, problem(err)
	}
	account, err := s.account(ctx, caller.Account)
	if err != nil {
		return nil, err
	}
	return &accountsv1.ClaimOperatorResponse{Account: account}, nil
}

// hashCode hashes a code however it was typed.
func hashCode(code string) [32]byte {
	return sha256.Sum256([]byte(typedCode(code)))
}

// typedCode is a code without what people write otherwise.
func typedCode(code string) string {
	return strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(code))
}

// command is a command of the caller, whose body is the method and what it asks.
func (s *Service) command(ctx context.Context, method, body string) Command {
	caller, _ := identity.From(ctx)
	return Command{
		Scope: caller.Account, Key: rpc.Key(ctx), Body: sha256.Sum256([]byte(method + "\n" + body)), At: s.now(),
	}
}
