package play

import "slices"

// maxTalk bounds the events of a game beyond two for each of its plies: people
// offer, touch and take back now and then, and a program that does so in a loop
// must not grow a game for ever. Moves and what ends a game are never refused.
const maxTalk = 1000

// talkedOut tells a game in which far too much has been asked.
func (s State) talkedOut() bool { return s.Version > 2*int32(len(s.Plies))+maxTalk }

// onlyTalk tells what asks the opponent for something, or undoes, and ends nothing.
func onlyTalk(c Command, events []Event) bool {
	switch c.(type) {
	case OfferDraw, OfferTakeback, Touch, GiveTime, Suspend, OfferRematch:
		return !slices.ContainsFunc(events, func(e Event) bool { return e.Kind == KindFinished || e.Kind == KindRematched })
	}
	return false
}
