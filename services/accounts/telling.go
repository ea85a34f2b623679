package accounts

import (
	"context"
	"time"
)

// telling is a Store that says whose sessions a change of the school's ended, once
// that is committed.
type telling struct {
	Store
	ended func(account string)
}

// Change implements School.
func (s telling) Change(ctx context.Context, f func(ctx context.Context, w SchoolWriter) error) error {
	var accounts []string
	err := s.Store.Change(ctx, func(ctx context.Context, w SchoolWriter) error {
		accounts = nil
		return f(ctx, tellingWriter{w, &accounts})
	})
	if err == nil {
		for _, account := range accounts {
			s.ended(account)
		}
	}
	return err
}

// tellingWriter notes the accounts.
type tellingWriter struct {
	SchoolWriter
	accounts *[]string
}

// EndAll implements SchoolWriter.
func (w tellingWriter) EndAll(ctx context.Context, account string) error {
	*w.accounts = append(*w.accounts, account)
	return w.SchoolWriter.EndAll(ctx, account)
}

// Erase implements SchoolWriter.
func (w tellingWriter) Erase(ctx context.Context, account string, at time.Time) error {
	*w.accounts = append(*w.accounts, account)
	return w.SchoolWriter.Erase(ctx, account, at)
}
