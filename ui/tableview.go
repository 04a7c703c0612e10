package ui

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/keyloupe/keyloupe/ui/link"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// tableView is the picture of one server's table of keys or expires.
type tableView struct {
	app    *App
	rev    int
	shown  bool   // the person looked at it: it then stands in the address
	wanted string // server that a link names
	server int
	kind   string // one of link.TableKinds
	from   int    // first bucket shown
	open   int    // bucket shown in full, -1 for the selected key's
	array  int    // which array open is in
	seen   *wire.Buckets
	asking bool
	again  bool
	follow bool // show the selected key's bucket when the answer says where it is
}

// tableNames are what the engine calls the tables.
var tableNames = map[string]string{"keys": "keys", "expires": "expires", "volatile": "volatile items"}

// kinds are the tables that the server has: hashes whose fields expire are listed from 9.0 on.
func (t *tableView) kinds() []string {
	if t.server < t.app.sides() && newer(t.app.servers[t.server].Release, "9.0") {
		return link.TableKinds
	}
	return link.TableKinds[:2]
}

// bucketsShown is how many buckets the picture shows at once.
const bucketsShown = 64

// choose finds the server that a link named, or keeps the last one, where the buckets are the newest.
func (t *tableView) choose() {
	n := t.app.sides()
	if t.server >= n || !t.shown {
		t.server = n - 1
	}
	for i, s := range t.app.servers {
		if s.Name == t.wanted && t.wanted != "" {
			t.server, t.wanted = i, ""
		}
	}
	t.seen = nil
}

func (t *tableView) refresh() {
	if t.asking {
		t.again = true
		return
	}
	if t.app.phase != running {
		return
	}
	t.asking = true
	t.app.call(wire.Request{Table: &wire.Table{Server: t.server, Kind: tableNames[t.kind], From: t.from, Count: bucketsShown, Open: t.open, Array: t.array, Key: t.app.inspect.key}}, func(r wire.Response) {
		t.asking = false
		t.took(r.Buckets)
	}, func(error) { t.asking, t.again = false, false })
}

func (t *tableView) took(b *wire.Buckets) {
	t.rev++
	t.seen = b
	if t.follow && b.At != nil {
		t.follow = false
		if n := b.At.Bucket; n < t.from || n >= t.from+bucketsShown {
			t.from = n - n%bucketsShown
			t.again = true
		}
	}
	if t.again {
		t.again = false
		t.refresh()
	}
}

func (t *tableView) change(f func()) {
	f()
	t.shown = true
	t.rev++
	t.refresh()
	t.app.saveAddress()
}

func (t *tableView) setServer(i int) {
	t.change(func() {
		t.server, t.from, t.open, t.seen = i, 0, -1, nil
		if !slices.Contains(t.kinds(), t.kind) {
			t.kind = "keys"
		}
	})
}

func (t *tableView) setKind(kind string) {
	t.change(func() { t.kind, t.from, t.open, t.seen = kind, 0, -1, nil })
}

func (t *tableView) openBucket(array, bucket int) {
	t.change(func() {
		if t.open == bucket && t.array == array {
			bucket = -1
		}
		t.array, t.open = array, bucket
	})
}

// scroll shows other buckets, by whole windows.
func (t *tableView) scroll(from int) {
	t.change(func() { t.from, t.follow = max(0, from-from%bucketsShown), false })
}

// most is the number of buckets of the larger array.
func (t *tableView) most() (n int) {
	if t.seen != nil {
		for _, a := range t.seen.Arrays {
			n = max(n, a.Buckets)
		}
	}
	return n
}

// TablePane shows the table.
type TablePane struct{ *App }

func (c *TablePane) ready() bool { return c.table.seen != nil && c.table.server < len(c.servers) }

// unit is what the table's places are called: the buckets of 8.1 and later, the slots of 7.2 and 8.0.
func (c *TablePane) unit() string {
	if c.table.seen.Chains {
		return "slot"
	}
	return "bucket"
}

