package command

import (
	"fmt"

	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/release"
)

// What the interpreters of scripts and of functions take, which used_memory does not count, bytes:
// measured on 8.1.8, 9.0.0 and 9.1.2.
const (
	luaMemory      int64 = 33792
	luaMemoryOld   int64 = 32768 // before 9.1
	luaOfFunctions int64 = 35840
	luaOverhead          = 56
)

// overhead is what INFO memory and MEMORY STATS tell of used_memory, in bytes (object.c,
// getMemoryOverheadData). There is no process: what the system and the allocator would say of one is
// taken to be used_memory itself.
type overhead struct {
	used, peak, startup      int64
	clients, functions       int64
	databases                []databaseOverhead
	lut, rehashing, tables   int64
	total, dataset, keys     int64
	datasetPercent, peakPerc float32
}

type databaseOverhead struct {
	id int
	keyspace.Overhead
}

func (s *Server) overhead() (o overhead) {
	b := s.R.Baseline()
	o.used = s.UsedMemory()
	o.peak = max(s.peak+s.baseline(), o.used)
	o.startup = int64(b.Startup)
	o.clients = int64(b.ClientCounted * len(s.Clients))
	o.functions = int64(b.FunctionsCaches)
	o.total = o.startup + o.clients + o.functions
	for i := range s.Space.Databases() {
		db := s.Space.Existing(i)
		if db == nil || !s.R.StatsLists(db.Len(), db.Overhead().Main) {
			continue
		}
		x := databaseOverhead{i, db.Overhead()}
		o.databases = append(o.databases, x)
		o.total += int64(x.Main + x.Expires)
		o.lut += int64(x.Lut)
		o.rehashing += int64(x.Rehashing)
		o.tables += int64(x.RehashingTables)
		o.keys += int64(db.Len())
	}
	o.dataset = max(o.used-o.total, 0)
	o.datasetPercent = float32(o.dataset) * 100 / float32(max(o.used-o.startup, 1))
	o.peakPerc = float32(o.used) * 100 / float32(o.peak)
	return o
}

// bytesPerKey divides the data, in 7.2 all that was taken since the start, by the keys.
func (o *overhead) bytesPerKey(r *release.Release) int64 {
	switch {
	case o.keys == 0:
		return 0
	case r.BytesPerKeyOfAll:
		return (o.used - o.startup) / o.keys
	}
	return o.dataset / o.keys
}

func (s *Server) allocator() string {
	if s.R.Build.ID == release.Libc {
		return "libc"
	}
	return "jemalloc-5.3.0"
}

func infoMemory(w *infoText) {
	s := w.s
	o := s.overhead()
	lua := luaMemoryOld
	if s.R.LuaIsModule {
		lua = luaMemory
	}
	w.human("used_memory", o.used)
	w.human("used_memory_rss", o.used)
	w.human("used_memory_peak", o.peak)
	w.line("used_memory_peak_perc", fmt.Sprintf("%.2f%%", o.peakPerc))
	w.num("used_memory_overhead", o.total)
	w.num("used_memory_startup", o.startup)
	w.num("used_memory_dataset", o.dataset)
	w.line("used_memory_dataset_perc", fmt.Sprintf("%.2f%%", o.datasetPercent))
	w.num("allocator_allocated", o.used)
	w.num("allocator_active", o.used)
	w.num("allocator_resident", o.used)
	w.from(info80, "allocator_muzzy")
	w.human("total_system_memory", 0)
	w.num("used_memory_lua", lua)
	w.num("used_memory_vm_eval", lua)
	w.line("used_memory_lua_human", bytesForPeople(lua))
	w.zeros("used_memory_scripts_eval", "number_of_cached_scripts", "number_of_functions", "number_of_libraries")
	w.num("used_memory_vm_functions", luaOfFunctions)
	w.human("used_memory_vm_total", lua+luaOfFunctions)
	w.num("used_memory_functions", o.functions)
	w.human("used_memory_scripts", o.functions)
	w.human("maxmemory", int64(s.maxMemory))
	w.line("maxmemory_policy", s.Conf.Text("maxmemory-policy"))
	w.ratio("allocator_frag_ratio", 1)
	w.zeros("allocator_frag_bytes")
	w.ratio("allocator_rss_ratio", 1)
	w.zeros("allocator_rss_bytes")
	w.ratio("rss_overhead_ratio", 1)
	w.zeros("rss_overhead_bytes")
	w.ratio("mem_fragmentation_ratio", 1)
	w.zeros("mem_fragmentation_bytes", "mem_not_counted_for_evict", "mem_replication_backlog", "mem_total_replication_buffers")
	w.from(info91, "mem_replicas_repl_buffer")
	w.zeros("mem_clients_slaves")
	w.num("mem_clients_normal", o.clients)
	w.zeros("mem_cluster_links")
	w.from(info90, "mem_cluster_slot_import", "mem_cluster_slot_export")
	w.zeros("mem_aof_buffer")
	w.line("mem_allocator", s.allocator())
	if w.level >= info80 {
		w.num("mem_overhead_db_hashtable_rehashing", o.rehashing)
	}
	w.zeros("active_defrag_running", "lazyfree_pending_objects", "lazyfreed_objects")
}
