package pdn

// Place is where the next game begins: its line and column, both from 1, columns
// in bytes. What follows may be read by a new Reader.
func (r *Reader) Place() (line, column int) {
	if r.after != nil {
		return r.after.at.line, r.after.at.column
	}
	return r.in.line, r.in.column
}
