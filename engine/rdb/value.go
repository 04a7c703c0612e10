package rdb

import (
	"errors"
	"fmt"
	"math"

	"github.com/keyloupe/keyloupe/engine/release"
)

// Value is a value as a file has it. Which members are set depends on the type.
type Value struct {
	Type   Type
	Text   []byte   // String; the intset or listpack of SetIntset, SetListpack, ZsetListpack, HashListpack
	Items  [][]byte // List, ListZiplist: elements; Set: members; HashZipmap, HashZiplist, ZsetZiplist: pairs
	Room   int      // bytes of a ziplist: the listpack it becomes is made with that much room
	Nodes  []Node   // ListQuicklist, ListQuicklist2
	Pairs  []Pair   // Zset, Zset2
	Fields []Field  // Hash, Hash2
	Count  int      // fields and expired ones of Hash2: the table is sized for them
	Stream *Stream
}

// Node is a node of a list.
type Node struct {
	Plain bool
	Data  []byte   // a listpack, or one element
	Items [][]byte // elements of a ziplist, whose size is in Room; nil for none
	Room  int
}

// Pair is a member of a sorted set.
type Pair struct {
	Member []byte
	Score  float64
}

// Field is a field of a hash; At is its expiry, Unix ms, -1 for none.
type Field struct {
	Name, Value []byte
	At          int64
}

// ID is a stream's id.
type ID struct{ Ms, Seq uint64 }

// Stream is a stream with its groups. Before Stream2 there is no first id, no greatest deleted id
// and no count of entries added; Old is set then.
type Stream struct {
	Nodes                   []StreamNode
	Len                     uint64
	Last, First, MaxDeleted ID
	Added                   uint64
	Groups                  []Group
	Old                     bool
}

// StreamNode is a listpack of entries and the id of its master entry.
type StreamNode struct {
	Master   ID
	Listpack []byte
}

// Group is a consumer group. Read is meaningless in an old stream.
type Group struct {
	Name      []byte
	Last      ID
	Read      uint64
	Pending   []Pending
	Consumers []Consumer
}

// Pending is an entry delivered and not acknowledged.
type Pending struct {
	ID    ID
	Time  int64 // of the last delivery, Unix ms
	Count uint64
}

// Consumer is a consumer of a group; Active is -1 where it never got anything.
type Consumer struct {
	Name         []byte
	Seen, Active int64
	Pending      []ID
}

// Rules say what a server takes.
type Rules struct {
	Release *release.Release
	// Deep says that texts of encodings are looked into, and not only at their headers.
	Deep bool
	// Now is the time, Unix ms, at which fields that have expired are left out; 0 keeps all.
	Now int64
}

// What Decode and Read may find.
var (
	ErrCorrupt = errors.New("bad data format")                     // not what the type asks for
	ErrEmpty   = errors.New("a key without elements")              // a load skips the key
	ErrExpired = errors.New("every field of the hash has expired") // a load skips the key
)

// ModuleError tells that a value belongs to a module.
type ModuleError struct{ ID uint64 }

const moduleChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

func (e ModuleError) Error() string {
	name := make([]byte, 9)
	id := e.ID >> 10
	for i := len(name) - 1; i >= 0; i-- {
		name[i] = moduleChars[id&63]
		id >>= 6
	}
	return fmt.Sprintf("the value belongs to the module type '%s', and modules are not simulated", name)
}

// Decode reads a value of a type.
func Decode(r *Reader, t Type, rules *Rules) (v Value, err error) {
	v.Type = t
	ok := true
	switch t {
	case String:
		v.Text, ok = r.string()
	case List, Set:
		err = v.items(r)
	case Zset, Zset2:
		err = v.pairs(r)
	case Hash, Hash2:
		err = v.fields(r, rules)
	case ListQuicklist, ListQuicklist2:
		err = v.nodes(r, rules)
	case SetIntset, SetListpack, ZsetListpack, HashListpack, ListZiplist, ZsetZiplist, HashZiplist, HashZipmap:
		err = v.encoded(r, rules)
	case Stream1, Stream2, Stream3:
		v.Stream, err = stream(r, t, rules)
	case Module2:
		id := r.length()
		if r.short {
			return v, ErrCorrupt
		}
		return v, ModuleError{id}
	default:
		ok = false
	}
	if !ok {
		err = ErrCorrupt
	}
	return v, err
}

