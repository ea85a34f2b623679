package core

// Full tells how full the table is with what was stored since Age, in thousandths,
// from a sample of its slots.
func (t *Table) Full() int {
	n := min(len(t.slots), 1000)
	age := t.age.Load() & 63
	used := 0
	for i := range n {
		if data := t.slots[i].data.Load(); data != 0 && uint32(data>>58) == age {
			used++
		}
	}
	return used * 1000 / n
}
