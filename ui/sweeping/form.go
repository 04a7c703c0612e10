package sweeping

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Preset is a specification to begin with.
type Preset struct {
	Name, What string
	texts      map[string]string
}

// Presets are offered above the form; the first is what the page opens with.
var Presets = []Preset{
	{"my cache", "strings of 0 to 200 bytes under keys of 16, a million of them",
		map[string]string{"type": "string", "key": "16", "value": "0..200", "ttl": "none", "history": "set", "keys": "1000000"}},
	{"sessions with TTL", "strings of 32 to 512 bytes that expire",
		map[string]string{"type": "string", "key": "24", "value": "32..512", "ttl": "key", "history": "set", "keys": "500000"}},
	{"tokens in hashes", "hashes of ten tokens each",
		map[string]string{"type": "hash", "key": "16", "field": "12", "fields": "10", "value": "0..128", "ttl": "none", "history": "set", "keys": "100000"}},
	{"UUID keys", "short strings under keys of 36 bytes",
		map[string]string{"type": "string", "key": "36", "value": "0..128", "ttl": "none", "history": "set", "keys": "1000000"}},
	{"growing tables", "the tables' share while the number of keys grows: it jumps where a table doubles",
		map[string]string{"type": "string", "key": "16", "value": "64", "ttl": "none", "history": "set", "keys": "20000..2000000/10000"}},
}

// Problem is what is wrong with a field, in engine/sweep's words; of no field where it is about all of them.
type Problem struct{ Field, Text string }

// names are the fields of a specification that the form has: all but the servers, which the page picks.
func names() (out []string) {
	for _, f := range sweep.Fields() {
		if f.Name != "servers" {
			out = append(out, f.Name)
		}
	}
	return out
}

// Text is what a field's input holds.
func (v *View) Text(field string) string { return v.texts[field] }

// Set changes a field's text.
func (v *View) Set(field, text string) {
	v.damaged = false
	v.texts[field] = text
	if field == "type" {
		v.fitType()
	}
	if field == "value_kind" && text == "int" {
		if _, _, err := bounds(v.texts["value"], 1, 20); err != nil {
			v.texts["value"] = intLengths
		}
	}
	v.Update()
}

// intLengths are the lengths that integers have.
const intLengths = "1..20"

// fitType replaces choices that the other type has not.
func (v *View) fitType() {
	if !v.Hash() && strings.Contains(v.texts["ttl"], "field") {
		v.texts["ttl"] = "none"
	}
	if strings.Contains(v.texts["history"], "hset") {
		v.texts["history"] = "set"
	}
}

// Hash tells that hashes are swept.
func (v *View) Hash() bool { return v.texts["type"] == "hash" }

// has tells whether a field means something for the type.
func (v *View) has(field string) bool {
	return v.Hash() || field != "field" && field != "fields"
}

// Use fills the form from a preset.
func (v *View) Use(p *Preset) {
	v.texts = defaults()
	for name, text := range p.texts {
		v.texts[name] = text
	}
	v.X, v.at, v.unknown, v.damaged = "", none, nil, false
	v.Update()
}

// Is tells whether the form says what a preset says.
func (v *View) Is(p *Preset) bool {
	for name, text := range p.texts {
		if v.texts[name] != text {
			return false
		}
	}
	return true
}

func defaults() map[string]string {
	s := sweep.Default()
	out := map[string]string{}
	for _, n := range names() {
		out[n] = s.Get(n)
	}
	return out
}

// spec reads the form; every field that is wrong is told of.
func (v *View) spec() (*sweep.Spec, []Problem) {
	s := sweep.Default()
	var bad []Problem
	set := func(field, text string) {
		if err := s.Set(field, text); err != nil {
			bad = append(bad, problem(err))
		}
	}
	for _, n := range names() {
		if text := v.texts[n]; v.has(n) && (text != "" || s.Get(n) != "") {
			set(n, text)
		}
	}
	for _, n := range v.unknown {
		set(n, "")
	}
	set("servers", strings.Join(v.Servers, ","))
	return s, bad
}

func problem(err error) Problem {
	var f *sweep.FieldError
	if errors.As(err, &f) {
		return Problem{f.Field, f.Message}
	}
	return Problem{"", err.Error()}
}

// Problem is what is wrong with a field; empty where nothing is.
func (v *View) Problem(field string) string {
	for _, p := range v.Problems {
		if p.Field == field {
			return p.Text
		}
	}
	return ""
}

