//go:build !js

package main

import (
	"testing"

	"github.com/keyloupe/keyloupe/engine/catalog"
)

func TestAfterComparesLinesAndNotPatches(t *testing.T) {
	for _, c := range []struct {
		since, line string
		want        bool
	}{
		{"8.1.0", "8.0", true}, {"8.0.9", "8.0", false}, {"7.0.3", "7.2", false}, {"7.2.0", "7.2", false}, {"8.0.0", "7.2", true}, {"10.0.0", "9.1", true}, {"", "7.2", false}, {"2.6.12", "8.0", false},
	} {
		if got := after(c.since, c.line); got != c.want {
			t.Errorf("after(%q, %q) = %v", c.since, c.line, got)
		}
	}
}

func TestAnOlderCommandHasNothingNewerAndLeavesTheNewerOneAlone(t *testing.T) {
	newer := &catalog.Command{
		FullName: "x", Since: "1.0.0", DeprecatedSince: "8.1.0", ReplacedBy: "`Y`", DocFlags: []string{"deprecated"}, Flags: []string{"write"},
		History:     []catalog.Change{{Since: "6.0.0"}, {Since: "8.1.0"}},
		Arguments:   []catalog.Argument{{Name: "a"}, {Name: "b", Since: "8.1.0"}, {Name: "c", Arguments: []catalog.Argument{{Name: "d", Since: "9.0.0"}}}},
		Subcommands: []*catalog.Command{{FullName: "x|old", Since: "7.0.0"}, {FullName: "x|new", Since: "8.1.0"}},
	}
	o := olderCommand(newer, "8.0")
	if len(o.History) != 1 || len(o.Arguments) != 2 || len(o.Arguments[1].Arguments) != 0 || len(o.Subcommands) != 1 || o.DeprecatedSince != "" || o.ReplacedBy != "" || len(o.DocFlags) != 0 {
		t.Errorf("older: %+v", o)
	}
	o.Flags[0] = "changed"
	if newer.Flags[0] != "write" || len(newer.Arguments) != 3 || len(newer.Arguments[2].Arguments) != 1 || len(newer.Subcommands) != 2 {
		t.Errorf("newer: %+v", newer)
	}
}
