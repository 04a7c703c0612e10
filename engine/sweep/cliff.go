package sweep

// Cliff is a value length at which a pair of servers changes: an encoding, or the difference
// between them.
type Cliff struct {
	Row           // the shape: Key, Field, Fields, TTL, History, Keys
	A, B      int // indexes of the servers into Spec.Servers, A before B
	From, To  int // the last length before the change and the first after it
	Before    [2]Cell
	After     [2]Cell
	Kind      CliffKind
	Shorter   [2]int // nearest shorter length that costs less than To, on A and on B; -1 = none
	Longer    [2]int // nearest longer length that costs less than To; -1 = none
	DeltaWas  Micro  // B's bytes per key less A's at From, tables included
	DeltaIs   Micro  // and at To
	Last      bool   // the difference does not change again in the range looked at
	Sentences []string
}

// CliffKind ranks cliffs.
type CliffKind uint8

// The kinds, the weightiest first.
const (
	WinnerChanges   CliffKind = iota // the server that costs less becomes equal or more, or the other way
	EncodingChanges                  // one of them keeps the value otherwise
	StepChanges                      // the difference changes with a size class
)

var kindOfCliff = [...]string{"winner", "encoding", "step"}

func (k CliffKind) String() string { return kindOfCliff[k] }

// Excess is a run of value lengths at which B costs more than A by one and the same amount.
type Excess struct {
	Row
	A, B     int
	From, To int
	Delta    Micro
}

// around is how far cliffs are looked for on both sides of a single value length.
const around = 64

// lookAhead bounds the search for a longer length that costs less.
const lookAhead = 1024

// CliffRange is the value lengths that cliffs are looked for in: every one between the shortest and
// the longest of the specification, whatever its steps; around a single one on both sides.
func (p *Plan) CliffRange() (from, to int) {
	from, to = p.Spec.Value.Bounds()
	if from == to {
		from, to = max(0, from-around), to+around
	}
	if p.Spec.ValueKind == Int {
		from, to = max(1, from), min(to, maxIntText)
	}
	return from, to
}

// CliffPoints is the number of points that Cliffs looks at.
func (p *Plan) CliffPoints() int {
	from, to := p.CliffRange()
	n := mul(len(p.models), to-from+1)
	return mul(n, p.points/(len(p.models)*p.Spec.Value.Len()))
}

// Cliffs yields the cliffs of every pair of servers and every shape, by value length.
func (p *Plan) Cliffs(yield func(*Cliff) bool) {
	p.pairs(func(at Row, x pair) bool {
		return p.pairSteps(at, x, func(c *Cliff) bool {
			for i, s := range []shape{x.sa, x.sb} {
				c.Shorter[i], c.Longer[i] = cheaper(s, c.To, p.mostValue())
			}
			c.Sentences = p.explain(c)
			return yield(c)
		})
	})
}

// Steps yields the cliffs without their sentences and without the cheaper lengths around them, which
// take longer to find than the cliffs.
func (p *Plan) Steps(yield func(*Cliff) bool) {
	p.pairs(func(at Row, x pair) bool { return p.pairSteps(at, x, yield) })
}

// Excesses yields the runs of lengths at which the second server of a pair costs more.
func (p *Plan) Excesses(yield func(*Excess) bool) {
	p.pairs(func(at Row, x pair) bool { return p.pairExcesses(at, x, yield) })
}

// pair is two servers prepared for a shape.
type pair struct {
	a, b   int // indexes of the servers
	sa, sb shape
	tables Micro // share of b's tables less that of a's
}

// delta is what b costs more than a.
func (x *pair) delta(value int) Micro {
	return x.sb.at(value).Allocated - x.sa.at(value).Allocated + x.tables
}

// pairs visits every pair of servers for every shape but for the value.
func (p *Plan) pairs(visit func(at Row, x pair) bool) {
	shapes, tables := make([]shape, len(p.models)), make([]Micro, len(p.models))
	for at := range p.shapes {
		for i, m := range p.models {
			shapes[i] = p.shape(m, &at)
			tables[i] = p.tableShare(m, at.Key, at.Keys, at.TTL)
		}
		for a := range shapes {
			for b := a + 1; b < len(shapes); b++ {
				if !visit(at, pair{a, b, shapes[a], shapes[b], tables[b] - tables[a]}) {
					return
				}
			}
		}
	}
}

