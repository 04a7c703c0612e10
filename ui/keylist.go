package ui

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/keyloupe/keyloupe/ui/window"
	"github.com/keyloupe/keyloupe/ui/wire"
	"github.com/vugu/vugu"
)

// keyList is the list of keys: a window of rows, whatever the number of keys.
type keyList struct {
	app    *App
	rev    int
	search string
	sort   string
	list   window.List
	rows   []wire.Key // from first on
	first  int
	found  int // keys that match the search
	part   int // how many keys were looked at for the list, where that was not all
	age    int // seconds since, where the data changed after it
	at     int // row of the selected key, -1 when it is not in the list
	asking bool
	again  bool // ask once more when the answer is there
	reveal bool // scroll to the selected key when the answer says where it is
}

// rowHeight is that of a row in the style sheet, in pixels, and listHeight that of the list until it was measured.
const (
	rowHeight  = 29
	headHeight = 29 // the names of the columns, which stay when the rows scroll
	listHeight = 320
	spareRows  = 12
)

func (k *keyList) init(a *App) {
	k.app, k.at = a, -1
	k.list = window.List{Height: rowHeight, View: listHeight, Spare: spareRows}
}

// refresh asks for the rows in view; while an answer is awaited it asks again after it.
func (k *keyList) refresh() {
	if k.asking {
		k.again = true
		return
	}
	k.asking = true
	k.list.Rows = max(k.list.Rows, k.found)
	first := k.window()
	count := k.list.View/rowHeight + 2*spareRows + 2
	k.app.call(wire.Request{Keys: &wire.Keys{Search: k.search, Sort: k.sort, From: first, Count: count, Find: k.app.inspect.key}}, func(r wire.Response) {
		k.asking = false
		k.took(r.Listed)
	}, func(error) { k.asking = false })
}

// window is the first row to ask for.
func (k *keyList) window() int {
	first, _ := k.list.Range()
	return first
}

func (k *keyList) took(l *wire.Listed) {
	k.rev++
	k.rows, k.first, k.found, k.at = l.Rows, l.From, l.Found, l.At
	k.part = l.Part
	k.aged(l.Age)
	k.list.Rows = l.Found
	k.app.totals = l.All
	if k.reveal && k.at >= 0 {
		k.reveal = false
		if top := k.list.ScrollTo(k.at); top != k.list.Top {
			k.list.Top = top
			k.app.platform.ScrollTo("keys", top)
			k.again = true
		}
	}
	if k.again || !k.covers() {
		k.again = false
		k.refresh()
	}
}

// aged asks for a list again that is older than the data, until it is not.
func (k *keyList) aged(age int) {
	waits := k.age > 0
	k.age = age
	if age == 0 || waits {
		return
	}
	k.app.platform.After(second, func() {
		k.age = 0
		k.refresh()
	})
}

// covers tells whether the rows that are there fill the view.
func (k *keyList) covers() bool {
	bare := k.list
	bare.Spare = 0
	first, end := bare.Range()
	return first >= k.first && end <= k.first+len(k.rows) || len(k.rows) == 0
}

// scrolled follows the scroll bar.
func (k *keyList) scrolled(top, view int) {
	k.list.Top = top
	if view > headHeight {
		k.list.View = view - headHeight
	}
	if !k.covers() {
		k.refresh()
	}
}

func (k *keyList) setSearch(s string) {
	if s == k.search {
		return
	}
	k.search, k.list.Top, k.reveal = s, 0, false
	k.rev++
	k.app.platform.ScrollTo("keys", 0)
	k.refresh()
	k.app.saveAddress()
}

// sortBy sorts by a column, or by name when it is sorted by that column already.
func (k *keyList) sortBy(column string) {
	if k.sort == column {
		column = ""
	}
	k.sort = column
	k.rev++
	k.refresh()
}

// move selects the key that is step rows away from the selected one.
func (k *keyList) move(step int) {
	if k.found == 0 {
		return
	}
	at := k.at + step
	if k.at < 0 {
		at = 0
	}
	at = max(0, min(at, k.found-1))
	if i := at - k.first; i >= 0 && i < len(k.rows) {
		k.choose(at)
		return
	}
	k.list.Top = k.list.ScrollTo(at) // the row is not here: fetch it, then select it
	k.app.call(wire.Request{Keys: &wire.Keys{Search: k.search, Sort: k.sort, From: max(0, at-spareRows), Count: k.list.View/rowHeight + 2*spareRows}}, func(r wire.Response) {
		k.took(r.Listed)
		if i := at - k.first; i >= 0 && i < len(k.rows) {
			k.choose(at)
		}
	}, nil)
}

