package release

// ListValues holds the values of the rules for listpacks and lists.
type ListValues struct {
	BacklenWhole bool // a backlen of k bytes is used up to the largest number it can tell
	PlainByFill  bool // an element becomes a plain node where it exceeds the limit of a node

	TrimAlwaysSignals bool // LTRIM counts as a change for WATCH also where it removes nothing
}

var listRules = []Rule{
	{"listpack-backlen-whole", "the length behind a listpack element uses the whole range of its 2, 3 or 4 bytes (1 = yes); otherwise an element of exactly 16383, 2097151 or 268435455 bytes takes one byte more", "listpack.c, lpEncodeBacklen", []Step{
		{"7.2.0", 0, Read, "", "8.1.8 and 9.0.0 measured"}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.BacklenWhole, x) }},
	{"plain-node-by-fill", "an element larger than list-max-listpack-size allows for a node gets a node of its own, without a listpack (1 = yes); otherwise only one of 1 GiB or more does", "quicklist.c, isLargeElement", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"8.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.PlainByFill, x) }},
	{"ltrim-always-signals", "LTRIM that removes nothing still fails the transactions of those who watch the key (1 = yes)", "t_list.c, ltrimCommand", []Step{
		{"7.2.0", 1, Read, "", ""}, {"7.2.12", 0, Read, "#2787", "by its release notes"},
		{"8.0.0", 1, Read, "", ""}, {"8.0.7", 0, Read, "#2787", "by its release notes"},
		{"8.1.0", 1, Read, "", ""}, {"8.1.5", 0, Measured, "#2787", "8.1.8 measured, 8.1.5 by the list of its changes"},
		{"9.0.0", 1, Measured, "", ""}, {"9.0.1", 0, Read, "#2787", "by its release notes"}, {"9.1.0", 0, Measured, "#2787", ""}},
		func(v *Values, x int) { yes(&v.TrimAlwaysSignals, x) }},
}
