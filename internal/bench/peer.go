package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"strconv"
	"time"

	"github.com/keyloupe/keyloupe/internal/bench/loads"
	"github.com/keyloupe/keyloupe/internal/realserver"
)

// peers are the real servers running, by release.
type peers map[string]*realserver.Server

func (p peers) stop() {
	for _, s := range p {
		s.Stop()
	}
}

// start gives the real server of a release, empty.
func (p peers) start(number string) (*realserver.Server, error) {
	if s := p[number]; s != nil {
		_, err := s.Client().Try("FLUSHALL", "SYNC")
		return s, err
	}
	v, ok := realserver.ByNumber(number)
	if !ok {
		return nil, fmt.Errorf("no real server of %s is pinned", number)
	}
	s, err := realserver.Launch(v)
	if err == nil {
		p[number] = s
	}
	return s, err
}

// load gives the same commands, pipelined, to a real server and tells what that took.
func (p peers) load(number string, l loads.Load, b *bench) string {
	if number == "" {
		return "-"
	}
	wall, user := math.Inf(1), math.Inf(1)
	for range b.runs {
		s, err := p.start(number)
		if errors.Is(err, realserver.ErrUnavailable) {
			return number + " not available here"
		}
		if err != nil {
			return err.Error()
		}
		before, _ := cpuOf(s.PID)
		start := time.Now()
		if err := pipeline(s.Addr, l.Args(), b.n); err != nil {
			return err.Error()
		}
		wall = min(wall, time.Since(start).Seconds())
		after, _ := cpuOf(s.PID)
		user = min(user, after-before)
	}
	return fmt.Sprintf("real %s: %.2f s, its user CPU %.2f s", number, wall, user)
}

// pipeline sends n commands without waiting for replies and returns when all have come. An error
// reply to the last one is an error.
func pipeline(addr string, args func(i int) [][]byte, n int) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(c, 1<<16)
		for i := range n {
			writeCommand(w, args(i))
		}
		sent <- w.Flush()
	}()
	r := bufio.NewReaderSize(c, 1<<16)
	for range n { // every reply of a load is one line
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if line[0] == '-' {
			return fmt.Errorf("the real server: %s", line)
		}
	}
	return <-sent
}

func writeCommand(w io.Writer, args [][]byte) {
	var b [512]byte
	out := appendHead(b[:0], '*', len(args))
	for _, a := range args {
		out = append(append(appendHead(out, '$', len(a)), a...), '\r', '\n')
	}
	w.Write(out) // a bufio.Writer keeps its first error until Flush
}

func appendHead(out []byte, kind byte, n int) []byte {
	return append(strconv.AppendInt(append(out, kind), int64(n), 10), '\r', '\n')
}
