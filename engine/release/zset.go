package release

// ZsetValues holds the values of the rules for sorted sets. Sizes are in bytes.
type ZsetValues struct {
	StrtodC            bool // doubles are read by C's strtod
	SkiplistHeights    bool // a node's span at level 0 tells its height
	SkiplistEmbeds     bool // nodes end with their members, and the list is its header node
	ZrangeJumps        bool // LIMIT's offset is jumped over in a skiplist
	ZscanRounds        int  // buckets that ZSCAN looks at for each member wanted
	GeoSameLongitude   bool // longitudes that differ by less than 1e-15 count as the same
	GeoPolygon         bool // GEOSEARCH BYPOLYGON, and errors that name the member
	StatsHideEmpty     bool // DEBUG HTSTATS tells nothing of an array without entries, nor where a move stands
	StatsAverageDigits int  // digits after the dot of DEBUG HTSTATS' average
	ZremHoldsShrink    bool // ZREM lets the table shrink once, after its last member
	ZaddHintLongest    bool // ZADD looks at the longest of its members before it adds any
}

var zsetRules = []Rule{
	{"strtod-c", "doubles are read by C's strtod, which takes hexadecimal numbers and white space before one, instead of a reader that takes neither (1 = yes)", "util.c, string2d; valkey_strtod.c", []Step{
		{"7.2.0", 1, Measured, "", "8.1.8 and 9.0.0 measured; earlier ones read"}, {"9.1.0", 0, Measured, "", "ffc; 9.1.0 and 9.1.2 measured"}},
		func(v *Values, x int) { yes(&v.StrtodC, x) }},
	{"skiplist-heights", "a node of a skiplist tells its height in its span at level 0 (1 = yes)", "t_zset.c, zslSetNodeHeight", []Step{
		{"7.2.0", 0, Assumed, "", ""}, {"8.1.0", 1, Read, "#1389", "8.1.1 and 9.1.2"}},
		func(v *Values, x int) { yes(&v.SkiplistHeights, x) }},
	{"skiplist-embeds", "a node of a skiplist ends with its member, and the list is its own header node (1 = yes)", "t_zset.c, zslCreateNode and zslCreate", []Step{
		{"7.2.0", 0, Measured, "", ""}, {"9.1.0", 1, Measured, "#2508 #2867", ""}},
		func(v *Values, x int) { yes(&v.SkiplistEmbeds, x) }},
	{"zrange-jumps", "LIMIT's offset is jumped over in a skiplist, so that a negative one counts from the other end of the range (1 = yes)", "t_zset.c, zslNthInRange", []Step{
		{"7.2.0", 0, Assumed, "", ""}, {"8.0.0", 1, Assumed, "", "8.1.8 and later measured"}, {"8.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.ZrangeJumps, x) }},
	{"zadd-hint-longest", "ZADD chooses the encoding before it adds by the longest of its members, not the first of a new key (1 = yes)", "t_zset.c, zaddGenericCommand", []Step{
		{"7.2.0", 0, Measured, "", "the number of members counts in both"}, {"8.0.0", 1, Measured, "#806", ""}},
		func(v *Values, x int) { yes(&v.ZaddHintLongest, x) }},
	{"zscan-rounds", "buckets that ZSCAN looks at for each member wanted before it gives up", "db.c, scanGenericCommand", []Step{
		{"7.2.0", 20, Assumed, "", "the count is doubled, as scores are counted too"}, {"8.0.0", 10, Assumed, "", ""}, {"8.1.0", 10, Read, "", "8.1.1 and 9.1.2"}},
		func(v *Values, x int) { v.ZscanRounds = x }},
	{"geo-same-longitude", "distances take longitudes for the same where half their difference has a sine of at most 1e-15, not only 0 (1 = yes)", "geohash_helper.c, geohashGetDistance", []Step{
		{"7.2.0", 0, Measured, "", "8.1.8 measured, earlier ones assumed"}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.GeoSameLongitude, x) }},
	{"geo-polygon", "GEOSEARCH knows BYPOLYGON, and errors name the member that is not there (1 = yes)", "geo.c, georadiusGeneric", []Step{
		{"7.2.0", 0, Measured, "", "8.1.8 measured, earlier ones assumed"}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.GeoPolygon, x) }},
	{"stats-hide-empty", "DEBUG HTSTATS tells nothing of an array without entries, nor where a move to another one stands (1 = yes)", "hashtable.c, hashtableGetStatsMsg", []Step{
		{"7.2.0", 1, Read, "", ""}, {"8.1.0", 1, Measured, "", ""}, {"9.1.0", 0, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.StatsHideEmpty, x) }},
	{"stats-average-digits", "digits after the dot of the average chain length in DEBUG HTSTATS", "hashtable.c, hashtableGetStatsMsg", []Step{
		{"7.2.0", 2, Read, "", ""}, {"9.0.0", 6, Measured, "", ""}},
		func(v *Values, x int) { v.StatsAverageDigits = x }},
	{"zrem-holds-shrink", "ZREM lets the table shrink once, after its last member (1 = yes)", "t_zset.c, zremCommand", []Step{
		{"7.2.0", 0, Read, "", "8.1.8 and 9.0.0 measured"}, {"9.1.0", 1, Measured, "#3144", ""}},
		func(v *Values, x int) { yes(&v.ZremHoldsShrink, x) }},
}
