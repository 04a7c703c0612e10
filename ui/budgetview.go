package ui

import (
	"fmt"
	"strconv"

	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// budgetView shows how a string's key, value and time to live share the room for an embedded value.
type budgetView struct {
	app    *App
	rev    int
	shape  wire.Budget
	moved  bool // the sliders were moved: they then stand in the address
	follow bool // take the next selected string's lengths
	seen   *wire.Budgeted
	asking bool
	again  bool
}

// followKey takes the lengths of the selected key, when it is a string that was just selected.
func (v *budgetView) followKey() {
	p := v.app.inspect.seen
	if !v.follow || p == nil || p.Type != "string" {
		return
	}
	v.follow = false
	for _, s := range p.Side {
		if s.Exists {
			v.shape = wire.Budget{Key: len(p.Key), Value: s.Length, TTL: s.ExpireAt >= 0}
			v.moved = false
			v.refresh()
			return
		}
	}
}

func (v *budgetView) refresh() {
	if v.asking {
		v.again = true
		return
	}
	if v.app.phase != running {
		return
	}
	v.asking = true
	shape := v.shape
	v.app.call(wire.Request{Budget: &shape}, func(r wire.Response) {
		v.asking = false
		v.seen = r.Budgeted
		v.rev++
		if v.again {
			v.again = false
			v.refresh()
		}
	}, func(error) { v.asking, v.again = false, false })
}

func (v *budgetView) set(f func(*wire.Budget)) {
	f(&v.shape)
	v.moved, v.follow = true, false
	v.rev++
	v.refresh()
	v.app.saveAddress()
}

// Ends of the sliders, in bytes: beyond them nothing is embedded in any release.
const (
	longestKey   = 128
	longestValue = 256
)

// BudgetPane shows the budget.
type BudgetPane struct{ *App }

func (c *BudgetPane) slideKey(e vugu.DOMEvent) {
	c.slide(e, func(b *wire.Budget, n int) { b.Key = n })
}

func (c *BudgetPane) slideValue(e vugu.DOMEvent) {
	c.slide(e, func(b *wire.Budget, n int) { b.Value = n })
}

func (c *BudgetPane) slide(e vugu.DOMEvent, set func(*wire.Budget, int)) {
	if n, err := strconv.Atoi(e.PropString("target", "value")); err == nil {
		c.budget.set(func(b *wire.Budget) { set(b, n) })
	}
}

func (c *BudgetPane) toggleTTL() { c.budget.set(func(b *wire.Budget) { b.TTL = !b.TTL }) }

func (c *BudgetPane) rows() []wire.Embedding {
	if c.budget.seen == nil || len(c.budget.seen.Servers) != len(c.servers) {
		return nil
	}
	return c.budget.seen.Servers
}

// scale is how many bytes the width of a bar stands for.
func (c *BudgetPane) scale() int {
	n := 0
	for _, e := range c.rows() {
		n = max(n, e.Limit+e.Limit/8, min(need(e), 2*e.Limit))
	}
	return max(n, 1)
}

// need is how many bytes the object would have with the value in it.
func need(e wire.Embedding) (n int) {
	for _, p := range e.Parts {
		n += p.Bytes
	}
	return n
}

func (c *BudgetPane) width(bytes int) string {
	return fmt.Sprintf("width:%.3f%%", 100*float64(bytes)/float64(c.scale()))
}

func (c *BudgetPane) limitAt(e wire.Embedding) string {
	return fmt.Sprintf("left:%.3f%%", 100*float64(e.Limit)/float64(c.scale()))
}

func (c *BudgetPane) partText(p wire.Part) string {
	if p.Bytes*100 < c.scale()*8 {
		return strconv.Itoa(p.Bytes)
	}
	return p.Name + " " + strconv.Itoa(p.Bytes)
}

func (c *BudgetPane) verdict(e wire.Embedding) string {
	n := need(e)
	if n <= e.Limit {
		return fmt.Sprintf("%d of %d bytes, %d left", n, e.Limit, e.Limit-n)
	}
	return fmt.Sprintf("%d bytes do not fit %d", n, e.Limit)
}

func (c *BudgetPane) sayClass(e wire.Embedding) string {
	if e.Encoding == "embstr" {
		return "say"
	}
	return "say raw"
}

// sentence says where embedding ends for this key.
func (c *BudgetPane) sentence(e wire.Embedding) string {
	switch {
	case e.Cutoff < 0 && e.TTLOff < 0:
		return fmt.Sprintf("With a key of %s no value is embedded.", bytesText(c.budget.shape.Key))
	case e.Cutoff < 0:
		return fmt.Sprintf("With a key of %s a value is embedded only with a TTL, up to %s.", bytesText(c.budget.shape.Key), bytesText(e.TTLOff))
	}
	most, other := e.Cutoff, "never with a TTL"
	switch {
	case c.budget.shape.TTL && e.TTLOff >= 0:
		most, other = e.TTLOff, fmt.Sprintf("%d without the TTL", e.Cutoff)
	case e.TTLOff >= 0:
		other = fmt.Sprintf("%d with a TTL", e.TTLOff)
	}
	cost := "costs nothing more"
	switch {
	case e.Jump > 0:
		cost = fmt.Sprintf("costs %s", bytesText(e.Jump))
	case e.Jump < 0:
		cost = fmt.Sprintf("saves %s", bytesText(-e.Jump))
	}
	return fmt.Sprintf("With a key of %s a value stays embedded up to %d bytes (%s). One byte more %s.", bytesText(c.budget.shape.Key), most, other, cost)
}
