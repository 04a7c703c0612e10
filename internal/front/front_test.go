package front

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/catalog"
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/engine/resp"
)

// childEnv makes the test program a server of its own: a process whose memory can be measured and
// that can be stopped.
const childEnv = "KEYLOUPE_TEST_FRONT"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		child()
	}
	os.Exit(m.Run())
}

func child() {
	ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	if err := newFront("9.1.2").Serve(ctx, l); err != nil {
		panic(err)
	}
	os.Exit(0)
}

func newFront(names ...string) *Front {
	clock := NewClock()
	var servers []*engine.Server
	for _, n := range names {
		s, err := engine.NewServer(n, engine.Options{Clock: clock.Now})
		if err != nil {
			panic(err)
		}
		servers = append(servers, s)
	}
	return New(servers, clock)
}

// start serves for a test.
func start(t *testing.T, names ...string) (f *Front, addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f = newFront(names...)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- f.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the front did not stop")
		}
	})
	return f, l.Addr().String()
}

// client is a raw connection.
type client struct {
	t *testing.T
	net.Conn
	r *bufio.Reader
}

func dial(t *testing.T, addr string) *client {
	t.Helper()
	c, err := net.DialTimeout("tcp", addr, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(60 * time.Second))
	return &client{t, c, bufio.NewReader(c)}
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c, line+"\r\n"); err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
}

// expect reads what must come next, literally.
func (c *client) expect(want string) {
	c.t.Helper()
	got := make([]byte, len(want))
	n, err := io.ReadFull(c.r, got)
	if err != nil || string(got) != want {
		c.t.Fatalf("got %q, %v; want %q", got[:n], err, want)
	}
}

// reply reads one reply, whatever it is.
func (c *client) reply() string {
	c.t.Helper()
	var got []byte
	for {
		b, err := c.r.ReadByte()
		if err != nil {
			c.t.Fatalf("got %q, %v", got, err)
		}
		if got = append(got, b); b != '\n' {
			continue
		}
		if _, n, err := resp.Parse(got); err == nil && n == len(got) {
			return string(got)
		}
	}
}

func (c *client) do(line, want string) {
	c.t.Helper()
	c.send(line)
	c.expect(want)
}

// gone waits for the server to close the connection and returns what it sent before.
func (c *client) gone() string {
	c.t.Helper()
	rest, err := io.ReadAll(c.r)
	if ne, ok := err.(net.Error); ok && ne.Timeout() {
		c.t.Fatal("the connection stays open")
	}
	return string(rest)
}

