//go:build !js

package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/internal/livediff"
)

// Sorted sets as skiplists are left out: their heights are random in the server.
func TestTheBytesOfEveryTypeAreThoseInTheRealProcess(t *testing.T) {
	var h livediff.History
	var keys []string
	add := func(cmd ...string) { h = append(h, cmd) }
	key := func(k string) string { keys = append(keys, k); return k }
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, n := range []int{0, 1, 8, 30, 44, 45, 100, 300} {
		for _, kl := range []int{3, 20, 40, 130} {
			k := fmt.Sprintf("s%d:%d:", n, kl)
			k += strings.Repeat("k", max(0, kl-len(k)))
			add("SET", key(k), x(n))
			add("SET", key(k+"t"), x(n), "PXAT", "4102444800000")
		}
	}
	add("SET", key("int"), "12345")
	add("SET", key("app"), x(20))
	add("APPEND", "app", x(50))
	add("HSET", key("h"), "f", "v", "n", "5")
	add("HSET", key("hh"), "f", x(65), "g", x(10), "longer-field-name-than-thirty-two-bytes", x(200))
	add("SADD", key("i"), "1", "2", "70000")
	add("SADD", key("sl"), "1", "a")
	add("SADD", key("st"), "1", "a", x(65), x(300))
	add("ZADD", key("z"), "1", "a", "2.5", "b")
	key("big")
	key("bigset")
	for i := range 40 {
		add("HSET", "big", fmt.Sprint("field", i), x(65))
		add("SADD", "bigset", fmt.Sprint("member", i)+x(65))
	}
	old, oldKeys := h, keys
	add("HSETEX", key("ttl1"), "PXAT", "4102444800000", "FIELDS", "1", "f", "v")
	add("HSETEX", key("ttl"), "PXAT", "4102444800000", "FIELDS", "3", "f", "v", "g", x(200), "field-of-more-than-thirty-two-bytes-xx", "w")
	add("HSET", "ttl", "plain", "no expiry")
	add("PEXPIREAT", "ttl", "4102444800001")
	livediff.Each(t, func(t *testing.T, g livediff.Target) {
		if release.MustParse(g.Name).FieldTTL {
			g.Bytes(t, h, keys...)
		} else {
			g.Bytes(t, old, oldKeys...)
		}
	})
}
