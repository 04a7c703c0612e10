package command

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/engine/longdouble"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/sds"
)

var _ = addDebug(map[string]debugSub{
	"help":   {2, 2, debugHelp},
	"object": {3, 4, debugObject},
	"sdslen": {3, 3, debugSdslen},
	"structsize": {2, 2, func(c *Client) {
		c.BulkString("bits:64 robj:16 dictentry:24 sdshdr5:1 sdshdr8:3 sdshdr16:5 sdshdr32:9 sdshdr64:17 ")
	}},
	"protocol":                     {3, 3, debugProtocol},
	"sleep":                        {3, 3, debugSleep},
	"set-active-expire":            {3, 3, func(c *Client) { c.S.cycle.off = leadingInt(c.Args[2]) == 0; c.OK() }},
	"populate":                     {3, 5, debugPopulate},
	"set-skip-checksum-validation": {3, 3, func(c *Client) { c.S.rdb.unchecked = leadingInt(c.Args[2]) != 0; c.OK() }},
	"error":                        {3, 3, func(c *Client) { c.Error(string(c.Args[2])) }},
	"log":                          {3, 3, func(c *Client) { c.OK() }},
	"change-repl-id":               {2, 2, func(c *Client) { c.S.replID, c.S.replID2 = randomID(c.S.random(), 2), noID; c.OK() }},
	"replybuffer":                  {4, 4, debugReplybuffer},

	// What these change shows in timing, files or the network only, of which there is none.
	"aof-flush-sleep": {3, 3, debugIgnored}, "pause-cron": {3, 3, debugIgnored},
	"pause-after-fork": {3, 3, debugIgnored}, "client-enforce-reply-list": {3, 3, debugIgnored}, "config-rewrite-force-all": {2, 2, debugRefused},

	"loadaof": {2, 2, debugLoadaof}, "segfault": {2, 2, debugRefused}, "panic": {2, 2, debugRefused}, "oom": {2, 2, debugRefused}, "assert": {2, 2, debugRefused},
	"restart": {2, 3, debugRefused}, "crash-and-recover": {2, 3, debugRefused}, "leak": {3, 3, debugRefused}, "stringmatch-test": {2, 2, debugRefused},
	"client-eviction": {2, 2, debugRefused}, "dict-resizing": {3, 3, debugRefused}, "replicate": {3, math.MaxInt, debugRefused},
})

func debugIgnored(c *Client) { c.OK() }

func debugRefused(c *Client) {
	c.Error("ERR DEBUG " + strings.ToUpper(printable(c.Args[1])) + " is not simulated: there is no process, file or network behind this server")
}

// debugHelpText has a line of DEBUG HELP a line, behind the first and the last of the releases that
// print it as release.DebugHelp numbers them.
//
//go:embed debughelp.txt
var debugHelpText string

func debugHelp(c *Client) {
	level := byte('0' + c.S.R.DebugHelp)
	var lines []string
	for _, l := range strings.Split(strings.TrimSuffix(debugHelpText, "\n"), "\n") {
		if l[0] <= level && level <= l[1] {
			lines = append(lines, l[3:])
		}
	}
	c.Array(len(lines))
	for _, l := range lines {
		c.Status(l)
	}
}

// leadingInt reads the number an argument begins with, 0 if it does not (C's atoi).
func leadingInt(a []byte) int {
	text := strings.TrimLeft(printable(a), " \t\r\n\v\f")
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || end == 0 && (text[end] == '-' || text[end] == '+')) {
		end++
	}
	n, _ := strconv.Atoi(text[:end])
	return n
}

// debugObject tells of an object; its address is the simulated one.
func debugObject(c *Client) {
	p := c.DB.Peek(c.Args[2])
	fast := len(c.Args) == 4 && is(c.Args[3], "FAST")
	if p == 0 {
		c.Error(errNoKey)
		return
	}
	s, b := c.S, c.S.H.Bytes(p)
	e, lru := object.EncodingOf(b), object.LRU(b)
	refs := int64(1)
	if object.IsShared(s.R, b) {
		refs = math.MaxInt32
	}
	text := fmt.Sprintf("Value at:%#x refcount:%d encoding:%s", uint64(p), refs, e)
	if !fast {
		text += fmt.Sprintf(" serializedlength:%d", s.serializedLength(p))
	}
	idle := s.Space.Idle(lru)
	switch {
	case s.R.InfoFields < info81:
		text += fmt.Sprintf(" lru:%d lru_seconds_idle:%d", lru, idle)
	case s.R.InfoFields < info91:
		text += fmt.Sprintf(" lru:%d lru_seconds_idle:%d lfu_freq:%d lfu_access_time_minutes:%d", lru, idle, s.Space.Frequency(lru), lru>>8)
	case s.lfu():
		text += fmt.Sprintf(" lfu_freq:%d lfu_access_time_minutes:%d", s.Space.Frequency(lru), lru>>8)
	default:
		text += fmt.Sprintf(" lru:%d lru_seconds_idle:%d", lru, idle)
	}
	if e == object.Quicklist {
		q := s.quicklist(ptr(object.Val(b)))
		compressed, size := 0, 0
		if q.Depth() != 0 {
			compressed = 1
		}
		text += fmt.Sprintf(" ql_nodes:%d ql_avg_node:%.2f ql_listpack_max:%d ql_compressed:%d", q.Nodes(), float64(q.Count())/float64(q.Nodes()), q.Fill(), compressed)
		if !fast {
			q.EachNode(func(_ bool, entry []byte) bool { size += len(entry); return true })
			text += fmt.Sprintf(" ql_uncompressed_size:%d", size)
		}
	}
	c.Status(text)
}

