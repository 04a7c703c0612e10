package sweep

// Encoding is how the server keeps a value, as OBJECT ENCODING names it.
type Encoding uint8

// The encodings of strings and hashes.
const (
	Embstr Encoding = iota
	Raw
	IntEncoding
	Listpack
	Hashtable
)

var encodingNames = [...]string{"embstr", "raw", "int", "listpack", "hashtable"}

func (e Encoding) String() string { return encodingNames[e] }

// Cell is what one key costs on one server.
type Cell struct {
	Encoding  Encoding
	Usage     Micro // what MEMORY USAGE prints
	Allocated Micro // usable bytes of the key's blocks
}

// shape is one server with all of a key's shape but the value's length: the inner loop of a sweep.
type shape interface {
	at(value int) Cell
}
