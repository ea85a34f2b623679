package play

import "slices"

// Audited says that the audit log has a decision: that of event Decision.
type Audited struct{ Decision int32 }

func (Audited) command() {}

func decideAudited(s State, c Audited, at int64) ([]Event, error) {
	if len(s.unheard(c.Decision)) == len(s.Audits) {
		return nil, refuse("not_due", "the audit log waits for no such decision")
	}
	return []Event{{Kind: KindAudited, At: at, Decision: c.Decision}}, nil
}

// unheard are the decisions that the audit log has not heard of but for one.
func (s State) unheard(but int32) []Audit {
	var left []Audit
	for _, a := range s.Audits {
		if a.Version != but {
			left = append(left, a)
		}
	}
	return slices.Clip(left)
}

// decision is how a game was decided, as a word of the audit log.
func (s State) decision() string {
	switch s.Result() {
	case "1-0":
		return "first_wins"
	case "0-1":
		return "second_wins"
	case "1/2-1/2":
		return "draw"
	}
	return "annulled"
}
