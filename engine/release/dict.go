package release

// DictValues holds the rules of the dict of 7.2 and 8.0.
type DictValues struct {
	DictShrinksOnDelete bool // a deletion that leaves an eighth begins to shrink
	DictMovesFoundSlot  bool // while moving, an operation on a key moves that key's slot
	DictReplacesEmpty   bool // an empty array is replaced at once
	DictCountsEntries   bool // MEMORY USAGE counts the block each entry has
	DictGrowsInCron     bool // cron doubles a table of the keyspace that is full, before the next key comes
}

var dictRules = []Rule{
	{"dict-shrinks-on-delete", "a deletion that leaves a dict an eighth full or less begins to shrink it (1 = yes); else cron and the removals from values do, below a tenth", "dict.c, _dictShrinkIfNeeded", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.0.0", 1, Measured, "", "1000 keys deleted down: 1024 slots become 128 at 128 left"}},
		func(v *Values, x int) { yes(&v.DictShrinksOnDelete, x) }},
	{"dict-moves-found-slot", "while a dict is being moved, an operation on a key moves the slot that key is in, not the next one (1 = yes)", "dict.c, _dictBucketRehash", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"8.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.DictMovesFoundSlot, x) }},
	{"dict-replaces-empty", "resizing an empty dict replaces its array at once (1 = yes)", "dict.c, _dictResize", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.0.0", 1, Read, "", ""}},
		func(v *Values, x int) { yes(&v.DictReplacesEmpty, x) }},
	{"dict-counts-entries", "MEMORY USAGE counts the block that each entry of a dict has (1 = yes), or 24 bytes for every one", "dict.c, dictEntryMemUsage", []Step{
		{"7.2.0", 0, Measured, "", "a set's member has an entry of 16 bytes, or none"}, {"8.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.DictCountsEntries, x) }},
	{"dict-grows-in-cron", "cron doubles a dict of the keyspace that has as many entries as slots (1 = yes); else the next insertion does", "kvstore.c, kvstoreTryResizeDicts", []Step{
		{"7.2.0", 0, Measured, "", "8 keys in 8 slots"}, {"8.0.0", 1, Measured, "", "8 keys in 16 slots"}},
		func(v *Values, x int) { yes(&v.DictGrowsInCron, x) }},
}
