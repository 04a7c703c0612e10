package listpack

import "github.com/keyloupe/keyloupe/engine/release"

// Valid tells whether bytes of unknown origin are one whole listpack: header, every element, both
// lengths of each, end and count. each, if not nil, is called for every element with its offset and
// the count of the header, and may refuse it. All other functions of this package are only for
// listpacks that Valid accepts for the same release. The work is bounded by len(lp).
func Valid(r *release.Release, lp []byte, each func(at, count int) bool) bool {
	if len(lp) < Empty || int64(le.Uint32(lp)) != int64(len(lp)) || lp[len(lp)-1] != end {
		return false
	}
	n, count := 0, int(le.Uint16(lp[4:]))
	at := header
	for lp[at] != end {
		next, ok := validNext(r, lp, at)
		if !ok || each != nil && !each(at, count) {
			return false
		}
		at = next
		n++
	}
	return at == len(lp)-1 && (count == unknown || count == n)
}

// validNext checks the element at an offset, which is inside lp, and returns the offset after it,
// which is inside lp too.
func validNext(r *release.Release, lp []byte, at int) (int, bool) {
	hs := headSize(lp[at])
	if hs == 0 || at+hs >= len(lp) {
		return 0, false
	}
	n := dataSize(lp[at:])
	size := newBacklenSize(r, n)
	next := at + n + size
	if next >= len(lp) || backlen(lp, next-1) != n {
		return 0, false
	}
	// the server takes a backlen whose digits reach into the data; where its size may vary, Prev
	// could not tell, so it is refused here
	return next, !atBound(n) || lp[next-size] < 128
}