// Otherwise is what is wrong with no input of the form.
func (v *View) Otherwise() string {
	for _, p := range v.Problems {
		if p.Field == "" || !slices.Contains(names(), p.Field) || !v.has(p.Field) {
			return strings.TrimPrefix(p.Field+": ", ": ") + p.Text
		}
	}
	return ""
}

// Slider is the number that a slider of a field moves: the only one, or the end of the only range.
func (v *View) Slider(field string) (n int, ok bool) {
	_, n, err := bounds(v.texts[field], 0, 1<<40)
	return n, err == nil
}

// Slide moves it.
func (v *View) Slide(field string, n int) {
	text := v.texts[field]
	if from, rest, isRange := strings.Cut(text, ".."); isRange {
		low, _ := strconv.Atoi(from)
		_, step, hasStep := strings.Cut(rest, "/")
		text = from + ".." + strconv.Itoa(max(n, low+1))
		if hasStep {
			text += "/" + step
		}
	} else {
		text = strconv.Itoa(n)
	}
	v.Set(field, text)
}

// bounds reads a number or a range, a range with a step too.
func bounds(text string, least, most int) (low, high int, err error) {
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		to = from
	}
	to, _, _ = strings.Cut(to, "/")
	if low, err = strconv.Atoi(from); err != nil {
		return 0, 0, err
	}
	if high, err = strconv.Atoi(to); err != nil {
		return 0, 0, err
	}
	if low < least || high > most {
		err = strconv.ErrRange
	}
	return low, high, err
}

// Open takes the query of a link, which may be damaged or hostile: nothing is computed before Update. Its servers, if it
// has some, are returned.
func (v *View) Open(query string) (servers []string) {
	v.texts, v.unknown = defaults(), nil
	v.Show, v.X, v.Log, v.at = "", "", "", none
	q, err := url.ParseQuery(query)
	v.damaged = err != nil
	for name, values := range q {
		text := strings.Join(values, ",")
		switch name {
		case "servers":
			servers = strings.Split(text, ",")
		case "show":
			v.Show = text
		case "x":
			v.X = text
		case "log":
			v.Log = text
		case "at":
			if n, err := strconv.Atoi(text); err == nil && n >= 0 {
				v.at = n
			}
		case "history": // in a query a plus sign means a space
			v.texts[name] = strings.ReplaceAll(text, " ", "+")
		default:
			if _, ok := v.texts[name]; !ok {
				v.unknown = append(v.unknown, name)
				continue
			}
			v.texts[name] = text
		}
	}
	slices.Sort(v.unknown)
	if v.texts["value_kind"] == "int" && !q.Has("value") {
		v.texts["value"] = intLengths
	}
	return servers
}

// Query writes the form, the chart's options and the crosshair as Open reads them.
func (v *View) Query() string {
	q := v.query()
	if v.at != none {
		q += "&at=" + strconv.Itoa(v.at)
	}
	return q
}

// Picture is the query of the same chart at /api/sweep.svg.
func (v *View) Picture() string {
	return v.query() + "&servers=" + escape(strings.Join(v.Servers, ","))
}

// Attributes are the specification as names and texts, for an element of embed.js; nil where the chart has options, of
// which that does not know.
func (v *View) Attributes() (out [][2]string) {
	if v.Show+v.X+v.Log != "" {
		return nil
	}
	for _, n := range names() {
		if text := v.texts[n]; v.has(n) && text != "" {
			out = append(out, [2]string{n, text})
		}
	}
	return append(out, [2]string{"servers", strings.Join(v.Servers, ",")})
}

func (v *View) query() string {
	var b strings.Builder
	add := func(name, text string) {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(name + "=" + escape(text))
	}
	for _, n := range names() {
		if text := v.texts[n]; v.has(n) && (text != "" || !strings.HasPrefix(n, "hash_seed")) {
			add(n, text)
		}
	}
	for _, o := range [][2]string{{"show", v.Show}, {"x", v.X}, {"log", v.Log}} {
		if o[1] != "" {
			add(o[0], o[1])
		}
	}
	return b.String()
}

// escape leaves what specifications are made of readable.
func escape(s string) string {
	return strings.NewReplacer("%2C", ",", "%2F", "/", "%40", "@").Replace(url.QueryEscape(s))
}
