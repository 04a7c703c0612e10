package release

import (
	"reflect"
	"strings"
	"testing"
)

// set applies a rule to fresh values with a number that no rule has, to see which field it sets.
func set(u Rule) string {
	var v Values
	u.set(&v, 12345)
	var name string
	var look func(x reflect.Value, prefix string)
	look = func(x reflect.Value, prefix string) {
		for i := range x.NumField() {
			f := x.Type().Field(i)
			if f.Anonymous {
				look(x.Field(i), prefix)
			} else if !x.Field(i).IsZero() {
				name += prefix + f.Name
			}
		}
	}
	look(reflect.ValueOf(v), "")
	return name
}

func TestEveryRuleSetsOneValueAndEveryValueHasOneRule(t *testing.T) {
	rules := map[string]string{}
	for _, u := range Rules() {
		name := set(u)
		if old := rules[name]; old != "" {
			t.Errorf("rules %s and %s both set %s", old, u.ID, name)
		}
		rules[name] = u.ID
	}
	var fields func(x reflect.Type)
	fields = func(x reflect.Type) {
		for i := range x.NumField() {
			if f := x.Field(i); f.Anonymous {
				fields(f.Type)
			} else if rules[f.Name] == "" {
				t.Errorf("no rule sets %s", f.Name)
			}
		}
	}
	fields(reflect.TypeOf(Values{}))
}

func TestEveryRuleTellsItsSourceAndBeginsWithTheOldestRelease(t *testing.T) {
	ids := map[string]bool{}
	for _, u := range Rules() {
		if ids[u.ID] {
			t.Errorf("two rules are called %s", u.ID)
		}
		ids[u.ID] = true
		if u.What == "" || u.Source == "" || len(u.Steps) == 0 || u.Steps[0].From != "7.2.0" {
			t.Errorf("rule %s: it needs words, a source and a value from 7.2.0 on", u.ID)
		}
		for i, s := range u.Steps {
			if s.Evidence != Measured && s.Evidence != Read && s.Evidence != Assumed {
				t.Errorf("rule %s, %s: evidence %q", u.ID, s.From, s.Evidence)
			}
			if i == 0 {
				continue
			}
			l, p := mustVersion(s.From)
			if before := MustParse(u.Steps[i-1].From); before.compare(l, p) >= 0 {
				t.Errorf("rule %s: %s comes after %s", u.ID, s.From, u.Steps[i-1].From)
			}
		}
	}
}

func TestServersAreReadAsTheyAreWritten(t *testing.T) {
	for in, want := range map[string]string{
		"9.1.2": "9.1.2", "9.1.2@libc": "9.1.2@libc", "8.1.1@distro": "8.1.1@distro", "9.0.6@jemalloc": "9.0.6", " 7.2.14 ": "7.2.14",
		"9.0.9": "9.0.9, as 9.0.6", "9.0.9@managed": "9.0.9@managed, as 9.0.6",
	} {
		r, err := Parse(in)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if r.Label() != want {
			t.Errorf("%q is %q, want %q", in, r.Label(), want)
		}
	}
	for in, part := range map[string]string{
		"9.2.0": "7.2.14, 8.0.10, 8.1.9, 9.0.6, 9.1.2", "9.1": "write for example 9.1.2", "9.1.2@musl": "jemalloc, distro, libc, managed",
		"": "unknown server", "9.1.02": "unknown server", "9.1.-1": "unknown server", "9.1.2.3": "unknown server", "x": "unknown server", "9.1.99999": "unknown server",
	} {
		if _, err := Parse(in); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q: error %v, want one that says %q", in, err, part)
		}
	}
}

func TestAllocatorsGrantTheirSizeClasses(t *testing.T) {
	for _, c := range []struct {
		build   string
		request []int
		granted []int
	}{
		{"jemalloc", []int{0, 1, 8, 9, 64, 65, 80, 81, 129, 4097, 14336, 14337, 65537}, []int{8, 8, 8, 16, 64, 80, 80, 96, 160, 5120, 14336, 16384, 81920}},
		{"distro", []int{1, 9, 17, 24, 33, 64, 65, 128, 129}, []int{8, 16, 32, 32, 48, 64, 80, 128, 160}},
		{"libc", []int{1, 24, 25, 40, 41, 100, 131000, 131072}, []int{24, 24, 40, 40, 56, 104, 131000, 135152}},
	} {
		b, _ := findBuild(c.build)
		for i, n := range c.request {
			if got := b.Granted(n); got != c.granted[i] {
				t.Errorf("%s grants %d for %d, want %d", c.build, got, n, c.granted[i])
			}
		}
	}
}
