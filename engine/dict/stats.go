package dict

import (
	"fmt"
	"strings"
)

const longestCounted = 50 // chains of this length and longer are counted together and not printed

// Stats is the text of DEBUG HTSTATS and HTSTATS-KEY on a dict; full adds the lengths of chains.
func (d *Dict) Stats(full bool) string {
	var s strings.Builder
	d.tableStats(&s, 0, full)
	if d.Rehashing() {
		d.tableStats(&s, 1, full)
	}
	return s.String()
}

func (d *Dict) tableStats(s *strings.Builder, i int, full bool) {
	name := [...]string{"main hash table", "rehashing target"}[i]
	fmt.Fprintf(s, "Hash table %d stats (%s):\n", i, name)
	if d.Used(i) == 0 {
		s.WriteString("No stats available for empty dictionaries\n")
		return
	}
	fmt.Fprintf(s, " table size: %d\n number of elements: %d\n", d.Size(i), d.Used(i))
	if full {
		d.chainStats(s, i)
	}
}

func (d *Dict) chainStats(s *strings.Builder, i int) {
	var count [longestCounted]int
	longest, total := 0, 0
	for n := range d.Size(i) {
		length := 0
		for e := d.slot(i, uint64(n)); e != 0; e = d.next(e) {
			length++
		}
		count[min(length, longestCounted-1)]++
		longest = max(longest, length)
		total += length
	}
	slots := d.Size(i) - count[0]
	// the server divides floats of 32 bits
	fmt.Fprintf(s, " different slots: %d\n max chain length: %d\n avg chain length (counted): %.02f\n avg chain length (computed): %.02f\n Chain length distribution:\n",
		slots, longest, float32(total)/float32(slots), float32(d.Used(i))/float32(slots))
	for n, c := range count[:longestCounted-1] {
		if c != 0 {
			fmt.Fprintf(s, "   %d: %d (%.02f%%)\n", n, c, float32(c)/float32(d.Size(i))*100)
		}
	}
}
