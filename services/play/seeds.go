package play

import (
	"context"
	"hash/fnv"

	"tabuleiro/internal/seeded"
)

// The bugs that are sown on purpose, see package seeded. All are false in a
// build without the tag.

func ignoreKeys() bool  { return seeded.On("key_ignored") }
func ignoreGate() bool  { return seeded.On("gate_not_asked") }
func showForeign() bool { return seeded.On("foreign_readable") }
func keepTurn() bool    { return seeded.On("takeback_keeps_turn") }
func followAgain() bool { return seeded.On("rematched_twice") }
func ackUnstored() bool { return seeded.On("ack_before_commit") }
func keepOutage() bool  { return seeded.On("outage_not_credited") }
func goneEarly() bool   { return seeded.On("gone_too_early") }
func answerNow() bool   { return seeded.On("stale_answer") }

// keepsScore: what is decided later does not change the score of a match.
func keepsScore() bool { return seeded.On("match_score_kept") }

// annulsForgotten lets the deletion of a player annul their rated games.
func annulsForgotten() bool { return seeded.On("deletion_annuls") }

// forgetsDue tells whether a sown bug loses an obligation.
func forgetsDue(o Obligation, game string) bool {
	return seeded.On("due_lost") && o.Kind == DueRate && loses(game)
}

// believeRecent: what is decided on a remembered state counts though the store says
// that the game has moved on.
func believeRecent() bool { return seeded.On("recent_believed") }

func loses(k string) bool {
	h := fnv.New32a()
	h.Write([]byte(k))
	return h.Sum32()%8 == 0
}

// commit writes to the store, unless a sown bug answers commands that were
// never written or whose transaction failed.
func (s *Service) commit(ctx context.Context, c Commit) error {
	if ackUnstored() && c.Command != nil {
		if loses(c.Command.Key) {
			return nil
		}
		if err := s.deps.Store.Commit(ctx, c); err != nil {
			s.deps.Log.Warn("commit failed", "err", err)
		}
		return nil
	}
	return s.store(ctx, c)
}
