package stream

// How far a group has read. A stream counts the entries ever added, a group those read; where
// deleted entries ("tombstones") lie in between, the group's count is unknown and is estimated from
// the stream's ends. Until 8.1.1 (8.0.3 in its line) a tombstone before the first entry was
// forgotten, which gave lags that are too large (release rule stream-lag).

// tombstones tells whether a deleted entry lies at or after start.
func (s Stream) hasTombstones(start ID) bool {
	max := s.MaxDeletedID()
	if s.Len() == 0 || max.Zero() {
		return false
	}
	if !s.h.Rel.StreamLagTombstones && s.FirstID().Compare(max) > 0 {
		return false
	}
	return start.Compare(max) <= 0
}

// distance is how many entries were added up to id, counted from the stream's first ever, or
// Unknown (streamEstimateDistanceFromFirstEverEntry).
func (s Stream) distance(id ID) int64 {
	added, max := int64(s.Added()), s.MaxDeletedID()
	if added == 0 || s.Len() == 0 && id.Compare(s.LastID()) < 1 {
		return added
	}
	if s.h.Rel.StreamLagTombstones && !id.Zero() && id.Compare(max) < 0 {
		return Unknown
	}
	switch c := id.Compare(s.LastID()); {
	case c == 0:
		return added
	case c > 0:
		return Unknown
	}
	if max.Zero() || max.Compare(s.FirstID()) < 0 {
		switch c := id.Compare(s.FirstID()); {
		case c < 0:
			return added - int64(s.Len())
		case c == 0:
			return added - int64(s.Len()) + 1
		}
	}
	return Unknown
}

// Distance is distance for a group of a dump that does not tell how many entries it has read.
func (s Stream) Distance(id ID) int64 { return s.distance(id) }

// Lag is the number of entries that the group has still to read; ok is false where that is unknown.
func (s Stream) Lag(g Group) (lag int64, ok bool) {
	added := int64(s.Added())
	if added == 0 {
		return 0, true
	}
	if g.Read() != Unknown && !s.hasTombstones(g.LastID()) {
		return added - g.Read(), true
	}
	read := s.distance(g.LastID())
	return added - read, read != Unknown
}

// Advance records that the group has read the entry with that id, if it is a new one, and tells so.
func (s Stream) Advance(g Group, id ID) bool {
	if id.Compare(g.LastID()) <= 0 {
		return false
	}
	if s.countsOn(g, id) {
		g.SetRead(g.Read() + 1)
	} else if s.Added() > 0 {
		g.SetRead(s.distance(id))
	}
	g.SetLastID(id)
	return true
}

// countsOn tells whether the group's count of entries read can go up by one for the entry id.
func (s Stream) countsOn(g Group, id ID) bool {
	if g.Read() == Unknown {
		return false
	}
	if !s.h.Rel.StreamLagTombstones {
		return !s.hasTombstones(id)
	}
	return g.LastID().Compare(s.FirstID()) >= 0 && !s.hasTombstones(g.LastID())
}
