package scenario

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/populate"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/engine/sweep"
)

// cost is what a population takes on one server. Of a shape with several points it is their sum.
type cost struct {
	release  *release.Release
	key      int // bytes of a key
	n        int // items
	encoding string
	usage    float64 // what MEMORY USAGE prints of a key
	table    float64 // bytes of the tables, of a key
	perItem  float64 // growth of used_memory, of an item
	payload  float64 // bytes of keys and values
	spread   float64 // bytes by which a hash seed may move used_memory of all
}

// cost counts a How on a server, once a run.
func (r *run) cost(h How, server string) (cost, error) {
	at := [2]string{h.String(), server}
	if c, ok := r.costs[at]; ok {
		return c, nil
	}
	var c cost
	var err error
	switch h := h.(type) {
	case Shape:
		c, err = r.shape(h, server)
	case Items:
		c, err = r.items(h, server)
	case Extra:
		c, err = r.extra(h, server)
	}
	if err == nil {
		r.costs[at] = c
	}
	return c, err
}

// shape counts by arithmetic, or builds what is one point.
func (r *run) shape(s Shape, server string) (cost, error) {
	plan, err := s.plan(server)
	if err != nil {
		return cost{}, err
	}
	c := cost{release: plan.Releases[0]}
	for row := range plan.Rows {
		c.key, c.n, c.encoding = row.Key, row.Keys, row.Encoding.String()
		c.usage += row.Usage.Float()
		c.table += row.Table.Float()
		c.perItem += row.PerKey.Float()
		c.payload += float64(row.Key + row.Value)
		c.spread = float64(plan.TableSpread(row).Float() * float64(row.Keys))
	}
	if r.o.Build && plan.Points() == 1 {
		commands, next := keysOf(plan, c.n)
		c.perItem, err = r.build(server, c.n, commands, next)
	}
	return c, err
}

// plan is the shape on a server.
func (s Shape) plan(server string) (*sweep.Plan, error) {
	query, err := url.ParseQuery(string(s))
	if err != nil {
		return nil, err
	}
	query.Set("servers", server)
	spec, err := sweep.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	return sweep.New(spec, maxPoints)
}

// maxPoints bounds a shape.
const maxPoints = 10_000

// keysOf gives the commands that make n keys of a plan's only point, those of a key after each other.
func keysOf(plan *sweep.Plan, n int) (perKey int, next func(i int) [][]byte) {
	var commands [][][]byte
	var key []byte
	for row := range plan.Rows {
		key = make([]byte, 0, row.Key)
		for _, c := range plan.Commands(row) {
			commands = append(commands, resp.Bytes(c))
		}
	}
	return len(commands), func(i int) [][]byte {
		c := commands[i%len(commands)]
		c[1] = sweep.AppendKey(key, i/len(commands), n, cap(key))
		return c
	}
}

// items makes an item with each length of number in the heap, and counts the tables of all by arithmetic.
func (r *run) items(it Items, server string) (cost, error) {
	keys, blocks := 0, 0
	for first := 1; first <= it.N; first *= 10 {
		count := min(10*first-1, it.N) - first + 1
		k, b, err := it.one(first, server)
		if err != nil {
			return cost{}, err
		}
		keys += k * count
		blocks += b * count
	}
	plan, err := Shape("value=0&keys=" + strconv.Itoa(keys)).plan(server)
	if err != nil {
		return cost{}, err
	}
	c := cost{release: plan.Releases[0], n: it.N}
	for row := range plan.Rows {
		c.table = row.Table.Float()
	}
	tables := float64(c.table * float64(keys))
	c.perItem = (float64(blocks) + tables) / float64(it.N)
	if r.o.Build {
		c.perItem, err = r.build(server, it.N, len(it.Each), it.next(1))
	}
	return c, err
}

// one makes the item of a number: its keys, and the usable bytes of their blocks.
func (it Items) one(number int, server string) (keys, blocks int, err error) {
	s, err := engine.NewServer(server, engine.Options{})
	if err != nil {
		return 0, 0, err
	}
	if err = populate.Fill(s, len(it.Each), it.next(number), nil); err != nil {
		return 0, 0, err
	}
	s.EachKey(0, func(key []byte) {
		keys++
		p, failed := s.LayoutOf(string(key), 0)
		if failed != nil {
			err = failed
			return
		}
		blocks += p.Total
	})
	return keys, blocks, err
}

// next gives the commands that make items from a number on, those of an item after each other.
func (it Items) next(first int) func(i int) [][]byte {
	return func(i int) [][]byte {
		n := strconv.Itoa(first + i/len(it.Each))
		return resp.Bytes(strings.Fields(strings.ReplaceAll(it.Each[i%len(it.Each)], "{n}", n)))
	}
}

// extra is what one shape costs more than another.
func (r *run) extra(x Extra, server string) (cost, error) {
	c, err := r.cost(x.Of, server)
	if err != nil {
		return c, err
	}
	less, err := r.cost(x.Less, server)
	c.perItem = (c.perItem - less.perItem) / float64(x.By)
	c.n *= x.By
	return c, err
}

// build makes a population in a server's simulated heap and gives the growth of used_memory of an item, which takes so many commands.
func (r *run) build(server string, items, commands int, next func(i int) [][]byte) (float64, error) {
	s, err := engine.NewServer(server, engine.Options{})
	if err != nil {
		return 0, err
	}
	before := s.Used()
	tell := func(sent int) error {
		if r.o.Progress == nil {
			return nil
		}
		return r.o.Progress(server, sent/commands, items)
	}
	if err := populate.Fill(s, items*commands, next, tell); err != nil {
		return 0, err
	}
	populate.Settle(s)
	return float64(s.Used()-before) / float64(items), nil
}