// until waits for a condition of the front.
func until(t *testing.T, what string, f *Front, ok func(servers []*engine.Server) bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		done := false
		f.With(func(s []*engine.Server) { done = ok(s) })
		if done {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

func clients(n int) func([]*engine.Server) bool {
	return func(s []*engine.Server) bool { return len(s[0].Clients) == n }
}

func blocked(n int) func([]*engine.Server) bool {
	return func(s []*engine.Server) bool {
		waiting := 0
		for _, c := range s[0].Clients {
			if c.Blocked() {
				waiting++
			}
		}
		return waiting == n
	}
}

func TestAPipelineIsAnsweredInOrder(t *testing.T) {
	_, addr := start(t, "9.1.2")
	c := dial(t, addr)
	const n = 20000
	go func() {
		w := bufio.NewWriter(c)
		for i := range n {
			fmt.Fprintf(w, "*2\r\n$4\r\nECHO\r\n$%d\r\n%d\r\n", len(strconv.Itoa(i)), i)
		}
		w.Flush()
	}()
	for i := range n {
		c.expect(fmt.Sprintf("$%d\r\n%d\r\n", len(strconv.Itoa(i)), i))
	}
}

func TestAFaultIsToldAndEndsTheConnectionAfterWhatCameBefore(t *testing.T) {
	_, addr := start(t, "9.1.2")
	c := dial(t, addr)
	c.send("*1\r\n$4\r\nPING\r\n*1\r\n$x\r\nPING\r\nPING")
	if got, want := c.gone(), "+PONG\r\n-ERR Protocol error: invalid bulk length\r\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAWebPageCannotSendCommands(t *testing.T) {
	_, addr := start(t, "9.1.2")
	c := dial(t, addr)
	c.send("POST / HTTP/1.1\r\nHost: x\r\n\r\nSET a 1")
	if got := c.gone(); got != "" {
		t.Errorf("it was told %q", got)
	}
	dial(t, addr).do("EXISTS a", ":0\r\n")
}

func TestAClientThatVanishesInMidCommandHurtsNobody(t *testing.T) {
	f, addr := start(t, "9.1.2")
	other := dial(t, addr)
	for _, half := range []string{"*3\r\n$3\r\nSET\r\n$1\r\na\r\n$100\r\nxyz", "*2\r\n$536870912\r\nabc", "SET a", "MULTI\r\nSET a 1\r\n", "SUBSCRIBE a\r\n", "BLPOP l 0\r\n", "WATCH a\r\n", "MONITOR\r\n"} {
		c := dial(t, addr)
		io.WriteString(c, half)
		other.do("PING", "+PONG\r\n")
		c.Close()
	}
	until(t, "only one client is left", f, clients(1))
	other.do("EXISTS a", ":0\r\n")
	other.do("RPUSH l 1", ":1\r\n")
	other.do("LLEN l", ":1\r\n")
	other.do("PUBLISH a b", ":0\r\n")
}

func TestABlockedClientIsServedAtItsTimeAndInItsTurn(t *testing.T) {
	f, addr := start(t, "9.1.2")
	a, b, c := dial(t, addr), dial(t, addr), dial(t, addr)
	begin := time.Now()
	a.do("BLPOP l 0.03", "*-1\r\n")
	if d := time.Since(begin); d < 30*time.Millisecond {
		t.Errorf("it waited %v", d)
	}
	a.send("BLPOP l 0\r\nECHO a")
	until(t, "a waits", f, blocked(1))
	b.send("BLPOP l 0\r\nECHO b")
	until(t, "both wait", f, blocked(2))
	c.do("RPUSH l 1 2", ":2\r\n")
	a.expect("*2\r\n$1\r\nl\r\n$1\r\n1\r\n$1\r\na\r\n")
	b.expect("*2\r\n$1\r\nl\r\n$1\r\n2\r\n$1\r\nb\r\n")
}

func TestABlockedClientThatGoesTakesNothing(t *testing.T) {
	f, addr := start(t, "9.1.2")
	a, b := dial(t, addr), dial(t, addr)
	a.send("BLPOP l 0")
	until(t, "a waits", f, blocked(1))
	a.Close()
	until(t, "a is gone", f, clients(1))
	b.do("RPUSH l 1", ":1\r\n")
	b.do("LRANGE l 0 -1", "*1\r\n$1\r\n1\r\n")
}

func TestAWatchedKeyIsWatchedAcrossConnections(t *testing.T) {
	_, addr := start(t, "9.1.2")
	a, b := dial(t, addr), dial(t, addr)
	a.do("WATCH k", "+OK\r\n")
	a.do("MULTI", "+OK\r\n")
	a.do("SET k a", "+QUEUED\r\n")
	b.do("SET k b", "+OK\r\n")
	a.do("EXEC", "*-1\r\n")
	a.do("MULTI", "+OK\r\n")
	a.do("GET k", "+QUEUED\r\n")
	b.do("SET k c", "+OK\r\n")
	a.do("EXEC", "*1\r\n$1\r\nc\r\n")
}

func TestMessagesComeWithoutACommand(t *testing.T) {
	f, addr := start(t, "9.1.2")
	a, b := dial(t, addr), dial(t, addr)
	a.do("SUBSCRIBE c", "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n")
	for i := range 100 {
		b.do(fmt.Sprintf("PUBLISH c %02d", i), ":1\r\n")
	}
	for i := range 100 {
		a.expect(fmt.Sprintf("*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\n%02d\r\n", i))
	}
	b.do("CLIENT KILL TYPE pubsub", ":1\r\n")
	a.gone()
	until(t, "a is gone", f, clients(1))
}

func TestAKilledClientIsDisconnectedAtOnce(t *testing.T) {
	f, addr := start(t, "9.1.2")
	a, b := dial(t, addr), dial(t, addr)
	a.send("BLPOP l 0")
	until(t, "a waits", f, blocked(1))
	b.do("CLIENT KILL ID "+strconv.Itoa(clientID(f, true)), ":1\r\n")
	a.gone()
	b.do("CLIENT KILL SKIPME no ID "+strconv.Itoa(clientID(f, false)), ":1\r\n")
	b.gone()
}

func clientID(f *Front, blocked bool) (id int) {
	f.With(func(s []*engine.Server) {
		for _, c := range s[0].Clients {
			if c.Blocked() == blocked {
				id = int(c.ID)
			}
		}
	})
	return id
}

func TestASubscriberThatDoesNotReadIsDisconnected(t *testing.T) {
	f, addr := start(t, "9.1.2")
	slow, b := dial(t, addr), dial(t, addr)
	slow.send("SUBSCRIBE c")
	until(t, "it has subscribed", f, func(s []*engine.Server) bool {
		return slices.ContainsFunc(s[0].Clients, (*command.Client).Subscribed)
	})
	message := fmt.Sprintf("*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$1048576\r\n%s\r\n", bytes.Repeat([]byte("x"), 1<<20))
	sent := 0
	for ; sent < 100; sent++ { // 32 MB, and what the system's buffers take
		io.WriteString(b, message)
		line, err := b.r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line == ":0\r\n" {
			break
		}
	}
	if sent < 32 || sent == 100 {
		t.Errorf("it was disconnected after %d MB", sent)
	}
	until(t, "it is gone", f, clients(1))
}

func TestAClientThatDoesNotReadIsNotExecutedFor(t *testing.T) {
	f, addr := start(t, "9.1.2")
	slow, other := dial(t, addr), dial(t, addr)
	other.do("SETRANGE big 1048575 x", ":1048576\r\n")
	go io.WriteString(slow, strings.Repeat("GET big\r\n", 1000))
	until(t, "it is stuck", f, func(s []*engine.Server) bool { return s[0].Stats.Commands > 2 })
	other.do("PING", "+PONG\r\n")
	f.With(func(s []*engine.Server) {
		if n := s[0].Stats.Commands; n > 100 {
			t.Errorf("%d commands were executed for it", n)
		}
	})
}

func TestTheServerRefusesMoreThanMaxclients(t *testing.T) {
	f, addr := start(t, "9.1.2")
	a := dial(t, addr)
	a.do("CONFIG SET maxclients 2", "+OK\r\n")
	b := dial(t, addr)
	b.do("PING", "+PONG\r\n")
	if got, want := dial(t, addr).gone(), "-ERR max number of clients reached\r\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.Close()
	until(t, "b is gone", f, clients(1))
	dial(t, addr).do("PING", "+PONG\r\n")
}

func TestClientsThatTakeTooMuchTogetherAreDisconnected(t *testing.T) {
	f, addr := start(t, "9.1.2")
	other := dial(t, addr)
	other.do("CONFIG SET maxmemory-clients 10mb", "+OK\r\n")
	kept, biggest := dial(t, addr), dial(t, addr)
	kept.do("CLIENT NO-EVICT on", "+OK\r\n")
	half := func(c *client, n int) {
		io.WriteString(c, "*2\r\n$4\r\nECHO\r\n$90000000\r\n")
		io.WriteString(c, strings.Repeat("x", n))
	}
	half(kept, 6<<20)
	until(t, "half a command is kept", f, func([]*engine.Server) bool { return f.held >= 6<<20 })
	half(biggest, 3<<20)
	until(t, "both are kept", f, func([]*engine.Server) bool { return f.held >= 9<<20 })
	third := dial(t, addr)
	half(third, 2<<20)
	if got := biggest.gone(); got != "" {
		t.Errorf("it was told %q", got)
	}
	until(t, "three are left", f, clients(3))
	f.With(func(s []*engine.Server) {
		if n := s[0].Stats.EvictedClients; n != 1 {
			t.Errorf("%d clients were disconnected", n)
		}
	})
	kept.Close()
	third.Close()
	until(t, "nothing is kept", f, func([]*engine.Server) bool { return f.held == 0 })
	other.do("PING", "+PONG\r\n")
}

func TestARepliesSizeIsForgottenOnceItIsSent(t *testing.T) {
	f, addr := start(t, "9.1.2")
	c := dial(t, addr)
	c.do("SETRANGE big 1048575 x", ":1048576\r\n")
	c.send("GET big")
	c.reply()
	until(t, "nothing is kept", f, func([]*engine.Server) bool { return f.held == 0 })
}

func TestANormalClientsOutputIsLimitedIfAsked(t *testing.T) {
	f, addr := start(t, "9.1.2")
	c := dial(t, addr)
	c.do("SETRANGE big 1048575 x", ":1048576\r\n")
	c.do("CONFIG SET client-output-buffer-limit \"normal 100kb 0 0\"", "+OK\r\n")
	c.send("PING\r\nGET big")
	if got := c.gone(); got != "" && got != "+PONG\r\n" {
		t.Errorf("%d bytes came", len(got))
	}
	other := dial(t, addr)
	other.do("GETRANGE big 0 1", "$2\r\n\x00\x00\r\n")
	f.With(func(s []*engine.Server) {
		if n := s[0].Stats.SlowReaders; n != 1 {
			t.Errorf("%d clients were disconnected", n)
		}
	})
}

func TestAHeaderOfAMillionAndThenNothingTakesNothing(t *testing.T) {
	f, addr := start(t, "9.1.2")
	other := dial(t, addr)
	for range 100 {
		io.WriteString(dial(t, addr), "*1000000\r\n$3\r\nSET\r\n$536870912\r\n")
	}
	until(t, "all are there", f, clients(101))
	other.do("PING", "+PONG\r\n")
	f.With(func([]*engine.Server) {
		for c := range f.conns {
			if n := cap(c.frames.buf) + 8*cap(c.frames.at); n > 4096 {
				t.Errorf("%d bytes are kept for a header", n)
			}
		}
	})
}

func TestAStormOfConnectionsLeavesNothingBehind(t *testing.T) {
	f, addr := start(t, "9.1.2", "8.1.8")
	other := dial(t, addr)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range 50 {
				c, err := net.Dial("tcp", addr)
				if err != nil {
					t.Error(err)
					return
				}
				io.WriteString(c, []string{"", "PI", "PING\r\n", "SUBSCRIBE a\r\n", "BLPOP l 0\r\n", "WATCH a\r\nMULTI\r\n", "CLIENT TRACKING ON BCAST\r\n"}[(i+n)%7])
				c.Close()
			}
		}()
	}
	for range 200 {
		other.do("SET a b", "+OK\r\n")
		other.send("PUBLISH a b")
		other.reply()
	}
	wg.Wait()
	until(t, "only one client is left", f, func(s []*engine.Server) bool {
		return len(s[0].Clients) == 1 && len(s[1].Clients) == 1 && len(f.conns) == 1 && f.held == 0
	})
}

