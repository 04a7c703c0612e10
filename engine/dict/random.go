package dict

const fairEntries = 15 // entries FairRandom picks one of

// Random is an entry of a random slot, 0 in an empty dict; rnd is a source of random 64-bit
// numbers. Entries of crowded slots come up less often.
func (d *Dict) Random(rnd func() uint64) Entry {
	if d.Len() == 0 {
		return 0
	}
	d.step()
	var head Entry
	for head == 0 {
		if !d.Rehashing() {
			head = d.slot(0, rnd()&d.mask(0))
			continue
		}
		skip := uint64(d.rehash()) // nothing is left before
		n, size := skip+rnd()%(uint64(d.Slots())-skip), uint64(d.Size(0))
		if n < size {
			head = d.slot(0, n)
		} else {
			head = d.slot(1, n-size)
		}
	}
	n := uint64(0)
	for e := head; e != 0; e = d.next(e) {
		n++
	}
	e := head
	for n = rnd() % n; n > 0; n-- {
		e = d.next(e)
	}
	return e
}

// FairRandom is an entry picked from a stretch of slots, so that crowded slots matter less.
func (d *Dict) FairRandom(rnd func() uint64) Entry {
	some := d.Some(fairEntries, rnd)
	if len(some) == 0 {
		return d.Random(rnd)
	}
	return some[rnd()%uint64(len(some))]
}

// Some is up to count entries from a random stretch of slots; some may be there twice, and fewer
// may be found than there are. From a long last chain any entry may come, as in 8.0; 7.2 takes its
// first ones.
func (d *Dict) Some(count int, rnd func() uint64) []Entry {
	count = min(count, d.Len())
	for range count {
		d.step()
	}
	s := sampler{d: d, count: count, rnd: rnd, mask: max(d.mask(0), d.mask(1))}
	s.at = rnd() & s.mask
	for steps := 10 * count; steps > 0 && len(s.found) < count; steps-- {
		s.visit()
		s.at = (s.at + 1) & s.mask
	}
	return s.found
}

type sampler struct {
	d        *Dict
	count    int
	rnd      func() uint64
	mask, at uint64
	empty    int // empty slots in a row
	seen     int
	found    []Entry
}

func (s *sampler) visit() {
	for i := range 2 {
		if i == 0 && s.d.Rehashing() && int(s.at) < s.d.rehash() {
			if int(s.at) < s.d.Size(1) {
				continue
			}
			s.at = uint64(s.d.rehash())
		}
		if int(s.at) >= s.d.Size(i) || len(s.found) == s.count {
			continue
		}
		if e := s.d.slot(i, s.at); e != 0 {
			s.take(e)
		} else {
			s.pass()
		}
	}
}

// pass counts an empty slot; after many in a row the search goes on elsewhere.
func (s *sampler) pass() {
	if s.empty++; s.empty >= 5 && s.empty > s.count {
		s.at, s.empty = s.rnd()&s.mask, 0
	}
}

func (s *sampler) take(e Entry) {
	s.empty = 0
	for ; e != 0; e = s.d.next(e) {
		if len(s.found) < s.count {
			s.found = append(s.found, e)
		} else if r := s.rnd() % uint64(s.seen+1); r < uint64(s.count) {
			s.found[r] = e
		}
		s.seen++
	}
}
