package skiplist

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/heap"
)

// Check tells the first invariant that does not hold, walking every level: order, distances,
// backward pointers, length, tail, and heights where nodes keep them.
func (l List) Check() error {
	place := map[heap.Ptr]int{l.x: 0}
	prev := heap.Ptr(0)
	for n := l.First(); n != 0; n = l.Next(n) {
		place[n] = len(place)
		if l.Prev(n) != prev {
			return fmt.Errorf("node %d points back to %#x, want %#x", place[n], l.Prev(n), prev)
		}
		if prev != 0 && !l.before(l.h.Bytes(prev), l.Score(n), l.Member(n)) {
			return fmt.Errorf("node %d is not after the one before it", place[n])
		}
		prev = n
	}
	if l.Last() != prev || l.Len() != len(place)-1 {
		return fmt.Errorf("tail %#x and length %d, want %#x and %d", l.Last(), l.Len(), prev, len(place)-1)
	}
	for i := range l.Height() {
		for x := l.x; x != 0; x = l.forward(x, i) {
			if err := l.checkLevel(x, i, place); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l List) checkLevel(x heap.Ptr, i int, place map[heap.Ptr]int) error {
	to, ok := place[l.forward(x, i)]
	if !ok {
		to = l.Len()
		if l.forward(x, i) != 0 {
			return fmt.Errorf("level %d leads to a node that level 0 lacks", i)
		}
	}
	if got := l.span(l.h.Bytes(x), i); got != to-place[x] {
		return fmt.Errorf("span %d of node %d is %d, want %d", i, place[x], got, to-place[x])
	}
	if x != l.x && l.f.height && l.nodeHeight(l.h.Bytes(x)) <= i {
		return fmt.Errorf("node %d is on level %d, above its height", place[x], i)
	}
	return nil
}
