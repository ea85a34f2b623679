package pairing

import (
	"math"
	"slices"
)

// weight is a weight or a sum of weights, as several numbers of which each counts
// only where those before it are equal: as one number it would need hundreds of
// bits. The method below needs sums, differences, halves and an order, and each
// number by itself stays as whole as a plain one would.
type weight [parts]int64

const parts = 7

func (w weight) plus(o weight) weight {
	for i := range w {
		w[i] += o[i]
	}
	return w
}

func (w weight) minus(o weight) weight {
	for i := range w {
		w[i] -= o[i]
	}
	return w
}

func (w weight) half() weight {
	for i := range w {
		w[i] /= 2
	}
	return w
}

// less compares without copying.
func less(a, b *weight) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func smaller(a, b weight) weight {
	if less(&b, &a) {
		return b
	}
	return a
}

// matching finds a matching of the largest weight in a graph, in O(n^3): the
// primal-dual method with blossoms of Edmonds, as Galil describes it (Efficient
// algorithms for finding maximum matching in graphs, 1986). Vertices are numbered
// from 1; vertices above n are blossoms. The first number of a weight is positive; 0
// is no edge.
type matching struct {
	n, last int
	edges   [][]edge
	dual    []weight
	mate    []int
	slack   []int
	// base is the outermost blossom that a vertex is in; 0 for none.
	base    []int
	parent  []int
	from    [][]int
	label   []int // -1 free, 0 even, 1 odd
	visited []int
	visit   int
	flower  [][]int
	queue   []int
}

type edge struct {
	u, v   int
	weight weight
}

// heaviest is the mate of each vertex from 1 to n, 0 for none. weight is
// symmetrical.
func heaviest(n int, weightOf func(u, v int) weight) []int {
	size := n + n/2 + 2
	m := &matching{
		n: n, last: n, edges: make([][]edge, size), dual: make([]weight, size), mate: make([]int, size), slack: make([]int, size),
		base: make([]int, size), parent: make([]int, size), from: make([][]int, size), label: make([]int, size),
		visited: make([]int, size), flower: make([][]int, size),
	}
	var most weight
	for u := range size {
		m.edges[u], m.from[u] = make([]edge, size), make([]int, n+1)
		for v := range size {
			m.edges[u][v] = edge{u: u, v: v}
		}
		if u <= n {
			m.base[u] = u
		}
	}
	for u := 1; u <= n; u++ {
		m.from[u][u] = u
		for v := 1; v <= n; v++ {
			if u != v {
				m.edges[u][v].weight = weightOf(min(u, v), max(u, v))
				if less(&most, &m.edges[u][v].weight) {
					most = m.edges[u][v].weight
				}
			}
		}
	}
	for u := 1; u <= n; u++ {
		m.dual[u] = most
	}
	for m.grow() {
	}
	return m.mate[:n+1]
}

func (m *matching) delta(e *edge) weight {
	d, a, b, w := weight{}, &m.dual[e.u], &m.dual[e.v], &m.edges[e.u][e.v].weight
	for i := range d {
		d[i] = a[i] + b[i] - 2*w[i]
	}
	return d
}

// tightEdge tells that an edge has no slack.
func (m *matching) tightEdge(e *edge) bool {
	a, b, w := &m.dual[e.u], &m.dual[e.v], &m.edges[e.u][e.v].weight
	for i := range w {
		if a[i]+b[i] != 2*w[i] {
			return false
		}
	}
	return true
}

// slacker tells that one edge has less slack than another.
func (m *matching) slacker(e, o *edge) bool {
	a, b := m.delta(e), m.delta(o)
	return less(&a, &b)
}

func (m *matching) updateSlack(u, x int) {
	if m.slack[x] == 0 || m.slacker(&m.edges[u][x], &m.edges[m.slack[x]][x]) {
		m.slack[x] = u
	}
}

