package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/keyloupe/keyloupe/internal/realserver"
)

// The load on a front: what valkey-benchmark -c 50 -P 16 sends, SET and GET in turn.
const (
	connections = 50
	depth       = 16     // commands sent before their replies are read
	keyspace    = 10_000 // names used
)

// fronts measures `keyloupe resp` beside a real server under the same load.
func fronts(b *bench) {
	for _, servers := range []string{"9.1.2", "9.0.6,9.1.2"} {
		b.row(fmt.Sprintf("RESP, %d connections, pipelines of %d, %s", connections, depth, servers), func(r *Row) error {
			per := 20_000
			if b.quick {
				per = 2_000
			}
			addr, pid, stop, err := b.program("resp", "--listen", "127.0.0.1:0", "--server", servers)
			if err != nil {
				return err
			}
			defer stop()
			var real rate
			v := realserver.V912
			peer, err := realserver.Launch(v)
			switch {
			case errors.Is(err, realserver.ErrUnavailable):
				r.Peer = v.Number + " not available here"
			case err != nil:
				return err
			default:
				defer peer.Stop()
			}
			var ours rate
			for range b.runs { // in turn, so that both meet the same neighbours
				if err := ours.measure(addr, pid, per); err != nil {
					return err
				}
				if peer != nil {
					if err := real.measure(peer.Addr, peer.PID, per); err != nil {
						return err
					}
				}
			}
			r.Measured = ours.String()
			if peer != nil {
				r.Peer = fmt.Sprintf("real %s: %s", v.Number, real)
			}
			if peer != nil && !strings.Contains(servers, ",") {
				r.Budget, r.Verdict = "≥ 50 % of peer", atLeast(ours.persec, real.persec/2)
				if r.Verdict == Over && ours.cpu > 0 && ours.cpu <= 2*real.cpu {
					r.Verdict = OnCPU
				}
			}
			return nil
		})
	}
}

// rate is how many requests a server answered.
type rate struct {
	persec float64 // most, a second
	cpu    float64 // least processor time a request, seconds; 0 unknown
}

func (r rate) String() string {
	return fmt.Sprintf("%.0f k/s, CPU %.2f µs each", r.persec/1e3, r.cpu*1e6)
}

// measure sends the load, per requests a connection.
func (r *rate) measure(addr string, pid, per int) error {
	user, system := cpuOf(pid)
	start := time.Now()
	failed := make(chan error, connections)
	var wg sync.WaitGroup
	for c := range connections {
		wg.Go(func() {
			if err := converse(addr, c, per); err != nil {
				failed <- err
			}
		})
	}
	wg.Wait()
	took := time.Since(start).Seconds()
	select {
	case err := <-failed:
		return err
	default:
	}
	n := float64(connections * per)
	r.persec = max(r.persec, n/took)
	u, s := cpuOf(pid)
	if cpu := (u + s - user - system) / n; cpu > 0 && (r.cpu == 0 || cpu < r.cpu) {
		r.cpu = cpu
	}
	return nil
}

// converse is one connection's part: per requests, depth of them at a time.
func converse(addr string, seed, per int) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(2 * time.Minute))
	r := bufio.NewReaderSize(c, 1<<14)
	var w bytes.Buffer
	value := []byte("vvvvvvvvvvvvvvvv")
	for n := 0; n < per; n += depth {
		w.Reset()
		lines := 0
		for i := range depth / 2 {
			key := fmt.Appendf(nil, "key:%012d", (seed*7919+n+i)%keyspace)
			writeCommand(&w, [][]byte{[]byte("SET"), key, value})
			writeCommand(&w, [][]byte{[]byte("GET"), key})
			lines += 3 // +OK, $16, the value
		}
		if _, err := c.Write(w.Bytes()); err != nil {
			return err
		}
		for range lines {
			line, err := r.ReadSlice('\n')
			if err != nil {
				return err
			}
			if line[0] == '-' {
				return fmt.Errorf("%s answered %s", addr, line)
			}
		}
	}
	return nil
}

// program starts the built program and returns the address it prints.
func (b *bench) program(args ...string) (addr string, pid int, stop func(), err error) {
	if _, err := os.Stat(b.keyloupe); err != nil {
		return "", 0, nil, skip{"not built: make build builds " + b.keyloupe}
	}
	cmd := exec.Command(b.keyloupe, args...)
	cmd.Stderr = io.Discard
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "", 0, nil, err
	}
	stop = func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", 0, nil, fmt.Errorf("%s %s: no address printed: %w", b.keyloupe, args[0], err)
	}
	return strings.TrimSpace(line), cmd.Process.Pid, stop, nil
}