func TestWhatCameBeforeTheEndOfSendingIsAnswered(t *testing.T) {
	_, addr := start(t, "9.1.2")
	c := dial(t, addr)
	c.send(strings.Repeat("PING\r\n", 1000) + "INCR n")
	c.Conn.(*net.TCPConn).CloseWrite()
	if got := c.gone(); got != strings.Repeat("+PONG\r\n", 1000)+":1\r\n" {
		t.Errorf("%d bytes came", len(got))
	}
}

func TestAPauseDoesNotKeepTheServerFromStopping(t *testing.T) {
	for _, mode := range []string{"WRITE", "ALL"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error)
		f := newFront("9.1.2")
		go func() { done <- f.Serve(ctx, l) }()
		paused, c := dial(t, l.Addr().String()), dial(t, l.Addr().String())
		c.do("CLIENT PAUSE 100000 "+mode, "+OK\r\n")
		paused.send("SET a b\r\nPING")
		until(t, "a client is held back", f, blocked(1))
		if mode == "WRITE" {
			c.send("SHUTDOWN NOSAVE")
		} else { // holds back SHUTDOWN as well
			c.send("SHUTDOWN NOSAVE")
			until(t, "both are held back", f, blocked(2))
			stop()
		}
		if got := c.gone() + paused.gone(); got != "" {
			t.Errorf("%s: told %q", mode, got)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		stop()
	}
}

