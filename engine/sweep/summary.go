package sweep

import (
	"slices"
	"strconv"
)

// Summary is the text table of a sweep with one row a server for each run of points that cost the same. It keeps no more
// rows than it was told, whatever the length of the sweep.
type Summary struct {
	e       *textRows
	along   func(*Row) *int // the field that changes fastest
	point   []Row           // the servers of the point that is being read
	run     []Row           // the first point of the run
	last    int             // value along of the run's last point
	most    int
	shown   int
	Omitted int // runs beyond those kept
	b       []byte
}

// NewSummary keeps at most so many runs. Columns that others tell too are left out where lines would be longer than width
// letters.
func NewSummary(p *Plan, most, width int) *Summary {
	s := &Summary{e: newText(p), most: most}
	name, high := "", 0
	for _, f := range []struct {
		name string
		axis Axis
		of   func(*Row) *int
	}{ // slowest first, as Rows has them
		{"keys", p.Spec.Keys, func(r *Row) *int { return &r.Keys }},
		{"key", p.Spec.Key, func(r *Row) *int { return &r.Key }},
		{"fields", p.Spec.Fields, func(r *Row) *int { return &r.Fields }},
		{"field", p.Spec.Field, func(r *Row) *int { return &r.Field }},
		{"value", p.Spec.Value, func(r *Row) *int { return &r.Value }},
	} {
		if s.along == nil || f.axis.Len() > 1 {
			name, s.along = f.name, f.of
			_, high = f.axis.Bounds()
		}
	}
	for i := range s.e.cols {
		if c := &s.e.cols[i]; c.name == name {
			c.width = max(len(name), len("..")+2*len(strconv.Itoa(high)))
			c.cell = s.span
		}
	}
	s.e.narrow(width)
	s.b = s.e.begin(nil)
	return s
}

// narrow leaves columns out until lines fit into width letters, or no more can be left out.
func (e *textRows) narrow(width int) {
	for _, name := range []string{"table", "memory_usage", "delta_percent", "allocated"} {
		total := -len("  ")
		for _, c := range e.cols {
			total += c.width + len("  ")
		}
		if total <= width {
			return
		}
		e.cols = slices.DeleteFunc(e.cols, func(c textColumn) bool { return c.name == name })
	}
}

// span is the field that changes fastest, from a run's first point to its last.
func (s *Summary) span(b []byte, r *Row) []byte {
	from := *s.along(r)
	b = strconv.AppendInt(b, int64(from), 10)
	if s.last != from {
		b = strconv.AppendInt(append(b, ".."...), int64(s.last), 10)
	}
	return b
}

// Add takes the next row, in the plan's order.
func (s *Summary) Add(r *Row) {
	if r.First() {
		s.point = s.point[:0]
	}
	if s.point = append(s.point, *r); len(s.point) < len(s.e.p.models) {
		return
	}
	if !s.alike() {
		s.end()
		s.run = append(s.run[:0], s.point...)
	}
	s.last = *s.along(&s.point[0])
}

// alike tells whether the point differs from the run in the field that changes fastest only.
func (s *Summary) alike() bool {
	if len(s.run) != len(s.point) {
		return false
	}
	for i := range s.run {
		a, b := s.run[i], s.point[i]
		*s.along(&a) = *s.along(&b)
		if a != b {
			return false
		}
	}
	return true
}

// end writes the run.
func (s *Summary) end() {
	switch {
	case len(s.run) == 0:
		return
	case s.shown == s.most:
		s.Omitted++
		return
	}
	s.shown++
	for i := range s.run {
		s.b = s.e.row(s.b, &s.run[i])
	}
}

// Text is the table, when every row was added.
func (s *Summary) Text() []byte {
	s.end()
	s.run = nil
	return s.b
}
