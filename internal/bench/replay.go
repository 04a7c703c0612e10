package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/keyloupe/keyloupe/internal/batch"
	"github.com/keyloupe/keyloupe/internal/golden"
)

// replays runs the golden histories, an empty server each.
func replays(b *bench) {
	for _, server := range []string{"9.1.2", "7.2.14"} {
		b.row("golden histories replayed, "+server, func(r *Row) error {
			cases, commands, input, err := histories()
			if err != nil {
				return err
			}
			got, err := least(b.runs, func() error {
				return batch.Replay(bytes.NewReader(input), io.Discard, batch.Target{Name: server})
			})
			if err != nil {
				return err
			}
			r.Measured = fmt.Sprintf("%.0f/s, %.0f k commands a CPU second", float64(cases)/got.wall, float64(commands)/got.cpu/1000)
			return nil
		})
	}
}

// histories is the golden cases as replay reads them.
func histories() (cases, commands int, input []byte, err error) {
	err = golden.Lines(filepath.Join(golden.Dir(), "sequences", "cases.jsonl.gz"), func(line []byte) error {
		var c batch.Case
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		cases++
		commands += len(c.Cmds)
		input = append(append(input, line...), '\n')
		return nil
	})
	return cases, commands, input, err
}
