package think

import "tabuleiro/services/search/engine"

// NewTable makes a table of so many MiB, or of as many as fit: no more than three
// quarters of what the machine has, where that is known. A process that asks for
// more is ended by its system. It returns the MiB that the table has.
func NewTable(mebibytes int) (*engine.Table, int) {
	size := fitting(mebibytes, memory())
	return engine.NewTable(size << 20), size
}

// fitting is how many of so many MiB fit a machine with so much memory.
func fitting(mebibytes int, memory uint64) int {
	if most := memory >> 20 / 4 * 3; memory > 0 {
		return min(mebibytes, max(1, int(most)))
	}
	return mebibytes
}
