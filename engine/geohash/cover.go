package geohash

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/release"
)

// Shape is an area to search. Its measures are in a unit of Unit metres.
type Shape struct {
	Kind          Kind
	Center        Point // of a polygon: its centroid, which Cover works out
	Unit          float64
	Radius        float64
	Width, Height float64
	Vertices      []Point
}

// Kind is what a Shape is.
type Kind int

// The kinds.
const (
	Circle Kind = iota
	Box
	Polygon
)

// mercatorMax is half the length of the equator on the map, metres.
const mercatorMax = 20037726.37

// stepsFor is the step whose cells, nine of them together, cover a radius at a latitude.
func stepsFor(radius, lat float64) int {
	if radius == 0 {
		return MaxStep
	}
	step := 1
	for radius < mercatorMax {
		radius *= 2
		step++
	}
	step -= 2
	if lat > 66 || lat < -66 { // cells are narrower towards the poles
		step--
		if lat > 80 || lat < -80 {
			step--
		}
	}
	return min(max(step, 1), MaxStep)
}

// bounds is the rectangle around the shape.
func (s *Shape) bounds() Area {
	half := s.Unit * s.Radius
	height, width := half, half
	switch s.Kind {
	case Box:
		height, width = s.Unit*s.Height/2, s.Unit*s.Width/2
	case Polygon:
		return s.around()
	}
	lat := degrees(height / earthRadius)
	delta := func(at float64) float64 { return degrees(width / earthRadius / cos(radians(at))) }
	lon := delta(s.Center.Lat + lat)
	if s.Center.Lat < 0 { // the wider side is the one towards the pole
		lon = delta(s.Center.Lat - lat)
	}
	return Area{Point{s.Center.Lon - lon, s.Center.Lat - lat}, Point{s.Center.Lon + lon, s.Center.Lat + lat}}
}

// around is the rectangle around a polygon, whose centroid it works out.
func (s *Shape) around() Area {
	a := Area{Point{LonMax, LatMax}, Point{LonMin, LatMin}}
	var x, y, z float64
	for _, v := range s.Vertices {
		a.Min = Point{min(a.Min.Lon, v.Lon), min(a.Min.Lat, v.Lat)}
		a.Max = Point{max(a.Max.Lon, v.Lon), max(a.Max.Lat, v.Lat)}
		lon, lat := radians(v.Lon), radians(v.Lat)
		x += float64(cos(lat) * cos(lon))
		y += float64(cos(lat) * sin(lon))
		z += sin(lat)
	}
	flat := math.Sqrt(float64(x*x) + float64(y*y))
	s.Center = Point{degrees(math.Atan2(y, x)), degrees(math.Atan2(z, flat))}
	return a
}

// reach is a radius around the center that covers the shape, metres.
func (s *Shape) reach(r *release.Release, b Area) float64 {
	radius := s.Radius
	switch s.Kind {
	case Box:
		radius = math.Sqrt(float64(s.Width/2*(s.Width/2)) + float64(s.Height/2*(s.Height/2)))
	case Polygon:
		radius = 0
		for _, corner := range [...]Point{{b.Min.Lon, b.Max.Lat}, {b.Max.Lon, b.Max.Lat}, b.Min, {b.Max.Lon, b.Min.Lat}} {
			radius = max(radius, Distance(r, s.Center, corner))
		}
	}
	return radius * s.Unit
}

// Cover is the cells to look through for a shape, in the server's order: the one around the center,
// then those to the north, south, east, west, north-east, north-west, south-east, south-west. Those
// that the shape can't reach are left out, and those that are the same as the one before.
func (s *Shape) Cover(r *release.Release) (out []Cell) {
	b := s.bounds()
	step := stepsFor(s.reach(r, b), s.Center.Lat)
	cells := around(Encode(s.Center, step))
	if step > 1 && tooSmall(cells, b) {
		step--
		cells = around(Encode(s.Center, step))
	}
	if step >= 2 {
		dropUseless(&cells, b)
	}
	last := 0
	for i, c := range cells {
		if c == (Cell{}) || last > 0 && c == cells[last] {
			continue
		}
		out = append(out, c)
		last = i
	}
	return out
}

// Places in the nine cells around a position.
const (
	middle = iota
	north
	south
	east
	west
	northEast
	northWest
	southEast
	southWest
)

func around(c Cell) (cells [9]Cell) {
	cells[middle] = c
	cells[north], cells[south] = c.move(0, 1), c.move(0, -1)
	cells[east], cells[west] = c.move(1, 0), c.move(-1, 0)
	cells[northEast], cells[northWest] = c.move(1, 1), c.move(-1, 1)
	cells[southEast], cells[southWest] = c.move(1, -1), c.move(-1, -1)
	return cells
}

// tooSmall tells whether the nine cells do not reach as far as the rectangle.
func tooSmall(cells [9]Cell, b Area) bool {
	return cells[north].Decode().Max.Lat < b.Max.Lat || cells[south].Decode().Min.Lat > b.Min.Lat ||
		cells[east].Decode().Max.Lon < b.Max.Lon || cells[west].Decode().Min.Lon > b.Min.Lon
}

// dropUseless leaves out the sides where the middle cell goes further than the rectangle.
func dropUseless(cells *[9]Cell, b Area) {
	a := cells[middle].Decode()
	drop := func(useless bool, which ...int) {
		for _, i := range which {
			if useless {
				cells[i] = Cell{}
			}
		}
	}
	drop(a.Min.Lat < b.Min.Lat, south, southWest, southEast)
	drop(a.Max.Lat > b.Max.Lat, north, northEast, northWest)
	drop(a.Min.Lon < b.Min.Lon, west, southWest, northWest)
	drop(a.Max.Lon > b.Max.Lon, east, southEast, northEast)
}

// Holds tells whether a position is in the shape, and how far from the center it is, metres.
func (s *Shape) Holds(r *release.Release, p Point) (distance float64, ok bool) {
	switch s.Kind {
	case Circle:
		d := Distance(r, s.Center, p)
		return d, d <= s.Radius*s.Unit
	case Box:
		if latDistance(p.Lat, s.Center.Lat) > s.Height*s.Unit/2 ||
			Distance(r, p, Point{s.Center.Lon, p.Lat}) > s.Width*s.Unit/2 {
			return 0, false
		}
		return Distance(r, s.Center, p), true
	}
	if !s.inPolygon(p) {
		return 0, false
	}
	return Distance(r, s.Center, p), true
}

// inPolygon counts the edges that a ray from the position crosses.
func (s *Shape) inPolygon(p Point) (inside bool) {
	b := s.Vertices[len(s.Vertices)-1]
	for _, a := range s.Vertices {
		if a.Lat > p.Lat != (b.Lat > p.Lat) && p.Lon < float64((b.Lon-a.Lon)*(p.Lat-a.Lat)/(b.Lat-a.Lat))+a.Lon {
			inside = !inside
		}
		b = a
	}
	return inside
}
