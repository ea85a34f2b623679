package accounts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"tabuleiro/internal/identity"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
)

const (
	// User codes are four letters and four digits: no vowels, so no words, and
	// nothing that is read as something else. That is one of 650 million, for ten
	// minutes, against a few guesses a minute of those who are logged in.
	userLetters = "BCDFGHJKLMNPQRSTVWXZ"
	userDigits  = "23456789"
	userHalf    = 4
	// pairingLife is how long codes hold.
	pairingLife = 10 * time.Minute
	// pairingPoll is how often a device may ask.
	pairingPoll = 5 * time.Second
	// maxPairings is how many may be open in the installation.
	maxPairings = 1000
	// codeTries is how often a user code that is in use is drawn again.
	codeTries = 5
	// maxBoards is how many boards an account has.
	maxBoards = 20
	// sharedMinutes is how long a shared PC stays logged in unless asked otherwise.
	sharedMinutes = 60
	minShared     = 5
	// boardPrefix begins every board's secret.
	boardPrefix = "tbb_"

	// An account may look at a few codes at once and then one every half minute.
	pairingBurst = 10
	pairingEvery = 30 * time.Second
)

// StartPairing implements AccessService.
func (s *Service) StartPairing(ctx context.Context, req *accountsv1.StartPairingRequest) (*accountsv1.StartPairingResponse, error) {
	device, err := s.secret("")
	if err != nil {
		return nil, err
	}
	now := s.now()
	pairing := Pairing{
		DeviceHash: hashToken(device), Kind: req.GetKind(), Name: strings.TrimSpace(req.GetName()), Network: printable(req.GetNetwork()),
		Status: PairingOpen, CreatedAt: now, ExpiresAt: now.Add(pairingLife),
	}
	for try := 0; ; try++ {
		code, err := s.userCode()
		if err != nil {
			return nil, err
		}
		pairing.UserCode = foldUserCode(code)
		err = s.store.OpenPairing(ctx, pairing, maxPairings)
		switch {
		case errors.Is(err, ErrTaken) && try < codeTries:
			continue
		case errors.Is(err, ErrTaken), errors.Is(err, ErrFull):
			p := rpc.Fail("too_many_requests", "too many devices ask to be let in")
			p.RetryAfter = time.Minute
			return nil, p
		case err != nil:
			return nil, problem(err)
		}
		return &accountsv1.StartPairingResponse{
			DeviceCode: device, UserCode: code, ExpiresAt: timestamppb.New(pairing.ExpiresAt), IntervalS: int32(pairingPoll / time.Second),
		}, nil
	}
}

