package sweep

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"
)

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
