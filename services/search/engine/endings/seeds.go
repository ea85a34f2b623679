package endings

// seed names a bug that the tests sow, to prove that verifying finds it.
type seed string

const (
	captureOptional seed = "a capture may be left alone"
	shortestCapture seed = "of captures any is chosen, not the best"
	crownedTheirs   seed = "after a crowning the same side is to move"
	crownedLate     seed = "what loses by crownings is looked at too early"
	kingsJump       seed = "kings pass over the piece set apart"
	menBackwards    seed = "men move both ways"
	lossesShort     seed = "who loses does not hold out"
)
