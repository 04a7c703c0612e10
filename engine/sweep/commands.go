package sweep

import (
	"strconv"
	"strings"
)

// expiresAfter is the time to live that Commands give, in milliseconds: a day.
const expiresAfter = "86400000"

// Typed is about how many bytes Commands of a row have, math.MaxInt where it does not fit: to be looked at first.
func (p *Plan) Typed(r *Row) int {
	if p.Spec.Type == String {
		return r.Key + r.Value
	}
	return mul(r.Fields, r.Field+r.Value)
}

// Commands make a row's key on an empty server, which then holds what the row says. A hash's own table counts as
// with the row only where the plan has the server's seed.
func (p *Plan) Commands(r *Row) [][]string {
	key := string(AppendKey(nil, 0, 1, r.Key))
	value := valueText(p.Spec.ValueKind, r.Value)
	later := []string{"PEXPIRE", key, expiresAfter}
	if p.Spec.Type == Hash {
		return hashCommands(r, key, value, later)
	}
	switch {
	case r.TTL == NoTTL:
		return [][]string{{"SET", key, value}}
	case r.History == Set:
		return [][]string{{"SET", key, value, "PX", expiresAfter}}
	}
	return [][]string{{"SET", key, value}, later}
}

func hashCommands(r *Row, key, value string, later []string) [][]string {
	var pairs, names []string
	for i := range r.Fields {
		name := string(AppendField(nil, i, r.Field))
		names = append(names, name)
		pairs = append(pairs, name, value)
	}
	count := strconv.Itoa(r.Fields)
	hset := append([]string{"HSET", key}, pairs...)
	switch {
	case r.TTL == NoTTL:
		return [][]string{hset}
	case r.TTL == KeyTTL:
		return [][]string{hset, later}
	case r.History == Set || r.History == Hsetex:
		return [][]string{append([]string{"HSETEX", key, "PX", expiresAfter, "FIELDS", count}, pairs...)}
	}
	return [][]string{hset, append([]string{"HPEXPIRE", key, expiresAfter, "FIELDS", count}, names...)}
}

// valueText is a value of n bytes: letters, or an integer.
func valueText(k Kind, n int) string {
	if k == Int {
		return IntText(n)
	}
	return strings.Repeat(letters, n/len(letters)+1)[:n]
}
