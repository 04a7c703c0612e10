package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/release"
)

// everyServer is one server of each line, and each build of the newest.
func everyServer() (names []string) {
	for l := range release.Lines() {
		names = append(names, release.Newest(release.Line(l)))
	}
	for _, b := range release.BuildNames()[1:] {
		names = append(names, release.Newest(release.V91)+"@"+b)
	}
	return append(names, "8.1.1", "9.0.0")
}

// mixed is a history over all types that every release knows.
func mixed(r *rand.Rand, n int) (lines []string) {
	key := func() string { return fmt.Sprintf("k%d", r.IntN(12)) }
	val := func() string { return strings.Repeat("v", r.IntN(120)) + fmt.Sprint(r.IntN(100)) }
	for range n {
		k := key()
		lines = append(lines, []string{
			"SET " + k + " " + val(), "SET " + k + " " + val() + " PX 100000", "APPEND " + k + " " + val(), "INCR " + k, "PEXPIRE " + k + " 100000", "PERSIST " + k,
			"HSET h" + k + " f" + fmt.Sprint(r.IntN(20)) + " " + val(), "HDEL h" + k + " f" + fmt.Sprint(r.IntN(20)), "RPUSH l" + k + " " + val() + " " + val(), "LPOP l" + k,
			"SADD s" + k + " " + fmt.Sprint(r.IntN(300)) + " " + val(), "SREM s" + k + " " + fmt.Sprint(r.IntN(300)), "ZADD z" + k + " " + fmt.Sprint(r.IntN(50)) + " " + val(), "ZPOPMIN z" + k,
			"XADD x" + k + " * f " + val(), "RENAME " + k + " " + key(), "COPY " + k + " " + key() + " REPLACE", "DEL " + k, "SETRANGE " + k + " 40 " + val(), "GETDEL " + k,
			"DEL l" + k + " s" + k + " z" + k, "SETBIT " + k + " " + fmt.Sprint(r.IntN(900)) + " 1", "PFADD p" + k + " " + val(),
		}[r.IntN(23)])
	}
	return lines
}

func play(t *testing.T, s *Server, lines []string) {
	t.Helper()
	for _, line := range lines {
		if e := s.Do(strings.Fields(line)...); e.Crashed != "" {
			t.Fatalf("%s on %s: %s", line, s.Release.Name(), e.Crashed)
		}
	}
}

func TestEveryBytePictureCoversItsBlockOnce(t *testing.T) {
	for _, name := range everyServer() {
		s, err := NewServer(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		play(t, s, mixed(rand.New(rand.NewPCG(3, 3)), 400))
		s.EachKey(0, func(key []byte) {
			k, err := s.Layout(string(key))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range k.Blocks {
				covered := make([]int, b.Size)
				for _, f := range b.Fields {
					if f.Bits > 0 && f.Bit > 0 {
						continue // later bits of a word that is counted once
					}
					for i := f.Off; i < f.Off+f.Len; i++ {
						covered[i]++
					}
				}
				for i, n := range covered {
					if n != 1 {
						t.Errorf("%s, %s, block %s (%s): byte %d of %d is labelled %d times", name, key, b.Name, b.Kind, i, b.Size, n)
						break
					}
				}
			}
		})
	}
}

func TestDeletingEverythingGivesBackWhatTheKeysTook(t *testing.T) {
	for _, name := range everyServer() {
		s, err := NewServer(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.Do("SET", "k", "v", "PX", "100000") // makes the tables
		s.Do("FLUSHALL", "SYNC")
		empty, blocks := s.Used(), s.H.Blocks()
		play(t, s, mixed(rand.New(rand.NewPCG(5, 5)), 600))
		s.Do("FLUSHALL", "SYNC")
		if s.Used() != empty || s.H.Blocks() != blocks {
			t.Errorf("%s: %d bytes in %d blocks before, %d in %d after", name, empty, blocks, s.Used(), s.H.Blocks())
		}
	}
}

func TestTheSameCommandsGiveTheSameBytes(t *testing.T) {
	for _, name := range everyServer() {
		var texts [2]string
		for i := range texts {
			s, err := NewServer(name, Options{Random: 7})
			if err != nil {
				t.Fatal(err)
			}
			play(t, s, mixed(rand.New(rand.NewPCG(9, 9)), 300))
			var b strings.Builder
			s.EachKey(0, func(key []byte) {
				k, _ := s.Layout(string(key))
				for _, x := range k.Blocks {
					fmt.Fprintf(&b, "%s %s %x %x\n", key, x.Name, x.Addr, x.Bytes)
				}
			})
			texts[i] = b.String()
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: two runs of the same commands differ", name)
		}
	}
}

func TestUsedMemoryIsTheSumOfKeysAndTables(t *testing.T) {
	for _, name := range everyServer() {
		s, err := NewServer(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s.Do("SET", "k", "v", "PX", "100000")
		s.Do("DEL", "k")
		for s.Space.DB(0).RehashSteps(1000) {
		}
		base := s.Used() // the structs of the tables, and arrays that deletions leave
		s.Do("SET", "user:1", strings.Repeat("v", 50))
		k, err := s.Layout("user:1")
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Used() - base; got != int64(k.Total) {
			t.Errorf("%s: used_memory rose by %d, the key's blocks are %d", name, got, k.Total)
		}
	}
}

func TestALabComparesReplies(t *testing.T) {
	l, err := NewLab([]string{"8.1.8", "9.1.2"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	st, err := l.DoLine(`SET "user 1" Alice`)
	if err != nil || !st.Same || len(st.Effects) != 2 || len(st.Keys) != 1 || st.Keys[0] != "user 1" {
		t.Errorf("SET: %+v, %v", st, err)
	}
	st, err = l.DoLine("HEXPIRE h 10 FIELDS 1 f")
	if err != nil || st.Same {
		t.Errorf("HEXPIRE is unknown to 8.1 and should differ: %+v, %v", st, err)
	}
	if st, err = l.DoLine("   "); st != nil || err != nil {
		t.Errorf("an empty line: %v, %v", st, err)
	}
	if _, err = l.DoLine(`SET "x`); err == nil {
		t.Error("an open quote is no error")
	}
	p := l.Keys(KeyQuery{Filter: "user*", Count: 10})
	if p.Total != 1 || p.Matches != 1 || len(p.Rows) != 1 || p.Rows[0].Type != "string" || p.Rows[0].Servers[1].Usage == 0 {
		t.Errorf("keys: %+v", p)
	}
}

func FuzzLinesNeverPanic(f *testing.F) {
	for _, s := range []string{"SET a b", "SET a b EX", `GET "\x00`, "HSET h f v", "ZADD z nan m", "XADD s * f v", "SETRANGE a 100 x", "BITFIELD a SET u8 #3 300 OVERFLOW SAT INCRBY i5 2 9", "SCAN 9", "LPOS l x RANK -9223372036854775808"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		l, err := NewLab([]string{"7.2.7", "9.1.2"}, Options{MaxBulk: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range strings.Split(line, "\n") {
			st, err := l.DoLine(one)
			if err != nil || st == nil {
				continue
			}
			for _, e := range st.Effects {
				if e.Crashed != "" {
					t.Fatalf("%q: %s", one, e.Crashed)
				}
			}
		}
	})
}