// serializedLength is the length of the value in a dump, without its type.
func (s *Server) serializedLength(p ptr) int {
	w := s.rdbWriter()
	w.B = w.B[:0]
	s.saveValue(w, p)
	return len(w.B)
}

func debugSdslen(c *Client) {
	p := c.DB.Peek(c.Args[2])
	if p == 0 {
		c.Error(errNoKey)
		return
	}
	h, b := c.S.H, c.S.H.Bytes(p)
	e := object.EncodingOf(b)
	if object.TypeOf(b) != object.String || e == object.Int {
		c.Error("ERR Not an sds encoded string.")
		return
	}
	avail, alloc := 0, 0
	if e == object.Embstr {
		avail = object.EmbAvail(c.S.R, b)
	} else {
		v := ptr(object.Val(b))
		avail, alloc = sds.Avail(h, v), sds.Usable(h, v)
	}
	n := object.TextLen(h, p)
	if c.S.R.KeyTable != release.Hashtable { // the key is an sds of its own, or stands in its entry
		if e == object.Embstr {
			alloc = h.Usable(p) - 16
		}
		c.Status(fmt.Sprintf("key_sds_len:%d, key_sds_avail:0, key_zmalloc: %d, val_sds_len:%d, val_sds_avail:%d, val_zmalloc: %d",
			len(c.Args[2]), c.DB.EntrySize(c.Args[2]), n, avail, alloc))
		return
	}
	c.Status(fmt.Sprintf("key_sds_len:%d key_sds_avail:%d obj_alloc:%d val_sds_len:%d val_sds_avail:%d val_alloc:%d",
		len(c.Args[2]), 0, h.Usable(p), n, avail, alloc))
}

// debugSleep holds the server up for as long as its front lets it: time stands still in here.
func debugSleep(c *Client) {
	f, ok := longdouble.Parse(c.Args[2])
	if us, over := f.ScaledCeil(1e6); ok && !over && us > 0 && c.S.Sleep != nil {
		c.S.Sleep(time.Duration(us) * time.Microsecond)
	}
	c.OK()
}

func debugReplybuffer(c *Client) {
	switch {
	case is(c.Args[2], "PEAK-RESET-TIME"):
		if !is(c.Args[3], "NEVER") && !is(c.Args[3], "RESET") {
			if _, ok := c.intArg(c.Args[3]); !ok {
				return
			}
		}
	case !is(c.Args[2], "RESIZING"):
		c.debugUnknown()
		return
	}
	c.OK()
}

// populateLimit bounds the keys one DEBUG POPULATE adds, so that a line can't take all memory.
const populateLimit = 50_000_000

// populateTold is how many keys DEBUG POPULATE adds between two words on how far it is.
const populateTold = 1 << 14

// debugPopulate adds keys as they are, without a word to anybody (debug.c).
func debugPopulate(c *Client) {
	n, ok := c.rangeArg(c.Args[2], 0, math.MaxInt64, errPositive)
	if !ok {
		return
	}
	size, prefix := int64(0), "key"
	if len(c.Args) > 3 {
		prefix = printable(c.Args[3])
	}
	if len(c.Args) > 4 {
		if size, ok = c.rangeArg(c.Args[4], 0, math.MaxInt64, errPositive); !ok {
			return
		}
	}
	if n > populateLimit || size > c.S.limit() {
		c.Error("ERR OOM in dbExpand")
		return
	}
	c.DB.Reserve(int(n), 0)
	for i := range n {
		if c.S.Progress != nil && i%populateTold == 0 {
			c.S.Progress(int(i), int(n))
		}
		key := []byte(prefix + ":" + strconv.FormatInt(i, 10))
		if c.DB.LookupWrite(key) != 0 {
			continue
		}
		value := []byte("value:" + strconv.FormatInt(i, 10))
		if size > 0 {
			full := make([]byte, size)
			copy(full, value)
			value = full
		}
		c.DB.Add(key, c.S.Space.Arg(value))
		c.touched(key)
	}
	c.OK()
}

func debugProtocol(c *Client) {
	switch strings.ToLower(printable(c.Args[2])) {
	case "string":
		c.BulkString("Hello World")
	case "integer":
		c.Int(12345)
	case "double":
		c.Double(3.141)
	case "bignum":
		c.BigNumber("1234567999999999999999999999999999999")
	case "null":
		c.Null()
	case "array":
		c.Array(3)
		c.zeroToTwo()
	case "set":
		c.Set(3)
		c.zeroToTwo()
	case "map":
		c.Map(3)
		for i := range 3 {
			c.Int(int64(i))
			c.Bool(i == 1)
		}
	case "attrib":
		if c.Proto >= 3 {
			c.Attribute(1)
			c.BulkString("key-popularity")
			c.Array(2)
			c.BulkString("key:123")
			c.Int(90)
		}
		c.BulkString("Some real reply following the attribute")
	case "push":
		if c.Proto < 3 {
			c.Error("ERR RESP2 is not supported by this command")
			return
		}
		c.Push(2)
		c.BulkString("server-cpu-usage")
		c.Int(42)
		c.BulkString("Some real reply following the push reply")
	case "verbatim":
		c.Verbatim("txt", "This is a verbatim\nstring")
	case "true":
		c.Bool(true)
	case "false":
		c.Bool(false)
	default:
		c.Error("ERR Wrong protocol type name. Please use one of the following: string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false")
	}
}

func (c *Client) zeroToTwo() {
	for i := range 3 {
		c.Int(int64(i))
	}
}
