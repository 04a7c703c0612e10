package lab

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// openLab is a lab with servers.
func openLab(t testing.TB, servers ...string) *Lab {
	t.Helper()
	l := &Lab{}
	if r := l.Handle(wire.Request{Now: 1_800_000_000_000, Open: &wire.Open{Servers: servers}}); r.Error != "" {
		t.Fatal(r.Error)
	}
	return l
}

func run(t testing.TB, l *Lab, lines ...string) []wire.Result {
	t.Helper()
	r := l.Handle(wire.Request{Run: &wire.Run{Lines: lines}})
	if r.Error != "" {
		t.Fatal(r.Error)
	}
	return r.Ran.Results
}

func TestALineIsRunOnEveryServerAndItsEffectsTold(t *testing.T) {
	l := openLab(t, "9.0.6", "9.1.2")
	r := run(t, l, "SET user:1:session:7 eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "EXPIRE user:1:session:7 900", "GET none", "", "OBJECT ENCODING user:1:session:7")
	if len(r) != 5 || r[0].Replies[0].Text != "OK" || !r[0].Write || string(r[0].Key) != "user:1:session:7" || r[0].Effects[0].Delta <= 0 {
		t.Errorf("SET: %+v", r[0])
	}
	if r[2].Write || r[2].Replies[0].Text != "(nil)" || r[3].Replies != nil {
		t.Errorf("GET and nothing: %+v %+v", r[2], r[3])
	}
	if got := r[4].Replies; len(got) != 2 || got[0].Text != `"raw"` || got[1].Text != `"embstr"` {
		t.Errorf("servers that differ: %+v", got)
	}
}

func TestWhatIsNoCommandLineIsAnErrorWithAReason(t *testing.T) {
	l := openLab(t, "9.1.2")
	for _, line := range []string{`SET a "b`, `SET a 'b`, `SET a b"`, "SET \"\x00"} {
		if r := run(t, l, line)[0]; len(r.Replies) != 1 || !r.Replies[0].Error || !strings.HasPrefix(r.Replies[0].Text, "Invalid argument(s)") {
			t.Errorf("%q: %+v", line, r)
		}
	}
}

func TestRepliesOfLinesAreShownAsLines(t *testing.T) {
	l := openLab(t, "9.1.2")
	r := run(t, l, "INFO keyspace", "client LIST", "ECHO \"a\\nb\"")
	if got := r[0].Replies[0].Text; got != "# Keyspace" {
		t.Errorf("INFO: %q", got)
	}
	if got := r[1].Replies[0].Text; !strings.HasPrefix(got, "id=") {
		t.Errorf("CLIENT LIST: %q", got)
	}
	if got := r[2].Replies[0].Text; got != `"a\nb"` {
		t.Errorf("ECHO: %q", got)
	}
}

func TestLongRepliesAreCut(t *testing.T) {
	l := openLab(t, "9.1.2")
	r := run(t, l, "SETRANGE big 10000000 x", "GET big")[1].Replies[0]
	if len(r.Text) > longestReply || len(r.Text)+r.More < 10_000_000 {
		t.Errorf("%d bytes, %d more", len(r.Text), r.More)
	}
}

func TestServersThatCannotBeOpenedLeaveTheOldOnes(t *testing.T) {
	l := openLab(t, "9.1.2")
	run(t, l, "SET a 1")
	for _, o := range []wire.Open{
		{}, {Servers: []string{"10.0.0"}}, {Servers: []string{"9.1.2", "9.1.2"}}, {Servers: []string{"9.1.2@tcmalloc"}},
		{Servers: slices.Repeat([]string{"9.1.2"}, 9)}, {Servers: []string{"9.1.2"}, Config: []string{"nonsense"}},
		{Servers: []string{"9.1.2"}, Config: []string{"no-such-name=1"}}, {Servers: []string{"9.1.2"}, HashSeed: "xyz"},
	} {
		if r := l.Handle(wire.Request{Open: &o}); r.Error == "" {
			t.Errorf("%+v was opened", o)
		}
	}
	if r := run(t, l, "GET a")[0]; r.Replies[0].Text != `"1"` {
		t.Errorf("the old server answers %+v", r)
	}
}

func TestRequestsBeforeOpenOrForNothingAreErrors(t *testing.T) {
	l := &Lab{}
	for _, q := range []wire.Request{{}, {Run: &wire.Run{Lines: []string{"PING"}}}, {Keys: &wire.Keys{}}, {Inspect: &wire.Inspect{}}, {Table: &wire.Table{}}, {Budget: &wire.Budget{}}} {
		if r := l.Handle(q); r.Error == "" {
			t.Errorf("%+v: %+v", q, r)
		}
	}
	l = openLab(t, "9.1.2")
	for _, q := range []wire.Request{{}, {Table: &wire.Table{Server: 1, Kind: "keys"}}, {Table: &wire.Table{Server: -1, Kind: "keys"}}, {Table: &wire.Table{Kind: "values"}}, {Budget: &wire.Budget{Key: -1}}, {Budget: &wire.Budget{Value: 1 << 40}}} {
		if r := l.Handle(q); r.Error == "" {
			t.Errorf("%+v: %+v", q, r)
		}
	}
}

// names lists the keys by brute force.
func names(l *Lab) []string {
	set := map[string]bool{}
	for _, s := range l.lab.Servers {
		s.Client.DB.Each(func(key []byte, _ heap.Ptr) bool { set[string(key)] = true; return true })
	}
	out := make([]string, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func TestTheKeyListFollowsRandomHistories(t *testing.T) {
	l := openLab(t, "8.1.9", "9.1.2")
	random := rand.New(rand.NewPCG(1, 2))
	key := func() string { return fmt.Sprintf("key:%d", random.IntN(60)) }
	forms := []func() string{
		func() string { return "SET " + key() + " v" },
		func() string { return "DEL " + key() },
		func() string { return "RENAME " + key() + " " + key() },
		func() string { return "COPY " + key() + " " + key() },
		func() string { return "MSET " + key() + " 1 " + key() + " 2" },
		func() string { return "SET " + key() + " v PX 5" },
		func() string { return "HSETEX " + key() + " EX 10 FIELDS 1 f v" }, // 8.1 does not know it
		func() string { return "MOVE " + key() + " 1" },
		func() string {
			return []string{"SELECT 1", "SELECT 0", "SWAPDB 0 1", "FLUSHDB", "RANDOMKEY"}[random.IntN(5)]
		},
		func() string { return "GETDEL " + key() },
	}
	for n := range 4000 {
		l.now += int64(random.IntN(3000)) // µs
		form := forms[random.IntN(len(forms))]
		if n%40 != 0 && random.IntN(10) > 0 {
			form = forms[random.IntN(3)]
		}
		run(t, l, form())
		if n%7 == 0 {
			got := l.Handle(wire.Request{Keys: &wire.Keys{Count: 1000}}).Listed
			var listed []string
			for _, r := range got.Rows {
				listed = append(listed, string(r.Name))
			}
			if want := names(l); !slices.Equal(listed, want) || got.Found != len(want) {
				t.Fatalf("step %d: listed %q, there are %q", n, listed, want)
			}
			checkSizes(t, l, got.Rows)
		}
	}
}

func checkSizes(t *testing.T, l *Lab, rows []wire.Key) {
	t.Helper()
	for _, r := range rows {
		for i, s := range l.lab.Servers {
			want := -1
			if p, err := s.Layout(string(r.Name)); err == nil {
				want = p.Total
			}
			if r.Sizes[i] != want {
				t.Fatalf("%s in %s: listed with %d B, it has %d", r.Name, s, r.Sizes[i], want)
			}
		}
	}
}

func TestTheKeyListIsSearchedSortedAndFound(t *testing.T) {
	l := openLab(t, "9.0.6", "9.1.2")
	run(t, l, "SET user:1 "+strings.Repeat("a", 50), "SET user:2 b", "SET cart:1 "+strings.Repeat("c", 500), "SET User:3 d")
	cases := []struct {
		q    wire.Keys
		want string
		at   int
	}{
		{wire.Keys{Count: 10}, "User:3 cart:1 user:1 user:2", -1},
		{wire.Keys{Count: 10, Search: "USER"}, "User:3 user:1 user:2", -1},
		{wire.Keys{Count: 10, Search: "user:*", Find: []byte("user:2")}, "user:1 user:2", 1},
		{wire.Keys{Count: 10, Search: "cart", Find: []byte("user:2")}, "cart:1", -1},
		{wire.Keys{Count: 2, From: 1, Find: []byte("user:2")}, "cart:1 user:1", 3},
		{wire.Keys{Count: 10, From: 99}, "", -1},
		{wire.Keys{Count: -1, From: -5}, "", -1},
		{wire.Keys{Count: 1, Sort: "size", Find: []byte("cart:1")}, "cart:1", 0},
		{wire.Keys{Count: 1, Sort: "delta"}, "user:1", -1},
		{wire.Keys{Count: 10, Search: "[", Find: []byte("none")}, "", -1},
	}
	for _, c := range cases {
		got := l.Handle(wire.Request{Keys: &c.q}).Listed
		var listed []string
		for _, r := range got.Rows {
			listed = append(listed, string(r.Name))
		}
		if strings.Join(listed, " ") != c.want || got.At != c.at {
			t.Errorf("%+v: %q at %d, want %q at %d", c.q, listed, got.At, c.want, c.at)
		}
	}
}

func TestTheInspectorShowsWindowsOfLargeBlocksAndFollowsNames(t *testing.T) {
	l := openLab(t, "9.1.2")
	run(t, l, "SETRANGE big 1000000 xyz")
	side := l.Handle(wire.Request{Inspect: &wire.Inspect{Key: []byte("big")}}).Inspected.Side[0]
	if side.Allocated < 1_000_000 || len(side.Blocks) != 2 {
		t.Fatalf("%d B in %d blocks", side.Allocated, len(side.Blocks))
	}
	value := side.Blocks[1]
	if len(value.Bytes) != wire.WindowBytes || value.From != 0 {
		t.Errorf("%d bytes from %d", len(value.Bytes), value.From)
	}
	for from, want := range map[int]int{999_900: 999_900, 5_000_000: value.Used - 1, -7: 0} {
		b := l.Handle(wire.Request{Inspect: &wire.Inspect{Key: []byte("big"), Windows: []wire.Window{{Server: 0, Block: value.Name, From: from}}}}).Inspected.Side[0].Blocks[1]
		if b.From != want || b.From+len(b.Bytes) > b.Used {
			t.Errorf("from %d: %d bytes from %d, want from %d", from, len(b.Bytes), b.From, want)
		}
	}
}

func TestAKeyOfVeryManyBlocksIsShownInPages(t *testing.T) {
	l := openLab(t, "9.1.2")
	var lines []string
	for n := range 600 {
		lines = append(lines, fmt.Sprintf("HSET h field:%d %s", n, strings.Repeat("v", 100)))
	}
	run(t, l, lines...)
	side := l.Handle(wire.Request{Inspect: &wire.Inspect{Key: []byte("h")}}).Inspected.Side[0]
	if side.Of < 600 || len(side.Blocks) != wire.WindowBlocks {
		t.Fatalf("%d of %d blocks", len(side.Blocks), side.Of)
	}
	later := l.Handle(wire.Request{Inspect: &wire.Inspect{Key: []byte("h"), Blocks: side.Of - 3}}).Inspected.Side[0]
	if len(later.Blocks) != 3 || later.First != side.Of-3 || later.Of != side.Of || later.Allocated != side.Allocated {
		t.Errorf("the last page: %d blocks from %d of %d", len(later.Blocks), later.First, later.Of)
	}
	last := later.Blocks[2].Name
	jump := l.Handle(wire.Request{Inspect: &wire.Inspect{Key: []byte("h"), Windows: []wire.Window{{Block: last}}}}).Inspected.Side[0]
	if len(jump.Blocks) == 0 || jump.Blocks[0].Name != last {
		t.Errorf("a pointer's block is not shown: %d blocks from %d", len(jump.Blocks), jump.First)
	}
}

func TestTheThreeNumbersAreToldApartAndAddUp(t *testing.T) {
	l := openLab(t, "9.0.6", "9.1.2")
	for n := range 20 {
		run(t, l, fmt.Sprintf("SET key:%04d %s EX 1000", n, strings.Repeat("v", 3*n)))
	}
	for i, s := range l.lab.Servers {
		sum := 0.0
		for n := range 20 {
			side := l.Handle(wire.Request{Inspect: &wire.Inspect{Key: fmt.Appendf(nil, "key:%04d", n)}}).Inspected.Side[i]
			if side.Usage != side.Allocated {
				t.Errorf("%s key %d: MEMORY USAGE %d, allocated %d", s, n, side.Usage, side.Allocated)
			}
			sum += side.Share
		}
		structs := float64(s.Used()-l.base[i]) - sum // the tables' own structs belong to no key
		if structs < 0 || structs > 512 {
			t.Errorf("%s: the shares of used_memory add up to all but %.1f B", s, structs)
		}
	}
}

func TestTheDifferenceIsExplained(t *testing.T) {
	l := openLab(t, "9.0.6", "9.1.2")
	run(t, l, "SET kkkkkkkkkkkkkkkk "+strings.Repeat("v", 60))
	why := strings.Join(l.Handle(wire.Request{Inspect: &wire.Inspect{Key: []byte("kkkkkkkkkkkkkkkk")}}).Inspected.Why, " ")
	for _, w := range []string{"9.1.2 keeps", "less than 9.0.6", "9.0.6 cannot embed it, 99 > 64", "9.1.2 embeds the value, 91 ≤ 128"} {
		if !strings.Contains(why, w) {
			t.Errorf("%q lacks %q", why, w)
		}
	}
}

func TestTheBudgetIsWhatAServerDoes(t *testing.T) {
	l := openLab(t, "9.0.6", "9.1.2", "8.1.9", "9.1.2@managed")
	for key := 1; key < 70; key += 9 {
		for _, ttl := range []bool{false, true} {
			for value := range 140 {
				checkBudget(t, l, wire.Budget{Key: key, Value: value, TTL: ttl})
			}
		}
	}
	e := l.Handle(wire.Request{Budget: &wire.Budget{Key: 16, Value: 35}}).Budgeted.Servers[1]
	if e.Cutoff != 97 || e.TTLOff != 89 || e.Jump != 24 || e.Limit != 128 {
		t.Errorf("9.1.2, a key of 16 B: %+v", e)
	}
}

func checkBudget(t *testing.T, l *Lab, q wire.Budget) {
	t.Helper()
	for i, e := range l.Handle(wire.Request{Budget: &q}).Budgeted.Servers {
		cutoff := e.Cutoff
		if q.TTL {
			cutoff = e.TTLOff
		}
		if q.Value > cutoff && e.Encoding == "embstr" || q.Value == cutoff && e.Encoding != "embstr" {
			t.Errorf("%s %+v: %s, the cutoff is said to be %d", l.lab.Servers[i], q, e.Encoding, cutoff)
		}
	}
}

func TestBucketsAreShownWithTheSelectedKey(t *testing.T) {
	for _, server := range []string{"7.2.14", "8.0.10", "8.1.9", "9.1.2"} {
		l := openLab(t, server)
		for n := range 300 {
			run(t, l, fmt.Sprintf("SET key:%d v EX 1000", n))
			key := fmt.Appendf(nil, "key:%d", n/2)
			for _, kind := range []string{"keys", "expires"} {
				checkBuckets(t, l, kind, key, n+1)
			}
		}
	}
}

func checkBuckets(t *testing.T, l *Lab, kind string, key []byte, keys int) {
	t.Helper()
	b := l.Handle(wire.Request{Table: &wire.Table{Kind: kind, Count: 4096, Open: -1, Key: key}}).Buckets
	what := fmt.Sprintf("%s %s with %d keys", l.lab.Servers[0], kind, keys)
	if b.At == nil || b.Opened == nil {
		t.Fatalf("%s: %s is nowhere", what, key)
	}
	used, drawn := 0, 0
	for _, a := range b.Arrays {
		used += a.Used
		for _, w := range a.Window {
			for _, c := range w.Chain {
				if b.Chains {
					drawn += c
				}
				for ; c > 0 && !b.Chains; c &= c - 1 {
					drawn++
				}
			}
		}
	}
	if used != keys || drawn != keys {
		t.Fatalf("%s: %d entries, %d drawn", what, used, drawn)
	}
	place := b.Opened.Links[b.At.Link*btoi(!b.Chains)].Slots
	at := b.At.Position
	if b.Chains {
		at = b.At.Link
	}
	if string(place[at].Key) != string(key) {
		t.Fatalf("%s: at the place of %s is %q", what, key, place[at].Key)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestKeyNamesAreCompleted(t *testing.T) {
	l := openLab(t, "9.1.2")
	run(t, l, "SET user:1 a", "SET user:2 b", "SET use c", "SET \"\\xff\" d")
	for prefix, want := range map[string]int{"use": 3, "user:": 2, "x": 0, "\xff": 1, "": 4} {
		if got := l.Handle(wire.Request{Complete: &wire.Complete{Prefix: []byte(prefix), Limit: 10}}).Completed.Keys; len(got) != want {
			t.Errorf("%q: %q", prefix, got)
		}
	}
	if got := l.Handle(wire.Request{Complete: &wire.Complete{Limit: 2}}).Completed.Keys; len(got) != 2 {
		t.Errorf("a limit of 2 gives %q", got)
	}
}

func TestTimePassesBetweenCommands(t *testing.T) {
	l := openLab(t, "9.1.2")
	run(t, l, "SET a 1 PX 100")
	for _, ms := range []int64{50, 150, 20} { // a clock that goes back is not followed
		l.Handle(wire.Request{Now: 1_800_000_000_000 + ms, Run: &wire.Run{}})
	}
	r := l.Handle(wire.Request{Now: 1_800_000_000_200, Run: &wire.Run{}}).Ran
	if r.Totals[0].Keys != 0 || r.Expires {
		t.Errorf("the key is still there: %+v", r)
	}
}

func BenchmarkKeyListOfAHundredThousandKeys(b *testing.B) {
	l := openLab(b, "9.0.6", "9.1.2")
	for n := range 100_000 {
		run(b, l, fmt.Sprintf("SET key:%07d v", n))
	}
	b.ResetTimer()
	n := 0
	for b.Loop() {
		run(b, l, fmt.Sprintf("SET new:%d v", n))
		l.Handle(wire.Request{Keys: &wire.Keys{From: 50_000, Count: 40, Find: []byte("key:0050010")}})
		n++
	}
}

func TestAClientThatWaitsForAnotherIsToldSoAndGoesOn(t *testing.T) {
	l := openLab(t, "9.0.6", "9.1.2")
	r := run(t, l, "BLPOP queue 0", "LPUSH queue a", "LLEN queue", "CLIENT REPLY SKIP")
	if got := r[0].Replies; len(got) != 1 || got[0].Error || !strings.HasPrefix(got[0].Text, "(no reply: this waits") {
		t.Errorf("BLPOP: %+v", got)
	}
	if got := r[2].Replies[0].Text; got != "(integer) 1" {
		t.Errorf("the client's own push served its wait: LLEN is %s", got)
	}
	if got := r[3].Replies[0].Text; got != "(no reply)" {
		t.Errorf("CLIENT REPLY SKIP: %s", got)
	}
}

func TestADifferenceOfBlocksIsToldByWhatIsInThem(t *testing.T) {
	for _, c := range []struct{ servers, line, key, words string }{
		{"9.0.6,9.1.2", "SET a abcdefghij", "a", `"robj + key + value" takes 32 B instead of 40: no pointer to the value, which is inside (−8 B)`},
		{"8.0.10,8.1.9", "SET a 12345678", "a", `"robj + key" takes 24 B instead of 16: the key inside (+1 B), headers of strings and elements (+3 B); only 8.0.10 has the block`},
		{"9.1.2,9.1.2@libc", "HSET h a b", "h", `"listpack" takes 24 B instead of 16.`},
		{"9.0.6,9.1.2", "HSET h a " + strings.Repeat("x", 80), "h", `"hashtable" takes 96 B instead of 80: pointers (+8 B)`},
	} {
		l := openLab(t, strings.Split(c.servers, ",")...)
		run(t, l, c.line)
		if why := strings.Join(l.Handle(wire.Request{Inspect: &wire.Inspect{Key: []byte(c.key)}}).Inspected.Why, " "); !strings.Contains(why, c.words) {
			t.Errorf("%s on %s: %q lacks %q", c.line, c.servers, why, c.words)
		}
	}
}

func TestALongCommandTellsHowFarItIs(t *testing.T) {
	l := &Lab{}
	var told []string
	l.Progress = func(done, of int) { told = append(told, fmt.Sprintf("%d/%d", done, of)) }
	l.Handle(wire.Request{Open: &wire.Open{Servers: []string{"9.0.6", "9.1.2"}}})
	run(t, l, "DEBUG POPULATE 20000")
	if got := strings.Join(told, " "); got != "0/40000 16384/40000 20000/40000 36384/40000" {
		t.Errorf("told %s", got)
	}
}
