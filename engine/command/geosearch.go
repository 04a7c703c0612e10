package command

import (
	"cmp"
	"math"
	"slices"

	"github.com/keyloupe/keyloupe/engine/geohash"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/zset"
)

var _ = add(map[string]handler{
	"georadius":            func(c *Client) { c.geosearch(geoAround, true) },
	"georadius_ro":         func(c *Client) { c.geosearch(geoAround, false) },
	"georadiusbymember":    func(c *Client) { c.geosearch(geoAroundMember, true) },
	"georadiusbymember_ro": func(c *Client) { c.geosearch(geoAroundMember, false) },
	"geosearch":            func(c *Client) { c.geosearch(geoSearch, false) },
	"geosearchstore":       func(c *Client) { c.geosearch(geoSearchStore, true) },
})

// geoForm is the form that a search has.
type geoForm int

const (
	geoAround       geoForm = iota // key longitude latitude radius unit [options]
	geoAroundMember                // key member radius unit [options]
	geoSearch                      // key options
	geoSearchStore                 // destination key options
)

// geoQuery is what a search asks for.
type geoQuery struct {
	form  geoForm
	store bool // STORE and STOREDIST are known
	src   ptr
	shape geohash.Shape

	dist, hash, coord bool // WITH...
	order             int  // 1: nearest first, -1: furthest first, 0: as found
	count             int64
	any               bool
	target            []byte // where the result is stored, nil for nowhere
	storeDist         bool

	fromMember, fromPlace      bool // what was given
	byRadius, byBox, byPolygon bool
}

// found is a member within the shape.
type found struct {
	at          geohash.Point
	dist, score float64
	member      []byte
}

// geosearch is GEORADIUS, GEOSEARCH and their kin (geo.c, georadiusGeneric).
func (c *Client) geosearch(form geoForm, store bool) {
	q := geoQuery{form: form, store: store}
	key := 1
	if form == geoSearchStore {
		key, q.target = 2, c.Args[1]
	}
	var ok bool
	if q.src, ok = c.find(c.Args[key], object.Zset); !ok {
		return
	}
	at, ok := c.geoCenter(&q)
	if !ok || !c.geoOptions(&q, at) {
		return
	}
	if msg := q.wrong(string(c.Args[0]), c.S.R.GeoPolygon); msg != "" {
		c.Error(msg)
		return
	}
	switch {
	case q.src == 0 && q.target == nil:
		c.Array(0)
	case q.src == 0:
		c.deleteStored(q.target)
		c.Int(0)
	default:
		c.geoResult(&q, c.geoFind(&q))
	}
}

// geoCenter reads what the older forms have before their options and returns where those begin.
func (c *Client) geoCenter(q *geoQuery) (at int, ok bool) {
	switch q.form {
	case geoSearch:
		return 2, true
	case geoSearchStore:
		return 3, true
	case geoAround:
		if q.shape.Center, ok = c.positionArg(c.Args[2], c.Args[3]); !ok {
			return 0, false
		}
		return 6, c.geoRadius(q, c.Args[4], c.Args[5])
	}
	if q.src == 0 { // the options tell what to reply
		return 5, true
	}
	if !c.geoMember(q, c.Args[2]) {
		return 0, false
	}
	return 5, c.geoRadius(q, c.Args[3], c.Args[4])
}

func (c *Client) geoMember(q *geoQuery, member []byte) (ok bool) {
	if q.shape.Center, ok = c.positionOf(q.src, member); ok {
		return true
	}
	if c.S.R.GeoPolygon {
		c.Error("ERR member " + printable(member) + " does not exist")
	} else {
		c.Error("ERR could not decode requested zset member")
	}
	return false
}

func (c *Client) geoRadius(q *geoQuery, radius, unit []byte) (ok bool) {
	q.shape.Kind = geohash.Circle
	if q.shape.Radius, ok = c.floatArg(radius, "ERR need numeric radius"); !ok {
		return false
	}
	if q.shape.Radius < 0 {
		c.Error("ERR radius cannot be negative")
		return false
	}
	q.shape.Unit, ok = c.unitArg(unit)
	return ok
}

