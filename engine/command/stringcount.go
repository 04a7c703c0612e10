package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/decimal"

	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/longdouble"
	"github.com/keyloupe/keyloupe/engine/object"
)

func incrbyCommand(c *Client) {
	if n, ok := c.intArg(c.Args[2]); ok {
		c.incrBy(n)
	}
}

func decrbyCommand(c *Client) {
	n, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	if n == math.MinInt64 {
		c.Error("ERR decrement would overflow")
		return
	}
	c.incrBy(-n)
}

func (c *Client) incrBy(by int64) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.String)
	if !ok {
		return
	}
	var n int64
	if p != 0 {
		if n, ok = decimal.Parse(c.text(p)); !ok {
			c.Error(errInt)
			return
		}
	}
	if by < 0 && n < 0 && by < math.MinInt64-n || by > 0 && n > 0 && by > math.MaxInt64-n {
		c.Error("ERR increment or decrement would overflow")
		return
	}
	n += by
	switch {
	case p == 0:
		c.DB.Add(key, keyspace.Integer(n))
	case c.inPlace(p, n):
		c.setValue(p, ptr(n))
	default:
		c.DB.Replace(key, keyspace.Integer(n))
	}
	c.modified(key)
	c.notify('$', "incrby", key)
	c.Int(n)
}

// inPlace tells whether an integer can be put into the object that is there: not into a shared one,
// nor where the new one would be shared.
func (c *Client) inPlace(p ptr, n int64) bool {
	b := c.S.H.Bytes(p)
	if object.EncodingOf(b) != object.Int || object.IsShared(c.S.R, b) {
		return false
	}
	return n < 0 || n >= int64(c.S.R.SharedIntegers)
}

func incrbyfloatCommand(c *Client) {
	key := c.Args[1]
	p, ok := c.findWrite(key, object.String)
	if !ok {
		return
	}
	var value longdouble.F
	if p != 0 {
		if value, ok = longdouble.Parse(c.text(p)); !ok {
			c.Error(errFloat)
			return
		}
	}
	by, ok := longdouble.Parse(c.Args[2])
	if !ok {
		c.Error(errFloat)
		return
	}
	if p == 0 {
		value = longdouble.FromInt(0)
	}
	sum, ok := value.Add(by)
	if !ok || sum.IsInf() {
		c.Error("ERR increment would produce NaN or Infinity")
		return
	}
	text := []byte(sum.String())
	v := c.S.Space.Arg(text)
	if p != 0 {
		c.DB.Replace(key, v)
	} else {
		c.DB.Add(key, v)
	}
	c.modified(key)
	c.notify('$', "incrbyfloat", key)
	c.Bulk(text)
}
