package play

import (
	"encoding/json"
	"fmt"
)

// States and events are stored as JSON: every field is optional to a reader, so
// that old rows stay readable, and an operator can read them.

func encodeState(s State) (string, error) { return encode(s) }
func encodeEvent(e Event) (string, error) { return encode(e) }

func encode(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode %T: %w", v, err)
	}
	return string(text), nil
}

func decodeState(text string) (State, error) {
	var s State
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return State{}, fmt.Errorf("decode a state: %w", err)
	}
	return s, nil
}

func decodeEvent(text string) (Event, error) {
	var e Event
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return Event{}, fmt.Errorf("decode an event: %w", err)
	}
	return e, nil
}
