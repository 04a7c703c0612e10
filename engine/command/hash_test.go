package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
)

// hashServers is every line, and other builds.
var hashServers = []string{"7.2.7", "8.0.1", "8.1.1", "8.1.8", "9.0.0", "9.0.6", "9.1.2", "8.1.8@libc", "9.1.2@distro", "9.1.2@managed"}

// clocked is a server whose clock the test sets, Unix ms.
func clocked(t *testing.T, name string) (s *engine.Server, now *int64) {
	t.Helper()
	now = new(int64)
	*now = 1_800_000_000_000
	s, err := engine.NewServer(name, engine.Options{Clock: func() int64 { return *now * 1000 }})
	if err != nil {
		t.Fatal(err)
	}
	return s, now
}

// says executes a command, its words split at blanks, and returns the bytes of its reply.
func says(s *engine.Server, line string) string {
	var args [][]byte
	for _, a := range strings.Split(line, " ") {
		args = append(args, []byte(a))
	}
	s.Client.Buf = s.Client.Buf[:0]
	s.Client.Do(args)
	return string(s.Client.Buf)
}

func expect(t *testing.T, s *engine.Server, line, want string) {
	t.Helper()
	if got := says(s, line); got != want {
		t.Errorf("%s: %s: %q, expected %q", s.Release.Name(), line, got, want)
	}
}

func TestDeletingAHashReturnsAllItsMemory(t *testing.T) {
	for _, name := range hashServers {
		s, _ := clocked(t, name)
		says(s, "HSET warm f v") // the tables of the database stay once they are there
		if s.Release.FieldTTL {
			says(s, "HSETEX warm PXAT 4102444800000 FIELDS 1 f v")
		}
		says(s, "DEL warm")
		start := s.Used()
		fills := []string{"HSET h f v", "HSET h f " + strings.Repeat("v", 65), "HSET h"}
		for i := range 700 {
			fills[2] += fmt.Sprintf(" field%d %s", i, strings.Repeat("v", i%150))
		}
		if s.Release.FieldTTL {
			for i := range 300 {
				fills = append(fills, fmt.Sprintf("HSETEX h PXAT %d FIELDS 1 ttl%d v", 4102444800000+i*100, i))
			}
			fills = append(fills, "HPEXPIREAT h 4102444800000 FIELDS 3 field1 field2 f", "HPERSIST h FIELDS 1 field1")
		}
		for _, f := range fills {
			says(s, f)
		}
		says(s, "HDEL h field5 field6")
		says(s, "RENAME h g")
		says(s, "COPY g h")
		says(s, "DEL g")
		expect(t, s, "DEL h", ":1\r\n")
		if s.Used() != start {
			t.Errorf("%s: %d bytes are left", name, s.Used()-start)
		}
	}
}

func TestTheExpiryCycleTakesFieldsAndThenTheKey(t *testing.T) {
	for _, name := range []string{"9.0.0", "9.1.2", "9.1.2@libc"} {
		s, now := clocked(t, name)
		says(s, "HSETEX warm PXAT 4102444800000 FIELDS 1 f v")
		says(s, "DEL warm")
		start := s.Used()
		for k := range 5 {
			for i := range 300 {
				says(s, fmt.Sprintf("HSETEX h%d PX %d FIELDS 1 f%d v", k, 1000+i, i))
			}
		}
		says(s, "HSET h0 stays v")
		*now += 1100
		s.Tick()
		for k := range 5 {
			if n := says(s, fmt.Sprint("HLEN h", k)); n == ":300\r\n" || n == ":301\r\n" {
				t.Errorf("%s: h%d kept all its fields", name, k)
			}
		}
		*now += 100_000
		for range 20 {
			s.Tick()
		}
		expect(t, s, "HGETALL h0", "*2\r\n$5\r\nstays\r\n$1\r\nv\r\n")
		expect(t, s, "EXISTS h0 h1 h2 h3 h4", ":1\r\n")
		says(s, "DEL h0")
		for range 20 { // the tables of the database shrink in the cycle
			s.Tick()
		}
		if s.Used() != start {
			t.Errorf("%s: %d bytes are left", name, s.Used()-start)
		}
	}
}

// TestTheFaultsOf900AreShown: they are the release's own, and mended in later ones.
func TestTheFaultsOf900AreShown(t *testing.T) {
	wrong := "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"
	for name, want := range map[string][3]string{
		"9.0.0": {"*2\r\n" + wrong, ":0\r\n", ":1\r\n"},
		"9.1.2": {wrong, ":1\r\n", ":0\r\n"},
	} {
		s, _ := clocked(t, name)
		says(s, "SET string v")
		expect(t, s, "HPERSIST string FIELDS 2 f g", want[0])
		expect(t, s, "HSETEX missing PXAT 1 FIELDS 1 f v", want[1])
		expect(t, s, "EXISTS missing", want[2])
		expect(t, s, "HMGET missing f", "*1\r\n$-1\r\n")
		expect(t, s, "EXISTS missing", ":0\r\n") // HMGET takes an empty hash away
	}
}

