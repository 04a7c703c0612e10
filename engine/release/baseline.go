package release

// Baseline is what a server of one build takes beside its data, in bytes. It was measured with the
// defaults, and depends a little on paths and the compiler.
type Baseline struct {
	Startup         int // used_memory before the first client
	Running         int // what comes to that once the server runs
	Client          int // a client at rest
	ClientCounted   int // what CLIENT LIST counts of it
	FunctionsCaches int
}

// BaselineValues holds the baselines by build. Build managed is taken for jemalloc.
type BaselineValues struct {
	StartupJemalloc         int
	StartupDistro           int
	StartupLibc             int
	RunningJemalloc         int
	RunningDistro           int
	RunningLibc             int
	ClientJemalloc          int
	ClientDistro            int
	ClientLibc              int
	ClientCountedJemalloc   int
	ClientCountedDistro     int
	ClientCountedLibc       int
	FunctionsCachesJemalloc int
	FunctionsCachesDistro   int
	FunctionsCachesLibc     int
}

// Baseline is that of the release in its build.
func (r *Release) Baseline() Baseline {
	v := &r.BaselineValues
	switch r.Build.ID {
	case Distro:
		return Baseline{v.StartupDistro, v.RunningDistro, v.ClientDistro, v.ClientCountedDistro, v.FunctionsCachesDistro}
	case Libc:
		return Baseline{v.StartupLibc, v.RunningLibc, v.ClientLibc, v.ClientCountedLibc, v.FunctionsCachesLibc}
	}
	return Baseline{v.StartupJemalloc, v.RunningJemalloc, v.ClientJemalloc, v.ClientCountedJemalloc, v.FunctionsCachesJemalloc}
}

