// Package loads is the work whose time has a budget: a million commands of one kind, sweeps of many
// points. It runs natively and in WebAssembly, so it asks for nothing but the engine.
package loads

import (
	"math/rand/v2"
	"runtime"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
)

// Load is a series of commands into one server.
type Load struct {
	Name    string
	Seconds float64 // budget of a million commands, native; 0 where the design names none
	InPage  float64 // the same in a browser
	Since   string  // first line of releases that knows the command
	args    func() func(i int) [][]byte
}

// far is an expiry that no benchmark lives to see, Unix ms: that of the golden data.
const far = "4102444800000"

// inPage is how many times the native budget the same work may take in a browser (issue 4).
const inPage = 2.5

// All lists the loads: populations of a million keys, then a million elements in one key.
func All() []Load {
	v16, v65 := strings.Repeat("v", 16), strings.Repeat("v", 65)
	ten := []string{"HSET", digits}
	for i := range 10 {
		ten = append(ten, "field"+string(rune('0'+i)), v16)
	}
	return []Load{
		{Name: "string", Seconds: 0.7, InPage: 1.5, args: counted("SET", digits, v16)},
		{Name: "hash1", Seconds: 1.2, InPage: 1.2 * inPage, args: counted("HSET", digits, "field0", v16)},
		{Name: "hashttl1", Seconds: 2, InPage: 2 * inPage, Since: "9.0", args: counted("HSETEX", digits, "PXAT", far, "FIELDS", "1", "field0", v16)},
		{Name: "hashtable1", args: counted("HSET", digits, "field0", v65)},
		{Name: "hash10", args: counted(ten...)},
		{Name: "LPUSH", Seconds: 1.5, InPage: 1.5 * inPage, args: counted("LPUSH", "key", digits)},
		{Name: "SADD", Seconds: 1.5, InPage: 1.5 * inPage, args: counted("SADD", "key", digits)},
		{Name: "HSET", Seconds: 1.5, InPage: 1.5 * inPage, args: counted("HSET", "key", digits, v16)},
		{Name: "ZADD in order", Seconds: 1.5, InPage: 1.5 * inPage, args: scored(func(i int) int { return i })},
		{Name: "ZADD random", Seconds: 1.5, InPage: 1.5 * inPage, args: scored(scattered())},
	}
}

// digits stands for the name that counts up: 16 bytes, as key:000000000000 in the golden data.
const digits = "key:000000000000"

// counted is a command in which the names that are digits count up.
func counted(words ...string) func() func(int) [][]byte {
	return func() func(int) [][]byte {
		args := make([][]byte, len(words))
		var name []byte
		for i, w := range words {
			if args[i] = []byte(w); w == digits {
				name = args[i]
			}
		}
		return func(i int) [][]byte {
			count(name, i)
			return args
		}
	}
}

func count(name []byte, n int) {
	for i := len(name) - 1; i > 3; i, n = i-1, n/10 {
		name[i] = '0' + byte(n%10)
	}
}

// scored is ZADD of members that count up, with scores of nine digits.
func scored(score func(i int) int) func() func(int) [][]byte {
	return func() func(int) [][]byte {
		s, name := []byte("1000000000"), []byte(digits)
		args := [][]byte{[]byte("ZADD"), []byte("key"), s, name}
		return func(i int) [][]byte {
			for k, n := len(s)-1, score(i); k > 0; k, n = k-1, n/10 {
				s[k] = '0' + byte(n%10)
			}
			count(name, i)
			return args
		}
	}
}

// scattered is a random number for each i, the same in every run.
func scattered() func(i int) int {
	return func(i int) int { return int(rand.NewPCG(1, uint64(i)).Uint64() % 1_000_000_000) }
}

// Args returns the load's commands by number. The slices are used again for the next one.
func (l Load) Args() func(i int) [][]byte { return l.args() }

// Run gives n commands to a server.
func (l Load) Run(s *engine.Server, n int) {
	args, c := l.args(), s.Client
	for i := range n {
		c.Buf = c.Buf[:0]
		c.Do(args(i))
	}
	if len(c.Buf) > 0 && c.Buf[0] == '-' {
		panic(l.Name + ": " + string(c.Buf))
	}
}

// GoHeap is the bytes of the Go heap in use, after a collection.
func GoHeap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}

// Result is what a load or a sweep took in WebAssembly, as JSON.
type Result struct {
	Name  string  `json:"name"`
	N     int     `json:"n"`    // commands or points
	Wall  float64 `json:"wall"` // seconds
	CPU   float64 `json:"cpu"`  // seconds; 0 where it isn't known
	Error string  `json:"error,omitempty"`
}
