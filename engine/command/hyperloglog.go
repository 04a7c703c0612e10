package command

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/keyloupe/keyloupe/engine/hyperloglog"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/sds"
)

var _ = add(map[string]handler{
	"pfadd": pfaddCommand, "pfcount": pfcountCommand, "pfmerge": pfmergeCommand,
	"pfdebug": pfdebugCommand, "pfselftest": pfselftestCommand,
})

const errCorruptHLL = "INVALIDOBJ Corrupted HLL object detected"

func (c *Client) hllMax() int { return int(c.S.Conf.Int("hll-sparse-max-bytes")) }

// isHLL tells whether an object is a HyperLogLog and replies the error where it is not.
func (c *Client) isHLL(p ptr) bool {
	if _, ok := c.typed(p, object.String); !ok {
		return false
	}
	if c.encodingOf(p) == object.Int || !hyperloglog.Valid(c.hll(p)) {
		c.Error("WRONGTYPE Key is not a valid HyperLogLog string value.")
		return false
	}
	return true
}

// hll is the HyperLogLog in a string object.
func (c *Client) hll(p ptr) []byte {
	if c.encodingOf(p) == object.Raw {
		return hyperloglog.Text(c.S.H, c.value(p))
	}
	return c.text(p)
}

// newHLL adds a key with an empty HyperLogLog.
func (c *Client) newHLL(key []byte) ptr {
	return c.DB.Add(key, keyspace.Value{Type: object.String, Enc: object.Raw, Ptr: hyperloglog.New(c.S.H)})
}

func pfaddCommand(c *Client) {
	key := c.Args[1]
	p := c.DB.LookupWrite(key)
	updated := 0
	if p == 0 {
		p = c.newHLL(key)
		updated++
	} else {
		if !c.isHLL(p) {
			return
		}
		p = c.unshare(key, p)
	}
	for _, e := range c.Args[2:] {
		v, r := hyperloglog.Add(c.S.H, c.value(p), e, c.hllMax())
		c.setValue(p, v)
		if r == hyperloglog.Corrupt {
			c.Error(errCorruptHLL)
			return
		}
		updated += int(r)
	}
	if updated == 0 {
		c.Int(0)
		return
	}
	hyperloglog.Invalidate(c.hll(p))
	c.touched(key)
	c.notify('$', "pfadd", key)
	c.S.Dirty += int64(updated)
	c.Int(1)
}

// mergeAll merges the HyperLogLogs of keys; dense tells whether one of them is.
func (c *Client) mergeAll(keys [][]byte, regs *[hyperloglog.Registers]byte) (dense, ok bool) {
	for _, k := range keys {
		p := c.DB.LookupRead(k)
		if p == 0 {
			continue
		}
		if !c.isHLL(p) {
			return false, false
		}
		s := c.hll(p)
		dense = dense || hyperloglog.Encoding(s) == hyperloglog.Dense
		if !hyperloglog.Merge(c.S.R, regs, s) {
			c.Error(errCorruptHLL)
			return false, false
		}
	}
	return dense, true
}

func pfcountCommand(c *Client) {
	if len(c.Args) > 2 {
		var regs [hyperloglog.Registers]byte
		if _, ok := c.mergeAll(c.Args[1:], &regs); ok {
			c.Int(int64(hyperloglog.CountRegisters(&regs)))
		}
		return
	}
	key := c.Args[1]
	p := c.DB.LookupRead(key)
	if p == 0 {
		c.Int(0)
		return
	}
	if !c.isHLL(p) {
		return
	}
	s := c.hll(c.unshare(key, p))
	n, ok := hyperloglog.Cached(s)
	if !ok {
		if n, ok = hyperloglog.Count(s); !ok {
			c.Error(errCorruptHLL)
			return
		}
		hyperloglog.SetCached(s, n)
		c.modified(key)
	}
	c.Int(int64(n))
}

func pfmergeCommand(c *Client) {
	var regs [hyperloglog.Registers]byte
	dense, ok := c.mergeAll(c.Args[1:], &regs)
	if !ok {
		return
	}
	key := c.Args[1]
	p := c.DB.LookupWrite(key)
	if p == 0 {
		p = c.newHLL(key)
	} else {
		p = c.unshare(key, p)
	}
	if dense {
		v, ok := hyperloglog.ToDense(c.S.H, c.value(p))
		if !ok {
			c.Error(errCorruptHLL)
			return
		}
		c.setValue(p, v)
		hyperloglog.Store(c.hll(p), &regs)
	} else {
		for i, n := range regs {
			if n > 0 {
				v, _ := hyperloglog.Set(c.S.H, c.value(p), i, n, c.hllMax())
				c.setValue(p, v)
			}
		}
	}
	hyperloglog.Invalidate(c.hll(p))
	c.modified(key)
	c.notify('$', "pfadd", key)
	c.OK()
}

