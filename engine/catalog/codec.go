package catalog

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
)

// A Table is what one release knows.
type Table struct {
	Version   string // "9.1.2"
	Derived   bool   // worked out from another release's, not asked
	NoneIsSet bool   // COMMAND INFO in RESP3 writes "no subcommands" as an empty set
	Commands  []*Command
	Configs   []*Config

	LooseNumbers    bool   // before 9.1: a memory size over 64 bits is the largest instead of refused, a double may be in hex
	ChecksClusterIP bool   // cluster-announce-ip refuses what cannot be an address
	BadNodeName     string // bytes that cluster-announce-human-nodename refuses
}

// Encode writes tables, with equal entries once. It is for internal/gencatalog.
func Encode(tables []Table) []byte {
	e := &codec{writing: true, index: map[string]int{}}
	e.tables(&tables)
	var strs []byte
	strs = binary.AppendUvarint(strs, uint64(len(e.strings)))
	for _, s := range e.strings {
		strs = binary.AppendUvarint(strs, uint64(len(s)))
		strs = append(strs, s...)
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	w.Write(strs)
	w.Write(e.buf)
	w.Close()
	return out.Bytes()
}

// decode reads what Encode wrote.
func decode(data []byte) ([]Table, error) {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, err
	}
	d := &codec{buf: raw}
	d.strings = make([]string, d.length())
	for i := range d.strings {
		d.strings[i] = d.text()
	}
	var tables []Table
	d.tables(&tables)
	if d.broken || len(d.buf) > 0 {
		return nil, errors.New("catalog: broken data")
	}
	return tables, nil
}

// A codec writes or reads: each of its methods describes a part of the format once for both.
type codec struct {
	writing bool
	broken  bool // reading went past the end or out of range
	buf     []byte
	strings []string
	index   map[string]int // writing: of strings

	commands []*Command
	configs  []*Config
}

func (c *codec) uint(n *uint64) {
	if c.writing {
		c.buf = binary.AppendUvarint(c.buf, *n)
		return
	}
	v, size := binary.Uvarint(c.buf)
	if size <= 0 {
		c.broken, c.buf = true, nil
		*n = 0
		return
	}
	*n, c.buf = v, c.buf[size:]
}

func (c *codec) int64(n *int64) {
	u := uint64(*n)<<1 ^ uint64(*n>>63)
	c.uint(&u)
	*n = int64(u>>1) ^ -int64(u&1)
}

func (c *codec) int(n *int) {
	v := int64(*n)
	c.int64(&v)
	*n = int(v)
}

// length reads a count, which cannot be more than the bytes left.
func (c *codec) length() int {
	var n uint64
	c.uint(&n)
	if n > uint64(len(c.buf)) {
		c.broken, c.buf = true, nil
		return 0
	}
	return int(n)
}

func (c *codec) text() string {
	n := c.length()
	s := string(c.buf[:n])
	c.buf = c.buf[n:]
	return s
}

func (c *codec) string(s *string) {
	var i uint64
	if c.writing {
		at, ok := c.index[*s]
		if !ok {
			at = len(c.strings)
			c.index[*s] = at
			c.strings = append(c.strings, *s)
		}
		i = uint64(at)
	}
	c.uint(&i)
	if !c.writing {
		if i >= uint64(len(c.strings)) {
			c.broken = true
			return
		}
		*s = c.strings[i]
	}
}

// list describes a list by its element.
func list[T any](c *codec, l *[]T, element func(*T)) {
	if c.writing {
		n := uint64(len(*l))
		c.uint(&n)
	} else if n := c.length(); n > 0 {
		*l = make([]T, n)
	}
	for i := range *l {
		element(&(*l)[i])
	}
}

func (c *codec) stringList(l *[]string) { list(c, l, c.string) }

func (c *codec) bools(flags ...*bool) {
	var u uint64
	for i, f := range flags {
		if *f {
			u |= 1 << i
		}
	}
	c.uint(&u)
	for i, f := range flags {
		*f = u>>i&1 == 1
	}
}