func TestAStrangerMustGiveThePassword(t *testing.T) {
	_, addr := start(t, "9.1.2", "8.1.8")
	known := dial(t, addr)
	known.do("CONFIG SET requirepass secret", "+OK\r\n")
	known.do("PING", "+PONG\r\n")
	c := dial(t, addr)
	c.do("PING", "-NOAUTH Authentication required.\r\n")
	c.do("KEYLOUPE SUMMARY", "-NOAUTH Authentication required.\r\n")
	c.do("AUTH wrong", "-WRONGPASS invalid username-password pair or user is disabled.\r\n")
	c.do("AUTH secret", "+OK\r\n")
	c.do("SET a b", "+OK\r\n")
	c.send("*11\r\n" + strings.Repeat("$1\r\nx\r\n", 11)[:11*7-2]) // now it may be long
	c.expect("-ERR unknown command 'x'")
}

func TestAnIdleClientIsDisconnectedUnlessItWaits(t *testing.T) {
	f, addr := start(t, "9.1.2", "8.1.8")
	idle, blocks, subscriber, monitor, busy := dial(t, addr), dial(t, addr), dial(t, addr), dial(t, addr), dial(t, addr)
	idle.do("PING", "+PONG\r\n")
	blocks.send("BLPOP l 0")
	subscriber.do("SUBSCRIBE c", "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n")
	monitor.do("MONITOR", "+OK\r\n")
	until(t, "one waits", f, blocked(1))
	busy.do("CONFIG SET timeout 1", "+OK\r\n")
	done := make(chan string)
	go func() { done <- idle.gone() }()
	begin := time.Now()
	for waiting := true; waiting; {
		select {
		case got := <-done:
			waiting = false
			if got != "" {
				t.Errorf("it was told %q", got)
			}
		default:
			io.WriteString(busy, "PI") // half a command is a sign of life
			busy.do("NG", "+PONG\r\n")
		}
	}
	if d := time.Since(begin); d < time.Second {
		t.Errorf("it was disconnected after %v", d)
	}
	busy.do("RPUSH l x", ":1\r\n")
	blocks.expect("*2\r\n$1\r\nl\r\n$1\r\nx\r\n")
	busy.do("PUBLISH c m", ":1\r\n")
	f.With(func(s []*engine.Server) {
		if len(s[0].Clients) != 4 || len(s[1].Clients) != 4 {
			t.Errorf("%d and %d clients are left", len(s[0].Clients), len(s[1].Clients))
		}
	})
}

