package keyspace

import (
	"github.com/keyloupe/keyloupe/engine/heap"
	"github.com/keyloupe/keyloupe/engine/object"
)

// The 24 bits of an object that tell how it is used, for eviction (lrulfu.c in 9.1, evict.c before):
//
//	LRU:  seconds, when it was used last
//	LFU:  minutes, 16 bits ─ counter, 8 bits: about the logarithm of how often it was used, less what it lost since
const usedBits = 24

// LFU counts how often objects are used.
type LFU struct {
	On        bool  // the policy goes by it
	LogFactor int64 // directive lfu-log-factor: how slowly the counter grows
	DecayTime int64 // directive lfu-decay-time: minutes in which it loses one; 0 for never
	Random    func() float64
}

// firstFrequency is what a new object has, so that it is not evicted at once.
const firstFrequency = 5

// fresh is what a new object has.
func (s *Space) fresh() uint32 {
	if s.LFU.On {
		return s.minutes()<<8 | firstFrequency
	}
	return s.lruClock()
}

// touch notes that an object is used, even one that many keys share.
func (d *DB) touch(p heap.Ptr) {
	b := d.s.H.Bytes(p)
	used := d.s.lruClock()
	if d.s.LFU.On {
		used = d.s.minutes()<<8 | d.s.LFU.more(d.s.Frequency(object.LRU(b)))
	}
	object.SetLRU(b, used)
}

// more is the counter after one more use, which a large one mostly does not notice.
func (l *LFU) more(counter uint32) uint32 {
	if counter == 255 {
		return counter
	}
	above := max(int64(counter)-firstFrequency, 0)
	if l.Random() < 1/float64(above*l.LogFactor+1) {
		counter++
	}
	return counter
}

// Frequency is the counter in an object's bits, less what it lost since.
func (s *Space) Frequency(used uint32) uint32 {
	counter := used & 0xff
	if s.LFU.DecayTime == 0 {
		return counter
	}
	lost := (s.minutes() - used>>8) & 0xffff / uint32(s.LFU.DecayTime)
	return counter - min(counter, lost)
}

// Idle is for how many seconds an object was not used, by its bits.
func (s *Space) Idle(used uint32) uint32 { return (s.lruClock() - used) & (1<<usedBits - 1) }

// lruClock is the server's clock of seconds.
func (s *Space) lruClock() uint32 { return uint32(s.Now/1000) & (1<<usedBits - 1) }

// minutes is the server's clock of minutes.
func (s *Space) minutes() uint32 { return uint32(s.Now/60000) & 0xffff }

// LRUClock is the server's clock of seconds, 24 bits.
func (s *Space) LRUClock() uint32 { return s.lruClock() }
