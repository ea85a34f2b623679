package play

import (
	"testing"

	"tabuleiro/internal/db"
	"tabuleiro/internal/db/dbtest"
)

// TestClaimsOfACrashAreReleasedAtTheStart: a person whose server crashed while
// the engine thought does not wait for the dead process's claim to end.
func TestClaimsOfACrashAreReleasedAtTheStart(t *testing.T) {
	dbtest.Each(t, Migrations(), func(t *testing.T, d *db.DB) {
		s, ctx, base := NewSQL(d), t.Context(), at(0).UnixMilli()
		must(t, s.Commit(ctx, create(t, "g1", engineSeat("white"), person("black"), &Settings{InitialMS: 60_000})))
		engine := Due{Game: "g1", Kind: DueEngine, Version: 1, At: base}
		flag := Due{Game: "g1", Kind: DueFlag, Version: 1, At: base + 60_000}
		claimed, ok, err := s.Claim(ctx, engine, base+3000)
		must(t, err)
		if !ok {
			t.Fatal("not claimed")
		}
		must(t, s.ReleaseClaims(ctx, base+1))
		claimed.At = base + 1
		wantDue(t, s, base+1, claimed)
		wantDue(t, s, base+60_000, flag, claimed) // a flag falls when it falls
	})
}