func TestAReplyToAClientThatIsSentAwayArrives(t *testing.T) {
	f, addr := start(t, "9.1.2")
	a, b := dial(t, addr), dial(t, addr)
	a.send("BLPOP l 0\r\nPING")
	until(t, "it waits", f, blocked(1))
	b.do("REPLICAOF 127.0.0.1 1", "+OK\r\n")
	if got, want := a.gone(), "-UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)\r\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.do("SET a b", "-READONLY You can't write against a read only replica.\r\n")
	until(t, "it is gone", f, clients(1))
}

func TestAClientThatKillsItselfInATransactionGetsNoMore(t *testing.T) {
	_, addr := start(t, "9.1.2")
	c := dial(t, addr)
	c.send("MULTI\r\nSET a b\r\nCLIENT KILL SKIPME no TYPE normal\r\nINCR n\r\nEXEC\r\nPING")
	if got, want := c.gone(), "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n+OK\r\n:1\r\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	dial(t, addr).do("GET n", "$1\r\n1\r\n")
}

func TestRequestsLargerThanTheLimitEndTheConnection(t *testing.T) {
	_, addr := start(t, "9.1.2")
	a := dial(t, addr)
	a.do("CONFIG SET client-query-buffer-limit 1mb", "+OK\r\n")
	b := dial(t, addr)
	io.WriteString(b, "*2\r\n$4\r\nECHO\r\n$3000000\r\n")
	io.WriteString(b, strings.Repeat("x", 2<<20))
	if got := b.gone(); got != "" {
		t.Errorf("it was told %q", got)
	}
	a.do("PING", "+PONG\r\n")
}

func TestServersInStepAgreeOnWhatExpires(t *testing.T) {
	f, addr := start(t, "9.1.2", "8.1.8", "7.2.7")
	c := dial(t, addr)
	for i := range 200 {
		c.do(fmt.Sprintf("SET k%03d v PX %d", i, 1+i/4), "+OK\r\n")
		c.do("RPUSH l x", ":"+strconv.Itoa(i+1)+"\r\n")
	}
	f.With(func(s []*engine.Server) {
		for _, x := range s[1:] {
			if x.NowUS() != s[0].NowUS() {
				t.Errorf("%s has another time", x.Release.Name())
			}
		}
	})
	until(t, "only the list is left", f, func(s []*engine.Server) bool {
		return s[0].Space.DB(0).Len() == 1 && s[1].Space.DB(0).Len() == 1 && s[2].Space.DB(0).Len() == 1
	})
}

