package release

// SetValues holds the rules of sets.
type SetValues struct {
	SetRemovalsHoldShrink bool // SREM shrinks a table once, at its end
	CursorIsCanonical     bool // the cursor of a scan is read as a canonical integer first
	UnionStartsAsTable    bool // SUNION and SDIFF gather in a table unless all sets are intsets
}

var setRules = []Rule{
	{"set-removals-hold-shrink", "SREM lets a table shrink only after its last member (1 = yes)", "t_set.c, sremCommand", []Step{
		{"7.2.0", 0, Measured, "", "9.0.0 measured; later patches of 9.0 assumed as 9.0.0"}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.SetRemovalsHoldShrink, x) }},
	{"cursor-is-canonical", "the cursor of a scan is a canonical integer or what strtoull takes (1), or what strtoul takes if no blank begins it (0)", "db.c, parseScanCursorOrReply", []Step{
		{"7.2.0", 0, Assumed, "", ""}, {"8.0.0", 1, Measured, "", "8.1.8 and later measured; 8.0 assumed"}},
		func(v *Values, x int) { yes(&v.CursorIsCanonical, x) }},
	{"union-starts-as-table", "SUNION and SDIFF gather their result in a table unless all sets are intsets (1 = yes), so that it comes in that order", "t_set.c, sunionDiffGenericCommand", []Step{
		{"7.2.0", 0, Read, "", "in an intset, which converts as members come"}, {"8.1.0", 1, Read, "", ""}},
		func(v *Values, x int) { yes(&v.UnionStartsAsTable, x) }},
}
