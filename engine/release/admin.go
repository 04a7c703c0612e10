package release

// AdminValues holds the rules for the commands about the server itself. Sizes are in bytes.
type AdminValues struct {
	HelloSaysRedis   bool // HELLO tells of a server redis
	LuaIsModule      bool // the Lua engine is a module, and MODULE LIST has it
	BgsaveCancel     bool // BGSAVE takes CANCEL
	ShutdownSafe     bool // SHUTDOWN takes SAFE
	ClientListWatch  bool // CLIENT LIST tells how many keys are watched
	ClientListCapa   bool // CLIENT LIST tells a client's capabilities
	ClientListMulti  bool // CLIENT LIST has multi=0 after a transaction
	ClientListTotals bool // CLIENT LIST tells of bytes and commands
	KeyslotAlways    bool // CLUSTER KEYSLOT answers outside of a cluster too
	ReadonlyAlways   bool // READONLY and READWRITE answer outside of a cluster too
	AuthFirst        bool // the password is asked for before it is looked whether a command exists
	RedirectBlocked  bool // a primary that becomes a replica redirects clients that wait, and leaves readers waiting
	InfoFields       int  // which fields INFO and MEMORY STATS have
	StatsDatabases   int  // which databases MEMORY STATS lists
	BytesPerKeyOfAll bool // keys.bytes-per-key divides all that was taken since the start
	DebugHelp        int  // which lines DEBUG HELP has
	ClientFilters    int  // which filters CLIENT KILL and CLIENT LIST take
}

