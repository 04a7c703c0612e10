//go:build !js

package realserver

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// An Option changes how a server is started.
type Option func(*settings)

type settings struct {
	flags  []string
	env    []string
	binary string
	distro bool
	seed   bool
	bare   bool
}

// Flags adds command-line flags after the usual ones, as Flags("--maxmemory", "10mb").
func Flags(flags ...string) Option {
	return func(s *settings) { s.flags = append(s.flags, flags...) }
}

// Env adds environment variables, as Env("GLIBC_TUNABLES=glibc.malloc.tcache_count=60000"), with which the golden
// data of build `libc` was made.
func Env(vars ...string) Option {
	return func(s *settings) { s.env = append(s.env, vars...) }
}

// Binary starts another program in place of the pinned one.
func Binary(path string) Option { return func(s *settings) { s.binary = path } }

// Bare leaves all directives but port, bind and dir at the server's defaults.
func Bare() Option { return func(s *settings) { s.bare = true } }

// Distro preloads the distribution's jemalloc: build `distro`. Not possible on a static program (9.0.0).
func Distro() Option { return func(s *settings) { s.distro = true } }

// FixedSeed gives the server the golden data's hash seed where the system allows it; Server.FixedSeed tells.
func FixedSeed() Option { return func(s *settings) { s.seed = true } }

// A Server is a running real server.
type Server struct {
	Version   Version
	Addr      string // 127.0.0.1:port
	Port      int
	PID       int
	Build     string // libc or distro
	FixedSeed bool   // the hash seed is FixedSeedHex
	NoSeedWhy string // why FixedSeed was asked for and is not in force

	dir    string
	log    *logBuffer
	stop   func()
	exited chan struct{}
	fail   func(error) // what Do and friends do when the connection fails

	mu     sync.Mutex
	client *Client
}

// Start starts a server for a test and stops it when the test ends. It skips the test when the server cannot be had.
func Start(t testing.TB, v Version, opts ...Option) *Server {
	t.Helper()
	s, err := Launch(v, opts...)
	if mayDoWithout(err) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.fail = func(err error) {
		t.Helper()
		t.Fatalf("%v: %v\n%s", v, err, s.Log())
	}
	t.Cleanup(s.Stop)
	return s
}

// mayDoWithout tells whether a test is skipped for the error: the server cannot be had, and nobody insists.
func mayDoWithout(err error) bool {
	return errors.Is(err, ErrUnavailable) && os.Getenv("KEYLOUPE_REQUIRE_SERVERS") != "1"
}

// Launch starts a server without a test; the caller calls Stop.
func Launch(v Version, opts ...Option) (*Server, error) {
	var set settings
	for _, o := range opts {
		o(&set)
	}
	path := set.binary
	if path == "" {
		var err error
		if path, err = Find(v); err != nil {
			return nil, err
		}
	}
	s := &Server{Version: v, Build: "libc"}
	prefix, err := s.prepare(&set)
	if err != nil {
		return nil, err
	}
	const attempts = 5 // another process may take the free port first
	for range attempts {
		err = s.run(append(prefix, path), &set)
		if err == nil || !strings.Contains(err.Error(), "Address already in use") {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%v: %w", v, err)
	}
	s.FixedSeed = set.seed && seedInForce(s.PID)
	return s, nil
}

// prepare turns the settings into environment and a command prefix.
func (s *Server) prepare(set *settings) (prefix []string, err error) {
	if set.distro {
		if s.Version.Static {
			return nil, unavailable("%v is linked statically: no allocator can be preloaded", s.Version)
		}
		lib, err := FindJemalloc()
		if err != nil {
			return nil, err
		}
		set.env = append(set.env, "LD_PRELOAD="+lib)
		s.Build = "distro"
	}
	if set.seed {
		if prefix, err = seedPrefix(); err != nil {
			s.NoSeedWhy = err.Error()
		}
	}
	return append([]string{}, prefix...), nil
}

func (s *Server) run(command []string, set *settings) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "keyloupe-server-")
	if err != nil {
		return err
	}
	args := []string{"--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--dir", dir}
	if !set.bare {
		args = append(args, "--save", "", "--appendonly", "no", "--activedefrag", "no", "--enable-debug-command", "yes", "--hz", "10")
	}
	command = append(append(append([]string{}, command...), args...), set.flags...)
	s.Port, s.Addr, s.dir, s.log = port, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), dir, &logBuffer{}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), set.env...)
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if err := s.spawn(cmd); err != nil {
		os.RemoveAll(dir)
		return err
	}
	if err := s.awaitPing(10 * time.Second); err != nil {
		s.Stop()
		return fmt.Errorf("%w\n%s", err, s.Log())
	}
	return nil
}

// spawn starts the process on a thread kept for it: the system ties "die with parent" to the thread, not the process.
func (s *Server) spawn(cmd *exec.Cmd) error {
	cmd.SysProcAttr = dieWithParent()
	started := make(chan error)
	exited := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait()
		}
		close(exited)
	}()
	if err := <-started; err != nil {
		return err
	}
	s.PID, s.exited = cmd.Process.Pid, exited
	s.stop = sync.OnceFunc(func() {
		cmd.Process.Kill() // nothing is to be saved
		<-exited
		os.RemoveAll(s.dir)
	})
	return nil
}

// Stop ends the server and removes its folder. It may be called more than once.
func (s *Server) Stop() {
	s.mu.Lock()
	if s.client != nil {
		s.client.Close()
	}
	s.mu.Unlock()
	s.stop()
}

// Log returns the end of what the server printed.
func (s *Server) Log() string { return s.log.String() }

// awaitPing asks until the server answers PONG.
func (s *Server) awaitPing(limit time.Duration) error {
	deadline := time.Now().Add(limit)
	var last error
	for time.Now().Before(deadline) {
		select {
		case <-s.exited:
			return errors.New("the server ended while starting")
		case <-time.After(3 * time.Millisecond):
		}
		c, err := Dial(s.Addr)
		if err != nil {
			last = err
			continue
		}
		reply, err := c.Try("PING")
		c.Close()
		if err == nil && reply == Status("PONG") {
			return nil
		}
		last = fmt.Errorf("PING answered %v, %v", reply, err)
	}
	return fmt.Errorf("no PONG within %v: %w", limit, last)
}

// Do sends one command over the server's own connection and returns the reply.
func (s *Server) Do(args ...string) any { return s.Client().Do(args...) }

// Client returns the server's own connection, RESP2 at first.
func (s *Server) Client() *Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == nil {
		s.client = s.Dial()
	}
	return s.client
}

// Dial opens another connection.
func (s *Server) Dial() *Client {
	c, err := Dial(s.Addr)
	if err != nil {
		s.failed(err)
		return nil
	}
	c.fail = s.failed
	return c
}

func (s *Server) failed(err error) {
	if s.fail == nil {
		panic(fmt.Errorf("%v at %s: %w\n%s", s.Version, s.Addr, err, tail([]byte(s.Log()))))
	}
	s.fail(err)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// logBuffer keeps the last bytes written to it.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

const logKept = 8 << 10

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Write(p)
	if extra := l.b.Len() - logKept; extra > 0 {
		l.b.Next(extra)
	}
	return len(p), nil
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