func (m *matching) setSlack(x int) {
	m.slack[x] = 0
	for u := 1; u <= m.n; u++ {
		if m.edges[u][x].weight[0] > 0 && m.base[u] != x && m.label[m.base[u]] == 0 {
			m.updateSlack(u, x)
		}
	}
}

func (m *matching) push(x int) {
	if x <= m.n {
		m.queue = append(m.queue, x)
		return
	}
	for _, y := range m.flower[x] {
		m.push(y)
	}
}

func (m *matching) setBase(x, b int) {
	m.base[x] = b
	if x > m.n {
		for _, y := range m.flower[x] {
			m.setBase(y, b)
		}
	}
}

// place is where a part stands in its blossom, counted the even way round.
func (m *matching) place(b, part int) int {
	at := slices.Index(m.flower[b], part)
	if at%2 == 1 {
		slices.Reverse(m.flower[b][1:])
		return len(m.flower[b]) - at
	}
	return at
}

func (m *matching) setMate(u, v int) {
	e := m.edges[u][v]
	m.mate[u] = e.v
	if u <= m.n {
		return
	}
	part := m.from[u][e.u]
	at := m.place(u, part)
	for i := range at {
		m.setMate(m.flower[u][i], m.flower[u][i^1])
	}
	m.setMate(part, v)
	m.flower[u] = append(slices.Clone(m.flower[u][at:]), m.flower[u][:at]...)
}

func (m *matching) augment(u, v int) {
	for {
		next := m.base[m.mate[u]]
		m.setMate(u, v)
		if next == 0 {
			return
		}
		m.setMate(next, m.base[m.parent[next]])
		u, v = m.base[m.parent[next]], next
	}
}

func (m *matching) ancestor(u, v int) int {
	m.visit++
	for u != 0 || v != 0 {
		if u != 0 {
			if m.visited[u] == m.visit {
				return u
			}
			m.visited[u] = m.visit
			if u = m.base[m.mate[u]]; u != 0 {
				u = m.base[m.parent[u]]
			}
		}
		u, v = v, u
	}
	return 0
}

func (m *matching) addBlossom(u, top, v int) {
	b := m.n + 1
	for b <= m.last && m.base[b] != 0 {
		b++
	}
	m.last = max(m.last, b)
	m.dual[b], m.label[b], m.mate[b] = weight{}, 0, m.mate[top]
	m.flower[b] = []int{top}
	side := func(x int) {
		for x != top {
			y := m.base[m.mate[x]]
			m.flower[b] = append(m.flower[b], x, y)
			m.push(y)
			x = m.base[m.parent[y]]
		}
	}
	side(u)
	slices.Reverse(m.flower[b][1:])
	side(v)
	m.setBase(b, b)
	for x := 1; x <= m.last; x++ {
		m.edges[b][x].weight, m.edges[x][b].weight = weight{}, weight{}
	}
	clear(m.from[b])
	for _, part := range m.flower[b] {
		for x := 1; x <= m.last; x++ {
			if m.edges[b][x].weight[0] == 0 || m.slacker(&m.edges[part][x], &m.edges[b][x]) {
				m.edges[b][x], m.edges[x][b] = m.edges[part][x], m.edges[x][part]
			}
		}
		for x := 1; x <= m.n; x++ {
			if m.from[part][x] != 0 {
				m.from[b][x] = part
			}
		}
	}
	m.setSlack(b)
}

func (m *matching) expand(b int) {
	for _, part := range m.flower[b] {
		m.setBase(part, part)
	}
	part := m.from[b][m.edges[b][m.parent[b]].u]
	at := m.place(b, part)
	for i := 0; i < at; i += 2 {
		x, next := m.flower[b][i], m.flower[b][i+1]
		m.parent[x] = m.edges[next][x].u
		m.label[x], m.label[next] = 1, 0
		m.slack[x] = 0
		m.setSlack(next)
		m.push(next)
	}
	m.label[part], m.parent[part] = 1, m.parent[b]
	for _, x := range m.flower[b][at+1:] {
		m.label[x] = -1
		m.setSlack(x)
	}
	m.base[b] = 0
}

