package command

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

var _ = add(map[string]handler{"info": infoCommand})

// The releases whose fields INFO has, as release.InfoFields numbers them.
const (
	info80 = 1
	info81 = 2
	info90 = 3
	info91 = 4
)

// infoSection is one part of INFO.
type infoSection struct {
	name, title string
	byDefault   bool // INFO without arguments has it
	since       int
	write       func(*infoText)
}

// infoSections are in the order in which INFO prints them, whatever the order asked for.
var infoSections = []infoSection{
	{"server", "Server", true, 0, infoServer},
	{"tls", "TLS", false, info91, infoTLS},
	{"clients", "Clients", true, 0, infoClients},
	{"memory", "Memory", true, 0, infoMemory},
	{"persistence", "Persistence", true, 0, infoPersistence},
	{"stats", "Stats", true, 0, infoStats},
	{"replication", "Replication", true, 0, infoReplication},
	{"cpu", "CPU", true, 0, infoCPU},
	{"module_list", "Modules", true, 0, infoModules},
	{"commandstats", "Commandstats", false, 0, infoCommandstats},
	{"errorstats", "Errorstats", true, 0, infoErrorstats},
	{"latencystats", "Latencystats", false, 0, infoLatencystats},
	{"cluster", "Cluster", true, 0, infoCluster},
	{"cluster_info", "Cluster Info", false, info91, func(*infoText) {}},
	{"scriptingengines", "Scripting Engines", false, info91, infoEngines},
	{"keyspace", "Keyspace", true, 0, infoKeyspace},
	{"debug", "Debug", false, 0, infoDebug},
}

// infoText collects the lines of INFO.
type infoText struct {
	strings.Builder
	s     *Server
	level int // release.InfoFields
}

func (w *infoText) line(name, value string) {
	w.WriteString(name)
	w.WriteByte(':')
	w.WriteString(value)
	w.WriteString("\r\n")
}

func (w *infoText) num(name string, n int64) { w.line(name, strconv.FormatInt(n, 10)) }

// flag prints 1 or 0.
func (w *infoText) flag(name string, on bool) {
	if on {
		w.line(name, "1")
	} else {
		w.line(name, "0")
	}
}

// ratio prints two digits after the dot.
func (w *infoText) ratio(name string, f float64) { w.line(name, fmt.Sprintf("%.2f", f)) }

// zeros prints fields for what never happens here.
func (w *infoText) zeros(names ...string) {
	for _, n := range names {
		w.line(n, "0")
	}
}

// from prints fields for what never happens here, from a release on.
func (w *infoText) from(level int, names ...string) {
	if w.level >= level {
		w.zeros(names...)
	}
}

// human prints a size and, under the same name with _human, the same size for people.
func (w *infoText) human(name string, n int64) {
	w.num(name, n)
	w.line(name+"_human", bytesForPeople(n))
}

func bytesForPeople(n int64) string {
	if n < 1<<10 {
		return strconv.FormatInt(n, 10) + "B"
	}
	unit, f := 0, float64(n)/(1<<10)
	for n >>= 10; n >= 1<<10 && unit < 4; n >>= 10 {
		f /= 1 << 10
		unit++
	}
	return fmt.Sprintf("%.2f%c", f, "KMGTP"[unit])
}

func infoCommand(c *Client) { c.Verbatim("txt", c.S.InfoText(c.Args[1:])) }

// InfoText is what INFO prints for the sections named, for the default ones if there are none.
func (s *Server) InfoText(names [][]byte) string {
	asked, all, byDefault := map[string]bool{}, false, len(names) == 0
	for _, n := range names {
		switch name := strings.ToLower(string(n)); name {
		case "all", "everything":
			all = true
		case "default":
			byDefault = true
		case "modules":
			asked["module_list"] = true
		default:
			asked[name] = true
		}
	}
	w := &infoText{s: s, level: s.R.InfoFields}
	for _, x := range infoSections {
		wanted := asked[x.name] || all && x.name != "debug" || byDefault && x.byDefault
		if !wanted || w.level < x.since {
			continue
		}
		if w.Len() > 0 {
			w.WriteString("\r\n")
		}
		w.WriteString("# " + x.title + "\r\n")
		x.write(w)
	}
	return w.String()
}

