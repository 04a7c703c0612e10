package command

import (
	"math"
)

// Options of SET and its kin.
const (
	optNX = 1 << iota
	optXX
	optIFEQ
	optGet
	optKeepTTL
	optPersist
	optEX
	optPX
	optEXAT
	optPXAT
	optFNX
	optFXX

	optTime = optEX | optPX | optEXAT | optPXAT
)

// options is what the options of a command say.
type options struct {
	flags   int
	expire  []byte // the time of EX, PX, EXAT or PXAT
	compare []byte // the value of IFEQ
}

// parseOptions reads the options from argument i up to the end; allowed is what the command takes.
// A wrong one is a syntax error (server.c, parseExtendedCommandArgumentsOrReply).
func (c *Client) parseOptions(from, to, allowed int) (o options, ok bool) {
	for i := from; i < to; i++ {
		a := c.Args[i]
		last := i == to-1
		var f, not int
		takes := false
		switch {
		case is(a, "NX"):
			f, not = optNX, optXX|optIFEQ
		case is(a, "XX"):
			f, not = optXX, optNX|optIFEQ
		case is(a, "FNX"):
			f, not = optFNX, optFXX
		case is(a, "FXX"):
			f, not = optFXX, optFNX
		case is(a, "IFEQ"):
			f, not, takes = optIFEQ, optNX|optXX|optIFEQ, true
		case is(a, "GET"):
			f = optGet
		case is(a, "KEEPTTL"):
			f, not = optKeepTTL, optPersist|optTime
		case is(a, "PERSIST"):
			f, not = optPersist, optKeepTTL|optTime
		case is(a, "EX"):
			f, takes = optEX, true
		case is(a, "PX"):
			f, takes = optPX, true
		case is(a, "EXAT"):
			f, takes = optEXAT, true
		case is(a, "PXAT"):
			f, takes = optPXAT, true
		}
		if f&optTime != 0 {
			not = optKeepTTL | optPersist | optTime&^f
		}
		if f&allowed == 0 || o.flags&not != 0 || takes && last {
			c.Error(errSyntax)
			return o, false
		}
		o.flags |= f
		if takes {
			i++
			if f == optIFEQ {
				o.compare = c.Args[i]
			} else {
				o.expire = c.Args[i]
			}
		}
	}
	return o, true
}

// expireTime reads the time of an option as Unix ms (t_string.c, getExpireMillisecondsOrReply).
func (c *Client) expireTime(a []byte, flags int) (ms int64, ok bool) {
	n, ok := c.intArg(a)
	if !ok {
		return 0, false
	}
	seconds := flags&(optEX|optEXAT) != 0
	if n <= 0 || seconds && n > math.MaxInt64/1000 {
		c.invalidExpire()
		return 0, false
	}
	if seconds {
		n *= 1000
	}
	if flags&(optEX|optPX) != 0 {
		n += c.S.NowMS() // an overflow shows as a negative number
	}
	if n <= 0 {
		c.invalidExpire()
		return 0, false
	}
	return n, true
}

func (c *Client) invalidExpire() {
	c.Error("ERR invalid expire time in '" + c.Cmd.FullName + "' command")
}

// past tells whether a time has come already, so that nothing needs to be kept.
func (c *Client) past(at int64) bool { return at <= c.S.NowMS() && !c.S.Space.Import }
