package think

import (
	"fmt"
	"strconv"

	"tabuleiro/services/search/engine"
	"tabuleiro/services/search/engine/core"
)

// SetOption sets an option of the engine by name: one of the switches that the
// search of a game has, exact, seed, or in draughts evaluator. The error says what is
// wrong with the name or the value. A table that was used before holds values of
// another search.
func SetOption(opts *engine.Options, rules, name, value string) error {
	if name == "seed" {
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return fmt.Errorf("seed is a number of 32 bits, not %q", value)
		}
		opts.Seed = int32(n)
		return nil
	}
	if name == "evaluator" && rules == "draughts" {
		switch value {
		case "own":
			opts.Evaluator = ""
		case core.EvaluatorF2:
			opts.Evaluator = value
		default:
			return fmt.Errorf("there is no evaluator %q", value)
		}
		return nil
	}
	target := (*bool)(nil)
	if name == "exact" {
		target = &opts.Exact
	}
	for _, s := range opts.SwitchesOf(rules) {
		if s.Name == name {
			target = s.On
		}
	}
	if target == nil {
		return fmt.Errorf("there is no option %q in %s", name, rules)
	}
	on, err := strconv.ParseBool(value)
	if err != nil {
		return fmt.Errorf("%s is true or false, not %q", name, value)
	}
	*target = on
	return nil
}