var adminRules = []Rule{
	{"hello-says-redis", "HELLO tells of a server redis 7.2.4 (1 = yes)", "networking.c, helloCommand", []Step{
		{"7.2.0", 1, Assumed, "", "as its ancestor"}, {"8.0.0", 0, Assumed, "", "unless extended-redis-compatibility"}, {"8.1.0", 0, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.HelloSaysRedis, x) }},
	{"lua-is-module", "the engine of Lua is a module (1 = yes)", "modules/lua", []Step{
		{"7.2.0", 0, Read, "", ""}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.LuaIsModule, x) }},
	{"bgsave-cancel", "BGSAVE takes CANCEL (1 = yes)", "rdb.c, bgsaveCommand", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.1.0", 1, Measured, "#757", ""}},
		func(v *Values, x int) { yes(&v.BgsaveCancel, x) }},
	{"shutdown-safe", "SHUTDOWN takes SAFE (1 = yes)", "db.c, shutdownCommand", []Step{
		{"7.2.0", 0, Read, "", ""}, {"9.1.0", 1, Read, "", ""}},
		func(v *Values, x int) { yes(&v.ShutdownSafe, x) }},
	{"client-list-watch", "CLIENT LIST has watch= (1 = yes)", "networking.c, catClientInfoString", []Step{
		{"7.2.0", 0, Assumed, "", "it came after 7.2.4, the common ancestor"}, {"8.0.0", 1, Assumed, "", ""}, {"8.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.ClientListWatch, x) }},
	{"client-list-capa", "CLIENT LIST has capa= (1 = yes)", "networking.c, catClientInfoString", []Step{
		{"7.2.0", 0, Read, "", "no such command"}, {"8.0.0", 0, Assumed, "", ""}, {"8.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.ClientListCapa, x) }},
	{"client-list-multi", "CLIENT LIST has multi=0, not -1, once a client has used MULTI or WATCH (1 = yes)", "networking.c, catClientInfoString", []Step{
		{"7.2.0", 0, Assumed, "", "by its ancestor 7.2.4"}, {"8.0.0", 0, Assumed, "", ""}, {"8.1.0", 1, Measured, "", "8.1.1 read, 8.1.8 measured"}},
		func(v *Values, x int) { yes(&v.ClientListMulti, x) }},
	{"client-list-totals", "CLIENT LIST has tot-net-in=, tot-net-out= and tot-cmds= (1 = yes)", "networking.c, catClientInfoString", []Step{
		{"7.2.0", 0, Read, "", ""}, {"8.0.0", 0, Assumed, "", ""}, {"8.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.ClientListTotals, x) }},
	{"keyslot-always", "CLUSTER KEYSLOT answers outside of a cluster too (1 = yes)", "cluster.c, clusterKeySlotCommand", []Step{
		{"7.2.0", 0, Assumed, "", ""}, {"8.1.0", 0, Measured, "", ""}, {"9.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.KeyslotAlways, x) }},
	{"readonly-always", "READONLY and READWRITE answer outside of a cluster too (1 = yes)", "cluster.c, readonlyCommand", []Step{
		{"7.2.0", 0, Assumed, "", "by its ancestor 7.2.4"}, {"8.0.0", 1, Assumed, "#319", "with CLIENT CAPA redirect"}, {"8.1.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.ReadonlyAlways, x) }},
	{"auth-first", "NOAUTH is replied to a command that does not exist too (1 = yes)", "server.c, processCommand", []Step{
		{"7.2.0", 0, Assumed, "", "as 8.1"}, {"8.1.0", 0, Measured, "", ""}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.AuthFirst, x) }},
	{"redirect-blocked", "a primary that becomes a replica redirects clients that wait for keys, and leaves readers waiting, if they asked for it (1 = yes)", "blocked.c, disconnectOrRedirectAllBlockedClients", []Step{
		{"7.2.0", 0, Assumed, "", "no client can ask for it"}, {"8.1.0", 0, Measured, "", ""}, {"9.0.0", 1, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.RedirectBlocked, x) }},
	{"info-fields", "which fields INFO and MEMORY STATS have: 0 those of 7.2, 1 of 8.0, 2 of 8.1, 3 of 9.0, 4 of 9.1", "server.c, genValkeyInfoString", []Step{
		{"7.2.0", 0, Assumed, "", "by its ancestor 7.2.4"}, {"8.0.0", 1, Assumed, "", "those of 8.1 less what is known to be newer"}, {"8.1.0", 2, Measured, "", ""}, {"9.0.0", 3, Measured, "", ""}, {"9.1.0", 4, Measured, "", ""}},
		func(v *Values, x int) { v.InfoFields = x }},
	{"stats-databases", "which databases MEMORY STATS lists: 0 those with keys, 1 those that had some, 2 all that exist", "object.c, getMemoryOverheadData", []Step{
		{"7.2.0", 0, Assumed, "", "by its ancestor 7.2.4"}, {"8.0.0", 1, Assumed, "", ""}, {"8.1.0", 1, Read, "", "8.1.1"}, {"8.1.4", 2, Measured, "", "8.1.8; from which patch on is not known"}, {"9.0.0", 2, Measured, "", ""}},
		func(v *Values, x int) { v.StatsDatabases = x }},
	{"bytes-per-key-of-all", "keys.bytes-per-key divides all that was taken since the start, not the dataset (1 = yes)", "object.c, getMemoryOverheadData", []Step{
		{"7.2.0", 1, Measured, "", ""}, {"8.0.0", 0, Measured, "", ""}},
		func(v *Values, x int) { yes(&v.BytesPerKeyOfAll, x) }},
	{"debug-help", "which lines DEBUG HELP has: 0 those of 8.1, 1 of 9.0, 2 of 9.1.0, 3 of 9.1.1, 4 of 9.1.2", "debug.c, debugCommand", []Step{
		{"7.2.0", 0, Assumed, "", "as 8.1.8"}, {"8.1.0", 0, Measured, "", "8.1.8"}, {"9.0.0", 1, Measured, "", ""}, {"9.1.0", 2, Measured, "", ""}, {"9.1.1", 3, Measured, "", ""}, {"9.1.2", 4, Measured, "", ""}},
		func(v *Values, x int) { v.DebugHelp = x }},
	{"client-filters", "what CLIENT KILL and CLIENT LIST filter by: 1 MAXAGE too, 2 both the same and several ids, 3 every field and its contrary", "networking.c, parseClientFiltersOrReply", []Step{
		{"7.2.0", 0, Read, "", "history in COMMAND DOCS"}, {"8.0.0", 1, Read, "", "history in COMMAND DOCS"}, {"8.1.0", 2, Measured, "", ""}, {"9.0.0", 3, Measured, "", ""}},
		func(v *Values, x int) { v.ClientFilters = x }},
}

// StatsLists tells whether MEMORY STATS lists a database with so many keys, whose table of keys
// counts so many bytes.
func (r *Release) StatsLists(keys, main int) bool {
	switch r.StatsDatabases {
	case 0:
		return keys > 0
	case 1:
		return main > r.KvstoreSize
	}
	return true
}
