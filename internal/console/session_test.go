package console

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
)

// handTime is a clock that the test moves.
type handTime struct {
	us     int64
	passed []time.Duration // what commands waited for
	fails  error           // of a wait
}

func (h *handTime) Now() int64 { return h.us }

func (h *handTime) Pass(_ context.Context, d time.Duration) error {
	h.passed = append(h.passed, d)
	if h.fails == nil {
		h.us += d.Microseconds()
	}
	return h.fails
}

func session(t *testing.T, at Time, servers ...string) *Session {
	t.Helper()
	s, err := New(servers, engine.Options{}, at, true)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func give(t *testing.T, s *Session, lines ...string) (r *Result) {
	t.Helper()
	for _, l := range lines {
		args, err := split(l)
		if err != nil {
			t.Fatal(err)
		}
		n, args := times(args)
		r = s.Do(context.Background(), args, n)
	}
	return r
}

func TestTimePassesBetweenCommands(t *testing.T) {
	h := &handTime{us: 1e15}
	s := session(t, h, "9.0.6", "9.1.2")
	give(t, s, "SET k v PX 500", "SET other v")
	h.us += 300_000
	if r := give(t, s, "EXISTS k"); r.Effects[0].Replies[0].Int != 1 {
		t.Error("the key is gone after 300 of 500 ms")
	}
	h.us += 5_000_000
	r := give(t, s, "DBSIZE") // it looks at no key: the cron took the key away
	if got := r.Effects[0].Replies[0].Int; got != 1 {
		t.Errorf("%d keys after 5 s, want 1", got)
	}
}

func TestAClockThatGoesBackIsNotFollowed(t *testing.T) {
	h := &handTime{us: 1e15}
	s := session(t, h, "9.1.2")
	give(t, s, "SET k v EX 100")
	h.us -= 3600e6
	if r := give(t, s, "TTL k"); r.Effects[0].Replies[0].Int != 100 {
		t.Errorf("TTL is %d", r.Effects[0].Replies[0].Int)
	}
}

func TestAWaitLastsAsLongAsItWasToldTo(t *testing.T) {
	h := &handTime{us: 1e15}
	s := session(t, h, "9.0.6", "9.1.2")
	r := give(t, s, "BLPOP empty 2")
	if !slices.Equal(h.passed, []time.Duration{2 * time.Second}) || !r.Same() || len(r.Effects[0].Replies) != 1 || r.Effects[0].Waits {
		t.Errorf("waited %v, %+v", h.passed, r.Effects[0])
	}
	h.fails = context.Canceled
	if r = give(t, s, "BLPOP empty 2"); !r.stopped() || len(r.Effects[0].Replies) != 0 {
		t.Errorf("a wait that was stopped: %+v", r.Effects[0])
	}
	h.fails = nil
	give(t, s, "RPUSH empty x")
	if r = give(t, s, "LLEN empty"); r.Effects[0].Replies[0].Int != 1 {
		t.Error("the command that was stopped took the element")
	}
}

func TestUndoTakesBackTheLastChangeAndWhatCameAfter(t *testing.T) {
	s := session(t, &handTime{us: 1e15}, "9.0.6", "9.1.2")
	give(t, s, "SET a 1", "SET a "+strings.Repeat("x", 100), "EXPIRE a 100", "GET a", "NOSUCH")
	was := []int64{s.Lab.Servers[0].Used(), s.Lab.Servers[1].Used()}
	give(t, s, "HSET h f v", "HGET h f")
	args, err := s.Undo(context.Background())
	if err != nil || Join(args) != "HSET h f v" {
		t.Fatal(args, err)
	}
	for i, x := range s.Lab.Servers {
		if x.Used() != was[i] {
			t.Errorf("%s: used_memory is %d after undo, was %d", s.names[i], x.Used(), was[i])
		}
	}
	if lines, err := s.Lines(); err != nil || slices.Contains(lines, "NOSUCH") || lines[len(lines)-1] != "GET a" {
		t.Errorf("%q %v", lines, err)
	}
	for _, want := range []string{"EXPIRE a 100", "SET a xxx", "SET a 1"} {
		if args, err := s.Undo(context.Background()); err != nil || !strings.HasPrefix(Join(args), want) {
			t.Errorf("took back %q, want %q (%v)", args, want, err)
		}
	}
	if _, err := s.Undo(context.Background()); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
}

func TestUndoLeavesATransactionOpen(t *testing.T) {
	s := session(t, &handTime{us: 1e15}, "9.1.2")
	give(t, s, "MULTI", "SET a 1", "SET b 1")
	if _, err := s.Undo(context.Background()); err != nil || !s.InTransaction() {
		t.Fatal(err)
	}
	if r := give(t, s, "EXEC"); len(r.Effects[0].Replies[0].Items) != 1 || len(r.Keys) != 1 || r.Keys[0].Name != "a" {
		t.Errorf("%+v", r)
	}
}

func TestOtherServersAreGivenWhatTheFormerOnesWere(t *testing.T) {
	h := &handTime{us: 1e15}
	s := session(t, h, "9.0.6")
	give(t, s, "SELECT 2", "SET gone v PX 50", "500 RPUSH l abc")
	h.us += 1e6
	give(t, s, "SET k v")
	if err := s.Replace(context.Background(), []string{"8.1.9", "9.1.2@libc"}); err != nil {
		t.Fatal(err)
	}
	fresh := session(t, &handTime{us: 1e15}, "8.1.9", "9.1.2@libc")
	give(t, fresh, "SELECT 2", "500 RPUSH l abc", "SET k v")
	for i := range s.Lab.Servers {
		if s.Keys(i) != 2 || s.DB() != 2 || s.Grown(i) < fresh.Grown(i) {
			t.Errorf("%s: %d keys, %d bytes; given anew %d", s.names[i], s.Keys(i), s.Grown(i), fresh.Grown(i))
		}
	}
	if err := s.Replace(context.Background(), []string{"9.1.2", "nonsense"}); err == nil || len(s.Lab.Servers) != 2 || s.Keys(0) != 2 {
		t.Error("a wrong name leaves the servers as they are:", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := s.Replace(stopped, []string{"9.1.2"}); !errors.Is(err, context.Canceled) || len(s.Names()) != 2 || s.Keys(0) != 2 {
		t.Error("what was stopped leaves the servers as they are:", err)
	}
}

func TestARepeatedCommandIsOneStep(t *testing.T) {
	s := session(t, &handTime{us: 1e15}, "9.1.2")
	r := give(t, s, "100 INCR n")
	if r.Times != 100 || r.Effects[0].Replies[0].Int != 100 || r.Keys[0].Before[0].There || !r.Keys[0].After[0].There {
		t.Errorf("%+v", r)
	}
	if lines, err := s.Lines(); err != nil || !slices.Equal(lines, []string{"100 INCR n"}) {
		t.Error(lines, err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if r := s.Do(stopped, []string{"INCR", "n"}, 1000); r.Times != 1 {
		t.Errorf("%d times after it was stopped", r.Times)
	}
}

func TestAKeyIsLookedAtAgainWhenItMayHaveChanged(t *testing.T) {
	h := &handTime{us: 1e15}
	s := session(t, h, "9.1.2")
	give(t, s, "SET k v PX 1000")
	seen := s.seen["k"]
	give(t, s, "GET k")
	if &seen[0] != &s.seen["k"][0] {
		t.Error("a key that nothing has changed was looked at again")
	}
	if r := give(t, s, "APPEND k "+strings.Repeat("x", 200)); r.Keys[0].Before[0] != seen[0] || r.Keys[0].After[0].Usage < 200 {
		t.Errorf("%+v", r.Keys[0])
	}
	h.us += 10e6
	if r := give(t, s, "GET k"); r.Keys[0].Before[0].There {
		t.Error("the key has expired")
	}
	give(t, s, "SET k v", "SELECT 1")
	if r := give(t, s, "GET k"); r.Keys[0].After[0].There {
		t.Error("the key is in another database")
	}
}

func TestTheBlocksOfALargeTableAreNotCounted(t *testing.T) {
	s := session(t, &handTime{us: 1e15}, "9.1.2")
	args := []string{"HSET", "h"}
	for i := range 30_000 {
		args = append(args, fmt.Sprint("field", i), "value")
	}
	r := s.Do(context.Background(), args, 1)
	is := r.Keys[0].After[0]
	if is.Allocated != Uncounted || is.Usage <= muchUsage {
		t.Errorf("%+v", is)
	}
	if more, than := is.over(State{There: true, Usage: 1000, Allocated: 1000}); more != is.Usage-1000 || than != 1000 {
		t.Errorf("compared by MEMORY USAGE: %d %d", more, than)
	}
}