func (p *Plan) shapes(yield func(Row) bool) {
	s := &p.Spec
	for _, ttl := range s.TTL {
		for _, h := range s.History {
			for n := range s.Keys.All {
				for key := range s.Key.All {
					for fields := range s.Fields.All {
						for field := range s.Field.All {
							if !yield(Row{TTL: ttl, History: h, Keys: n, Key: key, Fields: fields, Field: field}) {
								return
							}
						}
					}
				}
			}
		}
	}
}

func (p *Plan) pairSteps(at Row, x pair, yield func(*Cliff) bool) bool {
	from, to := p.CliffRange()
	last := lastChange(&x, from, to)
	before := [2]Cell{x.sa.at(from), x.sb.at(from)}
	was := x.delta(from)
	for v := from + 1; v <= to; v++ {
		after := [2]Cell{x.sa.at(v), x.sb.at(v)}
		is := after[1].Allocated - after[0].Allocated + x.tables
		if was != is || before[0].Encoding != after[0].Encoding || before[1].Encoding != after[1].Encoding {
			c := &Cliff{Row: at, A: x.a, B: x.b, From: v - 1, To: v, Before: before, After: after, DeltaWas: was, DeltaIs: is}
			c.Value, c.Last, c.Kind = v, v >= last, kindOf(c)
			if !yield(c) {
				return false
			}
		}
		before, was = after, is
	}
	return true
}

// lastChange is the last length at which the difference between two servers changes.
func lastChange(x *pair, from, to int) int {
	end := x.delta(to)
	for v := to; v > from; v-- {
		if x.delta(v-1) != end {
			return v
		}
	}
	return from
}

func (p *Plan) mostValue() int {
	if p.Spec.ValueKind == Int {
		return maxIntText
	}
	return maxLength
}

func kindOf(c *Cliff) CliffKind {
	switch {
	case sign(c.DeltaWas) != sign(c.DeltaIs):
		return WinnerChanges
	case c.Before[0].Encoding != c.After[0].Encoding || c.Before[1].Encoding != c.After[1].Encoding:
		return EncodingChanges
	}
	return StepChanges
}

// sign tells who costs less. Blocks differ by 8 bytes or more: a fraction is the tables' chance.
func sign(m Micro) int {
	switch {
	case m <= -microByte/2:
		return -1
	case m >= microByte/2:
		return 1
	}
	return 0
}

// cheaper is the nearest length on either side that costs less than value; -1 where there is none.
func cheaper(s shape, value, most int) (shorter, longer int) {
	cost := s.at(value).Allocated
	shorter, longer = -1, -1
	for v := value - 1; v >= 0 && shorter < 0; v-- {
		if s.at(v).Allocated < cost {
			shorter = v
		}
	}
	for v := value + 1; v <= min(value+lookAhead, most) && longer < 0; v++ {
		if s.at(v).Allocated < cost {
			longer = v
		}
	}
	return shorter, longer
}

// Cheaper is the nearest value length on either side of a row's that costs less on its server; -1
// where there is none. A longer one can cost less in 8.1 with a TTL.
func (p *Plan) Cheaper(r *Row) (shorter, longer int) {
	return cheaper(p.shape(p.models[r.Server], r), r.Value, p.mostValue())
}

func (p *Plan) pairExcesses(at Row, x pair, yield func(*Excess) bool) bool {
	from, to := p.CliffRange()
	run := Excess{Row: at, A: x.a, B: x.b, From: from}
	for v := from; v <= to+1; v++ {
		var d Micro
		if v <= to {
			d = x.delta(v)
		}
		if sign(d) <= 0 {
			d = 0
		}
		if d == run.Delta {
			continue
		}
		run.To = v - 1
		if run.Delta > 0 && !yield(&run) {
			return false
		}
		run = Excess{Row: at, A: x.a, B: x.b, From: v, Delta: d}
	}
	return true
}