func (c *Client) geoBox(q *geoQuery, width, height, unit []byte) (ok bool) {
	q.shape.Kind = geohash.Box
	if q.shape.Width, ok = c.floatArg(width, "ERR need numeric width"); !ok {
		return false
	}
	if q.shape.Height, ok = c.floatArg(height, "ERR need numeric height"); !ok {
		return false
	}
	if q.shape.Width < 0 || q.shape.Height < 0 {
		c.Error("ERR height or width cannot be negative")
		return false
	}
	q.shape.Unit, ok = c.unitArg(unit)
	return ok
}

// geoPolygon reads a number of vertices and the vertices; used is how many arguments that is.
func (c *Client) geoPolygon(q *geoQuery, args [][]byte) (used int, ok bool) {
	n, ok := c.rangeArg(args[0], math.MinInt32, math.MaxInt32, "ERR invalid number of vertices")
	if !ok {
		return 0, false
	}
	if n < 3 || int64(len(args)-1)/2 < n {
		c.Error("ERR GEOSEARCH BYPOLYGON must have at least 3 vertices")
		return 0, false
	}
	q.shape.Kind, q.shape.Unit = geohash.Polygon, 1
	q.shape.Vertices = nil
	for i := range int(n) {
		v, ok := c.positionArg(args[1+2*i], args[2+2*i])
		if !ok {
			return 0, false
		}
		q.shape.Vertices = append(q.shape.Vertices, v)
	}
	return 1 + 2*int(n), true
}

// geoOptions reads the options from argument at on.
func (c *Client) geoOptions(q *geoQuery, at int) bool {
	for i := at; i < len(c.Args); i++ {
		n, ok := c.geoOption(q, c.Args[i], c.Args[i+1:])
		if !ok {
			return false
		}
		i += n
	}
	return true
}

// geoOption reads one option; used is how many of the arguments after it belong to it.
func (c *Client) geoOption(q *geoQuery, a []byte, rest [][]byte) (used int, ok bool) {
	search := q.form >= geoSearch
	switch {
	case is(a, "WITHDIST"):
		q.dist = true
	case is(a, "WITHHASH"):
		q.hash = true
	case is(a, "WITHCOORD"):
		q.coord = true
	case is(a, "ANY"):
		q.any = true
	case is(a, "ASC"):
		q.order = 1
	case is(a, "DESC"):
		q.order = -1
	case is(a, "COUNT") && len(rest) > 0:
		return 1, c.geoCount(q, rest[0])
	case !search && q.store && len(rest) > 0 && (is(a, "STORE") || is(a, "STOREDIST")):
		q.target, q.storeDist = rest[0], is(a, "STOREDIST")
		return 1, true
	case q.form == geoSearchStore && is(a, "STOREDIST"):
		q.storeDist = true
	case search:
		return c.geoWhere(q, a, rest)
	default:
		c.Error(errSyntax)
		return 0, false
	}
	return 0, true
}

func (c *Client) geoCount(q *geoQuery, a []byte) (ok bool) {
	if q.count, ok = c.intArg(a); !ok {
		return false
	}
	if q.count <= 0 {
		c.Error("ERR COUNT must be > 0")
		return false
	}
	return true
}

// geoWhere reads FROM... and BY... of GEOSEARCH.
func (c *Client) geoWhere(q *geoQuery, a []byte, rest [][]byte) (used int, ok bool) {
	switch {
	case is(a, "FROMMEMBER") && len(rest) > 0 && !q.fromPlace && !q.byPolygon:
		q.fromMember = true
		return 1, q.src == 0 || c.geoMember(q, rest[0])
	case is(a, "FROMLONLAT") && len(rest) > 1 && !q.fromMember && !q.byPolygon:
		q.fromPlace = true
		q.shape.Center, ok = c.positionArg(rest[0], rest[1])
		return 2, ok
	case is(a, "BYRADIUS") && len(rest) > 1 && !q.byBox && !q.byPolygon:
		q.byRadius = true
		return 2, c.geoRadius(q, rest[0], rest[1])
	case is(a, "BYBOX") && len(rest) > 2 && !q.byRadius && !q.byPolygon:
		q.byBox = true
		return 3, c.geoBox(q, rest[0], rest[1], rest[2])
	case c.S.R.GeoPolygon && is(a, "BYPOLYGON") && len(rest) > 1 && !q.byRadius && !q.byBox && !q.fromMember && !q.fromPlace:
		q.byPolygon = true
		return c.geoPolygon(q, rest)
	}
	c.Error(errSyntax)
	return 0, false
}