// tight takes an edge without slack; true where the matching has grown by it.
func (m *matching) tight(e edge) bool {
	u, v := m.base[e.u], m.base[e.v]
	switch m.label[v] {
	case -1:
		m.parent[v], m.label[v] = e.u, 1
		next := m.base[m.mate[v]]
		m.slack[v], m.slack[next] = 0, 0
		m.label[next] = 0
		m.push(next)
	case 0:
		top := m.ancestor(u, v)
		if top == 0 {
			m.augment(u, v)
			m.augment(v, u)
			return true
		}
		m.addBlossom(u, top, v)
	}
	return false
}

// grow makes the matching one edge larger; false where that gains nothing.
func (m *matching) grow() bool {
	for x := 1; x <= m.last; x++ {
		m.label[x], m.slack[x] = -1, 0
	}
	m.queue = m.queue[:0]
	for x := 1; x <= m.last; x++ {
		if m.base[x] == x && m.mate[x] == 0 {
			m.parent[x], m.label[x] = 0, 0
			m.push(x)
		}
	}
	if len(m.queue) == 0 {
		return false
	}
	for {
		if m.scan() {
			return true
		}
		if !m.adjust() {
			return false
		}
		m.queue = m.queue[:0]
		for x := 1; x <= m.last; x++ {
			if m.base[x] == x && m.slack[x] != 0 && m.base[m.slack[x]] != x && m.tightEdge(&m.edges[m.slack[x]][x]) {
				if m.tight(m.edges[m.slack[x]][x]) {
					return true
				}
			}
		}
		for b := m.n + 1; b <= m.last; b++ {
			if m.base[b] == b && m.label[b] == 1 && m.dual[b] == (weight{}) {
				m.expand(b)
			}
		}
	}
}

// scan looks at the edges of even vertices; true where the matching has grown.
func (m *matching) scan() bool {
	for len(m.queue) > 0 {
		u := m.queue[0]
		m.queue = m.queue[1:]
		if m.label[m.base[u]] == 1 {
			continue
		}
		for v := 1; v <= m.n; v++ {
			if m.edges[u][v].weight[0] <= 0 || m.base[u] == m.base[v] {
				continue
			}
			if !m.tightEdge(&m.edges[u][v]) {
				m.updateSlack(u, m.base[v])
			} else if m.tight(m.edges[u][v]) {
				return true
			}
		}
	}
	return false
}

// adjust changes the duals so that an edge becomes tight; false where a dual
// would be negative, which ends the search.
func (m *matching) adjust() bool {
	d := weight{math.MaxInt64}
	for b := m.n + 1; b <= m.last; b++ {
		if m.base[b] == b && m.label[b] == 1 {
			d = smaller(d, m.dual[b].half())
		}
	}
	for x := 1; x <= m.last; x++ {
		if m.base[x] != x || m.slack[x] == 0 {
			continue
		}
		switch m.label[x] {
		case -1:
			d = smaller(d, m.delta(&m.edges[m.slack[x]][x]))
		case 0:
			d = smaller(d, m.delta(&m.edges[m.slack[x]][x]).half())
		}
	}
	for u := 1; u <= m.n; u++ {
		switch m.label[m.base[u]] {
		case 0:
			if !less(&d, &m.dual[u]) {
				return false
			}
			m.dual[u] = m.dual[u].minus(d)
		case 1:
			m.dual[u] = m.dual[u].plus(d)
		}
	}
	for b := m.n + 1; b <= m.last; b++ {
		if m.base[b] != b {
			continue
		}
		switch m.label[b] {
		case 0:
			m.dual[b] = m.dual[b].plus(d).plus(d)
		case 1:
			m.dual[b] = m.dual[b].minus(d).minus(d)
		}
	}
	return true
}
