package lab

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// changes remembers when values were converted to another encoding, and what they were before.
type changes struct {
	step int                       // lines run
	last []map[string]*wire.Change // one map a server
}

// maxChanges is how many keys a server's changes are remembered of.
const maxChanges = 1000

// was is a value before a command, in one server.
type was struct {
	key      string
	encoding object.Encoding
	kind     object.Type
	pieces   []wire.Piece
}

// before looks at the first key that a command names, where its value is one that may be converted: a listpack or an
// intset, which is one block beside its object. It costs next to nothing, so that it can be done for every command.
func (l *Lab) before(args []string) []*was {
	b := make([][]byte, len(args))
	for i, a := range args {
		b[i] = []byte(a)
	}
	out := make([]*was, len(l.lab.Servers))
	for i, s := range l.lab.Servers {
		keys := s.KeysOf(b)
		if len(keys) == 0 {
			continue
		}
		p := s.Client.DB.Peek(keys[0])
		if p == 0 {
			continue
		}
		o := s.H.At(p)
		if e := object.EncodingOf(o); e == object.Listpack || e == object.Intset {
			out[i] = &was{string(keys[0]), e, object.TypeOf(o), []wire.Piece{{Kind: "object", Size: s.H.Usable(p)}, {Kind: e.String(), Size: s.H.Usable(heap.Ptr(object.Val(o)))}}}
		}
	}
	return out
}

// note remembers a conversion that a command made.
func (c *changes) note(lab *engine.Lab, line string, before []*was, step *engine.Step) {
	for i, s := range lab.Servers {
		if before[i] == nil {
			continue
		}
		for len(c.last) < len(lab.Servers) {
			c.last = append(c.last, map[string]*wire.Change{})
		}
		key := before[i].key
		p := s.Client.DB.Peek([]byte(key))
		if p == 0 {
			continue
		}
		o := s.H.At(p)
		if object.TypeOf(o) != before[i].kind || object.EncodingOf(o) == before[i].encoding || len(c.last[i]) >= maxChanges {
			continue
		}
		c.last[i][key] = &wire.Change{Step: c.step, Line: clipped(line), From: before[i].encoding.String(), To: object.EncodingOf(o).String(),
			Before: before[i].pieces, After: summary(s, key), Why: step.Effects[i].Why}
	}
}

// of is the last change of a key in one server.
func (c *changes) of(server int, key string) *wire.Change {
	if server >= len(c.last) {
		return nil
	}
	return c.last[server][key]
}

// forget drops the changes of a key that is gone.
func (c *changes) forget(key string) {
	for _, m := range c.last {
		delete(m, key)
	}
}

// clipped keeps a line short enough to be quoted.
func clipped(line string) string {
	const most = 200
	if len(line) <= most {
		return line
	}
	return line[:most] + "…"
}

// summarized is how many blocks of a value are summed up; of larger values the rest is one piece.
const summarized = 2000

// summary is a key's blocks by kind.
func summary(s *engine.Server, key string) (out []wire.Piece) {
	p, err := s.LayoutOf(key, summarized)
	if err != nil {
		return nil
	}
	at, count, sum := map[string]int{}, map[string]int{}, 0
	for _, b := range p.Blocks {
		k := kind(b)
		n, ok := at[k]
		if !ok {
			n = len(out)
			at[k] = n
			out = append(out, wire.Piece{Kind: k})
		}
		out[n].Size += b.Size
		count[k]++
		sum += b.Size
	}
	for i := range out {
		if n := count[out[i].Kind]; n > 1 {
			out[i].Kind = fmt.Sprintf("%s × %d", out[i].Kind, n)
		}
	}
	if p.Total > sum {
		out = append(out, wire.Piece{Kind: "more", Size: p.Total - sum})
	}
	return out
}
