package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// maxMemory bounds what the data section may fill, in bytes: Go's has its data in the first few megabytes.
const maxMemory = 1 << 28

// readData puts the segments of a data section where they belong in memory.
func readData(b []byte) (memory []byte, err error) {
	count, n := binary.Uvarint(b)
	if n <= 0 {
		return nil, errors.New("the data section has no count")
	}
	b = b[n:]
	for range count {
		if len(b) < 2 || b[0] != 0 || b[1] != 0x41 { // active, memory 0; i32.const
			return nil, errors.New("a data segment of an unknown kind")
		}
		at, n := sleb(b[2:])
		if n <= 0 || len(b) < 3+n || b[2+n] != 0x0b {
			return nil, errors.New("a data segment without an address")
		}
		b = b[3+n:]
		size, n := binary.Uvarint(b)
		if n <= 0 || size > uint64(len(b)-n) || at < 0 || at+int64(size) > maxMemory {
			return nil, fmt.Errorf("a data segment of %d bytes at %d", size, at)
		}
		if end := int(at) + int(size); end > len(memory) {
			memory = append(memory, make([]byte, end-len(memory))...)
		}
		copy(memory[at:], b[n:n+int(size)])
		b = b[n+int(size):]
	}
	return memory, nil
}

// Segments leave out runs of zeroes that are longer than a segment's own overhead. Engines refuse more than 100,000.
const (
	segmentOverhead = 8
	maxSegments     = 100_000
)

func writeData(memory []byte) []byte {
	var segments []byte
	count := uint64(0)
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end := at
		for end < len(memory) && (count == maxSegments-1 || !zeroRun(memory[end:])) {
			end++
		}
		segments = append(segments, 0, 0x41)
		segments = appendSleb(segments, int64(at))
		segments = append(segments, 0x0b)
		segments = binary.AppendUvarint(segments, uint64(end-at))
		segments = append(segments, memory[at:end]...)
		count++
		at = end
	}
	return append(binary.AppendUvarint(nil, count), segments...)
}

// zeroRun tells whether so many zeroes follow that a new segment after them is shorter.
func zeroRun(b []byte) bool {
	for i := range segmentOverhead {
		if i < len(b) && b[i] != 0 {
			return false
		}
	}
	return true
}