// infoServer tells of a process that there is not: what depends on a machine is that of none.
func infoServer(w *infoText) {
	s := w.s
	w.line("redis_version", redisVersion)
	w.line("server_name", "valkey")
	w.line("valkey_version", s.R.Version)
	if w.level >= info81 {
		w.line("valkey_release_stage", "ga")
	}
	w.line("redis_git_sha1", "00000000")
	w.line("redis_git_dirty", "0")
	w.line("redis_build_id", "0")
	mode := "server_mode"
	if w.level < info80 || s.compat() {
		mode = "redis_mode"
	}
	w.line(mode, "standalone")
	w.line("os", "Keyloupe simulation x86_64")
	w.line("arch_bits", "64")
	w.line("monotonic_clock", "POSIX clock_gettime")
	w.line("multiplexing_api", "none")
	if w.level < info80 {
		w.line("atomicvar_api", "c11-builtin")
	}
	w.line("gcc_version", "0.0.0")
	w.line("process_id", "1")
	w.line("process_supervised", "no")
	w.line("run_id", s.runID)
	w.line("tcp_port", s.Conf.Text("port"))
	w.num("server_time_usec", s.now)
	up := s.now/1_000_000 - s.started/1_000_000
	w.num("uptime_in_seconds", up)
	w.num("uptime_in_days", up/(24*3600))
	w.line("hz", s.Conf.Text("hz"))
	w.line("configured_hz", s.Conf.Text("hz"))
	if w.level >= info81 {
		w.line("clients_hz", s.Conf.Text("hz"))
	}
	w.num("lru_clock", int64(s.Space.LRUClock()))
	w.line("executable", "")
	w.line("config_file", "")
	w.zeros("io_threads_active")
	if w.level >= info81 {
		w.line("availability_zone", s.Conf.Text("availability-zone"))
	}
	w.line("listener0", "name=tcp,bind=127.0.0.1,port="+s.Conf.Text("port"))
}

func infoTLS(w *infoText) {
	for _, which := range []string{"server", "client", "ca"} {
		w.line("tls_"+which+"_cert_serial", "none")
		w.zeros("tls_" + which + "_cert_expires_in_seconds")
	}
}

func infoClients(w *infoText) {
	s := w.s
	var blocked, timed, subscribed, watching int64
	for _, c := range s.Clients {
		if c.blocked != nil {
			blocked++
			if c.blocked.until != 0 {
				timed++
			}
		}
		if c.Subscribed() {
			subscribed++
		}
		if len(c.multi.keys) > 0 {
			watching++
		}
	}
	w.num("connected_clients", int64(len(s.Clients)))
	w.zeros("cluster_connections")
	w.line("maxclients", s.Conf.Text("maxclients"))
	w.zeros("client_recent_max_input_buffer", "client_recent_max_output_buffer")
	w.num("blocked_clients", blocked)
	w.num("tracking_clients", int64(s.trackers.clients))
	if w.level >= info80 {
		w.num("pubsub_clients", subscribed)
		w.num("watching_clients", watching)
	}
	w.num("clients_in_timeout_table", timed)
	if w.level >= info80 {
		w.num("total_watched_keys", int64(len(s.watch.by)))
	}
	w.num("total_blocking_keys", int64(len(s.blocking.waiting)))
	w.num("total_blocking_keys_on_nokey", s.blockingOnNoKey())
	if w.level >= info81 {
		infoPause(w)
	}
}