// summary is the line in the card's head.
func (c *TablePane) summary() string {
	b := c.table.seen
	if len(b.Arrays) == 0 {
		return "no table yet: it is made with the first key"
	}
	text := ""
	used, positions := 0, 0
	for i, a := range b.Arrays {
		if i > 0 {
			text += " → "
		}
		text += plural(a.Buckets, c.unit())
		if a.Children > 0 {
			text += ", " + plural(a.Children, "child bucket")
		}
		used += a.Used
		positions = a.Buckets * 7
	}
	if b.Chains {
		text += " · " + plural(used, "entry")
	} else {
		text += fmt.Sprintf(" · %s of %s positions", group(used), group(positions))
	}
	return text
}

// outlook says when the table will change its size.
func (c *TablePane) outlook() string {
	b := c.table.seen
	switch {
	case len(b.Arrays) == 0:
		return ""
	case b.Rehash >= 0:
		return fmt.Sprintf("Moving to the new array: %s %s of %s is next. Each lookup moves one.", c.unit(), group(b.Rehash), group(b.Arrays[0].Buckets))
	}
	text := ""
	if b.Grows > 0 {
		text = "Doubles with entry " + group(b.Grows) + "."
	}
	if b.Shrink > 0 {
		text += " Shrinks when " + plural(b.Shrink, "entry") + " or fewer are left."
	}
	return text
}

func (c *TablePane) isAt(array, bucket int) bool {
	at := c.table.seen.At
	return at != nil && at.Array == array && at.Bucket == bucket
}

func (c *TablePane) bucketClass(array, bucket int) string {
	class := "bkt"
	if c.isAt(array, bucket) {
		class += " sel"
	}
	if o := c.table.seen.Opened; o != nil && o.Array == array && o.Bucket == bucket {
		class += " open"
	}
	if c.table.seen.Rehash > bucket && array == 0 {
		class += " moved"
	}
	return class
}

func (c *TablePane) bucketLabel(array, bucket int, b wire.Bucket) string {
	entries := 0
	if c.table.seen.Chains {
		entries = b.Chain[0]
	} else {
		for _, bitmap := range b.Chain {
			entries += bits.OnesCount(uint(bitmap))
		}
	}
	s := fmt.Sprintf("%s %d: %s", c.unit(), bucket, plural(entries, "entry"))
	if n := len(b.Chain) - 1; n > 0 {
		s += ", " + plural(n, "child bucket")
	}
	if c.isAt(array, bucket) {
		s += ", holds the selected key"
	}
	return s
}

// positions are the classes of a bucket's seven positions: filled, empty, the selected key's, the link to a child.
func (c *TablePane) positions(array, bucket, link int, b wire.Bucket) []string {
	at := c.table.seen.At
	if c.table.seen.Chains {
		out := make([]string, min(b.Chain[0], 14))
		for i := range out {
			out[i] = "f"
			if at != nil && at.Array == array && at.Bucket == bucket && at.Link == i {
				out[i] = "x"
			}
		}
		return out
	}
	out := make([]string, 7)
	for i := range out {
		switch {
		case at != nil && at.Array == array && at.Bucket == bucket && at.Link == link && at.Position == i:
			out[i] = "x"
		case b.Chain[link]>>i&1 != 0:
			out[i] = "f"
		case i == 6 && link < len(b.Chain)-1:
			out[i] = "l"
		}
	}
	return out
}

func (c *TablePane) selectSlot(s wire.Slot) {
	if s.Used && s.Key != nil {
		c.selectKey(s.Key)
	}
}

func (c *TablePane) slotClass(s wire.Slot) string {
	switch {
	case s.Used && string(s.Key) == string(c.inspect.key) && c.inspect.key != nil:
		return "slot x"
	case s.Used:
		return "slot f"
	}
	return "slot"
}

func (c *TablePane) linkTitle(i int, l wire.Link) string {
	o := c.table.seen.Opened
	if i == 0 {
		return fmt.Sprintf("bucket %d at offset %s, 64 bytes", o.Bucket, group(l.Offset))
	}
	return fmt.Sprintf("child bucket %d, a block of its own at %#x, 64 bytes", i, l.Addr)
}
