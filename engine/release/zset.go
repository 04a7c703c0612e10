package release

// ZsetValues holds the values of the rules for sorted sets. Sizes are in bytes.
type ZsetValues struct {
	StrtodC bool // doubles are read by C's strtod
}

var zsetRules = []Rule{
	{"strtod-c", "doubles are read by C's strtod, which takes hexadecimal numbers and white space before one, instead of a reader that takes neither (1 = yes)", "util.c, string2d; valkey_strtod.c", []Step{
		{"7.2.0", 1, Measured, "", "8.1.8 and 9.0.0 measured; earlier ones read"}, {"9.1.0", 0, Measured, "", "ffc; 9.1.0 and 9.1.2 measured"}},
		func(v *Values, x int) { yes(&v.StrtodC, x) }},
}
