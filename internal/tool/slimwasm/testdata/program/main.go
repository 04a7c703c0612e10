// Command program does what leads a Go program through its tables of functions and through all kinds of jumps, and prints
// what came of it. With an argument it ends in a panic.
package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"sync"
)

func main() {
	for _, part := range []func() string{loops, choices, panics, deferred, goroutines, stacks, garbage, numbers, calls, names} {
		fmt.Println(part())
	}
	if len(os.Args) > 1 {
		outer()
	}
}

func inner[T any](v T) { panic(fmt.Sprint("boom ", v)) }
func outer()           { inner(7) }

func loops() string {
	var out strings.Builder
	n := 0
rows:
	for i := range 40 {
		for j := i; ; j++ {
			switch {
			case j%7 == 3:
				continue rows
			case j%11 == 5:
				continue
			case i > 30:
				break rows
			}
			n += i * j
			if j > 60 {
				break
			}
		}
	}
	fmt.Fprint(&out, "loops ", n)
	for a, b := 0, 1; b < 1000; a, b = b, a+b {
		if b&1 == 0 {
			goto next
		}
		fmt.Fprint(&out, " ", b)
	next:
	}
	for c := range strings.SplitSeq("x,yy,,z", ",") {
		if c == "" {
			continue
		}
		fmt.Fprint(&out, " ", c)
	}
	return out.String()
}

func choices() string {
	var out []string
	for _, v := range []any{1, "two", 3.5, nil, []int{4}, errors.New("five"), func() {}, int8(-6)} {
		switch v := v.(type) {
		case int, int8:
			out = append(out, fmt.Sprint("integer ", v))
		case string:
			switch v {
			case "one", "two", "three":
				out = append(out, v+"!")
			}
		case error:
			out = append(out, v.Error())
		case fmt.Stringer:
			out = append(out, v.String())
		default:
			out = append(out, fmt.Sprintf("%T", v))
		}
	}
	return strings.Join(out, " ")
}

// panics recovers from what the runtime itself panics with.
func panics() string {
	try := func(f func()) (text string) {
		defer func() { text = fmt.Sprint(recover()) }()
		f()
		return "none"
	}
	var m map[string]int
	var p *struct{ next *int }
	zero, list := len(m), make([]int, 3)
	return strings.Join([]string{
		try(outer),
		try(func() { m["a"] = 1 }),
		try(func() { *p.next = 1 }),
		try(func() { list[zero+3]++ }),
		try(func() { list[0] /= zero }),
		try(func() { _ = list[zero+2 : zero+1] }),
		try(func() { _ = any(m).(fmt.Stringer) }),
		try(func() { defer func() { panic(fmt.Sprint("again ", recover())) }(); outer() }),
	}, "; ")
}

func deferred() (text string) {
	for i := range 3 { // a loop of defers is not open coded
		defer func() { text += fmt.Sprint(" ", i) }()
	}
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint("recovered ", r, " after ", text)
		}
	}()
	text = "work"
	if len(text) > 3 {
		defer func() { text += " last" }()
	}
	outer()
	return "not reached"
}

func goroutines() string {
	in, out, quit := make(chan int), make(chan int, 2), make(chan bool)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for {
				select {
				case v := <-in:
					runtime.Gosched()
					out <- v * v
				case <-quit:
					return
				}
			}
		})
	}
	go func() {
		for i := range 500 {
			in <- i
		}
	}()
	sum := 0
	for range 500 {
		sum += <-out
	}
	close(quit)
	wg.Wait()
	return fmt.Sprint("squares ", sum)
}

// stacks grows a stack, with a frame larger than the guard, while pointers into it are held.
func stacks() string {
	v := 0
	deep(5000, &v)
	done := make(chan int)
	go func() { v := 0; deep(3000, &v); done <- v }()
	return fmt.Sprint("stacks ", v, " ", <-done)
}

func deep(n int, v *int) {
	var frame [600]byte
	frame[n%600] = byte(n)
	if n > 0 {
		deep(n-1, v)
	}
	*v += int(frame[n%600])
}

// garbage makes some while a tree is held only by frames of a deep stack.
func garbage() string {
	type node struct {
		left, right *node
		value       int
	}
	var grow func(depth int) *node
	grow = func(depth int) *node {
		n := &node{value: depth}
		if depth > 0 {
			n.left, n.right = grow(depth-1), grow(depth-1)
		}
		if depth == 9 {
			runtime.GC()
		}
		return n
	}
	var sum func(n *node) int
	sum = func(n *node) int {
		if n == nil {
			return 0
		}
		return n.value + sum(n.left) + sum(n.right)
	}
	tree := grow(12)
	for range 200 {
		_ = make([]*node, 10_000)
	}
	runtime.GC()
	return fmt.Sprint("garbage ", sum(tree))
}

func numbers() string {
	h := uint64(14695981039346656037)
	for i := range 1000 {
		h = (h ^ uint64(i)) * 1099511628211
		h = h<<13 | h>>51
	}
	f := 0.0
	for i := 1; i < 100; i++ {
		f += math.Sqrt(float64(i)) / float64(int8(i*3)|1)
	}
	return fmt.Sprint("numbers ", h, " ", f, " ", int32(h), " ", uint8(h), " ", math.Inf(-1), " ", int64(math.Float64bits(f)))
}

type point struct{ x, y float32 }

func (p point) add(q point, s string, rest ...any) string {
	return fmt.Sprint(p.x+q.x, p.y-q.y, s, rest)
}

func calls() string {
	add := point{1, 2}.add
	v := reflect.ValueOf(add).Call([]reflect.Value{reflect.ValueOf(point{3, 4}), reflect.ValueOf("r"), reflect.ValueOf(5)})
	list := []string{"pear", "fig", "apple", "date"}
	sort.Slice(list, func(i, j int) bool {
		return len(list[i]) < len(list[j]) || list[i] < list[j] && len(list[i]) == len(list[j])
	})
	return fmt.Sprint("calls ", add(point{5, 6}, "d", 7, nil), " ", v[0], " ", list)
}

func names() string {
	pcs := make([]uintptr, 10)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	var out []string
	for {
		f, more := frames.Next()
		out = append(out, f.Function)
		if !more {
			return "names " + strings.Join(out, " ")
		}
	}
}
