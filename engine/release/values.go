package release

// Tables of the keyspace, the values of Values.KeyTable.
const (
	DictWithKeyPointer = iota // 7.2: a 24-byte entry that points to the key
	DictWithKeyInside         // 8.0: the entry ends with the key
	Hashtable                 // 8.1: 64-byte buckets that point to objects which hold the key
)

// Values holds the value of every rule for one release. Sizes are in bytes.
type Values struct {
	// Strings and objects.
	SdsMax8, SdsMax16   int  // longest string with an 8-bit and a 16-bit header
	SdsRaise            bool // a block with more room than the header can tell gets the next header
	SharedIntegers      int  // objects of the integers below this are shared
	ArgEmbed            int  // longest argument that arrives as embstr
	EmbstrTellsRoom     bool // the header of an embstr of 7.2 or 8.0 tells of the room its block has
	BigArgRoom          int  // bytes beyond a long argument that its sds header can tell of
	EmbedLimit          int  // an object with its value embedded may need this much
	EmbedBase           int  // header of an object with its value embedded
	EmbedFloor          int  // least room for an embedded value
	EmbedShortKeyHeader bool // the embedding test counts a 1-byte key header for every key
	EmbedValueFlag      bool // robj has a hasembval bit and no pointer when it is set
	// Keyspace.
	KeyTable          int // one of DictWithKeyPointer, DictWithKeyInside, Hashtable
	KvstoreSize       int // sizeof(kvstore)
	LazyDatabases     bool
	HashSeedDirective bool // the directive hash-seed seeds the tables of the keyspace
	HashtableStruct   int  // sizeof(struct hashtable)
	RehashSkips       bool // a shrinking table passes over empty buckets and ends with its last entry
	FlushSkipsEmpty   bool // FLUSHDB and FLUSHALL leave the tables of a database without keys as they are
	AbortsShrink      bool // a shrink turns round where its target would overflow
	FinishesToGrow    bool // a move whose target is full is ended at once, so that the table can grow
	// Replies.
	UsageCountsKey       bool // MEMORY USAGE counts the whole object block, key included
	PastIsExpired        bool // a key given a time that has come is expired, not deleted
	QuotesInside         bool // quotes may stand anywhere in an argument of a typed line
	ScanKnowsTypes       bool // SCAN refuses a TYPE that there is not
	StrictCRLF           bool // bytes in the place of CR LF in a request are an error
	InTransactionError   int  // how MULTI and WATCH inside MULTI are refused: 0 by themselves, 1 by one error for all, 2 with the name
	BitcountStartOnly    bool // BITCOUNT takes a start without an end
	ReplyRefersFrom      int  // raw strings of this many bytes are referred to by a reply until it is sent; 0 for never
	SetIfeq              bool // SET takes IFEQ
	ScanNoValues         bool // HSCAN takes NOVALUES
	NegativeExpireIsZero bool // EXPIRE with a time before 1970 counts as 1970
	GetexChecksFirst     bool // GETEX tells of a bad time before it looks for the key
	HashValues
	ListValues
	ZsetValues
	AdminValues
	BaselineValues
	DictValues
	SetValues
	RDBValues
	// Streams.
	RaxStruct           int  // sizeof(rax)
	StreamGroupsFirst   bool // struct stream begins with the pointer to the groups
	StreamGroupSamples  bool // MEMORY USAGE samples groups and consumers
	StreamLagTombstones bool // a group's lag minds deleted entries before the first entry
	PfdebugSimd         bool // PFDEBUG knows SIMD
	HllStrict           bool // a HyperLogLog with a value beyond its last register is corrupt
	XreadPlus           int  // XREAD takes the id +: 0 no, 1 yes, 2 also for an empty stream
}

func yes(p *bool, v int) { *p = v != 0 }

