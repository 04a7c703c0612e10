package sweep

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// rows of a plan by server.
func rowsOf(t *testing.T, p *Plan) map[string]Row {
	t.Helper()
	out := map[string]Row{}
	for r := range p.Rows {
		out[p.Spec.Servers[r.Server]] = *r
	}
	return out
}

func TestThePopulationsBehindThePublishedFiguresCostTheSame(t *testing.T) {
	seen := 0
	for _, row := range readTable(t, "seeds.tsv.gz") {
		if row["keylen"] == "" { // users of four strings or a hash of unequal fields: no grid
			continue
		}
		fields := []string{"key", row["keylen"], "value", row["vallen"], "keys", row["n"],
			"servers", row["version"] + profiles[row["profile"]], "hash_seed", "golden-seed-1", "hash_seed_hex", goldenSeed}
		switch ttl := "none"; row["case"] {
		case "field TTL: HSETEX":
			fields = append(fields, "type", "hash", "field", "5", "ttl", "field")
		case "field TTL: HSET", "field TTL: HSET + PEXPIREAT":
			fields = append(fields, "type", "hash", "field", "5")
			fallthrough
		default:
			if row["ttl"] == "1" {
				ttl = "key"
			}
			fields = append(fields, "ttl", ttl)
		}
		p := plan(t, fields...)
		r := only(t, p)
		children := -1
		if m := p.models[0]; m.hashtables() {
			// session:%08d keys hash to other buckets than key:%012d: count with the server's own
			children = number(t, row, "children")
			if row["case"][:5] == "field" {
				r.Table = m.population(r.Keys, r.TTL, float64(children))
				r.PerKey = r.Allocated + r.Table
			} else if got := p.keyChildren(m, r.Key, r.Keys); got != float64(children) {
				t.Errorf("%s on %s: %v children, server %d", row["case"], row["version"], got, children)
			}
		}
		seen++
		delta := int(math.Round(float64(r.PerKey) * float64(r.Keys) / microByte))
		want := number(t, row, "delta")
		if r.Encoding.String() != row["encoding"] || r.Usage != Bytes(number(t, row, "usage")) {
			t.Errorf("%v: %v %v", row, r.Encoding, r.Usage)
		}
		if row["profile"] == "libc" { // recycled chunks are up to 16 bytes larger
			if delta > want || float64(delta) < 0.95*float64(want) {
				t.Errorf("%v: %d", row, delta)
			}
		} else if delta != want {
			t.Errorf("%v: %d", row, delta)
		}
	}
	if seen < 80 {
		t.Errorf("only %d populations compared", seen)
	}
}

func near(t *testing.T, what string, got Micro, want, rest, rounding float64) {
	t.Helper()
	if d := want - got.Float(); d < rest-rounding || d > rest+rounding {
		t.Errorf("%s: %.3f, published %.2f: the rest is %.3f, not %.3f +- %.3f", what, got.Float(), want, d, rest, rounding)
	}
}

func TestTheSavingThatStopsAt97BytesIsThePublishedOne(t *testing.T) {
	// clients' buffers are in the published figures: 24 to 61 KB over 200,000 keys
	const rest, rounding = 0.30, 0.1
	for _, c := range []struct {
		key, value, ttl string
		v90, v91        float64
	}{{"16", "64", "none", 133.7, 109.7}, {"16", "96", "none", 165.7, 141.7}, {"16", "97", "none", 165.7, 141.7},
		{"16", "98", "none", 165.7, 165.7}, {"16", "128", "none", 213.7, 213.7}} {
		r := rowsOf(t, plan(t, "key", c.key, "value", c.value, "keys", "200000", "servers", "9.0.6,9.1.2"))
		near(t, "9.0.6 "+c.value, r["9.0.6"].PerKey, c.v90, rest, rounding)
		near(t, "9.1.2 "+c.value, r["9.1.2"].PerKey, c.v91, rest, rounding)
		saved := map[string]float64{"64": 17.9, "96": 14.5, "97": 14.5, "98": 0, "128": 0}[c.value]
		if got := -100 * r["9.1.2"].Delta.Float() / (r["9.0.6"].PerKey.Float() + rest); math.Abs(got-saved) > 0.06 {
			t.Errorf("%s: saves %.2f %%, published %.1f", c.value, got, saved)
		}
	}
	// these were published without decimals
	for _, c := range []struct {
		key, value, ttl string
		v90, v91        float64
	}{{"32", "79", "none", 165, 141}, {"32", "80", "none", 165, 165}, {"16", "89", "key", 171, 155}, {"16", "90", "key", 171, 171}} {
		r := rowsOf(t, plan(t, "key", c.key, "value", c.value, "ttl", c.ttl, "keys", "200000", "servers", "9.0.6,9.1.2"))
		near(t, c.key+" "+c.value, r["9.0.6"].PerKey, c.v90, 0, 0.6)
		near(t, c.key+" "+c.value, r["9.1.2"].PerKey, c.v91, 0, 0.6)
	}
	for _, c := range []struct {
		keys     string
		v90, v91 float64 // MB
	}{{"5000000", 674.6, 554.6}, {"2000000", 275.0, 227.0}} {
		n, _ := strconv.ParseFloat(c.keys, 64)
		r := rowsOf(t, plan(t, "value", "64", "keys", c.keys, "servers", "9.0.6,9.1.2"))
		near(t, c.keys, r["9.0.6"].PerKey, c.v90*1e6/n, 0.05e6/n, 0.1e6/n)
		near(t, c.keys, r["9.1.2"].PerKey, c.v91*1e6/n, 0.05e6/n, 0.1e6/n)
	}
}

