package release

import "math/bits"

// BuildID numbers the builds.
type BuildID uint8

// The builds. Their allocators decide what a request for n bytes is granted.
const (
	Jemalloc BuildID = iota // the bundled jemalloc 5.3.0, quantum 8: source builds, official images
	Distro                  // the distribution's jemalloc, quantum 16: Debian and Ubuntu packages
	Libc                    // glibc malloc
	Managed                 // jemalloc with objects 8 bytes larger: inferred from published figures
)

// Build is one way a release is built.
type Build struct {
	ID          BuildID
	Name        string
	What        string
	ObjectExtra int // bytes that every object block asks for beyond the open-source releases
}

var builds = [...]Build{
	Jemalloc: {Jemalloc, "jemalloc", "the bundled jemalloc 5.3.0, quantum 8: source builds, official images", 0},
	Distro:   {Distro, "distro", "the distribution's jemalloc, quantum 16: Debian, Ubuntu packages", 0},
	Libc:     {Libc, "libc", "glibc malloc: builds without jemalloc", 0},
	Managed:  {Managed, "managed", "inferred: jemalloc, each object block 8 bytes larger, the embedding test unchanged; fits the published ElastiCache 9.0/9.1 figures", 8},
}

// Builds lists the builds in the order they are shown.
func Builds() []Build { return builds[:] }

// BuildNames lists the names a server specification takes after the @.
func BuildNames() []string {
	var out []string
	for _, b := range builds {
		out = append(out, b.Name)
	}
	return out
}

func findBuild(name string) (Build, bool) {
	for _, b := range builds {
		if b.Name == name {
			return b, true
		}
	}
	return Build{}, false
}

// mmapFrom is glibc's M_MMAP_THRESHOLD: chunks from this size on are mappings of their own.
const mmapFrom = 128 << 10

// Granted is the usable size of a fresh block for a request of n bytes: the allocator's size
// class. Requests of less than 8 bytes are raised to 8 by zmalloc.
func (b *Build) Granted(n int) int {
	switch b.ID {
	case Distro:
		if n > 8 && n <= 128 {
			return (n + 15) &^ 15
		}
	case Libc:
		if n+8 >= mmapFrom-16 && (n+23)&^15 >= mmapFrom {
			return ((n+23)&^15+8+4095)&^4095 - 16
		}
		return max(24, (n+23)&^15-8)
	}
	if n <= 64 {
		return max(8, (n+7)&^7)
	}
	step := 1 << (bits.Len(uint(n-1)) - 3)
	return (n + step - 1) &^ (step - 1)
}