// sized reads a number of items, each at least size bytes; none is an empty key.
func sized(r *Reader, size int) (int, error) {
	n, ok := r.count(size)
	switch {
	case !ok:
		return 0, ErrCorrupt
	case n == 0:
		return 0, ErrEmpty
	}
	return n, nil
}

func (v *Value) items(r *Reader) error {
	n, err := sized(r, 1)
	if err != nil {
		return err
	}
	var u unique
	for range n {
		s, ok := r.string()
		if !ok || v.Type == Set && !u.add(s) {
			return ErrCorrupt
		}
		v.Items = append(v.Items, s)
	}
	return nil
}

func (v *Value) pairs(r *Reader) error {
	size := 9
	if v.Type == Zset {
		size = 2
	}
	n, err := sized(r, size)
	if err != nil {
		return err
	}
	var u unique
	for range n {
		s, ok := r.string()
		if !ok {
			return ErrCorrupt
		}
		score, ok := r.score(v.Type)
		if !ok || math.IsNaN(score) || !u.add(s) {
			return ErrCorrupt
		}
		v.Pairs = append(v.Pairs, Pair{s, score})
	}
	return nil
}

func (v *Value) fields(r *Reader, rules *Rules) error {
	size := 2
	if v.Type == Hash2 {
		size = 10
	}
	n, err := sized(r, size)
	if err != nil {
		return err
	}
	v.Count = n
	var u unique
	for range n {
		f := Field{At: -1}
		ok := r.pair(&f.Name, &f.Value)
		if v.Type == Hash2 {
			f.At = r.millis()
			ok = ok && !r.short && f.At >= -1
		}
		if !ok {
			return ErrCorrupt
		}
		if rules.Now != 0 && f.At != -1 && f.At < rules.Now {
			continue
		}
		if !u.add(f.Name) {
			return ErrCorrupt
		}
		v.Fields = append(v.Fields, f)
	}
	if len(v.Fields) == 0 {
		return ErrExpired
	}
	return nil
}

// pair reads two strings.
func (r *Reader) pair(a, b *[]byte) (ok bool) {
	if *a, ok = r.string(); ok {
		*b, ok = r.string()
	}
	return ok
}

func (v *Value) nodes(r *Reader, rules *Rules) error {
	n, err := sized(r, 1)
	if err != nil {
		return err
	}
	for range n {
		node := Node{}
		if v.Type == ListQuicklist2 {
			c := r.length()
			if c != Plain && c != Packed {
				return ErrCorrupt
			}
			node.Plain = c == Plain
		}
		var ok bool
		if node.Data, ok = r.string(); !ok || len(node.Data) == 0 {
			return ErrCorrupt
		}
		empty := false
		switch {
		case node.Plain:
		case v.Type == ListQuicklist2:
			ok = rules.listpack(node.Data, nil)
			empty = ok && le.Uint16(node.Data[4:]) == 0
		default:
			node.Items, ok = ziplist(node.Data)
			node.Room = len(node.Data)
			empty = len(node.Items) == 0
		}
		if !ok {
			return ErrCorrupt
		}
		if !empty {
			v.Nodes = append(v.Nodes, node)
		}
	}
	if len(v.Nodes) == 0 {
		return ErrEmpty
	}
	return nil
}

// unique finds what comes twice.
type unique map[string]struct{}

// add tells whether s is new.
func (u *unique) add(s []byte) bool {
	if *u == nil {
		*u = unique{}
	}
	if _, there := (*u)[string(s)]; there {
		return false
	}
	(*u)[string(s)] = struct{}{}
	return true
}
