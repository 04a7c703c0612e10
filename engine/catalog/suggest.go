package catalog

import "sort"

// Suggest lists, nearest first, at most three names that an unknown command or subcommand may have meant: commands of
// this release, or subcommands where the container is known. None may be near enough.
func (c *Catalog) Suggest(argv [][]byte) []string {
	if len(argv) == 0 || c.Find(argv) != nil {
		return nil
	}
	if parent := top(c, argv[0]); parent != nil {
		return nearest(parent.Subcommands, string(argv[1]))
	}
	return nearest(c.Commands, string(argv[0]))
}

// FirstKnown is the oldest release line that knows the command or subcommand a line names, "" if none does.
func FirstKnown(argv [][]byte) string {
	for _, c := range all() {
		if c.Find(argv) != nil {
			return lineOf(c.Version)
		}
	}
	return ""
}

func nearest(commands []*Command, typed string) []string {
	const longest = 40
	if len(typed) > longest {
		return nil
	}
	type near struct {
		name string
		far  int
	}
	var found []near
	typed = lowerAll(typed)
	allowed := 1 + len(typed)/5 // one slip in five letters
	for _, c := range commands {
		if far := distance(typed, c.Name()); far <= allowed {
			found = append(found, near{upper(c.Name()), far})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].far < found[j].far })
	var names []string
	for _, n := range found[:min(3, len(found))] {
		names = append(names, n.name)
	}
	return names
}

// distance counts the letters to insert, leave out, replace, or swap with the next.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
