package command_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
)

// BenchmarkZaddMillion adds a million members to one key, a member a command: with scores in order,
// and with random ones. The budget is 1.5 s.
func BenchmarkZaddMillion(b *testing.B) {
	for _, server := range []string{"7.2.7", "8.1.8", "9.1.2"} {
		for _, order := range []string{"ordered", "random"} {
			b.Run(server+" "+order, func(b *testing.B) {
				const n = 1_000_000
				score := make([][]byte, n)
				member := make([][]byte, n)
				src := rand.New(rand.NewPCG(1, 2))
				for i := range n {
					v := i
					if order == "random" {
						v = src.IntN(1 << 30)
					}
					score[i], member[i] = fmt.Append(nil, v), fmt.Appendf(nil, "member:%012d", i)
				}
				args := [][]byte{[]byte("ZADD"), []byte("key"), nil, nil}
				for b.Loop() {
					s, err := engine.NewServer(server, engine.Options{})
					if err != nil {
						b.Fatal(err)
					}
					for i := range n {
						args[2], args[3] = score[i], member[i]
						s.Client.Buf = s.Client.Buf[:0]
						s.Client.Do(args)
					}
				}
			})
		}
	}
}
