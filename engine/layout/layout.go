// Package layout describes structs by tables and memory by labelled pictures.
//
// A struct of the server is one []Def: the fields' names, places, roles, meanings. The code that
// reads and writes the struct in the simulated heap takes offsets from that table (Def.Get,
// Def.Set), and Picture labels the bytes from the same table, so they can't disagree.
package layout

// Role says what a field is for; pictures colour by it.
type Role uint8

// The roles.
const (
	Header   Role = iota // an object's or struct's own bookkeeping
	Pointer              // an address
	Expire               // a time
	Key                  // bytes of a key or field name
	Value                // bytes of a value or member
	Meta                 // header of a string or element, NUL, hash tag, presence bits
	Slack                // usable but unused
	NumRoles = int(iota)
)

var roleNames = [NumRoles]string{"header", "pointer", "expire", "key", "value", "meta", "slack"}

func (r Role) String() string { return roleNames[r] }

// Def is one field of a struct. Bits is 0 for whole bytes; otherwise the field is Bits wide and
// starts at bit Bit of the little-endian word of Len bytes at Off.
type Def struct {
	Name      string
	Off, Len  int
	Bit, Bits int
	Role      Role
	Signed    bool
	Meaning   string
}

// Get reads the field, of at most 8 bytes, from the struct's bytes.
func (d *Def) Get(b []byte) (v uint64) {
	b = b[d.Off : d.Off+d.Len]
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	if d.Bits > 0 {
		v = v >> d.Bit & (1<<d.Bits - 1)
	}
	return v
}

// Set writes the field, of at most 8 bytes; neighbouring bit fields stay.
func (d *Def) Set(b []byte, v uint64) {
	b = b[d.Off : d.Off+d.Len]
	if d.Bits > 0 {
		var old uint64
		for i := len(b) - 1; i >= 0; i-- {
			old = old<<8 | uint64(b[i])
		}
		mask := uint64(1<<d.Bits-1) << d.Bit
		v = old&^mask | v<<d.Bit&mask
	}
	for i := range b {
		b[i] = byte(v)
		v >>= 8
	}
}

// Struct is the table of one struct of one release.
type Struct struct {
	Name   string // as the server calls it
	Source string // file it is declared in
	Size   int    // sizeof, 0 where the struct has no fixed size
	Fields []Def
}

// Field finds a field by name; a name that is not there is a programming error.
func (s *Struct) Field(name string) *Def {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	panic("layout: struct " + s.Name + " has no field " + name)
}

// Off is the offset of a field.
func (s *Struct) Off(name string) int { return s.Field(name).Off }
