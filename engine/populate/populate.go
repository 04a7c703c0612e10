// Package populate gives a simulated server very many keys, as a load generator would.
package populate

import (
	"fmt"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
)

// Every is the number of commands between two reports of progress.
const Every = 1 << 16

// Fill sends n commands. next gives the arguments of each and may use the same memory again. progress, if not nil, is told now and
// then how many were sent; its error stops the work. So does the first error that the server answers.
func Fill(s *engine.Server, n int, next func(i int) [][]byte, progress func(sent int) error) error {
	c := s.Client
	for i := range n {
		c.Buf = c.Buf[:0]
		c.Do(next(i))
		if c.Buf[0] == '-' {
			return fmt.Errorf("server %s: %s", s.Release.Label(), strings.TrimSpace(string(c.Buf[1:])))
		}
		if progress != nil && i%Every == 0 {
			if err := progress(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Settle ends what the server's cron would end in time: tables get the size that fits, and none is half moved.
func Settle(s *engine.Server) {
	for db := s.Space.DB(0); db.Fit() || db.RehashSteps(1<<20); {
	}
}