// userCode draws a code such as WXYZ-2345.
func (s *Service) userCode() (string, error) {
	random := make([]byte, 2*userHalf)
	var code strings.Builder
	for code.Len() < 2*userHalf+1 {
		if _, err := io.ReadFull(s.random, random); err != nil {
			return "", fmt.Errorf("making a user code: %w", err)
		}
		for _, b := range random {
			if code.Len() == userHalf {
				code.WriteByte('-')
			}
			alphabet := userLetters
			if code.Len() > userHalf {
				alphabet = userDigits
			}
			// Bytes beyond the last whole alphabet would favour its first signs.
			if code.Len() < 2*userHalf+1 && int(b) < 256-256%len(alphabet) {
				code.WriteByte(alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return code.String(), nil
}

// foldUserCode is a code however it was typed.
func foldUserCode(code string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		}
		return -1
	}, strings.ToUpper(code))
}

// GetPairing implements AccessService.
func (s *Service) GetPairing(ctx context.Context, req *accountsv1.GetPairingRequest) (*accountsv1.GetPairingResponse, error) {
	caller, _ := identity.From(ctx)
	if err := tried(s.codes, caller.Account, s.now()); err != nil {
		return nil, err
	}
	pairing, err := s.store.Pairing(ctx, foldUserCode(req.GetUserCode()))
	if err == nil {
		err = PairingAnswer{Now: s.now()}.fits(pairing)
	}
	if err != nil {
		return nil, pairingProblem(err)
	}
	return &accountsv1.GetPairingResponse{
		Kind: pairing.Kind, Name: pairing.Name, Network: pairing.Network,
		CreatedAt: timestamppb.New(pairing.CreatedAt), ExpiresAt: timestamppb.New(pairing.ExpiresAt),
	}, nil
}

// ConfirmPairing implements AccessService.
func (s *Service) ConfirmPairing(ctx context.Context, req *accountsv1.ConfirmPairingRequest) (*accountsv1.ConfirmPairingResponse, error) {
	caller, _ := identity.From(ctx)
	if err := tried(s.codes, caller.Account, s.now()); err != nil {
		return nil, err
	}
	now := s.now()
	answer := PairingAnswer{
		UserCode: foldUserCode(req.GetUserCode()), Kind: req.GetKind(), Status: PairingConfirmed, Account: caller.Account, Now: now,
	}
	switch minutes := req.GetMinutes(); {
	case req.GetKind() == DeviceBoard && minutes != 0:
		return nil, badField("minutes", "is for a shared PC")
	case req.GetKind() == DeviceBoard:
		answer.Board = Board{ID: s.newID(), Account: caller.Account, Name: strings.TrimSpace(req.GetName()), CreatedAt: now}
	case req.GetName() != "":
		return nil, badField("name", "is for a board")
	case minutes == 0:
		answer.SessionLife = sharedMinutes * time.Minute
	case minutes < minShared:
		return nil, badField("minutes", "5 to 480")
	default:
		answer.SessionLife = time.Duration(minutes) * time.Minute
	}
	command := s.command(ctx, "ConfirmPairing", fmt.Sprintf("%s %s %d %s", answer.UserCode, req.GetKind(), req.GetMinutes(), req.GetName()))
	command.Account, command.At = caller.Account, now
	err := s.store.AnswerPairing(ctx, answer, maxBoards, command)
	if errors.Is(err, ErrKeyUsed) {
		return s.confirmedBefore(ctx, command)
	}
	if err != nil {
		return nil, pairingProblem(err)
	}
	if answer.Board.ID != "" {
		return s.confirmedBoard(ctx, answer.Board)
	}
	return &accountsv1.ConfirmPairingResponse{}, nil
}

// confirmedBoard reads the board again for the name that it gave itself.
func (s *Service) confirmedBoard(ctx context.Context, made Board) (*accountsv1.ConfirmPairingResponse, error) {
	boards, err := s.store.Boards(ctx, made.Account)
	if err != nil {
		return nil, problem(err)
	}
	for _, board := range boards {
		if board.CreatedAt.Equal(made.CreatedAt) && (made.ID == "" || board.ID == made.ID) {
			return &accountsv1.ConfirmPairingResponse{Board: board.proto()}, nil
		}
	}
	return &accountsv1.ConfirmPairingResponse{}, nil
}

// confirmedBefore answers a command whose key was used.
func (s *Service) confirmedBefore(ctx context.Context, command Command) (*accountsv1.ConfirmPairingResponse, error) {
	first, err := s.repeated(ctx, command)
	if err != nil {
		return nil, problem(err)
	}
	return s.confirmedBoard(ctx, Board{Account: first.Account, CreatedAt: first.At})
}

// DenyPairing implements AccessService.
func (s *Service) DenyPairing(ctx context.Context, req *accountsv1.DenyPairingRequest) (*accountsv1.DenyPairingResponse, error) {
	caller, _ := identity.From(ctx)
	if err := tried(s.codes, caller.Account, s.now()); err != nil {
		return nil, err
	}
	answer := PairingAnswer{UserCode: foldUserCode(req.GetUserCode()), Status: PairingDenied, Account: caller.Account, Now: s.now()}
	if err := s.store.AnswerPairing(ctx, answer, 0, Command{}); err != nil {
		return nil, pairingProblem(err)
	}
	return &accountsv1.DenyPairingResponse{}, nil
}

// TakePairing implements AccessService.
func (s *Service) TakePairing(ctx context.Context, req *accountsv1.TakePairingRequest) (*accountsv1.TakePairingResponse, error) {
	secret, err := s.secret(boardPrefix)
	if err != nil {
		return nil, err
	}
	now := s.now()
	tooSoon := now.Add(-pairingPoll)
	pairing, err := s.store.PollPairing(ctx, hashToken(req.GetDeviceCode()), hashToken(secret), now, tooSoon)
	if err != nil {
		return nil, pairingProblem(err)
	}
	if pairing.PolledAt.After(tooSoon) {
		p := rpc.Fail("too_many_requests", "a device asks every 5 seconds")
		p.RetryAfter = pairing.PolledAt.Sub(tooSoon)
		return nil, p
	}
	switch {
	case pairing.Status == PairingOpen:
		return &accountsv1.TakePairingResponse{Status: "pending", IntervalS: int32(pairingPoll / time.Second)}, nil
	case pairing.Status == PairingDenied:
		return &accountsv1.TakePairingResponse{Status: "denied"}, nil
	case pairing.Kind == DeviceBoard:
		boards, err := s.store.Boards(ctx, pairing.Account)
		if err != nil {
			return nil, problem(err)
		}
		for _, board := range boards {
			if board.ID == pairing.Board {
				return &accountsv1.TakePairingResponse{Status: "confirmed", Board: board.proto(), BoardSecret: secret}, nil
			}
		}
		return &accountsv1.TakePairingResponse{Status: "denied"}, nil // removed since
	}
	session := Session{Account: pairing.Account, Kind: SessionPaired, Device: req.GetDevice(), Network: req.GetNetwork()}
	opened, err := s.open(ctx, session, pairing.SessionLife)
	if err != nil {
		return nil, problem(err)
	}
	return &accountsv1.TakePairingResponse{Status: "confirmed", Session: opened}, nil
}

// ListBoards implements AccessService.
func (s *Service) ListBoards(ctx context.Context, _ *accountsv1.ListBoardsRequest) (*accountsv1.ListBoardsResponse, error) {
	caller, _ := identity.From(ctx)
	boards, err := s.store.Boards(ctx, caller.Account)
	if err != nil {
		return nil, problem(err)
	}
	resp := &accountsv1.ListBoardsResponse{}
	for _, board := range boards {
		resp.Boards = append(resp.Boards, board.proto())
	}
	return resp, nil
}

// RevokeBoard implements AccessService.
func (s *Service) RevokeBoard(ctx context.Context, req *accountsv1.RevokeBoardRequest) (*accountsv1.RevokeBoardResponse, error) {
	caller, _ := identity.From(ctx)
	if err := s.store.RevokeBoard(ctx, caller.Account, req.GetBoard()); err != nil {
		return nil, problem(err)
	}
	return &accountsv1.RevokeBoardResponse{}, nil
}

func (b Board) proto() *accountsv1.Board {
	return &accountsv1.Board{Id: b.ID, Name: b.Name, CreatedAt: timestamppb.New(b.CreatedAt)}
}

// pairingProblem is what a client is told of a code. One that is unknown, used up
// or too old is the same.
func pairingProblem(err error) error {
	switch {
	case errors.Is(err, ErrNotFound):
		return rpc.Fail("pairing_not_found", "")
	case errors.Is(err, ErrOtherKind):
		return rpc.Fail("pairing_kind", "")
	case errors.Is(err, ErrFull):
		return rpc.Fail("too_many_boards", "")
	}
	return problem(err)
}
