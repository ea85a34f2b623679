package farm

import (
	"log/slog"
	"time"

	"tabuleiro/internal/bus"
	busv1 "tabuleiro/proto/tabuleiro/bus/v1"
)

// subscriberBuffer bounds the messages of helpers that wait to be read.
const subscriberBuffer = 64

// invite tells workers of a search, hands out its tasks and gossips with its
// helpers until it is done. What fails is tried again at the next announcement:
// the bus may come back.
func (c *Coordinator) invite(s *search) {
	var leave []func()
	defer func() {
		for _, f := range leave {
			f()
		}
	}()
	listening := false
	announce := time.NewTicker(c.cfg.AnnounceEvery)
	defer announce.Stop()
	gossip := time.NewTicker(c.cfg.GossipEvery)
	defer gossip.Stop()
	for {
		if !listening {
			listening = c.listen(s, &leave)
		}
		if listening {
			c.tell(bus.SearchOpen, &busv1.SearchOpen{
				Id: s.id, Lane: laneInteractive, Rules: s.position.Rules, Wanted: int32(s.wanted),
				Present: int32(s.present()), LeftMs: int32(max(s.left().Milliseconds(), 0)),
			})
		}
		for announced := false; !announced; {
			select {
			case <-s.done:
				if listening {
					c.tell(bus.SearchStop(s.id), &busv1.SearchStop{})
				}
				return
			case <-gossip.C:
				c.gossip(s)
			case <-announce.C:
				announced = true
			}
		}
	}
}

// listen subscribes to what helpers say.
func (c *Coordinator) listen(s *search, leave *[]func()) bool {
	task, err := c.deps.Bus.Subscribe(bus.SearchTask(s.id), subscriberBuffer, func(m Message) {
		var in busv1.SearchTaskRequest
		if s.hears() && m.Decode(&in) == nil {
			// A worker that gets no answer asks again.
			_ = m.Respond(s.task(s.join(in.GetWorker())))
		}
	})
	if err != nil {
		c.deps.Log.Debug("search cannot be offered to workers", slog.Any("error", err))
		return false
	}
	tt, err := c.deps.Bus.Subscribe(bus.SearchTT(s.id), subscriberBuffer, func(m Message) {
		var in busv1.SearchGossip
		if s.hears() && m.Decode(&in) == nil {
			s.hear(&in)
		}
	})
	if err != nil {
		task()
		return false
	}
	*leave = append(*leave, task, tt)
	return true
}

// gossip sends the coordinator's own deep entries to its helpers.
func (c *Coordinator) gossip(s *search) {
	if s.present() == 0 {
		return
	}
	if entries := s.out.take(); len(entries) > 0 {
		c.tell(bus.SearchTT(s.id), &busv1.SearchGossip{Entries: entries})
	}
}
