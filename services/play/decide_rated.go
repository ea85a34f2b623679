package play

import "strings"

// mayBeRated refuses a rated game that would not be a fair one, with the fields
// of the request that are why.
func mayBeRated(c Create) error {
	if !c.Rated {
		return nil
	}
	var fields []string
	for _, why := range []struct {
		field string
		holds bool
	}{
		{"options.hints", c.Options.Hints},
		{"options.takebacks", c.Options.Takebacks},
		{"opponent", c.Opponent == OpponentSelf || c.Opponent == OpponentEngines},
		{"record", len(c.Plies) > 0},
		{"start", c.Start != "" && len(c.Plies) == 0},
	} {
		if why.holds {
			fields = append(fields, why.field)
		}
	}
	if len(fields) == 0 {
		return nil
	}
	return &Refused{
		Code: "rated_not_allowed", Fields: fields,
		Detail: "a game with these cannot count for ratings: " + strings.Join(fields, ", "),
	}
}
