// Package tutor keeps the course: which lessons there are, who has passed which,
// and whether that opens play against the engine.
//
// The gate of a game is open to an account whose policy is open and to one that
// has passed all lessons of the game. It never closes again: policies move only
// to open, and a passed lesson stays passed.
package tutor

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc"

	"tabuleiro/internal/db"
	"tabuleiro/internal/rpc"
	accountsv1 "tabuleiro/proto/tabuleiro/accounts/v1"
	tutorv1 "tabuleiro/proto/tabuleiro/tutor/v1"
)

// policyOpen is the policy of an account that needs no lessons.
const policyOpen = "open"

// Config is what the course is made of.
type Config struct {
	// Course lists the lessons in their order; nil means DefaultCourse.
	Course []Lesson
}

// Accounts is what the tutor asks of the accounts service.
type Accounts interface {
	GetPlayers(ctx context.Context, in *accountsv1.GetPlayersRequest, opts ...grpc.CallOption) (*accountsv1.GetPlayersResponse, error)
}

// Deps are what the service works with; all are needed.
type Deps struct {
	Store     Store
	Accounts  Accounts
	Relations Relations
}

// Service implements TutorService.
type Service struct {
	tutorv1.UnimplementedTutorServiceServer

	course    []Lesson
	store     Store
	accounts  Accounts
	relations Relations
}

// New makes the service. It starts nothing.
func New(cfg Config, deps Deps) *Service {
	course := cfg.Course
	if course == nil {
		course = DefaultCourse()
	}
	return &Service{course: course, store: deps.Store, accounts: deps.Accounts, relations: deps.Relations}
}

// CheckGate implements TutorService. What is known here comes first, so that
// those who passed all lessons play while accounts is away.
func (s *Service) CheckGate(ctx context.Context, req *tutorv1.CheckGateRequest) (*tutorv1.CheckGateResponse, error) {
	if len(lessonsOf(s.course, req.GetRules())) == 0 {
		return &tutorv1.CheckGateResponse{Open: true}, nil
	}
	passed, err := s.passed(ctx, req.GetAccount())
	if err != nil {
		return nil, err
	}
	left := missing(s.course, req.GetRules(), passed)
	if len(left) == 0 {
		return &tutorv1.CheckGateResponse{Open: true}, nil
	}
	players, err := s.accounts.GetPlayers(ctx, &accountsv1.GetPlayersRequest{Accounts: []string{req.GetAccount()}})
	if err != nil {
		return nil, fmt.Errorf("%w: asking for the policy of an account: %w", rpc.Fail("unavailable", ""), err)
	}
	for _, player := range players.GetPlayers() {
		if player.GetAccount() != req.GetAccount() {
			continue
		}
		if player.GetPolicy() == policyOpen {
			return &tutorv1.CheckGateResponse{Open: true}, nil
		}
		return &tutorv1.CheckGateResponse{Missing: left}, nil
	}
	return nil, rpc.Fail("account_not_found", "")
}

// ListLessons implements TutorService.
func (s *Service) ListLessons(ctx context.Context, req *tutorv1.ListLessonsRequest) (*tutorv1.ListLessonsResponse, error) {
	account, err := s.subject(ctx, req.GetAccount())
	if err != nil {
		return nil, err
	}
	passed, err := s.passed(ctx, account)
	if err != nil {
		return nil, err
	}
	resp := &tutorv1.ListLessonsResponse{}
	places := map[string]int32{}
	for _, lesson := range s.course {
		places[lesson.Rules]++
		if req.GetRules() != "" && req.GetRules() != lesson.Rules {
			continue
		}
		resp.Lessons = append(resp.Lessons, &tutorv1.Lesson{
			Id: lesson.ID, Rules: lesson.Rules, Place: places[lesson.Rules], Passed: passed[lesson.ID],
		})
	}
	return resp, nil
}

// passed is the set of lessons that the account has passed.
func (s *Service) passed(ctx context.Context, account string) (map[string]bool, error) {
	ids, err := s.store.Passed(ctx, account)
	if errors.Is(err, db.ErrUnavailable) {
		err = fmt.Errorf("%w: %w", rpc.Fail("unavailable", ""), err)
	}
	if err != nil {
		return nil, err
	}
	passed := map[string]bool{}
	for _, id := range ids {
		passed[id] = true
	}
	return passed, nil
}
