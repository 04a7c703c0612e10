package release

// HashValues holds the values of the rules for hashes. Sizes are in bytes.
type HashValues struct {
	FieldTTL             bool // fields of hashes can expire
	HashMetadata         int  // bytes behind the hashtable of a hash: the set of volatile fields
	EntryRejoinsByHeader bool // a value returns into its entry by a test that takes the header the field has there
	UntracksOverwritten  bool // overwriting a hash takes it out of the table of volatile items
}

var hashRules = []Rule{
	{"field-ttl", "fields of hashes can expire (1 = yes)", "entry.c, vset.c", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"9.0.0", 1, Measured, "#2089", ""}},
		func(v *Values, x int) { yes(&v.FieldTTL, x) }},
	{"hash-metadata", "bytes behind the hashtable of a hash, bytes", "t_hash.c, hashHashtableType", []Step{
		{"7.2.0", 0, Read, "", ""}, {"9.0.0", 8, Measured, "#2089", "pointer to the set of volatile fields"}},
		func(v *Values, x int) { v.HashMetadata = x }},
	{"entry-rejoins-by-header", "whether a value returns into its hash entry is tested with the header the field has in the pointer form (1 = yes): 2 bytes more for fields below 32", "t_hash.c, hashTypeEntryReplaceValue", []Step{
		{"7.2.0", 0, Read, "", "no such entries"}, {"8.1.0", 1, Measured, "#1579", "8.1.1 and 8.1.8; others of the line assumed as these"}, {"9.0.0", 0, Measured, "#2089", ""}},
		func(v *Values, x int) { yes(&v.EntryRejoinsByHeader, x) }},
	{"untracks-overwritten", "SET over a hash with fields that expire takes its key out of the table of volatile items (1 = yes)", "db.c, dbSetValue", []Step{
		{"7.2.0", 1, Read, "", "no such table"}, {"9.0.0", 0, Measured, "", "a fault of 9.0.0"}, {"9.0.1", 1, Assumed, "", "which 9.0.x mended it was not measured"}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.UntracksOverwritten, x) }},
}
