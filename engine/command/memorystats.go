package command

import (
	"github.com/keyloupe/keyloupe/engine/release"
)

var _ = add(map[string]handler{
	"memory|stats": memoryStatsCommand, "memory|doctor": memoryDoctorCommand,
	"memory|malloc-stats": memoryMallocStatsCommand, "memory|purge": func(c *Client) { c.OK() },
})

// statField is one field of MEMORY STATS: a number, a fraction, or what write replies.
type statField struct {
	name     string
	n        int64
	fraction bool
	f        float32
	write    func()
}

func memoryStatsCommand(c *Client) {
	fields := c.memoryStats()
	c.Map(len(fields))
	for _, f := range fields {
		c.BulkString(f.name)
		switch {
		case f.write != nil:
			f.write()
		case f.fraction:
			c.Double(float64(f.f)) // the server's are floats of 32 bits
		default:
			c.Int(f.n)
		}
	}
}

// memoryStats are the fields in the release's order.
func (c *Client) memoryStats() (fields []statField) {
	level, o := c.S.R.InfoFields, c.S.overhead()
	num := func(name string, n int64) { fields = append(fields, statField{name: name, n: n}) }
	from := func(since int, name string, n int64) {
		if level >= since {
			num(name, n)
		}
	}
	ratio := func(name string, f float32) { fields = append(fields, statField{name: name, fraction: true, f: f}) }
	num("peak.allocated", o.peak)
	num("total.allocated", o.used)
	num("startup.allocated", o.startup)
	num("replication.backlog", 0)
	from(info91, "replicas.repl.buffer", 0)
	num("clients.slaves", 0)
	num("clients.normal", o.clients)
	num("cluster.links", 0)
	from(info90, "cluster.slot_import", 0)
	from(info90, "cluster.slot_export", 0)
	num("aof.buffer", 0)
	num("lua.caches", 0)
	num("functions.caches", o.functions)
	for _, db := range o.databases {
		fields = append(fields, statField{name: "db." + itoa(db.id), write: func() {
			c.Map(2)
			c.BulkString("overhead.hashtable.main")
			c.Int(int64(db.Main))
			c.BulkString("overhead.hashtable.expires")
			c.Int(int64(db.Expires))
		}})
	}
	from(info80, "overhead.db.hashtable.lut", o.lut)
	from(info80, "overhead.db.hashtable.rehashing", o.rehashing)
	num("overhead.total", o.total)
	from(info80, "db.dict.rehashing.count", o.tables)
	num("keys.count", o.keys)
	num("keys.bytes-per-key", o.bytesPerKey(c.S.R))
	num("dataset.bytes", o.dataset)
	ratio("dataset.percentage", o.datasetPercent)
	ratio("peak.percentage", o.peakPerc)
	num("allocator.allocated", o.used)
	num("allocator.active", o.used)
	num("allocator.resident", o.used)
	from(info80, "allocator.muzzy", 0)
	ratio("allocator-fragmentation.ratio", 1)
	num("allocator-fragmentation.bytes", 0)
	ratio("allocator-rss.ratio", 1)
	num("allocator-rss.bytes", 0)
	ratio("rss-overhead.ratio", 1)
	num("rss-overhead.bytes", 0)
	ratio("fragmentation", 1)
	num("fragmentation.bytes", 0)
	return fields
}

const fewBytes = 5 << 20 // below that MEMORY DOCTOR says nothing

// memoryDoctorCommand knows one of the server's complaints, that of a past peak: the others are about
// the allocator, replicas and scripts, of which there are none.
func memoryDoctorCommand(c *Client) {
	o := c.S.overhead()
	text := "Hi Sam, I can't find any memory issue in your instance. I can only account for what occurs on this base.\n"
	switch {
	case o.used < fewBytes:
		text = "Hi Sam, this instance is empty or is using very little memory, my issues detector can't be used in these conditions. Please, leave for your mission on Earth and fill it with some data. The new Sam and I will be back to our programming as soon as I finished rebooting.\n"
	case float32(o.peak)/float32(o.used) > 1.5:
		text = "Sam, I detected a few issues in this Valkey instance memory implants:\n\n" +
			" * Peak memory: In the past this instance used more than 150% the memory that is currently using. The allocator is normally not able to release memory after a peak, so you can expect to see a big fragmentation ratio, however this is actually harmless and is only due to the memory peak, and if the Valkey instance Resident Set Size (RSS) is currently bigger than expected, the memory will be used as soon as you fill the Valkey instance with more data. If the memory peak was only occasional and you want to try to reclaim memory, please try the MEMORY PURGE command, otherwise the only other option is to shutdown and restart the instance.\n\n" +
			"I'm here to keep you safe, Sam. I want to help you.\n"
	}
	c.Verbatim("txt", text)
}

// memoryMallocStatsCommand has no allocator to ask.
func memoryMallocStatsCommand(c *Client) {
	if c.S.R.Build.ID == release.Libc {
		c.BulkString("Stats not supported for the current allocator")
		return
	}
	c.Error("ERR MEMORY MALLOC-STATS is not simulated: there is no jemalloc to ask; INFO memory and MEMORY STATS tell what the simulated heap holds")
}