func (c *codec) tables(t *[]Table) {
	if c.writing {
		c.collect(*t)
	}
	list(c, &c.commands, func(p **Command) {
		if !c.writing {
			*p = new(Command)
		}
		c.command(*p)
	})
	list(c, &c.configs, func(p **Config) {
		if !c.writing {
			*p = new(Config)
		}
		c.config(*p)
	})
	list(c, t, c.table)
}

func (c *codec) table(t *Table) {
	c.string(&t.Version)
	c.bools(&t.Derived, &t.NoneIsSet, &t.LooseNumbers, &t.ChecksClusterIP)
	c.string(&t.BadNodeName)
	references(c, &t.Commands, c.commands)
	references(c, &t.Configs, c.configs)
}

// references describes a list of pointers as numbers of a pool, each as the distance from the one before.
func references[T any](c *codec, l *[]*T, pool []*T) {
	at := map[*T]int{}
	if c.writing {
		for i, p := range pool {
			at[p] = i
		}
	}
	last := 0
	list(c, l, func(p **T) {
		step := at[*p] - last
		c.int(&step)
		last += step
		if c.writing {
			return
		}
		if last < 0 || last >= len(pool) {
			c.broken, last = true, 0
			return
		}
		*p = pool[last]
	})
}

// collect makes the pools, with entries of equal bytes once, and points the tables at them.
func (c *codec) collect(tables []Table) {
	c.commands = unite(tables, func(t *Table) []*Command { return t.Commands }, (*codec).command)
	c.configs = unite(tables, func(t *Table) []*Config { return t.Configs }, (*codec).config)
}

func unite[T any](tables []Table, of func(*Table) []*T, describe func(*codec, *T)) []*T {
	scratch := &codec{writing: true, index: map[string]int{}}
	have := map[string]*T{}
	var pool []*T
	for t := range tables {
		l := of(&tables[t])
		for i, p := range l {
			scratch.buf = nil
			describe(scratch, p)
			key := string(scratch.buf)
			if have[key] == nil {
				have[key] = p
				pool = append(pool, p)
			}
			l[i] = have[key]
		}
	}
	return pool
}

func (c *codec) command(m *Command) {
	c.string(&m.FullName)
	c.int(&m.Arity)
	c.stringList(&m.Flags)
	c.int(&m.FirstKey)
	c.int(&m.LastKey)
	c.int(&m.KeyStep)
	c.stringList(&m.Categories)
	c.stringList(&m.Tips)
	list(c, &m.KeySpecs, c.keySpec)
	list(c, &m.Subcommands, func(p **Command) {
		if !c.writing {
			*p = new(Command)
		}
		c.command(*p)
	})
	c.string(&m.Summary)
	c.string(&m.Since)
	c.string(&m.Group)
	c.string(&m.Complexity)
	c.stringList(&m.DocFlags)
	c.string(&m.DeprecatedSince)
	c.string(&m.ReplacedBy)
	list(c, &m.History, func(h *Change) {
		c.string(&h.Since)
		c.string(&h.Text)
	})
	list(c, &m.Arguments, c.argument)
	c.stringList(&m.Help)
}

func (c *codec) keySpec(k *KeySpec) {
	c.string(&k.Notes)
	c.stringList(&k.Flags)
	c.string(&k.Begin.Type)
	c.int(&k.Begin.Index)
	c.string(&k.Begin.Keyword)
	c.int(&k.Begin.StartFrom)
	c.string(&k.Find.Type)
	c.int(&k.Find.LastKey)
	c.int(&k.Find.Limit)
	c.int(&k.Find.KeyStep)
	c.int(&k.Find.KeyNumIdx)
	c.int(&k.Find.FirstKey)
}

func (c *codec) argument(a *Argument) {
	c.string(&a.Name)
	t := uint64(a.Type)
	c.uint(&t)
	if t >= uint64(len(argTypes)) {
		c.broken, t = true, 0
	}
	a.Type = ArgType(t)
	c.string(&a.DisplayText)
	c.int(&a.KeySpec)
	c.string(&a.Token)
	c.string(&a.Summary)
	c.string(&a.Since)
	c.string(&a.DeprecatedSince)
	c.bools(&a.Optional, &a.Multiple, &a.MultipleToken, &a.HasToken)
	list(c, &a.Arguments, c.argument)
}