// blockingOnNoKey counts the keys whose going would serve a client too.
func (s *Server) blockingOnNoKey() int64 {
	keys := map[readyKey]bool{}
	for _, c := range s.Clients {
		if c.blocked == nil || !c.blocked.noKey {
			continue
		}
		for _, k := range c.blocked.keys {
			keys[readyKey{c.blocked.db, string(k)}] = true
		}
	}
	return int64(len(keys))
}

func infoPause(w *infoText) {
	reason, actions, left := "none", "none", int64(0)
	if s := w.s; s.pausing() {
		reason, actions, left = "client_pause", "write", s.pause.until-s.NowMS()
		if s.pause.all {
			actions = "all"
		}
	}
	w.line("paused_reason", reason)
	w.line("paused_actions", actions)
	w.num("paused_timeout_milliseconds", left)
}

func infoPersistence(w *infoText) {
	s := w.s
	w.zeros("loading", "async_loading", "current_cow_peak", "current_cow_size", "current_cow_size_age")
	w.line("current_fork_perc", "0.00")
	w.zeros("current_save_keys_processed", "current_save_keys_total")
	w.num("rdb_changes_since_last_save", s.Dirty-s.saved)
	w.zeros("rdb_bgsave_in_progress")
	w.num("rdb_last_save_time", s.lastSave)
	w.line("rdb_last_bgsave_status", "ok")
	w.line("rdb_last_bgsave_time_sec", "-1")
	w.line("rdb_current_bgsave_time_sec", "-1")
	w.num("rdb_saves", s.saves)
	w.zeros("rdb_last_cow_size", "rdb_last_load_keys_expired", "rdb_last_load_keys_loaded", "aof_enabled", "aof_rewrite_in_progress", "aof_rewrite_scheduled")
	w.line("aof_last_rewrite_time_sec", "-1")
	w.line("aof_current_rewrite_time_sec", "-1")
	w.line("aof_last_bgrewrite_status", "ok")
	w.zeros("aof_rewrites", "aof_rewrites_consecutive_failures")
	w.line("aof_last_write_status", "ok")
	w.zeros("aof_last_cow_size", "module_fork_in_progress", "module_fork_last_cow_size")
	w.from(info90, "slot_migration_fork_in_progress")
}

