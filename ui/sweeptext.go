package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/sweep"
	"github.com/keyloupe/keyloupe/ui/sweeping"
)

// choice is one of several values of a field.
type choice struct{ Value, Label, Title string }

// choices are those that the form offers for a field. What a link says besides is offered too.
func (c *SweepForm) choices(field string) []choice {
	var out []choice
	switch field {
	case "type":
		out = []choice{{"string", "string", ""}, {"hash", "hash", ""}}
	case "ttl":
		out = []choice{{"none", "none", "Nothing expires"}, {"key", "key", "Every key expires"}}
		if c.sweep.Hash() {
			out = append(out, choice{"field", "fields", "Every field of the hash expires; 9.0 and later"})
		}
		out = append(out, choice{"none,key", "both", "Keys without and with, beside each other"})
	case "history":
		out = []choice{{"set", "at once", "SET key value PX ms; for fields HSETEX"}, {"set+pexpire", "later", "SET, then PEXPIRE; for fields HSET, then HPEXPIRE"},
			{"set,set+pexpire", "both", "Both beside each other"}}
	case "value_kind":
		out = []choice{{"text", "text", ""}, {"int", "integer", "The first digits of 1234567890123456789"}}
	}
	now := c.sweep.Text(field)
	for _, o := range out {
		if o.Value == now {
			return out
		}
	}
	return append(out, choice{now, now, ""})
}

// switches are the fields with few values, in the order of the form.
func (c *SweepForm) switches() []string {
	if strings.Contains(c.sweep.Text("ttl"), "key") || strings.Contains(c.sweep.Text("ttl"), "field") {
		return []string{"ttl", "history", "value_kind"}
	}
	return []string{"ttl", "value_kind"}
}

// lengths are the fields with a number or a range.
func (c *SweepForm) lengths() []string {
	if c.sweep.Hash() {
		return []string{"key", "field", "fields", "value", "keys"}
	}
	return []string{"key", "value", "keys"}
}

var fieldLabels = map[string]string{"type": "Type", "key": "Key length", "value": "Value length", "field": "Field name", "fields": "Fields", "keys": "Keys in all",
	"ttl": "Expires", "history": "TTL given", "value_kind": "Values", "hash_seed": "hash-seed", "hash_seed_hex": "seed, hex"}

// units of a length, in the crosshair's text.
var fieldUnits = map[string]string{"key": " B", "value": " B", "field": " B"}

func fieldWhat(name string) string {
	for _, f := range sweep.Fields() {
		if f.Name == name {
			return f.What
		}
	}
	return ""
}

func (c *SweepForm) checked(field, value string) bool { return c.sweep.Text(field) == value }

func (c *SweepForm) invalid(field string) string { return ariaBool(c.sweep.Problem(field) != "") }

// slides tells whether a field's text can be moved by a slider.
func (c *SweepForm) slides(field string) bool {
	_, ok := c.sweep.Slider(field)
	return ok
}

func (c *SweepForm) slider(field string) string {
	n, _ := c.sweep.Slider(field)
	if field == "keys" {
		n = keysPlace(n)
	}
	return itoa(n)
}

func (c *SweepForm) sliderMost(field string) string {
	return map[string]string{"keys": "90", "fields": "1000", "value": "1024", "key": "256", "field": "128"}[field]
}

func (c *SweepForm) presetClass(p *sweeping.Preset) string {
	if c.sweep.Is(p) {
		return "on"
	}
	return ""
}

func (c *SweepForm) usePreset(p *sweeping.Preset) {
	c.sweep.Use(p)
	c.sweep.touch()
}

func (c *SweepForm) presets() (out []*sweeping.Preset) {
	for i := range sweeping.Presets {
		out = append(out, &sweeping.Presets[i])
	}
	return out
}

func (c *SweepForm) seeded() bool {
	return c.sweep.Text("hash_seed")+c.sweep.Text("hash_seed_hex") != ""
}

// measures are what the chart can show.
var measures = []choice{{"", "per key", "bytes of used_memory per key, with its share of the tables"}, {"total", "all keys", "the same times the number of keys"},
	{"allocated", "blocks", "bytes of the key's blocks"}, {"memory_usage", "MEMORY USAGE", "what the command prints"}, {"table", "tables", "the tables' share per key"}}

// option changes an option of the chart.
func (c *SweepPane) option(of *string, value string) {
	*of = value
	c.sweep.update()
}

func (c *SweepPane) log(axis string) bool { return strings.Contains(c.sweep.Log, axis) }

