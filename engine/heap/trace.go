package heap

import "fmt"

// Op is what an Event tells of.
type Op uint8

// The operations of a trace.
const (
	OpAlloc Op = iota
	OpFree
	OpRealloc
	OpRehash // one step of moving a table, Size buckets
)

func (o Op) String() string { return [...]string{"alloc", "free", "realloc", "rehash"}[o] }

// Event is one call of the allocator, or one step of a rehash.
type Event struct {
	Op   Op
	P    Ptr // the block; of a realloc, where it is now
	From Ptr // of a realloc: where it was
	Want int // bytes asked for; 0 for a free
	Size int // usable bytes
	Was  int // of a realloc: usable bytes before
}

// maxEvents bounds a trace: a command that frees a million blocks tells of the first ones only.
const maxEvents = 4096

// Trace is what one command did to the heap, and why where something notable happened.
type Trace struct {
	Events  []Event
	Dropped int      // events beyond maxEvents
	Why     []string // one sentence each, in order, none twice
}

func (t *Trace) add(e Event) {
	if len(t.Events) == maxEvents {
		t.Dropped++
		return
	}
	t.Events = append(t.Events, e)
}

// StartTrace begins to record into t; nil stops recording.
func (h *Heap) StartTrace(t *Trace) { h.trace = t }

// Tracing tells whether notes are wanted, so that a caller need not format one in vain.
func (h *Heap) Tracing() bool { return h.trace != nil }

// Note adds a sentence on why something notable happened. It does nothing while no trace is kept.
func (h *Heap) Note(format string, args ...any) {
	if h.trace == nil {
		return
	}
	s := fmt.Sprintf(format, args...)
	for _, w := range h.trace.Why {
		if w == s {
			return
		}
	}
	h.trace.Why = append(h.trace.Why, s)
}

// NoteRehash records that a step moved n buckets.
func (h *Heap) NoteRehash(n int) {
	if h.trace != nil {
		h.trace.add(Event{Op: OpRehash, Size: n})
	}
}
