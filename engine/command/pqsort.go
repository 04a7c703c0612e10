package command

// partialSort sorts as far as the places from lo to hi, both included, have what they would have
// after a full sort (pqsort.c): the quicksort of Bentley and McIlroy, leaving out partitions outside
// the range. Equal elements come out in the same order as in the server, which a stable sort would
// not give.
func partialSort[T any](a []T, lo, hi int, cmp func(x, y *T) int) {
	p := partial[T]{a, lo, hi, cmp}
	p.sort(0, len(a))
}

type partial[T any] struct {
	a      []T
	lo, hi int
	cmp    func(x, y *T) int
}

const (
	insertionBelow = 7  // elements
	ninthsAbove    = 40 // from here on the pivot is the middle of nine
)

func (p *partial[T]) less(i, j int) int { return p.cmp(&p.a[i], &p.a[j]) }
func (p *partial[T]) swap(i, j int)     { p.a[i], p.a[j] = p.a[j], p.a[i] }

// sort sorts the n elements from place at on.
func (p *partial[T]) sort(at, n int) {
	for {
		if n < insertionBelow {
			p.insertion(at, n)
			return
		}
		p.swap(at, p.pivot(at, n))
		left, right := p.partition(at, n)
		if left > 1 && p.wanted(at, left) {
			p.sort(at, left)
		}
		if right <= 1 || !p.wanted(at+n-right, right) {
			return
		}
		at, n = at+n-right, right
	}
}

// wanted tells whether places of the range are among the n from at on.
func (p *partial[T]) wanted(at, n int) bool { return p.hi >= at && p.lo < at+n }

func (p *partial[T]) insertion(at, n int) {
	for i := at + 1; i < at+n; i++ {
		for j := i; j > at && p.less(j-1, j) > 0; j-- {
			p.swap(j, j-1)
		}
	}
}

func (p *partial[T]) pivot(at, n int) int {
	m := at + n/2
	if n == insertionBelow {
		return m
	}
	l, r := at, at+n-1
	if n > ninthsAbove {
		d := n / 8
		l, m, r = p.median(l, l+d, l+2*d), p.median(m-d, m, m+d), p.median(r-2*d, r-d, r)
	}
	return p.median(l, m, r)
}

func (p *partial[T]) median(a, b, c int) int {
	if p.less(a, b) < 0 {
		switch {
		case p.less(b, c) < 0:
			return b
		case p.less(a, c) < 0:
			return c
		}
		return a
	}
	switch {
	case p.less(b, c) > 0:
		return b
	case p.less(a, c) < 0:
		return a
	}
	return c
}

// partition puts what is smaller than the element at the front, then what equals it, then what is
// larger, and returns how many are smaller and how many larger.
func (p *partial[T]) partition(at, n int) (left, right int) {
	end := at + n
	a, b := at+1, at+1 // equal ones are gathered at both ends first
	c, d := end-1, end-1
	for {
		for b <= c {
			r := p.less(b, at)
			if r > 0 {
				break
			}
			if r == 0 {
				p.swap(a, b)
				a++
			}
			b++
		}
		for b <= c {
			r := p.less(c, at)
			if r < 0 {
				break
			}
			if r == 0 {
				p.swap(c, d)
				d--
			}
			c--
		}
		if b > c {
			break
		}
		p.swap(b, c)
		b++
		c--
	}
	p.swapRanges(at, b, min(a-at, b-a))
	p.swapRanges(b, end, min(d-c, end-d-1))
	return b - a, d - c
}

// swapRanges exchanges the first n elements from i on with the n before end.
func (p *partial[T]) swapRanges(i, end, n int) {
	for k := range n {
		p.swap(i+k, end-n+k)
	}
}
