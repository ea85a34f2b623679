package accounts

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
)

// auditVersion begins what is hashed, so that another form of it is another hash.
const auditVersion = "tabuleiro audit 1\n"

// sealed is the row with the next number and its hash.
func (a Audit) sealed(last Audit) Audit {
	a.Number = last.Number + 1
	a.At = inMilli(a.At)
	a.Hash = a.sum(last.Hash)
	return a
}

// sum is the hash of the row after a row with the hash before.
func (a Audit) sum(before [32]byte) [32]byte {
	h := sha256.New()
	h.Write([]byte(auditVersion))
	h.Write(before[:])
	for _, n := range []int64{int64(a.Number), a.At.UnixMilli(), int64(a.Times)} {
		addNumber(h, n)
	}
	for _, text := range []string{a.Actor, a.Action, a.Subject, a.Class, a.Object, a.Why} {
		// With its length, so that nothing moves from one field into the next.
		addNumber(h, int64(len(text)))
		h.Write([]byte(text))
	}
	return [32]byte(h.Sum(nil))
}

func addNumber(h hash.Hash, n int64) {
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

// BrokenChainError says where the audit log is not as it was written.
type BrokenChainError struct{ Number int32 }

func (e *BrokenChainError) Error() string {
	return fmt.Sprintf("row %d of the audit log is not as it was written", e.Number)
}

// checkChain checks rows that follow last, in order. It returns the last of them.
// Errors: *BrokenChainError.
func checkChain(last Audit, rows []Audit) (Audit, error) {
	for _, row := range rows {
		if row.Number != last.Number+1 || row.Hash != row.sum(last.Hash) {
			return last, &BrokenChainError{Number: last.Number + 1}
		}
		last = row
	}
	return last, nil
}

// auditOf is the row of a command about its account.
func auditOf(command Command, action string) Audit {
	return Audit{At: command.At, Actor: command.Scope, Action: action, Subject: command.Account, Times: 1}
}
