package release

// SetValues holds the rules of sets.
type SetValues struct {
	SetRemovalsHoldShrink bool // SREM shrinks a table once, at its end
	UnionStartsAsTable    bool // SUNION and SDIFF gather in a table unless all sets are intsets
}

var setRules = []Rule{
	{"set-removals-hold-shrink", "SREM lets a table shrink only after its last member (1 = yes)", "t_set.c, sremCommand", []Step{
		{"7.2.0", 0, Measured, "", "9.0.0 measured; later patches of 9.0 assumed as 9.0.0"}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.SetRemovalsHoldShrink, x) }},
	{"union-starts-as-table", "SUNION and SDIFF gather their result in a table unless all sets are intsets (1 = yes), so that it comes in that order", "t_set.c, sunionDiffGenericCommand", []Step{
		{"7.2.0", 0, Read, "", "in an intset, which converts as members come"}, {"8.1.0", 1, Read, "", ""}},
		func(v *Values, x int) { yes(&v.UnionStartsAsTable, x) }},
}