// infoStats has what can be counted here; nothing is measured by time.
func infoStats(w *infoText) {
	s := w.s
	in, out := s.netTotals()
	w.num("total_connections_received", s.Stats.Connections)
	w.num("total_commands_processed", s.Stats.Commands)
	w.num("instantaneous_ops_per_sec", s.rates.commands.perSecond())
	w.num("total_net_input_bytes", in)
	w.num("total_net_output_bytes", out)
	w.zeros("total_net_repl_input_bytes", "total_net_repl_output_bytes")
	w.from(info90, "total_net_cluster_slot_import_bytes", "total_net_cluster_slot_export_bytes")
	w.ratio("instantaneous_input_kbps", float64(s.rates.input.perSecond())/1024)
	w.ratio("instantaneous_output_kbps", float64(s.rates.output.perSecond())/1024)
	for _, what := range []string{"input_repl", "output_repl"} {
		w.line("instantaneous_"+what+"_kbps", "0.00")
	}
	w.num("rejected_connections", s.Stats.Refused)
	w.zeros("sync_full", "sync_partial_ok", "sync_partial_err")
	w.num("expired_keys", s.Space.Stats.Expired)
	if w.level >= info90 {
		w.num("expired_fields", s.Space.Stats.ExpiredFields)
	}
	w.line("expired_stale_perc", "0.00")
	if w.level >= info90 {
		w.line("expired_keys_with_volatile_items_stale_perc", "0.00")
	}
	w.zeros("expired_time_cap_reached_count", "expire_cycle_cpu_milliseconds")
	w.num("evicted_keys", s.eviction.keys)
	w.num("evicted_clients", s.Stats.EvictedClients)
	w.from(info80, "evicted_scripts")
	w.zeros("total_eviction_exceeded_time", "current_eviction_exceeded_time")
	w.num("keyspace_hits", s.Space.Stats.Hits)
	w.num("keyspace_misses", s.Space.Stats.Misses)
	w.num("pubsub_channels", int64(len(s.topics[channelTopic])))
	w.num("pubsub_patterns", int64(len(s.topics[patternTopic])))
	w.num("pubsubshard_channels", int64(len(s.topics[shardTopic])))
	w.zeros("latest_fork_usec", "total_forks", "migrate_cached_sockets", "slave_expires_tracked_keys", "active_defrag_hits", "active_defrag_misses",
		"active_defrag_key_hits", "active_defrag_key_misses", "total_active_defrag_time", "current_active_defrag_time",
	)
	w.num("tracking_total_keys", int64(len(s.trackers.byKey)))
	w.num("tracking_total_items", int64(s.trackers.items))
	w.num("tracking_total_prefixes", int64(len(s.trackers.prefixes)))
	w.zeros("unexpected_error_replies")
	w.num("total_error_replies", s.Stats.Errors)
	w.zeros("dump_payload_sanitizations")
	w.num("total_reads_processed", s.Stats.Reads)
	w.num("total_writes_processed", s.Stats.Reads)
	w.zeros("io_threaded_reads_processed", "io_threaded_writes_processed")
	w.from(info80, "io_threaded_freed_objects")
	w.from(info81, "io_threaded_accept_processed")
	w.from(info80, "io_threaded_poll_processed", "io_threaded_total_prefetch_batches", "io_threaded_total_prefetch_entries")
	w.num("client_query_buffer_limit_disconnections", s.Stats.LongRequests)
	w.num("client_output_buffer_limit_disconnections", s.Stats.SlowReaders)
	w.zeros("reply_buffer_shrinks", "reply_buffer_expands")
	w.num("eventloop_cycles", s.Stats.Cycles)
	w.num("eventloop_duration_sum", s.Active.Microseconds())
	w.num("eventloop_duration_cmd_sum", s.Stats.took.Microseconds())
	w.num("instantaneous_eventloop_cycles_per_sec", s.rates.cycles.perSecond())
	w.zeros("instantaneous_eventloop_duration_usec")
	w.num("acl_access_denied_auth", s.Stats.WrongPasswords)
	w.zeros("acl_access_denied_cmd", "acl_access_denied_key", "acl_access_denied_channel")
	w.from(info90, "acl_access_denied_tls_cert")
	w.from(info91, "acl_access_denied_db")
}

func infoReplication(w *infoText) {
	s := w.s
	if s.replica() {
		infoReplica(w)
	} else {
		w.line("role", "master")
	}
	w.zeros("connected_slaves")
	if s.needsReplicas {
		w.zeros("min_slaves_good_slaves")
	}
	w.from(info80, "replicas_waiting_psync")
	w.line("master_failover_state", "no-failover")
	w.line("master_replid", s.replID)
	w.line("master_replid2", s.replID2)
	w.zeros("master_repl_offset")
	if s.replID2 == noID {
		w.line("second_repl_offset", "-1")
	} else {
		w.line("second_repl_offset", "1") // nothing was ever replicated
	}
	w.zeros("repl_backlog_active")
	w.line("repl_backlog_size", s.Conf.Text("repl-backlog-size"))
	w.zeros("repl_backlog_first_byte_offset", "repl_backlog_histlen")
}

// infoReplica tells of a replica that has not reached its primary yet.
func infoReplica(w *infoText) {
	s := w.s
	w.line("role", "slave")
	w.line("master_host", s.primary.host)
	w.num("master_port", s.primary.port)
	w.line("master_link_status", "down")
	w.line("master_last_io_seconds_ago", "-1")
	w.zeros("master_sync_in_progress", "slave_read_repl_offset", "slave_repl_offset")
	w.from(info80, "replicas_repl_buffer_size", "replicas_repl_buffer_peak")
	w.line("master_link_down_since_seconds", "-1")
	w.line("slave_priority", s.Conf.Text("replica-priority"))
	w.flag("slave_read_only", s.Conf.Yes("replica-read-only"))
	w.flag("replica_announced", s.Conf.Yes("replica-announced"))
}

