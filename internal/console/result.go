package console

import (
	"slices"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// Result is what one command did.
type Result struct {
	Args    []string
	Times   int // how often it was given
	DB      int
	Effects []Effect // in the order of the servers
	Keys    []Key    // that the command is about
}

// Effect is what a command did on one server.
type Effect struct {
	Replies []resp.Value // more than one where messages came with it; none where it waits, or asked for none
	Waits   bool         // the command waits for another client
	Stopped bool         // the command waited, and was told to do so no more
	Delta   int64        // change of used_memory, bytes
	Why     []string     // what was notable, a sentence each
	Crashed string       // what the simulator failed with
}

// Key is a key before and after a command, on every server.
type Key struct {
	Name          string
	Before, After []State
}

// State is what a server keeps for a key. Sizes are in bytes.
type State struct {
	There          bool
	Type, Encoding string
	Usage          int // MEMORY USAGE SAMPLES 0
	Allocated      int // usable sizes of its blocks; Uncounted where they are too many to count after each command
}

// Uncounted is in the place of an allocated size.
const Uncounted = -1

// muchUsage is what a value may take, in bytes, for its blocks to be counted. To count those of a hash of that size takes
// some 50 ms.
const muchUsage = 1 << 20

func stateOf(x *engine.Server, key string) State {
	i, ok := x.KeyInfo(x.Client.DB.ID, []byte(key))
	if !ok {
		return State{}
	}
	s := State{There: true, Type: i.Type, Encoding: i.Encoding, Usage: i.Usage, Allocated: Uncounted}
	manyBlocks := i.Encoding == "hashtable" || i.Encoding == "skiplist"
	if i.Usage <= muchUsage || !manyBlocks {
		if l, err := x.LayoutOf(key, 1); err == nil {
			s.Allocated = l.Total
		}
	}
	return s
}

// over is how many bytes s takes more than t, and what t takes: by their blocks, or by MEMORY USAGE where those were not
// counted.
func (s State) over(t State) (more, than int) {
	if s.Allocated == Uncounted || t.Allocated == Uncounted {
		return s.Usage - t.Usage, t.Usage
	}
	return s.Allocated - t.Allocated, t.Allocated
}

// maxWhy is how many sentences are kept of a server.
const maxWhy = 4

// add takes what a command did, in place of the replies to the one before.
func (e *Effect) add(x *engine.Server, f *engine.Effect) {
	e.Replies = nil
	e.Delta += f.Delta
	for _, w := range f.Why {
		if len(e.Why) < maxWhy && !slices.Contains(e.Why, w) {
			e.Why = append(e.Why, w)
		}
	}
	if e.Crashed = f.Crashed; e.Crashed != "" {
		e.Replies = []resp.Value{f.Reply}
		return
	}
	e.take(x)
}

// take adds what the server has sent to its client.
func (e *Effect) take(x *engine.Server) {
	for b := x.Client.Buf; len(b) > 0; {
		v, n, err := resp.Parse(b)
		if err != nil {
			e.Crashed = err.Error()
			break
		}
		e.Replies = append(e.Replies, v)
		b = b[n:]
	}
	x.Client.Buf = x.Client.Buf[:0]
	e.Waits = x.Client.Blocked()
}

// same tells whether two servers answered the same.
func (e *Effect) same(f *Effect) bool {
	if e.Waits != f.Waits || len(e.Replies) != len(f.Replies) {
		return false
	}
	for i := range e.Replies {
		if !e.Replies[i].Equal(f.Replies[i]) {
			return false
		}
	}
	return true
}

// Error is the text of the first error that a server replied, "" for none.
func (e *Effect) Error() string {
	for _, v := range e.Replies {
		if v.Kind == resp.ErrorReply {
			return v.Str
		}
	}
	return ""
}

// Same tells whether all servers answered the same.
func (r *Result) Same() bool {
	for i := range r.Effects {
		if !r.Effects[i].same(&r.Effects[0]) {
			return false
		}
	}
	return true
}

// Error is the text of the first error that a server replied, "" for none.
func (r *Result) Error() string {
	for i := range r.Effects {
		if text := r.Effects[i].Error(); text != "" {
			return text
		}
	}
	return ""
}

// stopped tells whether the command waited and was told to do so no more.
func (r *Result) stopped() bool {
	return slices.ContainsFunc(r.Effects, func(e Effect) bool { return e.Stopped })
}

// changedNothing tells whether every server refused the command.
func (r *Result) changedNothing() bool {
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Error() == "" || e.Delta != 0 {
			return false
		}
	}
	return true
}

// Crashed is what the simulator failed with, "" where it did not.
func (r *Result) Crashed() string {
	for _, e := range r.Effects {
		if e.Crashed != "" {
			return e.Crashed
		}
	}
	return ""
}

// Join writes arguments as a line that can be typed.
func Join(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = typed(a)
	}
	return strings.Join(words, " ")
}
