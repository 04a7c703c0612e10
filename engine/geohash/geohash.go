// Package geohash turns positions into the scores of a sorted set and back, and finds the cells
// that cover an area.
//
//	score, 52 bits   longitude 26 bits and latitude 26 bits, interleaved, longitude first
//	cell of step s   the 2s leading bits: all scores from bits << (52-2s) on, up to the next cell's
//
// Latitudes go from -85.05112878 to 85.05112878 degrees, as in the Mercator maps of the web
// (geohash.c, geohash_helper.c). Distances are in metres, positions in degrees.
//
// Every result of a multiplication that is added to something is rounded first, as the server's
// compiler has it, so that no platform fuses the two.
package geohash

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/release"
)

// MaxStep is the finest cells': 26 bits for each coordinate.
const MaxStep = 26

// Limits of positions, degrees.
const (
	LatMin, LatMax = -85.05112878, 85.05112878
	LonMin, LonMax = -180.0, 180.0
)

// Point is a position.
type Point struct{ Lon, Lat float64 }

// Valid tells whether a position is within the limits.
func (p Point) Valid() bool {
	return p.Lon >= LonMin && p.Lon <= LonMax && p.Lat >= LatMin && p.Lat <= LatMax
}

// Cell is a rectangle of the grid of its step. The zero Cell is none.
type Cell struct {
	Bits uint64
	Step int
}

// Area is what a cell covers.
type Area struct{ Min, Max Point }

// grid is the range of coordinates that cells divide.
type grid struct{ lon, lat [2]float64 }

var (
	mercator = grid{[2]float64{LonMin, LonMax}, [2]float64{LatMin, LatMax}}
	whole    = grid{[2]float64{LonMin, LonMax}, [2]float64{-90, 90}} // of standard geohash strings
)

// Encode is the cell of a step that a position lies in; no Cell outside the limits.
func Encode(p Point, step int) Cell { return mercator.encode(p, step) }

func (g grid) encode(p Point, step int) Cell {
	if !p.Valid() {
		return Cell{}
	}
	lat := (p.Lat - g.lat[0]) / (g.lat[1] - g.lat[0]) * float64(uint64(1)<<step)
	lon := (p.Lon - g.lon[0]) / (g.lon[1] - g.lon[0]) * float64(uint64(1)<<step)
	return Cell{spread(uint32(uint64(lat))) | spread(uint32(uint64(lon)))<<1, step}
}

// Score is the score of a position, a whole number of 52 bits.
func Score(p Point) uint64 { return Encode(p, MaxStep).Align() }

// Align is the lowest score in the cell.
func (c Cell) Align() uint64 { return c.Bits << (2*MaxStep - 2*c.Step) }

// Scores is the range of scores in the cell: from the first up to but without the second.
func (c Cell) Scores() (lo, hi uint64) {
	return c.Align(), Cell{c.Bits + 1, c.Step}.Align()
}

// Decode is what a cell covers.
func (c Cell) Decode() Area {
	lat, lon := gather(c.Bits), gather(c.Bits>>1)
	parts := float64(uint64(1) << c.Step)
	at := func(r [2]float64, i uint32) float64 {
		return r[0] + float64(float64(i)/parts*(r[1]-r[0]))
	}
	// the next line of the grid is counted in 32 bits, as in the server
	return Area{Point{at(mercator.lon, lon), at(mercator.lat, lat)}, Point{at(mercator.lon, lon+1), at(mercator.lat, lat+1)}}
}

// OfScore is the position that a score stands for: the middle of its cell. Scores that are no such
// thing are converted to bits as x86-64 does it.
func OfScore(score float64) Point {
	bits := uint64(1 << 63)
	switch {
	case score >= 1<<64:
		bits = 0
	case score >= 0:
		bits = uint64(score)
	case score >= -1<<63:
		bits = uint64(int64(score))
	}
	a := Cell{bits, MaxStep}.Decode()
	return Point{clamp((a.Min.Lon+a.Max.Lon)/2, LonMin, LonMax), clamp((a.Min.Lat+a.Max.Lat)/2, LatMin, LatMax)}
}

func clamp(v, lo, hi float64) float64 { return max(lo, min(hi, v)) }

const alphabet = "0123456789bcdefghjkmnpqrstuvwxyz"

// Text is the standard geohash of a position: ten letters that tell, and an eleventh that is
// always 0.
func Text(p Point) string {
	bits := whole.encode(p, MaxStep).Bits
	var b [11]byte
	for i := range 10 {
		b[i] = alphabet[bits>>(52-(i+1)*5)&31]
	}
	b[10] = alphabet[0]
	return string(b[:])
}

// spread puts a zero after each bit.
func spread(v uint32) uint64 {
	x := uint64(v)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}

// gather takes every second bit.
func gather(x uint64) uint32 {
	x &= 0x5555555555555555
	x = (x | x>>1) & 0x3333333333333333
	x = (x | x>>2) & 0x0f0f0f0f0f0f0f0f
	x = (x | x>>4) & 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return uint32(x | x>>16)
}

// move is the cell so many columns and rows away, round the world at the edges.
func (c Cell) move(dx, dy int) Cell {
	const odd, even = 0xaaaaaaaaaaaaaaaa, 0x5555555555555555
	shift := 64 - 2*c.Step
	c.Bits = stepBits(c.Bits&odd, even>>shift, odd>>shift, dx) | stepBits(c.Bits&even, odd>>shift, even>>shift, dy)
	return c
}

// stepBits counts one coordinate's bits up or down; gaps is the other one's bits.
func stepBits(x, gaps, own uint64, d int) uint64 {
	switch {
	case d > 0:
		return (x + gaps + 1) & own
	case d < 0:
		return ((x | gaps) - (gaps + 1)) & own
	}
	return x
}

// Distance is the length of the great circle between two positions.
func Distance(r *release.Release, a, b Point) float64 {
	v := sin((radians(b.Lon) - radians(a.Lon)) / 2)
	if v == 0 || r.GeoSameLongitude && math.Abs(v) <= 1e-15 {
		return latDistance(a.Lat, b.Lat)
	}
	lat1, lat2 := radians(a.Lat), radians(b.Lat)
	u := sin((lat2 - lat1) / 2)
	h := float64(u*u) + float64(cos(lat1)*cos(lat2)*v*v)
	return 2 * earthRadius * asin(math.Sqrt(h))
}

func latDistance(a, b float64) float64 { return earthRadius * math.Abs(radians(b)-radians(a)) }

const (
	earthRadius = 6372797.560856
	degree      = math.Pi / 180
)

func radians(deg float64) float64 { return float64(deg * degree) }
func degrees(rad float64) float64 { return rad / degree }
