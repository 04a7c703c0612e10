// Command scenarios writes the published measurements, with what the simulator gives beside them, into FILE: the page loads it when
// somebody looks at them. As a file it is there on any file server, and none of its texts is in the page's program.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/keyloupe/keyloupe/engine/scenario"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: scenarios FILE")
		os.Exit(1)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "scenarios:", err)
		os.Exit(1)
	}
}

func write(name string) error {
	var all []*scenario.Report
	for _, s := range scenario.All() {
		r, err := s.Run(scenario.Options{})
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o644)
}
