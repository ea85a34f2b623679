package think

import "sync"

// Held is a search whose answer is held back: it is said once the search has
// ended and may be said, which an infinite one may not before it is stopped.
type Held struct {
	thought *Thought
	once    sync.Once
	may     chan struct{} // closed when the answer may be said
	said    chan struct{} // closed when it was
}

// Hold lets say speak of a search, from a goroutine that ends with it.
func Hold(t *Thought, say func(Result)) *Held {
	h := &Held{thought: t, may: make(chan struct{}), said: make(chan struct{})}
	go func() {
		defer close(h.said)
		result := t.Wait()
		<-h.may
		say(result)
	}()
	return h
}

// Release says that the answer may be said once there is one.
func (h *Held) Release() { h.once.Do(func() { close(h.may) }) }

// Hit makes limits of time count from now on, and releases.
func (h *Held) Hit() {
	h.thought.Hit()
	h.Release()
}

// Halt stops the search and waits until its answer was said.
func (h *Held) Halt() {
	h.thought.Stop()
	h.Release()
	<-h.said
}
