package release

// HashValues holds the values of the rules for hashes. Sizes are in bytes.
type HashValues struct {
	FieldTTL             bool // fields of hashes can expire
	HashMetadata         int  // bytes behind the hashtable of a hash: the set of volatile fields
	EntryRejoinsByHeader bool // a value returns into its entry by a test that takes the header the field has there
	UntracksOverwritten  bool // overwriting a hash takes it out of the table of volatile items
	WalkHoldsEmpty       bool // a walk over a table without buckets holds it for good
	WalksHoldShrink      bool // a table does not shrink while it is walked, and is looked at for that afterwards
	DeleteHoldsShrink    bool // HDEL and HGETDEL shrink the table once, when all fields are gone
	HsetexAlwaysOne      bool // HSETEX replies 1 wherever its conditions hold
	HsetexFrees          bool // HSETEX deletes a hash that a time in the past leaves empty
	HexpireTestsFirst    bool // HEXPIRE with a time in the past deletes only fields that meet its condition
	HsetexKeyConditions  bool // HSETEX takes NX and XX
	HpersistTypeFirst    bool // HPERSIST looks at the key's type before it replies
	FieldsWordHgetdel    bool // HGETDEL insists on the word FIELDS
	FieldsWord           bool // HPERSIST, HTTL and its kin insist on the word FIELDS
	VsetSaturates        bool // the last window of a set of volatile fields ends with the last time, or overflows
	HincrTracks          bool // HINCRBY and HINCRBYFLOAT take the key out of the volatile items where they overwrite the last such field
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
		{"7.2.0", 1, Read, "", "no such table"}, {"9.0.0", 0, Measured, "", "a fault of 9.0.0"}, {"9.0.2", 1, Assumed, "#3003", "mended in 9.1.0, where it is measured; reported and merged in the weeks before 9.0.2"}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.UntracksOverwritten, x) }},
	{"walks-hold-shrink", "a hashtable does not shrink while it is walked or several entries are deleted, and SCAN may begin to shrink it afterwards (1 = yes)", "hashtable.c, hashtablePauseRehashing", []Step{
		{"7.2.0", 0, Read, "", "dicts hold resizing otherwise"}, {"8.1.0", 0, Read, "", "8.1.1; 8.1.0 and 8.1.2 assumed as 8.1.1"}, {"8.1.3", 1, Measured, "#2257", "8.1.8 measured; 8.1.3 to 8.1.7 assumed as 8.1.8"}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.WalksHoldShrink, x) }},
	{"walk-holds-empty", "KEYS in a database whose table has no buckets, as FLUSHDB SYNC and FLUSHALL SYNC leave it, stops that table's moves and shrinking for good (1 = yes)", "hashtable.c, hashtableNext", []Step{
		{"7.2.0", 0, Read, "", "no such table"}, {"8.1.0", 1, Measured, "", "8.1.1, 8.1.8, 9.0.0, 9.1.0 and 9.1.2; others assumed as these"}},
		func(v *Values, x int) { yes(&v.WalkHoldsEmpty, x) }},
	{"delete-holds-shrink", "HDEL and HGETDEL let the table shrink once, after the last field (1 = yes)", "t_hash.c, hdelCommand", []Step{
		{"7.2.0", 0, Read, "", ""}, {"9.0.0", 0, Measured, "", ""}, {"9.1.0", 1, Measured, "#3144", ""}},
		func(v *Values, x int) { yes(&v.DeleteHoldsShrink, x) }},
	{"hsetex-always-one", "HSETEX with a time in the past replies 1 and deletes expired fields too (1 = yes), or replies 1 only if every field was there and had not expired", "t_hash.c, hsetexCommand", []Step{
		{"7.2.0", 0, Read, "", "no such command"}, {"9.0.0", 0, Measured, "", ""}, {"9.0.2", 1, Assumed, "#3001", "fixed in 9.1.0, where it is measured; named for the backports of 9.0.2"}, {"9.1.0", 1, Measured, "#3001", ""}},
		func(v *Values, x int) { yes(&v.HsetexAlwaysOne, x) }},
	{"hsetex-frees-empty", "HSETEX with a time in the past leaves no empty hash on a missing key (1 = yes)", "t_hash.c, hsetexCommand", []Step{
		{"7.2.0", 0, Read, "", "no such command"}, {"9.0.0", 0, Measured, "", "an empty listpack of 7 bytes stays"}, {"9.0.2", 1, Read, "#2998", "named in the release notes of 9.0.2"}, {"9.1.0", 1, Measured, "#2998", ""}},
		func(v *Values, x int) { yes(&v.HsetexFrees, x) }},
	{"hexpire-tests-first", "HEXPIRE and its kin with a time in the past delete only fields that meet NX, XX, GT or LT (1 = yes)", "t_hash.c, hashTypeSetExpire", []Step{
		{"7.2.0", 0, Read, "", "no such command"}, {"9.0.0", 0, Measured, "", "the field is deleted whatever the condition"}, {"9.0.2", 1, Assumed, "#3048", "fixed in 9.1.0, where it is measured; named for the backports of 9.0.2"}, {"9.1.0", 1, Measured, "#3048", ""}},
		func(v *Values, x int) { yes(&v.HexpireTestsFirst, x) }},
	{"hsetex-key-conditions", "HSETEX takes NX and XX for the key (1 = yes)", "t_hash.c, hsetexCommand", []Step{
		{"7.2.0", 0, Read, "", "no such command"}, {"9.0.0", 0, Measured, "", "a syntax error"}, {"9.1.0", 1, Measured, "#2668", ""}},
		func(v *Values, x int) { yes(&v.HsetexKeyConditions, x) }},
	{"hpersist-type-first", "HPERSIST on a key of another type replies the error alone (1 = yes), or an array header and then the error", "t_hash.c, hpersistCommand", []Step{
		{"7.2.0", 0, Read, "", "no such command"}, {"9.0.0", 0, Measured, "", ""}, {"9.0.4", 1, Assumed, "#3516", "fixed in April 2026, before 9.0.4"}, {"9.1.0", 1, Measured, "#3516", ""}},
		func(v *Values, x int) { yes(&v.HpersistTypeFirst, x) }},
	{"fields-word-hgetdel", "HGETDEL insists on the word FIELDS (1 = yes), or takes any", "t_hash.c, hgetdelCommand", []Step{
		{"7.2.0", 0, Read, "", "no such command"}, {"9.1.0", 0, Measured, "", ""}, {"9.1.1", 1, Measured, "#4049", ""}},
		func(v *Values, x int) { yes(&v.FieldsWordHgetdel, x) }},
	{"fields-word", "HPERSIST, HTTL, HPTTL, HEXPIRETIME and HPEXPIRETIME insist on the word FIELDS (1 = yes), or take any", "t_hash.c", []Step{
		{"7.2.0", 0, Read, "", "no such commands"}, {"9.0.0", 0, Measured, "", ""}, {"9.1.2", 1, Measured, "#4300", "fixes of 9.0.5 and 9.0.6 not known"}},
		func(v *Values, x int) { yes(&v.FieldsWord, x) }},
	{"hincr-tracks", "HINCRBY and HINCRBYFLOAT take the key out of the volatile items where they overwrite the last field with an expiry (1 = yes)", "t_hash.c, hincrbyCommand", []Step{
		{"7.2.0", 0, Read, "", "no field expires"}, {"9.0.0", 0, Assumed, "", "from the report of the fault"}, {"9.0.2", 1, Read, "#2974", "named in the release notes of 9.0.2"}, {"9.1.0", 1, Read, "#2974", ""}},
		func(v *Values, x int) { yes(&v.HincrTracks, x) }},
	{"vset-saturates", "the last time window of a set of volatile fields ends at 2^63-1 ms (1 = yes), or overflows to a key that sorts behind all others", "vset.c, get_bucket_ts", []Step{
		{"7.2.0", 0, Read, "", "no such set"}, {"9.1.0", 0, Measured, "", "splitting that window crashes a real server"}, {"9.1.2", 1, Measured, "#4312", ""}},
		func(v *Values, x int) { yes(&v.VsetSaturates, x) }},
}