func (c *SweepPane) toggleLog(axis string) {
	on := map[string]bool{"x": c.log("x"), "y": c.log("y")}
	on[axis] = !on[axis]
	s := ""
	for _, a := range []string{"x", "y"} {
		if on[a] {
			s += a
		}
	}
	c.option(&c.sweep.Log, s)
}

// atText names the crosshair's place: "value 97 B".
func (s *sweepView) atText() string { return placeText(s.Along(), s.At()) }

func placeText(field string, n int) string {
	if field == "keys" {
		return group(n) + " keys"
	}
	return field + " " + group(n) + fieldUnits[field]
}

// microText is bytes with one decimal where they are not whole.
func microText(m sweep.Micro) string {
	whole, tenth, _ := strings.Cut(m.Round(1), ".")
	n, _ := strconv.Atoi(strings.TrimPrefix(whole, "-"))
	text := group(n)
	if tenth != "0" {
		text += "." + tenth
	}
	if m < 0 && (n != 0 || tenth != "0") {
		text = "−" + text
	}
	return text
}

// changeText is a difference with its sign.
func changeText(m sweep.Micro) string {
	if m > 0 {
		return "+" + microText(m)
	}
	return microText(m)
}

func changeClass(m sweep.Micro) string { return deltaClass(int(m)) }

func percentText(hundredths int) string {
	s := strconv.FormatFloat(float64(hundredths)/100, 'f', 1, 64)
	if hundredths > 0 {
		s = "+" + s
	}
	return strings.Replace(s, "-", "−", 1) + "\u202f%"
}

// readout is the crosshair in words.
func (s *sweepView) readout() string {
	if s.Chart == nil {
		return ""
	}
	out := s.atText()
	for _, rows := range s.Point() {
		if shape := s.Shape(&rows[0], s.Along()); shape != "" {
			out += "; " + shape
		}
		for i := range rows {
			out += fmt.Sprintf(", %s %s %s bytes per key", s.Plan.Names()[i], rows[i].Encoding, microText(rows[i].PerKey))
		}
	}
	return out
}

// sum says what all keys cost: "200 000 keys: 33.1 MB → 28.3 MB, −14.5 %".
func (s *sweepView) sum(rows []sweep.Row) string {
	last := len(rows) - 1
	text := group(rows[0].Keys) + " keys: " + amount(draw.AllKeys.Of(&rows[0]))
	if last > 0 {
		text += " → " + amount(draw.AllKeys.Of(&rows[last])) + ", " + percentText(rows[last].Percent)
	}
	return text
}

// amount writes bytes with a decimal unit.
func amount(b float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e4, "kB"}} {
		if b >= u.of {
			if u.name == "kB" {
				u.of = 1e3
			}
			return strconv.FormatFloat(b/u.of, 'f', 1, 64) + " " + u.name
		}
	}
	return strconv.FormatFloat(b, 'f', 0, 64) + " B"
}

// columns of the table, as a style.
func (c *SweepPane) columns() string {
	s := "grid-template-columns:"
	least := 28
	col := func(chars int) {
		s += "minmax(" + itoa(chars) + "ch,1fr) "
		least += 8*chars + 12
	}
	for range c.sweep.Columns() {
		col(8)
	}
	for i := range c.sweep.Plan.Spec.Servers {
		col(17)
		if i > 0 {
			col(14)
		}
	}
	return s + ";min-width:" + itoa(least) + "px"
}

func (c *SweepPane) window() [][]sweep.Row {
	first, end := c.sweep.list.Range()
	return c.sweep.Window(first, end-first)
}

func (c *SweepPane) rowNo(i int) string {
	first, _ := c.sweep.list.Range()
	return itoa(first + i + 2)
}

func (c *SweepPane) offset() string {
	return "transform:translateY(" + itoa(c.sweep.list.Offset()) + "px)"
}

func (c *SweepPane) height() string { return "height:" + itoa(c.sweep.list.Total()) + "px" }

func (c *SweepPane) rowClass(rows []sweep.Row) string {
	if sweeping.Of(&rows[0], c.sweep.Along()) == c.sweep.At() {
		return "row sel"
	}
	return "row"
}

func (c *SweepPane) deltaText(r *sweep.Row) string {
	return changeText(r.Delta) + "  " + percentText(r.Percent)
}

func (c *SweepPane) mainClass() string {
	if c.sweep.Stale {
		return "stale"
	}
	return ""
}

func (c *SweepPane) cliffClass(x sweeping.Cliff) string {
	if x.Value == c.sweep.At() && c.sweep.Along() == "value" {
		return "on"
	}
	return ""
}

func (c *SweepPane) cell(r *sweep.Row, column string) string { return sweeping.Cell(r, column) }
