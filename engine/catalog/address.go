package catalog

import (
	"strconv"
	"strings"
)

func checkIPv4(_ *Settings, v string) (string, string) {
	if v != "" && !isIPv4(v) {
		return "", "Invalid IPv4 address"
	}
	return v, ""
}

func checkIPv6(_ *Settings, v string) (string, string) {
	if v != "" && !isIPv6(v) {
		return "", "Invalid IPv6 address"
	}
	return v, ""
}

// isIPv4 takes four numbers up to 255 without leading zeros, as inet_pton does.
func isIPv4(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return false
	}
	for _, p := range parts {
		n, err := strconv.ParseUint(p, 10, 8)
		if err != nil || strconv.FormatUint(n, 10) != p {
			return false
		}
	}
	return true
}

// isIPv6 takes eight groups of up to four hex digits, the last two perhaps as an IPv4 address, one run of them as ::.
func isIPv6(s string) bool {
	left, right, short := strings.Cut(s, "::")
	groups, ok := ipv6Groups(left, !short)
	if !ok || !short {
		return ok && groups == 8
	}
	more, ok := ipv6Groups(right, true)
	return ok && groups+more < 8
}

// ipv6Groups counts groups; the last may be an IPv4 address and counts for two.
func ipv6Groups(s string, last bool) (n int, ok bool) {
	if s == "" {
		return 0, true
	}
	groups := strings.Split(s, ":")
	for i, g := range groups {
		if last && i == len(groups)-1 && isIPv4(g) {
			return n + 2, true
		}
		if _, err := strconv.ParseUint(g, 16, 16); err != nil || len(g) > 4 {
			return 0, false
		}
		n++
	}
	return n, true
}