var baselineRules = []Rule{
	{"startup-jemalloc", "used_memory when the server has started, before its first client, bytes; build jemalloc", "server.c, initial_memory_usage", []Step{
		{"7.2.0", 880616, Measured, "", "7.2.7"}, {"8.0.0", 912216, Measured, "", "8.0.1"}, {"8.1.0", 879672, Measured, "", "8.1.1"}, {"8.1.4", 877792, Measured, "", "8.1.8"}, {"9.0.0", 878424, Measured, "", ""}, {"9.1.0", 918072, Measured, "", ""}, {"9.1.1", 918392, Measured, "", ""}, {"9.1.2", 917912, Measured, "", "another build has 927,080"}}, func(v *Values, x int) { v.StartupJemalloc = x }},
	{"startup-distro", "used_memory when the server has started, before its first client, bytes; build distro", "server.c, initial_memory_usage", []Step{
		{"7.2.0", 892360, Assumed, "", "as far from the bundled jemalloc as 8.1.8"}, {"8.0.0", 923960, Assumed, "", "as far from the bundled jemalloc as 8.1.8"}, {"8.1.0", 889536, Measured, "", "8.1.8"}, {"9.0.0", 890168, Assumed, "", "as far from 8.1.8 as with the bundled jemalloc"}, {"9.1.0", 930192, Measured, "", ""}, {"9.1.1", 930064, Measured, "", ""}, {"9.1.2", 930000, Measured, "", ""}}, func(v *Values, x int) { v.StartupDistro = x }},
	{"startup-libc", "used_memory when the server has started, before its first client, bytes; build libc", "server.c, initial_memory_usage", []Step{
		{"7.2.0", 961808, Assumed, "", "as far from jemalloc as 8.1.8"}, {"8.0.0", 993408, Assumed, "", "as far from jemalloc as 8.1.8"}, {"8.1.0", 958984, Measured, "", "8.1.8"}, {"9.0.0", 959040, Measured, "", ""}, {"9.1.0", 998528, Measured, "", ""}, {"9.1.1", 998760, Measured, "", ""}, {"9.1.2", 998512, Measured, "", ""}}, func(v *Values, x int) { v.StartupLibc = x }},
	{"running-jemalloc", "what the server takes beyond that once it runs, without clients, bytes; build jemalloc", "server.c, initServer", []Step{
		{"7.2.0", 3064, Assumed, "", "as 8.1.8 of build distro"}, {"9.0.0", 592, Assumed, "", "as 9.1.2"}, {"9.1.0", 592, Measured, "", "9.1.2"}}, func(v *Values, x int) { v.RunningJemalloc = x }},
	{"running-distro", "what the server takes beyond that once it runs, without clients, bytes; build distro", "server.c, initServer", []Step{
		{"7.2.0", 3064, Assumed, "", "as 8.1.8"}, {"8.1.0", 3064, Measured, "", "8.1.8"}, {"9.0.0", 616, Assumed, "", "as 9.1.0"}, {"9.1.0", 616, Measured, "", ""}}, func(v *Values, x int) { v.RunningDistro = x }},
	{"running-libc", "what the server takes beyond that once it runs, without clients, bytes; build libc", "server.c, initServer", []Step{
		{"7.2.0", 3120, Assumed, "", "as 8.1.8"}, {"8.1.0", 3120, Measured, "", "8.1.8"}, {"9.0.0", 400, Measured, "", ""}, {"9.1.0", 656, Measured, "", ""}}, func(v *Values, x int) { v.RunningLibc = x }},
	{"client-jemalloc", "what a client at rest takes, its reply buffer shrunk to 1024, bytes; build jemalloc", "networking.c, createClient", []Step{
		{"7.2.0", 1840, Assumed, "", "as 9.1.2"}, {"9.1.0", 1840, Measured, "", "9.1.2"}}, func(v *Values, x int) { v.ClientJemalloc = x }},
	{"client-distro", "what a client at rest takes, its reply buffer shrunk to 1024, bytes; build distro", "networking.c, createClient", []Step{
		{"7.2.0", 1856, Assumed, "", "as 8.1.8"}, {"8.1.0", 1856, Measured, "", "8.1.8"}, {"9.0.0", 1856, Assumed, "", "as 9.1.0"}, {"9.1.0", 1856, Measured, "", ""}}, func(v *Values, x int) { v.ClientDistro = x }},
	{"client-libc", "what a client at rest takes, its reply buffer shrunk to 1024, bytes; build libc", "networking.c, createClient", []Step{
		{"7.2.0", 1752, Assumed, "", "as 8.1.8"}, {"8.1.0", 1752, Measured, "", "8.1.8"}, {"9.0.0", 1816, Measured, "", ""}, {"9.1.0", 1816, Measured, "", ""}}, func(v *Values, x int) { v.ClientLibc = x }},
	{"client-counted-jemalloc", "what CLIENT LIST counts of a client at rest, bytes; build jemalloc", "networking.c, getClientMemoryUsage", []Step{
		{"7.2.0", 1664, Assumed, "", "as 9.1.2"}, {"9.1.0", 1664, Measured, "", "9.1.2"}}, func(v *Values, x int) { v.ClientCountedJemalloc = x }},
	{"client-counted-distro", "what CLIENT LIST counts of a client at rest, bytes; build distro", "networking.c, getClientMemoryUsage", []Step{
		{"7.2.0", 1664, Assumed, "", "as 8.1.8"}, {"8.1.0", 1664, Measured, "", "8.1.8"}, {"9.0.0", 1664, Assumed, "", "as 9.1.0"}, {"9.1.0", 1664, Measured, "", ""}}, func(v *Values, x int) { v.ClientCountedDistro = x }},
	{"client-counted-libc", "what CLIENT LIST counts of a client at rest, bytes; build libc", "networking.c, getClientMemoryUsage", []Step{
		{"7.2.0", 1552, Assumed, "", "as 8.1.8"}, {"8.1.0", 1552, Measured, "", "8.1.8"}, {"9.0.0", 1616, Measured, "", ""}, {"9.1.0", 1616, Measured, "", ""}}, func(v *Values, x int) { v.ClientCountedLibc = x }},
	{"functions-caches-jemalloc", "functions.caches of MEMORY STATS without functions, bytes; build jemalloc", "functions.c, functionsMemoryOverhead", []Step{
		{"7.2.0", 240, Assumed, "", "as 8.1.8 of build distro"}, {"9.0.0", 240, Assumed, "", "as 8.1.8 of build distro"}, {"9.1.0", 328, Measured, "", "9.1.2"}}, func(v *Values, x int) { v.FunctionsCachesJemalloc = x }},
	{"functions-caches-distro", "functions.caches of MEMORY STATS without functions, bytes; build distro", "functions.c, functionsMemoryOverhead", []Step{
		{"7.2.0", 240, Assumed, "", "as 8.1.8"}, {"8.1.0", 240, Measured, "", "8.1.8"}, {"9.0.0", 240, Assumed, "", "as 8.1.8"}, {"9.1.0", 336, Measured, "", ""}}, func(v *Values, x int) { v.FunctionsCachesDistro = x }},
	{"functions-caches-libc", "functions.caches of MEMORY STATS without functions, bytes; build libc", "functions.c, functionsMemoryOverhead", []Step{
		{"7.2.0", 272, Assumed, "", "as 8.1.8"}, {"8.1.0", 272, Measured, "", "8.1.8"}, {"9.0.0", 272, Measured, "", ""}, {"9.1.0", 320, Measured, "", ""}}, func(v *Values, x int) { v.FunctionsCachesLibc = x }},
}
