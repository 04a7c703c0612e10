package catalog

// ConfigKind is how a directive's value is read and printed.
type ConfigKind int

// The kinds. Text of a directive with rules of its own is checked in special.go.
const (
	KindText ConfigKind = iota
	KindBool
	KindEnum
	KindInteger
	KindMemory // bytes, with units kb, mb, gb, k, m, g
	KindOctal
	KindUnsigned
)

// A Config is one directive of CONFIG GET.
type Config struct {
	Name         string
	Default      string // as CONFIG GET prints it
	Twin         string // another name of the same value, as hash-max-ziplist-entries; "" if there is none
	Kind         ConfigKind
	Immutable    bool // only at start
	Protected    bool // only if enable-protected-configs allows
	Hidden       bool // CONFIG GET finds it by its full name only
	Words        bool // the value is a list of words
	Percent      bool // memory, or a percentage of maxmemory, kept as a negative number
	SignedMemory bool // memory, or a negative number
	Unbounded    bool // any unsigned 64-bit number
	Min, Max     int64
	Enum         []string // what it may be
	Prints       []string // what CONFIG GET prints for each of Enum
}

func (c *codec) config(g *Config) {
	c.string(&g.Name)
	c.string(&g.Default)
	c.string(&g.Twin)
	kind := int(g.Kind)
	c.int(&kind)
	g.Kind = ConfigKind(kind)
	c.bools(&g.Immutable, &g.Protected, &g.Hidden, &g.Words, &g.Percent, &g.SignedMemory, &g.Unbounded)
	c.int64(&g.Min)
	c.int64(&g.Max)
	c.stringList(&g.Enum)
	c.stringList(&g.Prints)
}
