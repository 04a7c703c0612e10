//go:build !js

package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/internal/livediff"
)

func TestTheBytesOfAListAreThoseInTheRealProcess(t *testing.T) {
	var h livediff.History
	add := func(cmd ...string) { h = append(h, cmd) }
	add("RPUSH", "small", "a", "1", "-4097", "70000", "123456789012", "", strings.Repeat("x", 70), strings.Repeat("y", 5000))
	add("LINSERT", "small", "BEFORE", "1", "between")
	add("LREM", "small", "1", "a")
	for i := range 300 {
		add("RPUSH", "nodes", fmt.Sprint("element:", i), strings.Repeat("z", i), fmt.Sprint(i*i*i))
	}
	add("LINSERT", "nodes", "AFTER", "element:150", strings.Repeat("w", 3000))
	add("LSET", "nodes", "5", strings.Repeat("p", 9000))
	add("LTRIM", "nodes", "2", "-3")
	add("LMOVE", "nodes", "nodes", "LEFT", "RIGHT")
	add("RPUSH", "plain", strings.Repeat("a", 10000), "b", strings.Repeat("c", 20000))
	add("PEXPIREAT", "plain", "4102444800000")
	add("COPY", "nodes", "copy")
	livediff.Each(t, func(t *testing.T, g livediff.Target) { g.Bytes(t, h, "small", "nodes", "plain", "copy") })
}