func (k *keyList) choose(at int) {
	k.at = at
	k.rev++
	k.app.selectKey(k.rows[at-k.first].Name)
	if top := k.list.ScrollTo(at); top != k.list.Top {
		k.list.Top = top
		k.app.platform.ScrollTo("keys", top)
		k.refresh()
	}
}

// key handles a key press in the list.
func (k *keyList) key(e vugu.DOMEvent) {
	page := max(1, k.list.View/rowHeight-1)
	step := map[string]int{"ArrowUp": -1, "ArrowDown": 1, "PageUp": -page, "PageDown": page, "Home": -k.found, "End": k.found}[e.PropString("key")]
	if step != 0 && !e.PropBool("ctrlKey") && !e.PropBool("altKey") {
		e.PreventDefault()
		k.move(step)
	}
}

// KeyPane shows the list of keys.
type KeyPane struct{ *App }

func (c *KeyPane) rowClass(key wire.Key) string {
	if bytes.Equal(key.Name, c.inspect.key) {
		return "row sel"
	}
	return "row"
}

func (c *KeyPane) selected(key wire.Key) string {
	return strconv.FormatBool(bytes.Equal(key.Name, c.inspect.key))
}

// size is a row's size in one server.
func (c *KeyPane) size(key wire.Key, server int) string {
	if server >= len(key.Sizes) || key.Sizes[server] < 0 {
		return "–"
	}
	return group(key.Sizes[server])
}

// delta is the difference between the last server and the first.
func (c *KeyPane) delta(key wire.Key) (int, bool) {
	n := len(key.Sizes)
	if n < 2 || key.Sizes[0] < 0 || key.Sizes[n-1] < 0 {
		return 0, false
	}
	return key.Sizes[n-1] - key.Sizes[0], true
}

func (c *KeyPane) deltaText(key wire.Key) string {
	if d, ok := c.delta(key); ok {
		return deltaText(d)
	}
	return ""
}

func (c *KeyPane) deltaClass(key wire.Key) string {
	d, _ := c.delta(key)
	return "num " + deltaClass(d)
}

// offset is where the rows begin, as a style.
func (c *KeyPane) offset() string {
	l := c.keys.list
	if first, _ := l.Range(); first != c.keys.first { // rows fetched for another scroll offset
		return "transform:translateY(" + strconv.Itoa(c.keys.first*rowHeight) + "px)"
	}
	return "transform:translateY(" + strconv.Itoa(l.Offset()) + "px)"
}

func (c *KeyPane) height() string { return "height:" + strconv.Itoa(c.keys.list.Total()) + "px" }

// widths are those of the columns after the name, in characters: type, servers, difference.
func (c *KeyPane) widths() []int {
	out := []int{6}
	delta := 5
	for i, v := range c.servers {
		w := len(v.Name)
		for _, k := range c.keys.rows {
			w = max(w, utf8.RuneCountInString(c.size(k, i)))
			delta = max(delta, utf8.RuneCountInString(c.deltaText(k)))
		}
		out = append(out, w)
	}
	if len(c.servers) > 1 {
		out = append(out, delta)
	}
	return out
}

// columns lays out a row, as a style: the name takes what is left.
func (c *KeyPane) columns() string {
	s := "grid-template-columns:minmax(" + itoa(nameWidth) + "ch,1fr)"
	for _, w := range c.widths() {
		s += " " + itoa(w) + "ch"
	}
	return s
}

// nameWidth is the least width of a name, in characters; with less room the list scrolls sideways.
const nameWidth = 12

// least is the width below which the list scrolls sideways, as a style.
func (c *KeyPane) least() string {
	chars, gaps := nameWidth, 28
	for _, w := range c.widths() {
		chars += w
		gaps += 12
	}
	return "min-width:calc(" + itoa(chars) + "ch + " + itoa(gaps) + "px)"
}

func (c *KeyPane) sortMark(column string) string {
	if c.keys.sort == column {
		return "descending"
	}
	return "none"
}

// totalKeys is the most keys that any server has.
func (c *App) totalKeys() (n int) {
	for _, t := range c.totals {
		n = max(n, t.Keys)
	}
	return n
}

// differing tells how the last server's total differs from the first's.
func (c *App) totalDelta() int {
	if len(c.totals) < 2 {
		return 0
	}
	return c.totals[len(c.totals)-1].Used - c.totals[0].Used
}
