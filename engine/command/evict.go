package command

import (
	"math"
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/object"
)

// candidate is a key that may be evicted; the higher its score, the sooner.
type candidate struct {
	db    int
	key   string
	score uint64
}

// poolSize is how many of the best candidates are kept from one eviction to the next (evict.c, EVPOOL_SIZE).
const poolSize = 16

// eviction deletes keys where maxmemory is passed, by the policy maxmemory-policy. As in the server keys are looked at by
// sample; the samples are drawn from what is seeded here, so other keys may go than there.
type eviction struct {
	pool   []candidate // in order of score
	nextDB int         // of the policies that go by chance
	keys   int64       // evicted so far
	due    bool        // directives changed: room is made without waiting for a command
}

// makeRoom evicts keys until used_memory is within maxmemory. It is false where that cannot be: no key may go.
func (s *Server) makeRoom() bool {
	if s.maxMemory == 0 || s.maxMemory > math.MaxInt64 || s.replica() && s.Conf.Yes("replica-ignore-maxmemory") || s.pausing() {
		return true
	}
	for over := s.UsedMemory() - int64(s.maxMemory); over > 0; {
		db, key, ok := s.victim()
		if !ok {
			return false
		}
		before := s.UsedMemory()
		s.evict(db, key)
		over -= before - s.UsedMemory()
	}
	return true
}

func (s *Server) evict(db *keyspace.DB, key []byte) {
	db.Delete(key)
	s.H.Note("the key was evicted: maxmemory was passed")
	s.eviction.keys++
	s.keyTimedOut(db.ID, key)
	s.notify(db.ID, 'e', "evicted", key)
}

// victim is the next key to go.
func (s *Server) victim() (db *keyspace.DB, key []byte, ok bool) {
	if s.importing() { // what comes in must not go again
		return nil, nil, false
	}
	switch policy := s.Conf.Text("maxmemory-policy"); policy {
	case "noeviction":
		return nil, nil, false
	case "allkeys-random", "volatile-random":
		return s.victimByChance(policy)
	default:
		return s.victimByScore(policy)
	}
}

// sample draws a key that the policy allows to evict.
func (s *Server) sample(db *keyspace.DB, policy string) ([]byte, bool) {
	if strings.HasPrefix(policy, "allkeys") {
		return db.Sample(s.random)
	}
	return db.SampleExpires(s.random)
}

// victimByChance goes round the databases.
func (s *Server) victimByChance(policy string) (*keyspace.DB, []byte, bool) {
	n := s.Space.Databases()
	for range n {
		db := s.Space.Existing(s.eviction.nextDB % n)
		s.eviction.nextDB = (s.eviction.nextDB + 1) % n
		if db == nil {
			continue
		}
		if key, ok := s.sample(db, policy); ok {
			return db, slices.Clone(key), true
		}
	}
	return nil, nil, false
}

// victimByScore takes the best of the pool that is still there, after samples of all databases were added to it.
func (s *Server) victimByScore(policy string) (*keyspace.DB, []byte, bool) {
	for {
		found := false
		for i := range s.Space.Databases() {
			if db := s.Space.Existing(i); db != nil && s.addCandidates(db, policy) {
				found = true
			}
		}
		if !found {
			return nil, nil, false
		}
		pool := &s.eviction.pool
		for len(*pool) > 0 {
			best := (*pool)[len(*pool)-1]
			*pool = (*pool)[:len(*pool)-1]
			db, key := s.Space.Existing(best.db), []byte(best.key)
			if db == nil {
				continue
			}
			p := db.Peek(key)
			if p != 0 && (strings.HasPrefix(policy, "allkeys") || db.PeekExpire(key, p) != object.NoExpire) {
				return db, key, true
			}
		}
	}
}

// addCandidates puts a sample of a database into the pool; it is false where the database has none.
func (s *Server) addCandidates(db *keyspace.DB, policy string) (found bool) {
	drawn := map[string]bool{}
	for range s.Conf.Int("maxmemory-samples") {
		k, ok := s.sample(db, policy)
		if !ok {
			return found
		}
		found = true
		if key := string(k); !drawn[key] {
			drawn[key] = true
			s.eviction.add(candidate{db.ID, key, s.score(db, []byte(key), policy)})
		}
	}
	return found
}

// score is how much a key is worth evicting: the longer unused, the less often used or the sooner gone, the more.
func (s *Server) score(db *keyspace.DB, key []byte, policy string) uint64 {
	p := db.Peek(key)
	switch used := object.LRU(s.H.Bytes(p)); {
	case policy == "volatile-ttl":
		return math.MaxUint64 - uint64(db.PeekExpire(key, p))
	case s.lfu():
		return uint64(255 - s.Space.Frequency(used))
	default:
		return uint64(s.Space.Idle(used))
	}
}

func (e *eviction) add(c candidate) {
	at := 0
	for at < len(e.pool) && e.pool[at].score < c.score {
		at++
	}
	if at == 0 && len(e.pool) == poolSize {
		return
	}
	if e.pool = slices.Insert(e.pool, at, c); len(e.pool) > poolSize {
		e.pool = slices.Delete(e.pool, 0, 1)
	}
}
