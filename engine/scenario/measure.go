package scenario

import (
	"math"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Measure is what a row looks at.
type Measure uint8

// The measures. Those from Saved on compare a server with the first one.
const (
	PerKey     Measure = iota // growth of used_memory, bytes a key
	PerField                  // the same of an Extra, a field
	Bytes                     // growth of used_memory, bytes
	Megabytes                 // the same in MB, 10^6 bytes
	Mebibytes                 // the same in MiB, 2^20 bytes
	Usage                     // what MEMORY USAGE prints, bytes
	TableShare                // bytes of the tables, a key
	Encoding                  // OBJECT ENCODING
	Longest                   // longest value kept in the object, bytes
	WithTTL                   // what a TTL adds to Longest
	Answer                    // of a History, as it comes
	Saved                     // growth of used_memory: percent less
	Leaner                    // growth less keys and values: percent less
	Moved                     // Longest: bytes more
)

var measures = [...]struct {
	unit     string
	decimals int
	of       func(c, first *cost) float64
}{
	PerKey:     {"B/key", 3, func(c, _ *cost) float64 { return c.perItem }},
	PerField:   {"B/field", 3, func(c, _ *cost) float64 { return c.perItem }},
	Bytes:      {"B", 0, func(c, _ *cost) float64 { return c.total() }},
	Megabytes:  {"MB", 3, func(c, _ *cost) float64 { return c.total() / 1e6 }},
	Mebibytes:  {"MiB", 3, func(c, _ *cost) float64 { return c.total() / (1 << 20) }},
	Usage:      {"B", 0, func(c, _ *cost) float64 { return c.usage }},
	TableShare: {"B/key", 3, func(c, _ *cost) float64 { return c.table }},
	Encoding:   {},
	Longest:    {"B", 0, func(c, _ *cost) float64 { return float64(c.longest(false)) }},
	WithTTL:    {"B", 0, func(c, _ *cost) float64 { return float64(c.longest(true) - c.longest(false)) }},
	Answer:     {},
	Saved:      {"%", 2, func(c, first *cost) float64 { return 100 - 100*c.perItem/first.perItem }},
	Leaner: {"%", 2, func(c, first *cost) float64 {
		return 100 - 100*(c.perItem-c.payload)/(first.perItem-first.payload)
	}},
	Moved: {"B", 0, func(c, first *cost) float64 { return float64(c.longest(false) - first.longest(false)) }},
}

// compares tells whether a measure needs the first server's.
func (m Measure) compares() bool { return m >= Saved }

func (c *cost) total() float64 { return float64(c.perItem * float64(c.n)) }

func (c *cost) longest(ttl bool) int {
	b := sweep.StringBudget(c.release, c.key, 0, false)
	if ttl {
		return b.WithTTL
	}
	return b.Cutoff
}

// none is the longest value where there is none.
const none = "none"

// value is the measure of a cost.
func (m Measure) value(c, first *cost) value {
	switch {
	case m == Encoding:
		return value{text: c.encoding}
	case m == Longest && c.longest(false) < 0:
		return value{text: none}
	}
	v := measures[m].of(c, first)
	return value{
		text: string(number(v, measures[m].decimals)), number: v, isNumber: true,
		spread: c.spread, shift: func(bytes float64) float64 { return m.shift(c, first, bytes) },
	}
}

// shift is what some bytes more of used_memory of all keys do to the measure: of every server alike.
func (m Measure) shift(c, first *cost, bytes float64) float64 {
	more := *c
	more.perItem += bytes / float64(c.n)
	then := more
	if first != nil {
		then = *first
		then.perItem += bytes / float64(first.n)
	}
	return measures[m].of(&more, &then) - measures[m].of(c, first)
}

// parse reads a published figure: its number, and how far the true one may be from it, as it was rounded.
func parse(text string) (v, rounding float64, ok bool) {
	digits, about := strings.CutPrefix(text, "about ")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, 0, false
	}
	if about {
		return v, math.Abs(v) / 20, true
	}
	_, fraction, _ := strings.Cut(digits, ".")
	return v, math.Pow10(-len(fraction)) / 2, true
}
