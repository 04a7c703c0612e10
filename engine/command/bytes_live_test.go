//go:build !js

package command_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/layout"
	rs "github.com/keyloupe/keyloupe/internal/realserver"
)

// follow compares the blocks of a picture with a real process's memory, from the block called name,
// which there is at address addr, along the pointers. Fields whose name ends in _time differ by the
// clock.
type follow struct {
	s     *rs.Server
	exact bool // else blocks may be recycled chunks of glibc, and what tells of their size differs
	pic   map[string]*layout.Block
	seen  map[string]uint64
}

func (f *follow) block(name string, addr uint64) error {
	if was, ok := f.seen[name]; ok {
		if was != addr {
			return fmt.Errorf("%s is at %#x and at %#x", name, was, addr)
		}
		return nil
	}
	f.seen[name] = addr
	k := f.pic[name]
	if k == nil {
		return fmt.Errorf("no block %s in the picture", name)
	}
	real, err := f.s.ReadMemory(addr-uint64(textOffset(k)), k.Used)
	if err != nil {
		return err
	}
	for _, x := range k.Fields {
		if x.Off >= k.Used || x.Role == layout.Slack || masked(k, x.Off) || strings.HasPrefix(x.Target, "static:") || strings.HasSuffix(x.Name, "_time") || !f.exact && strings.HasPrefix(x.Name, "alloc") {
			continue
		}
		got, want := k.Bytes[x.Off:x.Off+x.Len], real[x.Off:x.Off+x.Len]
		if x.Target == "" {
			if !bytes.Equal(got, want) {
				return fmt.Errorf("%s, %s: % x, in the real process % x", name, x.Name, got, want)
			}
			continue
		}
		if err := f.block(x.Target, binary.LittleEndian.Uint64(want)); err != nil {
			return err
		}
	}
	return nil
}

// masked tells whether a byte of a block differs from run to run.
func masked(k *layout.Block, off int) bool {
	for _, m := range k.Masks {
		if off >= m.Off && off < m.Off+m.Len {
			return true
		}
	}
	return false
}

// textOffset is where a string's text begins, which is what pointers to it point at; 0 for others.
func textOffset(k *layout.Block) int {
	if strings.HasPrefix(k.Kind, "zskiplistNode") { // holds a string behind other things
		return 0
	}
	for _, x := range k.Fields {
		if x.Name == "payload" || x.Name == "nul" {
			return x.Off
		}
	}
	return 0
}

// valueAddress is where a key's value is in the real process.
func valueAddress(s *rs.Server, c *rs.Client, key string) (uint64, error) {
	var object uint64
	reply := fmt.Sprint(c.Do("DEBUG", "OBJECT", key))
	_, at, _ := strings.Cut(reply, "at:")
	if _, err := fmt.Sscanf(at, "0x%x", &object); err != nil {
		return 0, fmt.Errorf("%s: %w", reply, err)
	}
	b, err := s.ReadMemory(object, 16)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b[8:]), nil
}

func TestEveryByteOfAStreamIsThatOfTheRealProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("live servers in the long run only")
	}
	rivals(t, func(t *testing.T, r *rival) {
		for round := range 12 {
			h, conf := streamHistory(rand.New(rand.NewPCG(21, uint64(round))), 300)
			r.real.Do("FLUSHALL", "SYNC")
			for k, v := range conf {
				r.real.Do("CONFIG", "SET", k, v)
			}
			sim, err := engine.NewServer(r.name, engine.Options{Clock: func() int64 { return time.Now().UnixMicro() }, Config: conf})
			if err != nil {
				t.Fatal(err)
			}
			for _, cmd := range h {
				r.real.Do(cmd...)
				r.ask(sim, cmd)
			}
			for _, key := range []string{"key1", "key2", "key3"} {
				if err := r.sameBytes(sim, key); errors.Is(err, fs.ErrPermission) {
					t.Skip(err)
				} else if err != nil {
					t.Fatalf("round %d, %s: %v", round, key, err)
				}
			}
		}
	})
}

func (r *rival) sameBytes(sim *engine.Server, key string) error {
	var pic layout.Picture
	_, ok := sim.Server.Picture(&pic, sim.Client.DB, []byte(key))
	if !ok {
		return nil
	}
	f := follow{r.server, r.exact, map[string]*layout.Block{}, map[string]uint64{}}
	for _, k := range pic.Blocks {
		if f.pic[k.Name] != nil {
			return fmt.Errorf("two blocks are called %s", k.Name)
		}
		f.pic[k.Name] = k
	}
	addr, err := valueAddress(r.server, r.real, key)
	if err != nil {
		return err
	}
	if err := f.block("value", addr); err != nil {
		return err
	}
	if got, want := len(f.seen), len(pic.Blocks)-1; got != want {
		return fmt.Errorf("%d blocks were reached of %d", got, want)
	}
	return nil
}