// TestAnOverwrittenHashWithExpiringFieldsNeverBreaksTheSimulator: a real 9.0.0 forgets to take its key
// out of the volatile items and crashes later.
func TestAnOverwrittenHashWithExpiringFieldsNeverBreaksTheSimulator(t *testing.T) {
	for _, name := range []string{"9.0.0", "9.0.6", "9.1.2"} {
		for _, value := range []string{"5", "short", strings.Repeat("v", 500)} {
			s, now := clocked(t, name)
			for i := range 40 {
				says(s, fmt.Sprintf("HSETEX k%d PX 1000 FIELDS 2 f v g w", i))
			}
			e := s.Do("SET", "k1", value)
			if forgets := strings.Contains(strings.Join(e.Why, " "), "forgets"); forgets != (name == "9.0.0") {
				t.Errorf("%s: %v", name, e.Why)
			}
			for _, line := range []string{"PEXPIREAT k1 4102444800000", "APPEND k1 x", "SET k1 7", "RENAME k2 k1", "HSETEX k1 PX 500 FIELDS 1 f v", "SET k3 a", "DEL k3",
				"HSETEX k3 PX 500 FIELDS 1 f v", "HPERSIST k3 FIELDS 1 f", "SET k4 a", "COPY k5 k4 REPLACE", "SET k6 a", "SET k6 " + strings.Repeat("b", 200), "DEL k6", "FLUSHALL", "SET k7 a"} {
				if got := says(s, line); strings.HasPrefix(got, "-") {
					t.Errorf("%s: %s: %s", name, line, got)
				}
				s.Tick()
			}
			*now += 5000
			s.Tick()
			expect(t, s, "DBSIZE", ":1\r\n")
		}
	}
}

func TestRandomFieldsAreThoseThatAreSeen(t *testing.T) {
	for _, name := range hashServers {
		s, now := clocked(t, name)
		expect(t, s, "HRANDFIELD none", "$-1\r\n")
		expect(t, s, "HRANDFIELD none 5", "*0\r\n")
		for i := range 20 {
			says(s, fmt.Sprintf("HSET h f%d %d", i, i))
		}
		for _, n := range []int{1, 5, 19, 20, 30, -5, -50} {
			e := s.Do("HRANDFIELD", "h", fmt.Sprint(n), "WITHVALUES")
			seen := map[string]bool{}
			for i := 0; i < len(e.Reply.Items); i += 2 {
				f := string(e.Reply.Items[i].Str)
				if "f"+string(e.Reply.Items[i+1].Str) != f || n > 0 && seen[f] {
					t.Errorf("%s: HRANDFIELD %d: %s twice, or with another's value", name, n, f)
				}
				seen[f] = true
			}
			if want := min(n, 20); n > 0 && len(e.Reply.Items) != 2*want || n < 0 && len(e.Reply.Items) != -2*n {
				t.Errorf("%s: HRANDFIELD %d: %d elements", name, n, len(e.Reply.Items))
			}
		}
		if got := says(s, "HRANDFIELD h -9000000000"); !strings.HasPrefix(got, "-ERR Keyloupe") {
			t.Errorf("%s: %.60s", name, got)
		}
		if !s.Release.FieldTTL {
			continue
		}
		says(s, "DEL h")
		says(s, "HSETEX h PX 10 FIELDS 3 a 1 b 2 c 3")
		*now += 11
		expect(t, s, "HRANDFIELD h", "$-1\r\n")
		expect(t, s, "HRANDFIELD h 3", "*0\r\n")
		expect(t, s, "HLEN h", ":3\r\n")
	}
}

func TestHashesOfRESP3AreMaps(t *testing.T) {
	s, _ := clocked(t, "9.1.2")
	s.Client.Proto = 3
	says(s, "HSET h f v")
	expect(t, s, "HGETALL h", "%1\r\n$1\r\nf\r\n$1\r\nv\r\n")
	expect(t, s, "HGETALL none", "%0\r\n")
	expect(t, s, "HKEYS h", "*1\r\n$1\r\nf\r\n")
	expect(t, s, "HGET h g", "_\r\n")
	expect(t, s, "HRANDFIELD h 1 WITHVALUES", "*1\r\n*2\r\n$1\r\nf\r\n$1\r\nv\r\n")
}
