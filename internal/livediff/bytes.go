//go:build !js

package livediff

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/layout"
)

// Bytes gives both servers a history and then compares the picture of each key with the memory of
// the real process: every byte in use of every block, pointers followed. It skips the test where the
// system does not let one process read another's memory.
func (g Target) Bytes(t *testing.T, h History, keys ...string) {
	t.Helper()
	if d := g.compare(h, &Options{}); d != nil {
		t.Errorf("%s\n%s", d, h)
		return
	}
	s, err := engine.NewServer(g.Name, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range h {
		s.Do(cmd...)
	}
	for _, k := range keys {
		if err := g.compareBytes(s, k); errors.Is(err, fs.ErrPermission) {
			t.Skip(err)
		} else if err != nil {
			t.Errorf("key %.40q: %v", k, err)
		}
	}
}

var valueAt = regexp.MustCompile(`Value at:(0x[0-9a-f]+) `)

// walk follows the blocks of one key on both sides.
type walk struct {
	g      Target
	blocks map[string]*layout.Block
	at     map[string]uint64 // where the real process has a block
}

func (g Target) compareBytes(s *engine.Server, key string) error {
	l, err := s.Layout(key)
	if err != nil {
		return err
	}
	m := valueAt.FindStringSubmatch(fmt.Sprint(g.Real.Do("DEBUG", "OBJECT", key)))
	if m == nil {
		return errors.New("DEBUG OBJECT names no address")
	}
	addr, err := strconv.ParseUint(m[1], 0, 64)
	if err != nil {
		return err
	}
	w := walk{g, map[string]*layout.Block{}, map[string]uint64{"object": addr}}
	for _, b := range l.Blocks {
		w.blocks[b.Name] = b
	}
	next := []string{"object"}
	for len(next) > 0 {
		found, err := w.compare(next[0])
		if err != nil {
			return err
		}
		next = append(next[1:], found...)
	}
	if len(w.at) != len(l.Blocks) {
		return fmt.Errorf("%d of %d blocks are reached by pointers", len(w.at), len(l.Blocks))
	}
	return nil
}

// compare compares one block and returns the names of those its pointers lead to first. Where sizes
// are not comparable the room that an sds header tells of is not either.
func (w *walk) compare(name string) (found []string, err error) {
	b := w.blocks[name]
	real, err := w.g.Real.ReadMemory(w.at[name], b.Used)
	if err != nil {
		return nil, fmt.Errorf("block %s: %w", name, err)
	}
	free := make([]bool, b.Used) // bytes that need not be equal
	for _, m := range b.Masks {
		for i := range m.Len {
			free[m.Off+i] = true
		}
	}
	for _, f := range b.Fields {
		if f.Target == "" && (w.g.Sizes || f.Name != "alloc") {
			continue
		}
		for i := range f.Len {
			free[f.Off+i] = true
		}
		target, _, _ := strings.Cut(f.Target, ":") // vset:vector leads to vset
		to := w.blocks[target]
		if to == nil {
			continue
		}
		ours, theirs := binary.LittleEndian.Uint64(b.Bytes[f.Off:]), binary.LittleEndian.Uint64(real[f.Off:])
		at := theirs - (ours - to.Addr)
		if was, known := w.at[target]; !known {
			w.at[target] = at
			found = append(found, target)
		} else if was != at {
			return nil, fmt.Errorf("block %s: %s leads to %#x, which is not %s at %#x", name, f.Name, theirs, target, was)
		}
	}
	for i := range real {
		if !free[i] && real[i] != b.Bytes[i] {
			return nil, fmt.Errorf("block %s of %d bytes differs at byte %d (%s):\nreal      % x\nsimulated % x", name, b.Used, i, fieldAt(b, i), real[i:min(i+24, len(real))], b.Bytes[i:min(i+24, b.Used)])
		}
	}
	return found, nil
}

func fieldAt(b *layout.Block, i int) string {
	for _, f := range b.Fields {
		if i >= f.Off && i < f.Off+f.Len {
			return f.Name
		}
	}
	return "no field"
}
