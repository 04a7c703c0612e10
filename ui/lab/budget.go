package lab

import (
	"fmt"
	"strings"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/sweep"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// longestShape bounds the strings that a budget really sets, in bytes.
const longestShape = 1 << 20

var partRoles = map[string]layout.Role{"header": layout.Header, "expiry": layout.Expire, "key": layout.Key, "value": layout.Value}

// budget is how each server keeps a string of the given lengths. The encoding and the size are those of a server that was
// given the string; the sums are those it compares.
func (l *Lab) budget(q *wire.Budget) (*wire.Budgeted, error) {
	if min(q.Key, q.Value) < 0 || max(q.Key, q.Value) > longestShape {
		return nil, fmt.Errorf("lengths of %d and %d bytes are outside 0 to %d", q.Key, q.Value, longestShape)
	}
	if err := l.needScratch(); err != nil {
		return nil, err
	}
	out := &wire.Budgeted{}
	for _, s := range l.scratch {
		e, err := embedding(s, q)
		if err != nil {
			return nil, err
		}
		out.Servers = append(out.Servers, e)
	}
	return out, nil
}

// needScratch starts a second set of servers, for shapes that are no part of what was typed.
func (l *Lab) needScratch() error {
	if l.scratch != nil {
		return nil
	}
	for _, s := range l.lab.Servers {
		c, err := engine.NewServer(s.Release.Name(), l.options)
		if err != nil {
			return err
		}
		l.scratch = append(l.scratch, c)
	}
	return nil
}

func embedding(s *engine.Server, q *wire.Budget) (wire.Embedding, error) {
	b := sweep.StringBudget(s.Release, q.Key, q.Value, q.TTL)
	e := wire.Embedding{Limit: b.Limit, Cutoff: b.Cutoff, TTLOff: b.WithTTL}
	for _, p := range b.Parts {
		e.Parts = append(e.Parts, wire.Part{Name: p.Name, Role: partRoles[p.Name], Bytes: p.Bytes})
	}
	if q.TTL && b.WithTTL >= 0 {
		e.Jump = sweep.StringBudget(s.Release, q.Key, b.WithTTL, true).NextByte
	} else if b.Cutoff >= 0 {
		e.Jump = sweep.StringBudget(s.Release, q.Key, b.Cutoff, false).NextByte
	}
	args := []string{"SET", strings.Repeat("k", q.Key), strings.Repeat("v", q.Value)}
	if q.TTL {
		args = append(args, "PX", "100000000")
	}
	s.Do("FLUSHALL", "SYNC")
	s.Do(args...)
	p, err := s.Layout(args[1])
	if err != nil {
		return e, err
	}
	e.Encoding, e.Total = p.Encoding, p.Total
	return e, nil
}
