//go:build js && wasm

// Command inpage runs the loads in WebAssembly, in a browser or in Node, and prints a Result a line.
//
//	inpage COMMANDS SECONDS REGEXP       commands of each load, seconds of each sweep, loads wanted
package main

import (
	"encoding/json"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"syscall/js"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/bench/loads"
)

func main() {
	n, err := strconv.Atoi(os.Args[1])
	d, err2 := time.ParseDuration(os.Args[2])
	only, err3 := regexp.Compile(os.Args[3])
	if err != nil || err2 != nil || err3 != nil {
		panic(os.Args)
	}
	out := json.NewEncoder(os.Stdout)
	for _, l := range loads.All() {
		if only.MatchString(l.Name) {
			out.Encode(measure(l.Name, func() (int, error) {
				s, err := engine.NewServer("9.1.2", engine.Options{})
				if err == nil {
					l.Run(s, n)
				}
				return n, err
			}))
		}
	}
	for _, s := range loads.Sweeps() {
		if only.MatchString(s.Name) {
			out.Encode(measure(s.Name, func() (int, error) { return s.Run(d) }))
		}
	}
}

// measure is what work took that did n things.
func measure(name string, work func() (n int, err error)) loads.Result {
	time.Sleep(time.Millisecond) // lets the page answer those who ask how far it is
	runtime.GC()
	start, cpu := time.Now(), processTime()
	n, err := work()
	r := loads.Result{Name: name, N: n, Wall: time.Since(start).Seconds(), CPU: processTime() - cpu}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

// processTime is the processor time of the whole process, in seconds, where the host tells: Node does, browsers don't.
func processTime() float64 {
	p := js.Global().Get("process")
	if p.Get("cpuUsage").Type() != js.TypeFunction {
		return 0
	}
	u := p.Call("cpuUsage")
	return (u.Get("user").Float() + u.Get("system").Float()) / 1e6
}
