package command

import (
	"fmt"
	"math"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/fpconv"
	"github.com/keyloupe/keyloupe/engine/geohash"
	"github.com/keyloupe/keyloupe/engine/object"
)

var _ = add(map[string]handler{
	"geoadd": geoaddCommand, "geodist": geodistCommand, "geohash": geohashCommand, "geopos": geoposCommand,
})

// positionArg reads a longitude and a latitude (geo.c, extractLongLatOrReply).
func (c *Client) positionArg(lon, lat []byte) (p geohash.Point, ok bool) {
	if p.Lon, ok = c.floatArg(lon, errFloat); !ok {
		return p, false
	}
	if p.Lat, ok = c.floatArg(lat, errFloat); !ok {
		return p, false
	}
	if !p.Valid() {
		c.Error(fmt.Sprintf("ERR invalid longitude,latitude pair %s,%s", sixDigits(p.Lon), sixDigits(p.Lat)))
		return p, false
	}
	return p, true
}

// sixDigits is "%f".
func sixDigits(v float64) string {
	if math.IsInf(v, 0) {
		return string(fpconv.Append(nil, v))
	}
	return strconv.FormatFloat(v, 'f', 6, 64)
}

// unitArg is how many metres a unit has.
func (c *Client) unitArg(a []byte) (metres float64, ok bool) {
	switch {
	case is(a, "M"):
		return 1, true
	case is(a, "KM"):
		return 1000, true
	case is(a, "FT"):
		return 0.3048, true
	case is(a, "MI"):
		return 1609.34, true
	}
	c.Error("ERR unsupported unit provided. please use M, KM, FT, MI")
	return 0, false
}

// replyDistance replies a distance with four digits, as a string in RESP3 too.
func (c *Client) replyDistance(v float64) {
	var num [32]byte
	c.Bulk(fpconv.AppendFixed(num[:0], v, 4))
}

// replyCoordinate replies a number without exponent, in RESP3 a double.
func (c *Client) replyCoordinate(v float64) {
	var num [400]byte
	s := fpconv.AppendHuman(num[:0], v)
	if c.Proto < 3 {
		c.Bulk(s)
		return
	}
	c.Buf = append(append(append(c.Buf, ','), s...), '\r', '\n')
}

func (c *Client) replyPosition(p geohash.Point) {
	c.Array(2)
	c.replyCoordinate(p.Lon)
	c.replyCoordinate(p.Lat)
}

// GEOADD key [NX | XX] [CH] longitude latitude member [...]. It is a ZADD of the positions' scores,
// and says what ZADD says to options that do not go together.
func geoaddCommand(c *Client) {
	at, nx, xx := 2, false, false
	for ; at < len(c.Args); at++ {
		a := c.Args[at]
		if is(a, "NX") {
			nx = true
		} else if is(a, "XX") {
			xx = true
		} else if !is(a, "CH") {
			break
		}
	}
	if (len(c.Args)-at)%3 != 0 || nx && xx {
		c.Error(errSyntax)
		return
	}
	args := append([][]byte(nil), c.Args[:at]...)
	for i := at; i < len(c.Args); i += 3 {
		p, ok := c.positionArg(c.Args[i], c.Args[i+1])
		if !ok {
			return
		}
		args = append(args, strconv.AppendUint(nil, geohash.Score(p), 10), c.Args[i+2])
	}
	c.zadd(args, 0)
}

// positionOf is the position of a member; p may be 0.
func (c *Client) positionOf(p ptr, member []byte) (at geohash.Point, ok bool) {
	if p == 0 {
		return at, false
	}
	z := c.zset(p)
	score, ok := z.Score(member)
	if ok {
		at = geohash.OfScore(score)
	}
	return at, ok
}

// GEODIST key member1 member2 [unit]
func geodistCommand(c *Client) {
	metres := 1.0
	switch {
	case len(c.Args) > 5:
		c.Error(errSyntax)
		return
	case len(c.Args) == 5:
		var ok bool
		if metres, ok = c.unitArg(c.Args[4]); !ok {
			return
		}
	}
	p, ok := c.find(c.Args[1], object.Zset)
	if !ok {
		return
	}
	a, ok := c.positionOf(p, c.Args[2])
	b := a
	if ok { // where the first is not there the second is not looked for
		b, ok = c.positionOf(p, c.Args[3])
	}
	if !ok {
		c.Null()
		return
	}
	c.replyDistance(geohash.Distance(c.S.R, a, b) / metres)
}

// GEOHASH key [member ...]
func geohashCommand(c *Client) {
	p, ok := c.find(c.Args[1], object.Zset)
	if !ok {
		return
	}
	c.Array(len(c.Args) - 2)
	for _, m := range c.Args[2:] {
		if at, ok := c.positionOf(p, m); ok {
			c.BulkString(geohash.Text(at))
		} else {
			c.Null()
		}
	}
}

// GEOPOS key [member ...]
func geoposCommand(c *Client) {
	p, ok := c.find(c.Args[1], object.Zset)
	if !ok {
		return
	}
	c.Array(len(c.Args) - 2)
	for _, m := range c.Args[2:] {
		if at, ok := c.positionOf(p, m); ok {
			c.replyPosition(at)
		} else {
			c.NullArray()
		}
	}
}
