// Package release is the table of what differs between Valkey's releases and builds.
//
// A rule has one entry in Rules: which value it has from which release on, who says so (pull
// request, source file) and how sure that is (measured on a real server, read in its source, or
// assumed). Parse turns "9.1.2@libc" into a Release in which every rule has its value.
package release

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Line is a release line.
type Line uint8

// The release lines, in order.
const (
	V72 Line = iota
	V80
	V81
	V90
	V91
)

// lines lists the known release lines with the newest patch known and the patches measured.
var lines = [...]struct {
	name     string
	newest   int
	measured []int
}{
	V72: {"7.2", 14, []int{7}},
	V80: {"8.0", 10, []int{1}},
	V81: {"8.1", 9, []int{1, 8}},
	V90: {"9.0", 6, []int{0}},
	V91: {"9.1", 2, []int{0, 1, 2}},
}

func (l Line) String() string { return lines[l].name }

// Lines lists the names of the known lines, oldest first.
func Lines() []string {
	var out []string
	for _, l := range lines {
		out = append(out, l.name)
	}
	return out
}

// Newest is the newest patch release of a line known here, such as "9.1.2".
func Newest(l Line) string { return fmt.Sprintf("%s.%d", l, lines[l].newest) }

// Release is one server release in one build, with the value of every rule.
type Release struct {
	Version string // as asked for: "9.1.2"
	As      string // the release it is taken for, where that is another one: "9.0.6" for 9.0.9
	Line    Line
	Patch   int
	Build   Build
	Values
}

// Name is the server's name as users write it: the build is left out when it is the default.
func (r *Release) Name() string {
	if r.Build.ID == Jemalloc {
		return r.Version
	}
	return r.Version + "@" + r.Build.Name
}

// Label is Name, with what the release is taken for where that is another one.
func (r *Release) Label() string {
	if r.As != "" {
		return r.Name() + ", as " + r.As
	}
	return r.Name()
}

// Parse reads VERSION[@BUILD]. A patch newer than the newest known one is taken for that one and
// labelled so; an unknown line or build is an error that lists the known ones.
func Parse(s string) (*Release, error) {
	version, buildName, has := strings.Cut(strings.TrimSpace(s), "@")
	build := builds[Jemalloc]
	if has {
		var ok bool
		if build, ok = findBuild(buildName); !ok {
			return nil, fmt.Errorf("unknown build %q in server %q: the builds are %s", buildName, s, strings.Join(BuildNames(), ", "))
		}
	}
	part := strings.Split(version, ".")
	for l := range lines {
		if len(part) != 3 || part[0]+"."+part[1] != lines[l].name {
			continue
		}
		patch, err := strconv.Atoi(part[2])
		if err != nil || patch < 0 || patch > 999 || strconv.Itoa(patch) != part[2] {
			break
		}
		r := &Release{Version: version, Line: Line(l), Patch: patch, Build: build}
		if patch > lines[l].newest {
			r.Patch, r.As = lines[l].newest, Newest(Line(l))
		}
		resolve(r)
		return r, nil
	}
	if len(part) == 2 {
		for l := range lines {
			if version == lines[l].name {
				return nil, fmt.Errorf("server %q has no patch number: write for example %s", s, Newest(Line(l)))
			}
		}
	}
	var known []string
	for l := range lines {
		known = append(known, Newest(Line(l)))
	}
	return nil, fmt.Errorf("unknown server %q: a server is VERSION[@BUILD], with a version of 7.2, 8.0, 8.1, 9.0 or 9.1 such as %s", s, strings.Join(known, ", "))
}

// MustParse is Parse for names that are known to be right.
func MustParse(s string) *Release {
	r, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return r
}

// compare orders two releases by line and patch.
func (r *Release) compare(l Line, patch int) int {
	return cmp.Or(cmp.Compare(r.Line, l), cmp.Compare(r.Patch, patch))
}
