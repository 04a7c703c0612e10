package sweep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

func TestTablesHaveTheSharePerKeyThatLargePopulationsHave(t *testing.T) {
	// valkey-memory, 4.2: array and children per key of one table
	for _, c := range []struct {
		n, b            int
		array, children float64
	}{
		{20_000, 4096, 13.107, 1.599}, {200_000, 32768, 10.486, 2.879}, {632_000, 131072, 13.273, 1.539},
		{1_000_000, 262144, 16.777, 0.686}, {2_000_000, 524288, 16.777, 0.686}, {5_000_000, 1048576, 13.422, 1.487},
	} {
		if buckets(c.n) != c.b {
			t.Errorf("%d keys: %d buckets", c.n, buckets(c.n))
		}
		array := 64 * float64(c.b) / float64(c.n)
		children := 64 * expectedChildren(c.n, c.b) / float64(c.n)
		if math.Abs(array-c.array) > 0.0006 || math.Abs(children-c.children) > 0.0006 {
			t.Errorf("%d keys: %.3f + %.3f", c.n, array, children)
		}
	}
}

func TestATableDoublesWhereTheServersDo(t *testing.T) {
	for _, n := range []int{7, 14, 28, 56, 112, 224, 448, 896} {
		if buckets(n+1) != 2*buckets(n) {
			t.Errorf("%d keys: %d buckets, then %d", n, buckets(n), buckets(n+1))
		}
	}
	for _, c := range [][2]int{{6, 1}, {7, 2}, {12, 2}, {13, 4}, {25, 4}, {26, 8}, {51, 8}, {52, 16}, {204, 32}, {205, 64}, {410, 128}, {819, 128}} {
		if presized(c[0]) != c[1] {
			t.Errorf("presized for %d: %d", c[0], presized(c[0]))
		}
	}
}

// binomial is the exact chance by big steps: products in another order than the code's.
func TestChancesAreThoseOfTheBinomialDistribution(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {8, 1}, {30, 1}, {8, 2}, {14, 2}, {28, 4}, {100, 16}, {5000, 1024}} {
		n, b := c[0], c[1]
		want := 0.0
		for m := 8; m <= n; m++ {
			logC, _ := math.Lgamma(float64(n + 1))
			x, _ := math.Lgamma(float64(m + 1))
			y, _ := math.Lgamma(float64(n - m + 1))
			p := math.Exp(logC - x - y + float64(m)*math.Log(1/float64(b)) + float64(n-m)*math.Log1p(-1/float64(b)))
			if b == 1 {
				p = 0
				if m == n {
					p = 1
				}
			}
			want += p * float64(childCount(m)) * float64(b)
		}
		if got := expectedChildren(n, b); math.Abs(got-want) > 1e-9*(1+want) {
			t.Errorf("%d entries in %d buckets: %v, want %v", n, b, got, want)
		}
	}
	for _, y := range []float64{0, 1e-9, 0.5, 7, 9.7} {
		if got, want := expNeg(y), math.Exp(-y); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("exp(-%v): %v, want %v", y, got, want)
		}
	}
}

func TestExpectationsAreTheAveragesOverManySeeds(t *testing.T) {
	const seeds = 1000
	rng := rand.New(rand.NewPCG(1, 2))
	for _, server := range []string{"7.2.14", "8.0.10", "8.1.9", "9.1.2"} {
		r := release.MustParse(server)
		for _, n := range []int{8, 15, 16, 20, 29, 33, 60, 100, 113, 120, 128, 300, 450} {
			random, known := &Plan{}, &Plan{}
			m := newModel(r)
			want := random.valueTable(m, 8, n, grew, NoTTL)
			var sum, squares float64
			for range seeds {
				known.seeds.every = &siphash.Seed{K0: rng.Uint64(), K1: rng.Uint64()}
				v := known.valueTable(m, 8, n, grew, NoTTL).usage.Float()
				sum += v
				squares += v * v
			}
			mean := sum / seeds
			sigma := math.Sqrt(max(0, squares/seeds-mean*mean) / seeds)
			if sigma == 0 { // an old array that is seldom still there was in no sample
				sigma = math.Sqrt(8 * float64(slots(n)) / 2 * math.Abs(want.usage.Float()-mean) / seeds)
			}
			if d := math.Abs(mean - want.usage.Float()); d > 4.5*sigma+0.05 {
				t.Errorf("%s, %d fields: expected %v, the average is %.2f +- %.2f", server, n, want.usage, mean, sigma)
			}
		}
	}
}

func TestSeedsMoveTheTablesByNoMoreThanTheSpread(t *testing.T) {
	for _, n := range []string{"700", "20000", "100000"} {
		expected := plan(t, "keys", n, "value", "0", "ttl", "key", "servers", "9.1.2")
		row := only(t, expected)
		spread, most := expected.TableSpread(&row), Micro(0)
		for seed := range 30 {
			seeded := plan(t, "keys", n, "value", "0", "ttl", "key", "servers", "9.1.2", "hash_seed_hex", fmt.Sprintf("%032x", 0x9e3779b97f4a7c15*uint64(seed+1)))
			r := only(t, seeded)
			most = max(most, r.Table-row.Table, row.Table-r.Table)
			if seeded.TableSpread(&r) != 0 {
				t.Errorf("with a seed the table is exact, not within %v", seeded.TableSpread(&r))
			}
		}
		if most > spread || most < spread/5 {
			t.Errorf("%s keys: thirty seeds move the tables by up to %v bytes a key, the spread is %v", n, most, spread)
		}
	}
	old := plan(t, "servers", "8.0.10", "value", "0")
	if r := only(t, old); old.TableSpread(&r) != 0 {
		t.Error("a dict's table does not depend on the seed")
	}
}