var coreRules = []Rule{
	{"sds-max-8", "longest string with an sds header of type 8", "sds.c, sdsReqType", []Step{
		{"7.2.0", 255, Read, "", ""}, {"8.0.0", 252, Measured, "", "header and NUL are subtracted, so that a whole 256-byte block fits the header's range"}},
		func(v *Values, x int) { v.SdsMax8 = x }},
	{"sds-max-16", "longest string with an sds header of type 16", "sds.c, sdsReqType", []Step{
		{"7.2.0", 65535, Read, "", ""}, {"8.0.0", 65530, Measured, "", ""}},
		func(v *Values, x int) { v.SdsMax16 = x }},
	{"sds-raise", "a block whose room exceeds what the header can tell gets the next larger header (1 = yes)", "sds.c, sdsnewlen", []Step{
		{"7.2.0", 0, Read, "", "alloc is capped instead"}, {"8.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.SdsRaise, x) }},
	{"shared-integers", "integers below this share an object that costs nothing", "object.c, tryObjectEncoding", []Step{
		{"7.2.0", 10000, Measured, "", "only while maxmemory is 0 or its policy is neither LRU nor LFU"}, {"8.1.0", 0, Read, "#1186", "the object holds its key, so it can't be shared"}},
		func(v *Values, x int) { v.SharedIntegers = x }},
	{"arg-embed", "longest argument that arrives as embstr, bytes; only those can be embedded", "object.c, createStringObject", []Step{
		{"7.2.0", 44, Measured, "", ""}, {"9.1.0", 116, Measured, "#3397", ""}},
		func(v *Values, x int) { v.ArgEmbed = x }},
	{"embstr-tells-room", "the sds header of an embstr tells of the room that its block has (1 = yes), or of none", "object.c, createEmbeddedStringObject", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"8.0.0", 1, Measured, "", "so does the copy of a key's header in its entry"}},
		func(v *Values, x int) { yes(&v.EmbstrTellsRoom, x) }},
	{"big-arg-room", "bytes beyond an argument of 32 KiB and more that the sds header it arrives with can tell of", "networking.c, readQueryFromClient", []Step{
		{"7.2.0", 4, Measured, "", "the CRLF, and 2: values of 65532 to 65534 bytes arrive with a 32-bit header, as they do on a connection that has had a longer value before (golden/strings); as the first on a new one they have a 16-bit header"}, {"8.0.0", 2, Measured, "", "the CRLF"}},
		func(v *Values, x int) { v.BigArgRoom = x }},
	{"embed-limit", "most bytes that header, expiry, key and value of an embedded string may need together", "object.c, shouldEmbedStringObject", []Step{
		{"7.2.0", 64, Measured, "", "header and value only"}, {"8.1.0", 64, Measured, "#1186", "with key and expiry"}, {"9.1.0", 128, Measured, "#3397", ""}},
		func(v *Values, x int) { v.EmbedLimit = x }},
	{"embed-base", "header bytes of an object with its value embedded", "object.c, createEmbeddedStringObjectWithKeyAndExpire", []Step{
		{"7.2.0", 16, Measured, "", ""}, {"9.1.0", 8, Measured, "#2516", "the value pointer's slot is reused"}},
		func(v *Values, x int) { v.EmbedBase = x }},
	{"embed-floor", "least bytes kept for an embedded value, so that a pointer can take its place", "object.c", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"9.1.0", 8, Measured, "#2516", ""}},
		func(v *Values, x int) { v.EmbedFloor = x }},
	{"embed-short-key-header", "the embedding test takes every key header for 1 byte (1 = yes)", "object.c, shouldEmbedStringObject", []Step{
		{"7.2.0", 0, Read, "", "no key in the object"}, {"8.1.0", 1, Measured, "#1186", "measured on 8.1.1 and 8.1.8; others of the line assumed as these"}, {"9.0.0", 0, Measured, "#2087", ""}},
		func(v *Values, x int) { yes(&v.EmbedShortKeyHeader, x) }},
	{"embed-value-flag", "robj has a hasembval bit (1 = yes)", "server.h, struct serverObject", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"9.1.0", 1, Measured, "#2516", ""}},
		func(v *Values, x int) { yes(&v.EmbedValueFlag, x) }},
	{"key-table", "table of the keyspace: 0 dict whose entries point to the key, 1 dict with the key in the entry, 2 hashtable of 64-byte buckets", "db.c, kvstore.c", []Step{
		{"7.2.0", DictWithKeyPointer, Measured, "", ""}, {"8.0.0", DictWithKeyInside, Measured, "#541", ""}, {"8.1.0", Hashtable, Measured, "#1186", ""}},
		func(v *Values, x int) { v.KeyTable = x }},
	{"kvstore-size", "sizeof(kvstore), bytes", "kvstore.c", []Step{
		{"7.2.0", 0, Read, "", "none"}, {"8.0.0", 104, Measured, "", ""}, {"8.1.0", 96, Measured, "", ""}, {"9.0.0", 112, Measured, "", "fields for slot import"}},
		func(v *Values, x int) { v.KvstoreSize = x }},
	{"lazy-databases", "databases other than 0 are allocated at their first SELECT (1 = yes)", "server.c", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.LazyDatabases, x) }},
	{"hash-seed-directive", "the directive hash-seed seeds the tables of keys, expires and volatile items, and no other (1 = yes)", "config.c, server.c", []Step{
		{"7.2.0", 0, Read, "", ""}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.HashSeedDirective, x) }},
	{"hashtable-struct", "sizeof(struct hashtable) without metadata, bytes", "hashtable.c", []Step{
		{"7.2.0", 0, Read, "", "none"}, {"8.1.0", 72, Measured, "#1186", ""}, {"9.1.0", 80, Measured, "#2807", "a list of safe iterators"}},
		func(v *Values, x int) { v.HashtableStruct = x }},
	{"rehash-skips", "a step of a shrinking table passes over up to 10 empty buckets, and the move ends with the last entry (1 = yes)", "hashtable.c, rehashStepShrink", []Step{
		{"7.2.0", 0, Read, "", ""}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.RehashSkips, x) }},
	{"flush-skips-empty", "FLUSHDB and FLUSHALL leave the tables of a database without keys as they are (1 = yes)", "db.c, emptyDbStructure", []Step{
		{"7.2.0", 0, Measured, "", "8.1.8 measured"}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.FlushSkipsEmpty, x) }},
	{"aborts-shrink", "a shrink whose target would pass 500 % is turned into growing (1 = yes)", "hashtable.c, abortShrinkIfNeeded", []Step{
		{"7.2.0", 0, Read, "", ""}, {"9.1.0", 1, Read, "", ""}},
		func(v *Values, x int) { yes(&v.AbortsShrink, x) }},
	{"finishes-to-grow", "a table being moved whose target is full moves all that is left at once and grows again (1 = yes); else it waits until the move has ended", "hashtable.c, resize", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.1.0", 1, Measured, "", ""}, {"9.0.0", 0, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.FinishesToGrow, x) }},
	{"in-transaction-error", "MULTI and WATCH inside MULTI: 0 an error of their own that spoils nothing, 1 one error for all commands that may not stand there, which spoils the transaction, 2 the same with the command's name", "server.c, processCommand", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"8.0.0", 1, Measured, "", ""}, {"9.0.0", 2, Measured, "", ""}},
		func(v *Values, x int) { v.InTransactionError = x }},
	{"past-is-expired", "a key that is given a time that has come counts as expired, and its event is expired (1 = yes); else del", "db.c, deleteExpiredKeyFromOverwriteAndPropagate", []Step{
		{"7.2.0", 0, Assumed, "", ""}, {"8.1.0", 1, Read, "", "8.1.1 read"}},
		func(v *Values, x int) { yes(&v.PastIsExpired, x) }},
	{"quotes-inside", "quotes may stand anywhere in an argument of a typed line (1 = yes); else it ends where they close", "sds.c, sdsnsplitargs", []Step{
		{"7.2.0", 0, Measured, "", "8.1.8 measured"}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.QuotesInside, x) }},
	{"scan-knows-types", "SCAN refuses a TYPE that there is not (1 = yes); else it finds nothing", "db.c, parseScanOptionsOrReply", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.0.0", 1, Assumed, "", "the comment of 7.2 announces it for then"}, {"8.1.0", 1, Read, "", "8.1.1 read"}},
		func(v *Values, x int) { yes(&v.ScanKnowsTypes, x) }},
	{"strict-crlf", "bytes where CR LF should end a length or an argument are an error (1 = yes); else they are skipped unread", "networking.c, parseMultibulk", []Step{
		{"7.2.0", 0, Assumed, "", ""}, {"7.2.14", 1, Assumed, "#2872", "in that patch, perhaps in earlier ones"},
		{"8.0.0", 0, Assumed, "", ""}, {"8.0.11", 1, Assumed, "#2872", "in that patch, perhaps in earlier ones"},
		{"8.1.0", 0, Read, "", "8.1.1 read"}, {"8.1.8", 1, Measured, "#2872", "named in the notes of 8.1.8"},
		{"9.0.0", 0, Measured, "", ""}, {"9.0.6", 1, Assumed, "#2872", "in that patch, perhaps in earlier ones"},
		{"9.1.0", 1, Measured, "#2872", ""}},
		func(v *Values, x int) { yes(&v.StrictCRLF, x) }},
	{"getex-checks-first", "GETEX tells of a bad time before it looks for the key (1 = yes)", "t_string.c, getexCommand", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"9.1.0", 1, Measured, "", "9.0.0 measured; later patches of 9.0 assumed as it"}},
		func(v *Values, x int) { yes(&v.GetexChecksFirst, x) }},
	{"set-ifeq", "SET takes IFEQ (1 = yes)", "t_string.c, setCommand", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"8.1.0", 1, Measured, "#1324", ""}},
		func(v *Values, x int) { yes(&v.SetIfeq, x) }},
	{"scan-novalues", "HSCAN takes NOVALUES (1 = yes)", "db.c, scanGenericCommand", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.0.0", 1, Read, "", ""}},
		func(v *Values, x int) { yes(&v.ScanNoValues, x) }},
	{"negative-expire-is-zero", "EXPIRE with a time before 1970 counts as 1970 (1 = yes)", "expire.c, expireGenericCommand", []Step{
		{"7.2.0", 0, Assumed, "", ""}, {"8.1.0", 1, Read, "", ""}},
		func(v *Values, x int) { yes(&v.NegativeExpireIsZero, x) }},
	{"bitcount-start-only", "BITCOUNT takes a start without an end (1 = yes)", "bitops.c, bitcountCommand", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.0.0", 1, Read, "#118", ""}},
		func(v *Values, x int) { yes(&v.BitcountStartOnly, x) }},
	{"reply-refers-from", "GET, GETEX and MGET refer to a raw string of this many bytes until the reply is sent, so that a command sent in the same batch must not keep its object; 0 for never", "networking.c, isCopyAvoidPreferred", []Step{
		{"7.2.0", 0, Measured, "", "8.1.8 measured, older ones assumed as it"}, {"9.0.0", 16384, Measured, "#2078", "directive min-string-size-avoid-copy-reply"}},
		func(v *Values, x int) { v.ReplyRefersFrom = x }},
	{"usage-counts-key", "MEMORY USAGE counts the whole object block, key included (1 = yes)", "object.c, objectComputeSize", []Step{
		{"7.2.0", 1, Measured, "", "the key is counted apart"}, {"8.1.0", 0, Measured, "", "8.1.1 measured; 8.1.0, 8.1.2 and 8.1.3 assumed as 8.1.1"}, {"8.1.4", 1, Measured, "#2290", "8.1.8 measured; the others from 8.1.4 on assumed as 8.1.8"}},
		func(v *Values, x int) { yes(&v.UsageCountsKey, x) }},
	{"rax-struct", "sizeof(rax), bytes: with 32 the tree keeps the sum of its blocks and MEMORY USAGE prints that; with 24 it estimates", "rax.c, raxNew; object.c, streamRadixTreeMemoryUsage", []Step{
		{"7.2.0", 24, Measured, "", "8.0.1 measured too, by what MEMORY USAGE differs from the blocks"}, {"8.1.0", 32, Measured, "#688", ""}},
		func(v *Values, x int) { v.RaxStruct = x }},
	{"stream-groups-first", "struct stream begins with the pointer to the groups, not ends (1 = yes)", "stream.h", []Step{
		{"7.2.0", 0, Read, "", "8.1.1 read, 8.1.8 and 9.0.0 measured"}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.StreamGroupsFirst, x) }},
	{"stream-group-samples", "MEMORY USAGE samples a stream's groups and consumers, in floating point (1 = yes)", "object.c, objectComputeSize", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.0.3", 1, Read, "#1825", "release notes of 8.0.3"}, {"8.1.0", 0, Assumed, "", "as 8.0.1"}, {"8.1.1", 1, Read, "#1825", ""}},
		func(v *Values, x int) { yes(&v.StreamGroupSamples, x) }},
	{"stream-lag", "a group's lag and count of entries read mind deleted entries that lie before the first entry (1 = yes)", "t_stream.c, streamRangeHasTombstones", []Step{
		{"7.2.0", 0, Read, "", "in the common ancestor; a backport to a later 7.2 is not known"}, {"8.0.3", 1, Read, "#1952", "release notes of 8.0.3"}, {"8.1.0", 0, Assumed, "", "as 8.0.1"}, {"8.1.1", 1, Read, "#1952", ""}},
		func(v *Values, x int) { yes(&v.StreamLagTombstones, x) }},
	{"hll-strict", "a sparse HyperLogLog with a value beyond its last register is corrupt (1 = yes; 0 = what is beyond is left out)", "hyperloglog.c, hllMerge", []Step{
		{"7.2.0", 0, Read, "", ""}, {"7.2.10", 1, Assumed, "", "CVE-2025-32023"}, {"8.0.0", 0, Assumed, "", "as 8.1.1"}, {"8.0.4", 1, Assumed, "", "CVE-2025-32023"},
		{"8.1.0", 0, Read, "", "8.1.1 read"}, {"8.1.3", 1, Read, "", "CVE-2025-32023, release notes"}},
		func(v *Values, x int) { yes(&v.HllStrict, x) }},
	{"pfdebug-simd", "PFDEBUG knows SIMD (1 = yes)", "hyperloglog.c, pfdebugCommand", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.1.0", 1, Read, "#1293", ""}},
		func(v *Values, x int) { yes(&v.PfdebugSimd, x) }},
	{"xread-plus", "XREAD takes + for the last entry: 0 no, 1 yes, 2 and waits where the stream is empty", "t_stream.c, xreadCommand", []Step{
		{"7.2.0", 0, Read, "", "7.2.4 of the common ancestor"}, {"8.0.0", 1, Measured, "", "8.1.8 and 9.0.0 measured, 8.0 assumed as these"}, {"9.1.0", 2, Measured, "", ""}},
		func(v *Values, x int) { v.XreadPlus = x }},
}
