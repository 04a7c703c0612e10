package rdb

// footer is the version and the checksum behind a payload.
const footer = 2 + 8

// Seal appends the footer to a payload of DUMP.
func (w *Writer) Seal(version int) {
	w.B = le.AppendUint16(w.B, uint16(version))
	w.Uint64(Checksum(w.B))
}

// Payload is what the footer of a payload says.
type Payload struct {
	Version  int
	Checksum bool // it is right
}

// OpenPayload reads the footer; ok is false where there is none.
func OpenPayload(b []byte) (p Payload, ok bool) {
	if len(b) < footer {
		return p, false
	}
	at := len(b) - footer
	return Payload{int(le.Uint16(b[at:])), le.Uint64(b[at+2:]) == Checksum(b[:at+2])}, true
}
