package sweep

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine/release"
)

// Plan is a specification that was checked, ready to give rows.
type Plan struct {
	Spec     Spec
	Releases []*release.Release // of Spec.Servers
	models   []*model
	points   int
	seeds    seeds
}

// tooMany stands for a number of points that does not fit.
const tooMany = math.MaxInt

// New checks a specification as a whole, against the limit on points (0 = none), and does no other
// work: a *FieldError says which field is wrong, a *TooManyError that the grid is too large.
func New(s *Spec, limit int) (*Plan, error) {
	p := &Plan{Spec: *s}
	if p.Spec.ValueKind == Int && !s.Named("value") {
		p.Spec.Value = Range(1, maxIntText)
	}
	if err := p.Spec.check(); err != nil {
		return nil, err
	}
	for _, name := range s.Servers {
		r, err := release.Parse(name)
		if err != nil {
			return nil, &FieldError{"servers", err.Error()}
		}
		if slices.Contains(s.TTL, FieldTTL) && !r.FieldTTL {
			return nil, fieldErrorf("ttl", "fields can expire from 9.0 on, not on %s: leave out that server or ttl=field", r.Name())
		}
		p.Releases = append(p.Releases, r)
	}
	if p.points = p.count(); limit > 0 && p.points > limit {
		return nil, &TooManyError{p.points, limit}
	}
	if err := p.prepareSeeds(); err != nil {
		return nil, err
	}
	for _, r := range p.Releases {
		p.models = append(p.models, newModel(r))
	}
	return p, nil
}

// Points is the number of rows, math.MaxInt where it does not fit.
func (p *Plan) Points() int { return p.points }

func (p *Plan) count() int {
	s := &p.Spec
	n := mul(len(s.Servers), mul(len(s.TTL), len(s.History)))
	for _, a := range []Axis{s.Key, s.Value, s.Field, s.Fields, s.Keys} {
		n = mul(n, a.Len())
	}
	return n
}

// mul multiplies numbers of points and sticks at tooMany.
func mul(a, b int) int {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high != 0 || low > 1e18 {
		return tooMany
	}
	return int(low)
}

// check looks at what no field can be wrong in alone.
func (s *Spec) check() error {
	if len(s.Servers) == 0 {
		return fieldErrorf("servers", "none named: write for example %s,%s", release.Newest(release.V90), release.Newest(release.V91))
	}
	if err := s.checkType(); err != nil {
		return err
	}
	low, high := s.Value.Bounds()
	if s.ValueKind == Int && (low < 1 || high > maxIntText) {
		return fieldErrorf("value", "integers have 1 to %d characters, %s does not fit: change value, or value_kind to text", maxIntText, s.Value)
	}
	return nil
}

func (s *Spec) checkType() error {
	if s.Type == String {
		for _, f := range []string{"field", "fields"} {
			if s.Named(f) {
				return fieldErrorf(f, "strings have no fields: leave it out, or use type=hash")
			}
		}
		if slices.Contains(s.TTL, FieldTTL) {
			return fieldErrorf("ttl", "strings have no fields that could expire: use none or key, or type=hash")
		}
		for _, h := range s.History {
			if h > SetPexpire {
				return fieldErrorf("history", "%s is for hashes: strings have set and set+pexpire", h)
			}
		}
		s.Field, s.Fields = One(0), One(0)
		return nil
	}
	if slices.Contains(s.History, Hset) && slices.Contains(s.TTL, FieldTTL) {
		return fieldErrorf("history", "HSET gives fields no TTL: with ttl=field use hsetex or hset+hexpire")
	}
	_, value := s.Value.Bounds()
	shortest, field := s.Field.Bounds()
	_, count := s.Fields.Bounds()
	if total := mul(count, field+value); total > maxHash {
		return fieldErrorf("fields", "%d fields of up to %d bytes are more than %d bytes in one hash", count, field+value, maxHash)
	}
	if n := distinctNames(shortest); n < count {
		return fieldErrorf("field", "%d names of %d bytes can't all differ: at most %d can, so use longer names or fewer fields", count, shortest, n)
	}
	return nil
}

// distinctNames is how many names of n letters there can be, at most maxFields.
func distinctNames(n int) int {
	names := 1
	for ; n > 0 && names < maxFields; n-- {
		names *= len(letters)
	}
	return min(names, maxFields)
}

// Names are the servers' names, with what a release is taken for where that is another one.
func (p *Plan) Names() []string {
	out := make([]string, len(p.Releases))
	for i, r := range p.Releases {
		out[i] = r.Label()
	}
	return out
}

// Summary says in words what is swept: "strings, key 16 B, value 0..200 B, on 9.0.6, 9.1.2".
func (p *Plan) Summary() string {
	s := &p.Spec
	var b strings.Builder
	b.WriteString([]string{"strings", "hashes"}[s.Type] + ", key " + s.Key.String() + " B, ")
	if s.Type == Hash {
		b.WriteString(s.Fields.String() + " fields of " + s.Field.String() + " B, ")
	}
	if s.ValueKind == Int {
		b.WriteString("integer ")
	}
	b.WriteString("values " + s.Value.String() + " B, ttl " + join(s.TTL) + ", history " + join(s.History) +
		", " + s.Keys.String() + " keys, on " + strings.Join(p.Names(), ", "))
	return b.String()
}