func TestMemoryVersionByVersionIsThePublishedOne(t *testing.T) {
	// 50 clients of the load generator are in the published figures: 0.77 MB over about 632,000 keys
	for _, c := range []struct {
		server, keys string
		want         float64
	}{{"7.2.14", "632181", 102.48}, {"8.0.10", "632565", 94.49}, {"8.1.9", "632573", 71.98}, {"9.0.5", "631672", 71.99}, {"9.1.1", "631985", 64.02}} {
		r := only(t, plan(t, "value", "16", "keys", c.keys, "servers", c.server))
		near(t, c.server, r.PerKey, c.want, 1.20, 0.03)
	}
}

func TestTheManagedBuildFitsThePublishedManagedFigures(t *testing.T) {
	const servers = "9.0.0@managed,9.1.0@managed"
	r := rowsOf(t, plan(t, "value", "16", "ttl", "key", "servers", servers))
	a, b := r["9.0.0@managed"], r["9.1.0@managed"]
	if a.Usage != Bytes(80) || b.Usage != Bytes(64) {
		t.Error(a.Usage, b.Usage)
	}
	near(t, "9.0.0", a.PerKey, 114.9, 0, 0.05)
	near(t, "9.1.0", b.PerKey, 98.9, 0, 0.05)
	near(t, "tables", a.Table, 34.9, 0, 0.05)
	for value, want := range map[string][2]int{"89": {144, 128}, "90": {144, 160}, "92": {144, 160}} {
		r = rowsOf(t, plan(t, "value", value, "servers", servers))
		if r["9.0.0@managed"].Usage != Bytes(want[0]) || r["9.1.0@managed"].Usage != Bytes(want[1]) {
			t.Error(value, r)
		}
	}
	near(t, "90", rowsOf(t, plan(t, "value", "90", "servers", servers))["9.0.0@managed"].PerKey, 161.5, 0, 0.05)
	// the limit does not move with a TTL on 9.1, and moves by 72 from 9.0 to 9.1
	p := plan(t, "servers", servers, "key", "8,16,32")
	for i, key := range []int{8, 16, 32} {
		old := StringBudget(p.Releases[0], key, 0, false)
		new := StringBudget(p.Releases[1], key, 0, false)
		if new.Cutoff-old.Cutoff != 72 || new.WithTTL != new.Cutoff {
			t.Errorf("%d: key %d: %+v %+v", i, key, old, new)
		}
	}
}

func TestEveryFormatIsTheSameBytesAsBefore(t *testing.T) {
	specs := []struct {
		name   string
		fields []string
	}{
		{"strings", []string{"value", "24..26,44,45", "ttl", "none,key", "servers", "7.2.14,9.0.6,9.1.2@managed", "keys", "200000"}},
		{"hashes", []string{"type", "hash", "fields", "1,20", "value", "64,65", "field", "8", "keys", "7", "history", "hset+hexpire", "ttl", "none,field", "servers", "9.0.6,9.1.9"}},
	}
	for _, s := range specs {
		for _, format := range Formats {
			for _, cliffs := range []bool{false, true} {
				p := plan(t, s.fields...)
				var b bytes.Buffer
				write, name := p.Write, s.name+"."+format
				if cliffs {
					write, name = p.WriteCliffs, s.name+".cliffs."+format
				}
				if err := write(&b, format, nil); err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join("testdata", "formats", name), b.Bytes())
			}
		}
	}
}

// golden compares with a file; KEYLOUPE_UPDATE=1 writes it anew.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if os.Getenv("KEYLOUPE_UPDATE") == "1" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs:\n%s", path, got)
	}
}
