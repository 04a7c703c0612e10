package sweep

import (
	"strconv"

	"github.com/keyloupe/keyloupe/engine/release"
	"github.com/keyloupe/keyloupe/engine/siphash"
)

// maxHashed bounds the names hashed for exact counts in one sweep.
const maxHashed = 20_000_000

// seeds are the seeds that a specification names, and what was counted with them.
type seeds struct {
	keys    *siphash.Seed // of the keyspace's tables in 9.1, by the directive hash-seed
	every   *siphash.Seed // of every table
	counted map[population]float64
}

// population names a table of keys whose child buckets were counted.
type population struct {
	seed   siphash.Seed
	key, n int
}

// prepareSeeds reads the seeds and refuses more hashing than is sensible before any is done.
func (p *Plan) prepareSeeds() error {
	s := &p.Spec
	if s.HashSeedHex != "" {
		seed, err := siphash.ParseSeed(s.HashSeedHex)
		if err != nil {
			return &FieldError{"hash_seed_hex", err.Error()}
		}
		p.seeds.every = &seed
	}
	if s.HashSeed != "" {
		seed := siphash.SeedFrom(s.HashSeed)
		p.seeds.keys = &seed
	}
	if p.seeds.keys == nil && p.seeds.every == nil {
		return nil
	}
	p.seeds.counted = map[population]float64{}
	return s.checkHashing()
}

func (s *Spec) checkHashing() error {
	work, most := 0, 0
	for n := range s.Keys.All {
		most = max(most, n)
		if work += n; work > maxHashed {
			break
		}
	}
	work = mul(work, s.Key.Len())
	if s.HashSeedHex != "" && s.Type == Hash {
		for n := range s.Fields.All {
			if work += mul(n, s.Field.Len()); work > maxHashed {
				break
			}
		}
	}
	if work > maxHashed {
		return fieldErrorf("keys", "counting buckets for a seed would hash more than %d names: name fewer keys, lengths or fields, or no seed", maxHashed)
	}
	if shortest, _ := s.Key.Bounds(); shortest < len(strconv.Itoa(most-1)) {
		return fieldErrorf("key", "%d keys of %d bytes can't all differ where they are numbered, as for a seed they are: use longer keys, or no seed", most, shortest)
	}
	return nil
}

// keySeed is the seed of a server's keyspace tables, nil where it is random.
func (p *Plan) keySeed(r *release.Release) *siphash.Seed {
	if p.seeds.keys != nil && r.HashSeedDirective {
		return p.seeds.keys
	}
	return p.seeds.every
}

// keyChildren is how many child buckets the table of n keys has.
func (p *Plan) keyChildren(m *model, key, n int) float64 {
	seed := p.keySeed(m.rel)
	if seed == nil {
		return expectedChildren(n, settledBuckets(n))
	}
	pop := population{*seed, key, n}
	children, ok := p.seeds.counted[pop]
	if !ok {
		hashes := hashNames(*seed, n, func(b []byte, i int) []byte { return AppendKey(b, i, n, key) })
		children = float64(countChildren(hashes, settledBuckets(n)))
		p.seeds.counted[pop] = children
	}
	return children
}

func hashNames(seed siphash.Seed, n int, name func([]byte, int) []byte) []uint64 {
	hashes := make([]uint64, n)
	var text []byte
	for i := range hashes {
		text = name(text[:0], i)
		hashes[i] = seed.Hash(text)
	}
	return hashes
}

// countChildren counts the child buckets of b buckets.
func countChildren(hashes []uint64, b int) (children int) {
	fill := make([]uint32, b)
	for _, h := range hashes {
		fill[h&uint64(b-1)]++
	}
	for _, f := range fill {
		children += childCount(int(f))
	}
	return children
}

// AppendKey writes key i of a population of n keys of so many bytes, of which counts for a seed
// tell: "key:000000000041", without "key:" where that is too long, with x at the end where it is
// too short.
func AppendKey(b []byte, i, n, length int) []byte {
	const prefix, digits = "key:", 12
	end := len(b) + length
	if length >= len(prefix)+len(strconv.Itoa(n-1)) {
		b = append(b, prefix...)
		length -= len(prefix)
	}
	b = appendPadded(b, i, min(length, digits))
	for len(b) < end {
		b = append(b, 'x')
	}
	return b
}

func appendPadded(b []byte, n, width int) []byte {
	text := strconv.Itoa(n)
	for range width - len(text) {
		b = append(b, '0')
	}
	return append(b, text...)
}

// letters are what field names are made of: no digits, so that no name is an integer.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// AppendField writes the name of field i, of so many letters: "aaaab" for field 1.
func AppendField(b []byte, i, length int) []byte {
	start := len(b)
	for range length {
		b = append(b, letters[0])
	}
	for at := len(b) - 1; at >= start && i > 0; at-- {
		b[at] = letters[i%len(letters)]
		i /= len(letters)
	}
	return b
}
