//go:build !js

package glob_test

import (
	"math/rand/v2"
	"testing"

	"github.com/keyloupe/keyloupe/engine/glob"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

// A real server's SCAN MATCH over one key says what matches.
func TestRandomPatternsMatchAsOnARealServer(t *testing.T) {
	c := realserver.Start(t, realserver.V912).Client()
	r := rand.New(rand.NewPCG(1, 2))
	text := func(alphabet string, most int) string {
		b := make([]byte, r.IntN(most+1))
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	const cases = 20000
	var cmds [][]string
	var patterns, names []string
	for range cases {
		p, n := text("**??[[]]^-\\abcAB\x80\xff", 8), text("abcAB]\\^\x90\xff", 5)
		patterns, names = append(patterns, p), append(names, n)
		cmds = append(cmds, []string{"SET", n, "v"}, []string{"SCAN", "0", "MATCH", p}, []string{"DEL", n})
	}
	replies := c.Pipeline(cmds)
	for i := range patterns {
		found := replies[3*i+1].(realserver.Array)[1].(realserver.Array)
		got := patterns[i] == "*" || glob.Match(patterns[i], names[i], false) // SCAN and KEYS ask nothing of "*"
		if got != (len(found) == 1) {
			t.Errorf("Match(%q, %q) = %v, the server finds %v", patterns[i], names[i], got, found)
		}
	}
}