func infoCPU(w *infoText) {
	for _, name := range []string{"sys", "user", "sys_children", "user_children", "sys_main_thread", "user_main_thread"} {
		w.line("used_cpu_"+name, "0.000000")
	}
	if w.level >= info91 {
		w.line("used_active_time_main_thread", fmt.Sprintf("%d.%06d", w.s.Active/time.Second, w.s.Active%time.Second/time.Microsecond))
	}
}

func infoModules(w *infoText) {
	if w.s.R.LuaIsModule {
		w.line("module", "name=lua,ver=1,api=1,filters=0,usedby=[],using=[],options=[handle-repl-async-load|handle-atomic-slot-migration]")
	}
}

// infoCommandstats is in order of name; the server's own order is that of a hash table.
func infoCommandstats(w *infoText) {
	for _, name := range w.s.called() {
		n := w.s.Stats.Calls[name]
		w.line("cmdstat_"+name, fmt.Sprintf("calls=%d,usec=%d,usec_per_call=%.2f,rejected_calls=%d,failed_calls=%d",
			n.Done, n.took.Microseconds(), n.perCall(), n.Rejected, n.Failed))
	}
}

func (s *Server) called() (names []string) {
	for name := range s.Stats.Calls {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func infoErrorstats(w *infoText) {
	var codes []string
	for code := range w.s.Stats.ErrorCodes {
		codes = append(codes, code)
	}
	sort.Strings(codes)
	for _, code := range codes {
		w.line("errorstat_"+code, "count="+strconv.FormatInt(w.s.Stats.ErrorCodes[code], 10))
	}
}

func infoLatencystats(w *infoText) {
	if !w.s.Conf.Yes("latency-tracking") {
		return
	}
	percentiles := strings.Fields(w.s.Conf.Text("latency-tracking-info-percentiles"))
	for _, name := range w.s.called() {
		h := &w.s.Stats.Calls[name].durations
		if h.calls == 0 {
			continue
		}
		var values []string
		for _, p := range percentiles {
			percent, _ := strconv.ParseFloat(p, 64)
			values = append(values, fmt.Sprintf("p%s=%.3f", p, float64(h.percentile(percent))/1000))
		}
		w.line("latency_percentiles_usec_"+name, strings.Join(values, ","))
	}
}

func infoCluster(w *infoText) { w.zeros("cluster_enabled") }

func infoEngines(w *infoText) {
	memory := luaMemory + luaOfFunctions
	w.line("engines_count", "1")
	w.num("engines_total_used_memory", memory)
	w.line("engines_total_memory_overhead", strconv.Itoa(luaOverhead))
	w.line("engine_0", fmt.Sprintf("name=LUA,module=lua,abi_version=4,used_memory=%d,memory_overhead=%d", memory, luaOverhead))
}

// infoKeyspace has no avg_ttl: the server estimates it by sampling.
func infoKeyspace(w *infoText) {
	for i := range w.s.Space.Databases() {
		db := w.s.Space.Existing(i)
		if db == nil || db.Len() == 0 {
			continue
		}
		text := fmt.Sprintf("keys=%d,expires=%d,avg_ttl=0", db.Len(), db.Expires())
		if w.level >= info90 {
			text += fmt.Sprintf(",keys_with_volatile_items=%d", db.VolatileItems())
		}
		w.line("db"+itoa(i), text)
	}
}

func infoDebug(w *infoText) {
	w.zeros("eventloop_duration_aof_sum", "eventloop_duration_cron_sum", "eventloop_duration_max", "eventloop_cmd_per_cycle_max")
	w.from(info91, "io_threaded_reads_pending", "io_threaded_writes_pending")
}
