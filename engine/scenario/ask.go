package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/resp"
)

const (
	startOfTime = 1_767_225_600_000_000 // when histories begin: 1 January 2026, µs
	cronPeriod  = 100                   // ms between two runs of the server's cron, at hz 10
)

// ask gives an empty simulated server a history and returns what it answers in the end.
func (h History) ask(server string) (string, error) {
	now := int64(startOfTime)
	s, err := engine.NewServer(server, engine.Options{Clock: func() int64 { return now }})
	if err != nil {
		return "", err
	}
	wait := func(ms int) {
		for range ms / cronPeriod {
			now += cronPeriod * 1000
			s.Tick()
		}
	}
	return h.on(func(line string) (resp.Value, error) { return do(s, line) }, wait)
}

// on gives a server a history, line by line, and returns what it answers in the end.
func (h History) on(do func(line string) (resp.Value, error), wait func(ms int)) (string, error) {
	for n := range max(1, h.Times) {
		if err := all(do, numbered(h.Commands, n+1)); err != nil {
			return "", err
		}
	}
	if h.Wait > 0 {
		wait(h.Wait)
	}
	answer, err := do(h.Ask)
	if err != nil || h.Then == nil {
		return h.text(answer), err
	}
	if err := all(do, h.Then); err != nil {
		return "", err
	}
	after, err := do(h.Ask)
	if err == nil && (answer.Kind != resp.IntReply || after.Kind != resp.IntReply) {
		err = fmt.Errorf("%s answers %s, then %s: no numbers to compare", h.Ask, answer.Text(), after.Text())
	}
	return strconv.FormatInt(after.Int-answer.Int, 10), err
}

// numbered puts a number in place of "{n}".
func numbered(lines []string, n int) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.ReplaceAll(l, "{n}", strconv.Itoa(n))
	}
	return out
}

// all gives a server lines, which have to do without an error.
func all(do func(line string) (resp.Value, error), lines []string) error {
	for _, l := range lines {
		v, err := do(l)
		if err != nil {
			return err
		}
		if v.Kind == resp.ErrorReply {
			return &refusedError{v.Str}
		}
	}
	return nil
}

// do gives a simulated server one line.
func do(s *engine.Server, line string) (resp.Value, error) {
	args, err := resp.Split(line)
	if err != nil {
		return resp.Value{}, fmt.Errorf("%q: %w", line, err)
	}
	e := s.Do(args...)
	if e.Crashed != "" {
		return e.Reply, fmt.Errorf("%s: %s", s.Release.Name(), e.Crashed)
	}
	return e.Reply, nil
}

// refusedError is what a server says that can't do a history.
type refusedError struct{ words string }

func (e *refusedError) Error() string { return e.words }

// text is an answer as it is compared: a lone number of an array as itself, of INFO the field.
func (h History) text(v resp.Value) string {
	switch {
	case h.Field != "":
		for l := range strings.SplitSeq(v.Str, "\r\n") {
			if name, value, ok := strings.Cut(l, ":"); ok && name == h.Field {
				return value
			}
		}
		return absent
	case len(v.Items) == 1:
		return History{}.text(v.Items[0])
	case v.Kind == resp.IntReply:
		return strconv.FormatInt(v.Int, 10)
	case v.Kind == resp.ErrorReply:
		return errorMark + v.Str
	case v.Kind == resp.NullReply || len(v.Items) > 0:
		return v.Text()
	}
	return v.Str
}

const (
	absent    = "absent"   // a field that the answer does not have
	anError   = "an error" // any error, as something published that does not say which
	errorMark = "(error) "
)

// sameText compares words with what was published of them.
func sameText(published, simulated string) bool {
	failed := strings.HasPrefix(simulated, errorMark)
	code, _, _ := strings.Cut(strings.TrimPrefix(simulated, errorMark), " ")
	return published == simulated || failed && (published == anError || published == code)
}
