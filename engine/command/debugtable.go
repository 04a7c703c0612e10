package command

import "math"

var _ = addDebug(map[string]debugSub{"htstats": {3, math.MaxInt, debugTables}, "htstats-key": {3, math.MaxInt, debugTableOfKey}})

func (c *Client) wantsFull() bool { return len(c.Args) > 3 && is(c.Args[3], "FULL") }

// DEBUG HTSTATS dbid [full]
func debugTables(c *Client) {
	n, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	if n < 0 || n >= int64(c.S.Space.Databases()) {
		c.Error("ERR Out of range database")
		return
	}
	keys, expires := "", ""
	if d := c.S.Space.Existing(int(n)); d != nil {
		keys, expires = d.Stats(c.wantsFull())
	}
	c.Verbatim("txt", "[Dictionary HT]\n"+keys+"[Expires HT]\n"+expires)
}

// DEBUG HTSTATS-KEY key [full]
func debugTableOfKey(c *Client) {
	p := c.debugged()
	if p == 0 {
		return
	}
	text := ""
	if stats := c.S.types[c.typeOf(p)].stats; stats != nil {
		text = stats(c.encodingOf(p), c.value(p), c.wantsFull())
	}
	if text == "" {
		c.Error("ERR The value stored at the specified key is not represented using an hash table")
		return
	}
	c.Verbatim("txt", text)
}