// wrong is the error of options that do not go together, "" for none. name is the command as it was
// typed.
func (q *geoQuery) wrong(name string, polygon bool) string {
	search := q.form >= geoSearch
	switch {
	case q.target != nil && (q.dist || q.hash || q.coord):
		what := "STORE option in GEORADIUS"
		if q.form == geoSearchStore {
			what = "GEOSEARCHSTORE"
		}
		return "ERR " + what + " is not compatible with WITHDIST, WITHHASH and WITHCOORD options"
	case search && !q.fromMember && !q.fromPlace && !q.byPolygon:
		return "ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for " + name
	case search && !q.byRadius && !q.byBox && !q.byPolygon:
		if polygon {
			return "ERR exactly one of BYRADIUS, BYBOX and BYPOLYGON can be specified for " + name
		}
		return "ERR exactly one of BYRADIUS and BYBOX can be specified for " + name
	case q.any && q.count == 0:
		return "ERR the ANY argument requires COUNT argument"
	}
	return ""
}

// geoFind collects the members within the shape, cell by cell, and sorts them.
func (c *Client) geoFind(q *geoQuery) (out []found) {
	limit := math.MaxInt
	if q.any {
		limit = int(min(q.count, math.MaxInt))
	}
	z := c.zset(q.src)
	for _, cell := range q.shape.Cover(c.S.R) {
		if len(out) >= limit {
			break
		}
		lo, hi := cell.Scores()
		out = c.geoCell(&z, q, zset.Scores{Min: float64(lo), Max: float64(hi), MaxEx: true}, limit, out)
	}
	if q.count > 0 && q.order == 0 && !q.any {
		q.order = 1
	}
	return q.sorted(out)
}

func (c *Client) geoCell(z *zset.Set, q *geoQuery, r zset.Scores, limit int, out []found) []found {
	for at := z.FirstIn(r); at.OK() && len(out) < limit; at.Next() {
		score := at.Score()
		if r.Above(score, nil) {
			break
		}
		p := geohash.OfScore(score)
		if d, ok := q.shape.Holds(c.S.R, p); ok {
			out = append(out, found{p, d, score, append([]byte(nil), at.Member()...)})
		}
	}
	return out
}

// sorted is what is returned, in order. Where not all of it is, only so many are sorted.
func (q *geoQuery) sorted(all []found) []found {
	n := len(all)
	if q.count > 0 {
		n = int(min(q.count, int64(n)))
	}
	if q.order != 0 {
		by := func(x, y *found) int { return q.order * cmp.Compare(x.dist, y.dist) }
		if n == len(all) {
			slices.SortStableFunc(all, func(x, y found) int { return by(&x, &y) })
		} else {
			partialSort(all, 0, n-1, by)
		}
	}
	return all[:n]
}

// geoResult replies the members or stores them.
func (c *Client) geoResult(q *geoQuery, all []found) {
	for i := range all {
		all[i].dist /= q.shape.Unit
	}
	if q.target != nil {
		c.geoStore(q, all)
		return
	}
	extra := 0
	for _, with := range [...]bool{q.dist, q.hash, q.coord} {
		if with {
			extra++
		}
	}
	c.Array(len(all))
	for i := range all {
		if extra > 0 {
			c.Array(1 + extra)
		}
		c.Bulk(all[i].member)
		if q.dist {
			c.replyDistance(all[i].dist)
		}
		if q.hash {
			c.Int(int64(all[i].score))
		}
		if q.coord {
			c.replyPosition(all[i].at)
		}
	}
}

func (c *Client) geoStore(q *geoQuery, all []found) {
	z := c.S.zsets.NewSkiplist()
	longest, total := 0, 0
	for _, f := range all {
		score := f.score
		if q.storeDist {
			score = f.dist
		}
		longest, total = max(longest, len(f.member)), total+len(f.member)
		z.Insert(score, f.member)
	}
	z.ToListpackIfFits(longest, total)
	event := "georadiusstore"
	if q.form == geoSearchStore {
		event = "geosearchstore"
	}
	c.S.Dirty += int64(max(0, len(all)-1))
	c.storeZset(q.target, &z, event)
}
