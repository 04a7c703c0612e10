package release

// RDBValues holds the values of the rules for DUMP, RESTORE and RDB files.
type RDBValues struct {
	RDBVersion         int  // version of the format that is written
	RDBRefusesZero     bool // RESTORE refuses version 0
	RDBTakesForeign    bool // rdb-version-check relaxed takes versions of other servers
	LoadsStrictly      bool // texts of encodings are always looked into, and counts compared
	LoadsRefuseNaN     bool // scores in a listpack are looked at
	ReloadFlushesFirst bool // DEBUG RELOAD empties the server before it opens the file
}

var rdbRules = []Rule{
	{"rdb-version", "version of the RDB format that is written: 11 with the magic REDIS0011, 80 with VALKEY080", "rdb.h, RDB_VERSION", []Step{
		{"7.2.0", 11, Measured, "", ""}, {"9.0.0", 80, Measured, "", "hashes whose fields have expiries have a code of their own, 22"}},
		func(v *Values, x int) { v.RDBVersion = x }},
	{"rdb-refuses-zero", "RESTORE refuses a payload of version 0 (1 = yes)", "cluster.c, verifyDumpPayload", []Step{
		{"7.2.0", 0, Read, "", "8.1.8 measured"}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.RDBRefusesZero, x) }},
	{"rdb-takes-foreign", "with rdb-version-check relaxed RESTORE takes payloads of versions 12 to 79 where their type is an old one (1 = yes)", "cluster.c, restoreCommand", []Step{
		{"7.2.0", 0, Read, "", "8.1.8 measured"}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.RDBTakesForeign, x) }},
	{"loads-strictly", "a load looks into every listpack and intset and compares a stream's counts (1 = yes), or only where sanitize-dump-payload says so", "rdb.c, rdbLoadObject", []Step{
		{"7.2.0", 0, Measured, "", "8.1.8 and 9.0.0 measured"}, {"9.1.0", 0, Measured, "", "9.1.1 too"}, {"9.1.2", 1, Measured, "", "fixes of 9.0.6 and its neighbours not known"}},
		func(v *Values, x int) { yes(&v.LoadsStrictly, x) }},
	{"loads-refuse-nan", "a load refuses a sorted set's listpack with a score that is no number (1 = yes)", "t_zset.c, zzlValidateScores", []Step{
		{"7.2.0", 0, Measured, "", "8.1.8 and 9.0.0 measured"}, {"9.1.0", 0, Measured, "", ""}, {"9.1.1", 1, Measured, "", "fixes of older lines not known"}},
		func(v *Values, x int) { yes(&v.LoadsRefuseNaN, x) }},
	{"reload-flushes-first", "DEBUG RELOAD empties the server before it opens the file (1 = yes), or once the file's version is known to be good", "debug.c, rdb.c", []Step{
		{"7.2.0", 1, Read, "", "8.1.8 and 9.0.0 measured"}, {"9.1.0", 0, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.ReloadFlushesFirst, x) }},
}