func TestKeyloupeIsACommandAmongTheOthers(t *testing.T) {
	_, addr := start(t, "9.1.2", "8.1.8")
	c := dial(t, addr)
	own := len(catalog.For("9.1.2").Commands)
	c.do("COMMAND COUNT", fmt.Sprintf(":%d\r\n", own+1))
	c.do("COMMAND LIST FILTERBY PATTERN keyl*y", "*1\r\n$16\r\nkeyloupe|summary\r\n")
	c.do("COMMAND GETKEYS KEYLOUPE LAYOUT k", "*1\r\n$1\r\nk\r\n")
	c.do("COMMAND GETKEYS KEYLOUPE COMPARE", "*0\r\n")
	c.send("COMMAND DOCS keyloupe")
	if got := c.reply(); !strings.Contains(got, "keyloupe|compare") || !strings.Contains(got, "Shows every byte behind a key") {
		t.Errorf("COMMAND DOCS: %s", got)
	}
	c.do("KEYLOUPE", "-ERR wrong number of arguments for 'keyloupe' command\r\n")
	c.do("KEYLOUPE NONSENSE", "-ERR unknown subcommand 'NONSENSE'. Try KEYLOUPE HELP.\r\n")
	c.do("KEYLOUPE COMPARE a b", "-ERR wrong number of arguments for 'keyloupe|compare' command\r\n")
	c.send("KEYLOUPE HELP")
	if got := c.reply(); !strings.HasPrefix(got, "*9\r\n+KEYLOUPE <subcommand>") {
		t.Errorf("KEYLOUPE HELP: %q", got)
	}
	c.do("MULTI", "+OK\r\n")
	c.do("SET k v", "+QUEUED\r\n")
	c.do("keyloupe compare k", "+QUEUED\r\n")
	c.send("EXEC")
	if got := c.reply(); !strings.Contains(got, "9.1.2") || !strings.Contains(got, "8.1.8") || !strings.Contains(got, "embstr") {
		t.Errorf("EXEC: %q", got)
	}
	c.send("KEYLOUPE SUMMARY")
	if got := c.reply(); !strings.Contains(got, "9.1.2                   1 keys") {
		t.Errorf("KEYLOUPE SUMMARY: %q", got)
	}
}

func TestShutdownStopsTheServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- newFront("9.1.2").Serve(context.Background(), l) }()
	idle, c := dial(t, l.Addr().String()), dial(t, l.Addr().String())
	idle.do("PING", "+PONG\r\n")
	c.send("SHUTDOWN NOSAVE")
	if got := c.gone() + idle.gone(); got != "" {
		t.Errorf("told %q", got)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// process starts a server of its own.
func process(t *testing.T) (cmd *exec.Cmd, addr string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, strings.TrimSpace(line)
}

func TestSIGTERMUnderLoadEndsCleanly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no SIGTERM on Windows")
	}
	cmd, addr := process(t)
	var wg sync.WaitGroup
	for i := range 20 {
		c := dial(t, addr)
		c.do("PING", "+PONG\r\n")
		wg.Add(1)
		go func() { // half of them read what they get
			defer wg.Done()
			if i%2 == 0 {
				go io.Copy(io.Discard, c)
			}
			for n := 0; ; n++ {
				if _, err := fmt.Fprintf(c, "SET k%d %s\r\nGET k%d\r\n", n%1000, strings.Repeat("x", 1000), n%1000); err != nil {
					return
				}
			}
		}()
	}
	dial(t, addr).do("PING", "+PONG\r\n")
	cmd.Process.Signal(syscall.SIGTERM)
	wg.Wait()
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func TestTenThousandIdleConnectionsTakeLittleMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is read from /proc")
	}
	if testing.Short() {
		t.Skip("many connections take seconds")
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	n := 9990 // maxclients is 10000
	if most := int(min(limit.Cur, 1<<20)) - 200; most < n {
		t.Logf("%d connections, as the system allows %d open files", most, limit.Cur)
		n = most
	}
	cmd, addr := process(t)
	c := dial(t, addr)
	c.do("PING", "+PONG\r\n")
	before := resident(t, cmd.Process.Pid)
	conns := make([]net.Conn, 0, n)
	defer func() {
		for _, x := range conns {
			x.Close()
		}
	}()
	pong := make([]byte, 7)
	for range n {
		x, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, x)
		io.WriteString(x, "PING\r\n")
		if _, err := io.ReadFull(x, pong); err != nil {
			t.Fatal(err)
		}
	}
	each := (resident(t, cmd.Process.Pid) - before) / n
	t.Logf("%d connections, %d bytes each", n, each)
	if each > 24<<10 {
		t.Errorf("an idle connection takes %d bytes", each)
	}
	begin := time.Now()
	c.do("PING", "+PONG\r\n")
	if d := time.Since(begin); d > time.Second {
		t.Errorf("another client waited %v", d)
	}
}

// resident is the memory of a process, bytes.
func resident(t *testing.T, pid int) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}
