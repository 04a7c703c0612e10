//go:build !js

package scenario

import (
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine/resp"
	"github.com/keyloupe/keyloupe/internal/livediff"
)

// patience is how long a real server has for what takes time.
const patience = 20 * time.Second

// Whatever a scenario or a question asks after commands, real servers answer as the simulated ones do.
func TestRealServersAnswerTheHistoriesAsSimulated(t *testing.T) {
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		client, asked := g.Real.Dial(), 0
		real := func(line string) (resp.Value, error) {
			args, err := resp.Split(line)
			if err != nil {
				return resp.Value{}, err
			}
			v, _, err := resp.Parse(client.DoRaw(args...))
			return v, err
		}
		for _, row := range histories() {
			if row.Unit == "B" && !g.Sizes {
				continue
			}
			h := row.How.(History).expanded()
			want, failed := h.ask(g.Name)
			if err := all(real, []string{"FLUSHALL SYNC", "CONFIG RESETSTAT", "CONFIG SET hash-max-listpack-entries 512", "CONFIG SET hash-max-listpack-value 64"}); err != nil {
				t.Fatal(err)
			}
			wait := func(int) { until(func() bool { v, err := real(h.Ask); return err != nil || h.text(v) == want }) }
			got, err := h.on(real, wait)
			if (failed == nil) != (err == nil) || err == nil && got != want {
				t.Errorf("%s: %s\nreal      %q %v\nsimulated %q %v", row.What, h, got, err, want, failed)
			}
			asked++
		}
		if asked < 20 {
			t.Errorf("only %d histories were asked", asked)
		}
	})
}

// histories are the rows of all scenarios that ask something after commands.
func histories() (out []*Row) {
	for _, s := range All() {
		for i := range s.Tables {
			for j := range s.Tables[i].Rows {
				if row := &s.Tables[i].Rows[j]; row.How != nil {
					if _, ok := row.How.(History); ok {
						out = append(out, row)
					}
				}
			}
		}
	}
	return out
}

// until waits for a condition, as long as patience lasts.
func until(done func() bool) {
	again, over := time.NewTicker(50*time.Millisecond), time.After(patience)
	defer again.Stop()
	for !done() {
		select {
		case <-again.C:
		case <-over:
			return
		}
	}
}