func pfdebugCommand(c *Client) {
	if c.S.R.PfdebugSimd && is(c.Args[1], "SIMD") {
		c.pfdebugSimd()
		return
	}
	key := c.Args[2]
	p := c.DB.LookupWrite(key)
	if p == 0 {
		c.Error("ERR The specified key does not exist")
		return
	}
	if !c.isHLL(p) {
		return
	}
	p = c.unshare(key, p)
	switch sub := c.Args[1]; {
	case is(sub, "GETREG"):
		if _, ok := c.makeDense(p); !ok {
			return
		}
		c.Array(hyperloglog.Registers)
		for i := range hyperloglog.Registers {
			c.Int(int64(hyperloglog.Get(c.hll(p), i)))
		}
	case is(sub, "DECODE"):
		if hyperloglog.Encoding(c.hll(p)) != hyperloglog.Sparse {
			c.Error("ERR HLL encoding is not sparse")
			return
		}
		c.BulkString(hyperloglog.Decode(c.hll(p)))
	case is(sub, "ENCODING"):
		c.Status([...]string{hyperloglog.Dense: "dense", hyperloglog.Sparse: "sparse"}[hyperloglog.Encoding(c.hll(p))])
	case is(sub, "TODENSE"):
		if changed, ok := c.makeDense(p); ok {
			c.Int(map[bool]int64{true: 1}[changed])
		}
	default:
		c.Error(fmt.Sprintf("ERR Unknown PFDEBUG subcommand '%s'", printable(sub)))
	}
}

// makeDense makes the HyperLogLog in an object dense where it is not.
func (c *Client) makeDense(p ptr) (changed, ok bool) {
	v, ok := hyperloglog.ToDense(c.S.H, c.value(p))
	if !ok {
		c.Error(errCorruptHLL)
		return false, false
	}
	if changed = v != c.value(p); changed {
		c.setValue(p, v)
		c.S.Dirty++
	}
	return changed, true
}

// pfdebugSimd answers as a server on a processor with AVX2 does. A wrong argument gets two replies
// there.
func (c *Client) pfdebugSimd() {
	switch a := c.Args[2]; {
	case is(a, "ON"):
		c.S.simdOff = false
	case is(a, "OFF"):
		c.S.simdOff = true
	default:
		c.Error("ERR Argument must be ON or OFF")
	}
	c.Status(map[bool]string{false: "enabled", true: "disabled"}[c.S.simdOff])
}

// Sizes of the self test (hyperloglog.c, pfselftestCommand).
const (
	testCycles   = 1000
	testElements = 10000000
)

func pfselftestCommand(c *Client) {
	dense := hyperloglog.New(c.S.H)
	dense, _ = hyperloglog.ToDense(c.S.H, dense)
	sparse := hyperloglog.New(c.S.H)
	msg := c.testRegisters(hyperloglog.Text(c.S.H, dense))
	if msg == "" {
		msg = c.testError(&dense, &sparse)
	}
	sds.Free(c.S.H, dense)
	sds.Free(c.S.H, sparse)
	if msg != "" {
		c.Error("ERR TESTFAILED " + msg)
		return
	}
	c.OK()
}

// testRegisters writes all registers and reads them back.
func (c *Client) testRegisters(s []byte) string {
	var regs [hyperloglog.Registers]byte
	for range testCycles {
		for i := range regs {
			regs[i] = byte(c.S.random() & 63)
		}
		hyperloglog.Store(s, &regs)
		for i, v := range regs {
			if got := hyperloglog.Get(s, i); got != v {
				return fmt.Sprintf("Register %d should be %d but is %d", i, v, got)
			}
		}
	}
	hyperloglog.Store(s, &[hyperloglog.Registers]byte{})
	return ""
}

// testError adds elements to a dense and a sparse one and checks the estimates at powers of ten.
func (c *Client) testError(dense, sparse *ptr) string {
	h, max, seed := c.S.H, c.hllMax(), c.S.random()
	var e [8]byte
	next := 1
	for j := 1; j <= testElements; j++ {
		binary.LittleEndian.PutUint64(e[:], uint64(j)^seed)
		*dense, _ = hyperloglog.Add(h, *dense, e[:], max)
		*sparse, _ = hyperloglog.Add(h, *sparse, e[:], max)
		if j != next {
			continue
		}
		s := hyperloglog.Text(h, *sparse)
		if j < max/2 && hyperloglog.Encoding(s) != hyperloglog.Sparse {
			return "sparse encoding not used"
		}
		n, _ := hyperloglog.Count(hyperloglog.Text(h, *dense))
		if m, _ := hyperloglog.Count(s); m != n {
			return "dense/sparse disagree"
		}
		off := math.Abs(float64(j) - float64(n))
		most := math.Ceil(1.04 / math.Sqrt(hyperloglog.Registers) * 6 * float64(j))
		if j == 10 {
			most = 1
		}
		if off > most {
			return fmt.Sprintf("Too big error. card:%d abserr:%d", j, int64(off))
		}
		next *= 10
	}
	return ""
}
