package command

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/rdb"
)

var _ = add(map[string]handler{"restore": restoreCommand, "restore-asking": restoreCommand})

const (
	errPayload = "ERR DUMP payload version or checksum are wrong"
	errFormat  = "ERR Bad data format"
	errBusy    = "BUSYKEY Target key name already exists."
)

// restoreOptions is what RESTORE takes behind the payload.
type restoreOptions struct {
	replace, absolute bool
	idle, freq        int64 // -1 where they are not given
}

func (c *Client) restoreOptions() (o restoreOptions, ok bool) {
	o.idle, o.freq = -1, -1
	for i := 4; i < len(c.Args); i++ {
		switch a := c.Args[i]; {
		case is(a, "REPLACE"):
			o.replace = true
		case is(a, "ABSTTL"):
			o.absolute = true
		case is(a, "IDLETIME") && i+1 < len(c.Args) && o.freq == -1:
			i++
			if o.idle, ok = c.intArg(c.Args[i]); !ok {
				return o, false
			}
			if o.idle < 0 {
				c.Error("ERR Invalid IDLETIME value, must be >= 0")
				return o, false
			}
		case is(a, "FREQ") && i+1 < len(c.Args) && o.idle == -1:
			i++
			if o.freq, ok = c.intArg(c.Args[i]); !ok {
				return o, false
			}
			if o.freq < 0 || o.freq > 255 {
				c.Error("ERR Invalid FREQ value, must be >= 0 and <= 255")
				return o, false
			}
		default:
			c.Error(errSyntax)
			return o, false
		}
	}
	return o, true
}

// RESTORE key ttl payload [REPLACE] [ABSTTL] [IDLETIME seconds] [FREQ frequency]
func restoreCommand(c *Client) {
	o, ok := c.restoreOptions()
	if !ok {
		return
	}
	key := c.Args[1]
	if !o.replace && c.DB.LookupWrite(key) != 0 {
		c.Error(errBusy)
		return
	}
	ttl, ok := c.intArg(c.Args[2])
	if !ok {
		return
	}
	if ttl < 0 {
		c.Error("ERR Invalid TTL value, must be >= 0")
		return
	}
	v, ok := c.payload(c.Args[3])
	if !ok {
		return
	}
	deleted := o.replace && c.DB.Delete(key)
	if ttl != 0 && !o.absolute {
		ttl += c.S.NowMS()
	}
	if ttl != 0 && ttl <= c.S.NowMS() {
		if deleted {
			c.touched(key)
			c.notify('g', "del", key)
			c.S.Dirty++
		}
		c.OK()
		return
	}
	p := c.DB.Add(key, c.S.loadValue(&v))
	if ttl != 0 {
		p = c.DB.SetExpire(key, ttl)
	}
	c.S.setUsed(p, o.idle, o.freq)
	c.touched(key)
	c.notify('g', "restore", key)
	c.S.Dirty++
	c.OK()
}

// payload decodes what RESTORE is given, and replies the error where it can't be.
func (c *Client) payload(b []byte) (v rdb.Value, ok bool) {
	r := c.S.R
	p, ok := rdb.OpenPayload(b)
	if !ok || !p.Checksum && !c.S.rdb.unchecked || !c.S.takesVersion(p.Version) {
		c.Error(errPayload)
		return v, false
	}
	t := rdb.Type(b[0]) // the server reads on into the footer where a value ends too early
	if !t.Known(r.RDBVersion) {
		c.Error(errFormat)
		return v, false
	}
	if rdb.Foreign(p.Version) && t >= rdb.Hash2 {
		c.Error(fmt.Sprintf("ERR Unsupported foreign data type: %d", t))
		return v, false
	}
	v, err := rdb.Decode(rdb.NewReader(b[1:]), t, c.S.rdbRules(true))
	if err != nil {
		c.Error(errFormat)
		return v, false
	}
	return v, true
}

// takesVersion tells whether a payload may be of a version.
func (s *Server) takesVersion(n int) bool {
	switch {
	case n == 0 && s.R.RDBRefusesZero:
		return false
	case s.Conf.Text("rdb-version-check") == "relaxed":
		return !rdb.Foreign(n) || s.R.RDBTakesForeign
	}
	return n <= s.R.RDBVersion && !rdb.Foreign(n)
}
