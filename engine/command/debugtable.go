package command

import "math"

var _ = addDebug(map[string]debugSub{"htstats-key": {3, math.MaxInt, debugTableOfKey}})

// DEBUG HTSTATS-KEY key [full]
func debugTableOfKey(c *Client) {
	p := c.debugged()
	if p == 0 {
		return
	}
	text := ""
	if stats := c.S.types[c.typeOf(p)].stats; stats != nil {
		text = stats(c.encodingOf(p), c.value(p), len(c.Args) > 3 && is(c.Args[3], "FULL"))
	}
	if text == "" {
		c.Error("ERR The value stored at the specified key is not represented using an hash table")
		return
	}
	c.Verbatim("txt", text)
}
