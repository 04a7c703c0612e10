package scenario

// What published figures have besides.
var (
	fewClients = Cause{Words: "buffers of the connections that loaded the keys, which used_memory counts: a constant of some 70 KB", Most: 77_000}
	fifty      = Cause{Words: "buffers of the load generator's 50 connections, which used_memory counts: a constant of 0.74 to 0.78 MB", Least: 735_000, Most: 780_000}
	oneClient  = Cause{Words: "buffers of the connection that loaded the keys, which used_memory counts: up to some 25 KB", Most: 26_000}
	hashSeed   = Cause{Words: "the hash seed, which a server draws when it starts: it decides how many child buckets the tables need", Seed: true}
	pace       = Cause{Words: "how far apart the fields expire: simulated is one time for all; times a few microseconds apart make it 16 to 39 B a field", Least: -6.2, Most: 15.9, Own: true}
	round      = Cause{Words: "published as round numbers", Least: -1_500_000, Most: 1_500_000}
	which      = Cause{Words: "which lengths were looked at: from one length to the next it is 0 to 43 %", Least: -23, Most: 20.5, Own: true}

	notMemory = Cause{Words: "cited, not simulated: the simulator keeps memory, not time"}
	notRSS    = Cause{Words: "cited, not simulated: resident memory also holds what the allocator and the kernel keep"}
)

// published are the articles' measurements.
var published = []Scenario{
	{
		ID: "97-bytes", Number: "P1", Title: "Valkey 9.1's memory saving stops at 97 bytes",
		Source:  "The article of that title: builds from the tags 9.0.6 and 9.1.2, jemalloc 5.3.0, 200,000 keys of 16 bytes",
		Finding: "With 16-byte keys 9.1 keeps values of up to 97 bytes inside their object; from 98 on they cost what they cost in 9.0.",
		Teaches: []string{
			"The 128 bytes are one budget for header, key, expiry and value: a longer key, or a TTL, leaves less for the value.",
			"So there is no one limit: work out your own, and see how many of your values lie within a few bytes of it.",
			"Shortening a key's prefix can bring values back under the line.",
			"Where your values lie, valkey-cli --memkeys or STRLEN of a sample of keys will tell.",
			"Trust used_memory for such comparisons: between equal runs it differed by a few KB, RSS by up to 53 MB.",
		},
		Chart: "key=16&value=0..200&keys=200000&servers=9.0.6,9.1.2",
		Tables: []Table{
			{
				Title: "200,000 keys of 16 bytes", Servers: []string{"9.0.6", "9.1.2"}, Rest: []Cause{fewClients, hashSeed},
				Sweep: "key=16&value=60..130&keys=200000&servers=9.0.6,9.1.2&at=97",
				Play:  &Play{[]string{"9.0.6", "9.1.2"}, []string{"SET key:000000000097 ~v*97", "SET key:000000000098 ~v*98"}, "key:000000000098"},
				Rows: []Row{
					{What: "value 64 B", How: Shape("value=64&keys=200000"), Published: []string{"133.7", "109.7"}},
					{What: "value 64 B, saved", How: Shape("value=64&keys=200000"), Measure: Saved, Published: []string{"", "17.9"}},
					{What: "value 96 B", How: Shape("value=96&keys=200000"), Published: []string{"165.7", "141.7"}},
					{What: "value 96 B, saved", How: Shape("value=96&keys=200000"), Measure: Saved, Published: []string{"", "14.5"}},
					{What: "value 97 B", How: Shape("value=97&keys=200000"), Published: []string{"165.7", "141.7"}},
					{What: "value 97 B, saved", How: Shape("value=97&keys=200000"), Measure: Saved, Published: []string{"", "14.5"}},
					{What: "value 98 B", How: Shape("value=98&keys=200000"), Published: []string{"165.7", "165.7"}},
					{What: "value 98 B, saved", How: Shape("value=98&keys=200000"), Measure: Saved, Published: []string{"", "0"}},
					{What: "value 128 B", How: Shape("value=128&keys=200000"), Published: []string{"213.7", "213.7"}},
				},
			},
			{
				Title: "A longer key, a TTL", Servers: []string{"9.0.6", "9.1.2"}, Rest: []Cause{fewClients, hashSeed},
				Sweep: "key=16,32&value=60..110&ttl=none,key&keys=200000&servers=9.0.6,9.1.2",
				Play:  &Play{[]string{"9.0.6", "9.1.2"}, []string{"SET session:7:token ~v*80", "EXPIRE session:7:token 900"}, "session:7:token"},
				Rows: []Row{
					{What: "key 32 B, value 79 B", How: Shape("key=32&value=79&keys=200000"), Published: []string{"165", "141"}},
					{What: "key 32 B, value 80 B", How: Shape("key=32&value=80&keys=200000"), Published: []string{"165", "165"}},
					{What: "key 16 B with a TTL, value 89 B", How: Shape("value=89&ttl=key&keys=200000"), Published: []string{"171", "155"}},
					{What: "key 16 B with a TTL, value 90 B", How: Shape("value=90&ttl=key&keys=200000"), Published: []string{"171", "171"}},
				},
			},
			{
				Title: "Millions of keys, values of 64 bytes", Servers: []string{"9.0.6", "9.1.2"}, Rest: []Cause{fewClients, hashSeed},
				Sweep: "value=64&keys=100000..5000000/50000&servers=9.0.6,9.1.2",
				Rows: []Row{
					{What: "5,000,000 keys, used_memory", How: Shape("value=64&keys=5000000"), Measure: Megabytes, Published: []string{"674.6", "554.6"}},
					{What: "2,000,000 keys, used_memory", How: Shape("value=64&keys=2000000"), Measure: Megabytes, Published: []string{"275.0", "227.0"}},
					{What: "5,000,000 keys, RSS", Unit: "MB", Published: []string{"699.8", "573.4"}, Rest: []Cause{notRSS}},
				},
			},
			{
				Title: "Throughput, SET of 64 bytes, 50 clients, pipelines of 8, 4 processors", Servers: []string{"9.0.6", "9.1.2"}, Rest: []Cause{notMemory},
				Note: "Memory is not the only axis: which release is faster depends on the number of threads.",
				Rows: []Row{
					{What: "1 I/O thread", Unit: "requests/s", Published: []string{"232086", "247219"}},
					{What: "2 I/O threads", Unit: "requests/s", Published: []string{"368664", "321802"}},
					{What: "4 I/O threads", Unit: "requests/s", Published: []string{"218460", "360685"}},
					{What: "the best run: 2 threads on 9.0.6, 4 on 9.1.2", Unit: "requests/s", Published: []string{"394867", "380590"}},
				},
			},
		},
	},
	{
		ID: "field-ttl", Number: "P2", Title: "A TTL on fields makes a small hash three times as large",
		Source:  "An article on hash field expiration: 9.1.2 in Docker, 20,000 items; valkey#2618 on what HPERSIST leaves",
		Finding: "A listpack has no room for expiries, so the first field with a TTL turns the hash into a table, and it stays one.",
		Teaches: []string{
			"If the whole item expires at once, a string with EXPIRE is a third of the size.",
			"In large hashes, which are tables anyway, a field's TTL costs tens of bytes: the maintainers say 16 to 29.",
			"hash-max-listpack-entries does not help, and HPERSIST does not turn the table back (planned for 9.2: valkey#3212).",
		},
		Chart: "type=hash&field=5&value=10&fields=1..12&ttl=none,field&keys=20000&servers=9.1.2",
		Tables: []Table{
			{
				Title: "20,000 items of one field each", Servers: []string{"9.1.2"}, Rest: []Cause{oneClient, hashSeed},
				Note:  "Lengths were not published. Keys of 14 to 21 bytes with 14 to 16 bytes of field and value fit all three sizes; simulated are 16, 5 and 10.",
				Sweep: "type=hash&field=5&value=0..40&ttl=none,field&keys=20000&servers=9.0.6,9.1.2",
				Play: &Play{[]string{"9.0.6", "9.1.2"}, []string{"HSET user:122 auth_token 3f9c71d2aa40be17", "HSETEX user:123 EX 900 FIELDS 1 auth_token 3f9c71d2aa40be17",
					"HPERSIST user:123 FIELDS 1 auth_token", "OBJECT ENCODING user:123"}, "user:123"},
				Rows: []Row{
					{What: "hash with a TTL on its field, HSETEX", How: fieldTTL, Measure: Bytes, Published: []string{"5226560"}},
					{What: "hash with a TTL on its field, HSETEX", How: fieldTTL, Published: []string{"261"}},
					{What: "hash with a TTL on its field, HSETEX", How: fieldTTL, Measure: Encoding, Published: []string{"hashtable"}},
					{What: "hash without", How: plainHash, Measure: Bytes, Published: []string{"1754720"}},
					{What: "hash without", How: plainHash, Published: []string{"88"}},
					{What: "hash without", How: plainHash, Measure: Encoding, Published: []string{"listpack"}},
					{What: "string with EXPIRE", How: expiring, Measure: Bytes, Published: []string{"1733680"}},
					{What: "string with EXPIRE", How: expiring, Published: []string{"87"}},
				},
			},
			{
				Title: "One hash of 20,000 fields", Servers: []string{"9.1.2"}, Rest: []Cause{pace},
				Sweep: "type=hash&field=5&value=10&fields=1000..20000/500&ttl=none,field&keys=1&servers=9.1.2",
				Rows: []Row{
					{What: "a TTL on every field against none", How: Extra{"type=hash&field=5&value=10&fields=20000&keys=1&ttl=field", "type=hash&field=5&value=10&fields=20000&keys=1", 20_000},
						Measure: PerField, Published: []string{"23.44"}},
				},
			},
			{
				Title: "How it behaves", Servers: []string{"9.1.2"},
				Play: &Play{[]string{"9.1.2"}, []string{"HSET user:1 name Alice", "HEXPIRE user:1 -1 FIELDS 1 name", "HEXPIRE user:1 60 NX GT FIELDS 1 name", "HEXPIRE user:1 60 FIELDS 1 city",
					"HEXPIRE user:1 60 GT FIELDS 1 name", "HEXPIRE user:1 900 FIELDS 1 name", "HTTL user:1 FIELDS 1 name"}, "user:1"},
				Rows: []Row{
					{What: "HEXPIRE on a string", How: History{Commands: []string{"SET s x"}, Ask: "HEXPIRE s 10 FIELDS 1 f"}, Measure: Answer, Published: []string{"WRONGTYPE"}},
					{What: "a time below 0", How: History{Commands: []string{"HSET h f v"}, Ask: "HEXPIRE h -1 FIELDS 1 f"}, Measure: Answer, Published: []string{anError}},
					{What: "NX with XX", How: History{Commands: []string{"HSET h f v"}, Ask: "HEXPIRE h 10 NX XX FIELDS 1 f"}, Measure: Answer, Published: []string{anError}},
					{What: "NX with GT", How: History{Commands: []string{"HSET h f v"}, Ask: "HEXPIRE h 10 NX GT FIELDS 1 f"}, Measure: Answer, Published: []string{anError}},
					{What: "NX with LT", How: History{Commands: []string{"HSET h f v"}, Ask: "HEXPIRE h 10 NX LT FIELDS 1 f"}, Measure: Answer, Published: []string{anError}},
					{What: "no such field", How: History{Commands: []string{"HSET h f v"}, Ask: "HEXPIRE h 10 FIELDS 1 g"}, Measure: Answer, Published: []string{"-2"}},
					{What: "no such key", How: History{Commands: []string{"HSET h f v"}, Ask: "HEXPIRE i 10 FIELDS 1 f"}, Measure: Answer, Published: []string{"-2"}},
					{What: "GT on a field without a TTL", How: History{Commands: []string{"HSET h f v"}, Ask: "HEXPIRE h 10 GT FIELDS 1 f"}, Measure: Answer, Published: []string{"0"}},
					{What: "2,000 fields after 2 s and one poll of 200 ms, HLEN", How: History{Commands: []string{"HSETEX h PX 2000 FIELDS 10 a{n} v b{n} v c{n} v d{n} v e{n} v f{n} v g{n} v h{n} v i{n} v j{n} v"}, Times: 200, Wait: 2200, Ask: "HLEN h"}, Measure: Answer, Published: []string{"0"}},
					{What: "the same, INFO's expired_fields", How: History{Commands: []string{"HSETEX h PX 2000 FIELDS 10 a{n} v b{n} v c{n} v d{n} v e{n} v f{n} v g{n} v h{n} v i{n} v j{n} v"}, Times: 200, Wait: 2200, Ask: "INFO stats", Field: "expired_fields"}, Measure: Answer, Published: []string{"2000"}},
					{What: "INFO's expired_subkeys", How: History{Ask: "INFO stats", Field: "expired_subkeys"}, Measure: Answer, Published: []string{absent}},
					{What: "HTTL after save and restart", How: History{Commands: []string{"HSETEX h EX 900 FIELDS 1 f v", "DEBUG RELOAD"}, Ask: "HTTL h FIELDS 1 f"}, Measure: Answer, Published: []string{"900"}},
					{What: "with hash-max-listpack-entries 10000", How: History{Commands: []string{"CONFIG SET hash-max-listpack-entries 10000", "HSETEX h EX 900 FIELDS 1 f v"}, Ask: "OBJECT ENCODING h"},
						Measure: Answer, Published: []string{"hashtable"}},
					{What: "after HPERSIST", How: History{Commands: []string{"HSETEX h EX 900 FIELDS 1 f v", "HPERSIST h FIELDS 1 f"}, Ask: "OBJECT ENCODING h"}, Measure: Answer, Published: []string{"hashtable"}},
				},
			},
		},
	},
	{
		ID: "versions", Number: "P3", Title: "Memory version by version",
		Source:  "Percona: valkey-benchmark -t set -n 1000000 -r 1000000 -d 16, jemalloc 5.3.0, an empty instance subtracted",
		Finding: "The same 632,000 strings of 16 + 16 bytes take more than a third less in 9.1 than in 7.2. The steps are 8.0, 8.1 and 9.1.",
		Teaches: []string{
			"8.0 put the key into the table's entry: no block and no pointer of its own.",
			"8.1 put the key into the object and the objects into buckets of 64 bytes: no entry at all.",
			"9.1 uses the place of the value's pointer where the value is inside the object anyway.",
			"How you model data matters more than the release: a hash of four fields is less than half of four strings.",
		},
		Chart: "value=0..64&keys=632000&servers=7.2.14,8.0.10,8.1.9,9.0.5,9.1.1",
		Tables: []Table{
			{
				Title: "About 632,000 keys, key and value of 16 bytes", Rest: []Cause{fifty, hashSeed},
				Note:  "How many keys there are differs by run, as a million random numbers from a million hit some of them twice. Each release is simulated with its own number.",
				Sweep: "value=0..64&keys=632000&servers=7.2.14,8.0.10,8.1.9,9.0.5,9.1.1&at=16",
				Play:  &Play{[]string{"7.2.14", "8.0.10", "8.1.9", "9.0.5", "9.1.1"}, []string{"SET key:000000000001 ~v*16"}, "key:000000000001"},
				Rows: []Row{
					{What: "632,181 keys", How: Shape("value=16&keys=632181"), Servers: []string{"7.2.14"}, Published: []string{"102.48"}},
					{What: "632,565 keys", How: Shape("value=16&keys=632565"), Servers: []string{"8.0.10"}, Published: []string{"94.49"}},
					{What: "632,573 keys", How: Shape("value=16&keys=632573"), Servers: []string{"8.1.9"}, Published: []string{"71.98"}},
					{What: "631,672 keys", How: Shape("value=16&keys=631672"), Servers: []string{"9.0.5"}, Published: []string{"71.99"}},
					{What: "631,985 keys", How: Shape("value=16&keys=631985"), Servers: []string{"9.1.1"}, Published: []string{"64.02"}},
					{What: "632,181 keys, used_memory", How: Shape("value=16&keys=632181"), Measure: Mebibytes, Servers: []string{"7.2.14"}, Published: []string{"61.78"}},
					{What: "632,565 keys, used_memory", How: Shape("value=16&keys=632565"), Measure: Mebibytes, Servers: []string{"8.0.10"}, Published: []string{"57.00"}},
					{What: "632,573 keys, used_memory", How: Shape("value=16&keys=632573"), Measure: Mebibytes, Servers: []string{"8.1.9"}, Published: []string{"43.43"}},
					{What: "631,672 keys, used_memory", How: Shape("value=16&keys=631672"), Measure: Mebibytes, Servers: []string{"9.0.5"}, Published: []string{"43.36"}},
					{What: "631,985 keys, used_memory", How: Shape("value=16&keys=631985"), Measure: Mebibytes, Servers: []string{"9.1.1"}, Published: []string{"38.58"}},
				},
			},
			{
				Title: "A million users", Servers: []string{"9.1.1"}, Rest: []Cause{round},
				Note: "Which release it was is not said; the figures fit 9.1, in MiB.",
				Play: &Play{[]string{"7.2.14", "9.1.1"}, []string{"SET user:1:name Alice", "SET user:1:age 30", "SET user:1:city Toronto", "SET user:1:score 100",
					"HSET user:2 name Alice age 30 city Toronto score 100"}, "user:2"},
				Rows: []Row{
					{What: "four strings each", How: Items{1_000_000, []string{"SET user:{n}:name Alice", "SET user:{n}:age 30", "SET user:{n}:city Toronto", "SET user:{n}:score 100"}},
						Measure: Mebibytes, Published: []string{"220"}},
					{What: "a hash of four fields each", How: Items{1_000_000, []string{"HSET user:{n} name Alice age 30 city Toronto score 100"}}, Measure: Mebibytes, Published: []string{"100"}},
				},
			},
		},
	},
	{
		ID: "managed", Number: "P4", Title: "ElastiCache 9.0.0 against 9.1.0",
		Source:  "An article that measured managed instances; a million keys of 16 bytes",
		Finding: "Every figure fits an object block 8 bytes larger than the open-source one, with the embedding test unchanged, so that some values cost more on 9.1 there.",
		Teaches: []string{
			"What a managed service runs need not be the release of that number: compare before you plan with either's figures.",
		},
		Chart: "value=0..130&servers=9.0.0@managed,9.1.0@managed&show=memory_usage",
		Tables: []Table{
			{
				Title: "With a TTL, value of 16 bytes", Servers: []string{"9.0.0@managed", "9.1.0@managed"}, Beside: []string{"9.0.0", "9.1.0"},
				Sweep: "value=0..40&ttl=key&servers=9.0.0@managed,9.0.0,9.1.0@managed,9.1.0&at=16",
				Play:  &Play{[]string{"9.0.0@managed", "9.1.0@managed", "9.0.0", "9.1.0"}, []string{"SET key:000000000000 ~v*16 EX 900"}, "key:000000000000"},
				Rows: []Row{
					{What: "MEMORY USAGE", How: Shape("value=16&ttl=key"), Measure: Usage, Published: []string{"80", "64"}},
					{What: "used_memory", How: Shape("value=16&ttl=key"), Published: []string{"114.9", "98.9"}},
					{What: "used_memory less MEMORY USAGE", How: Shape("value=16&ttl=key"), Measure: TableShare, Published: []string{"34.9", "34.9"}},
				},
			},
			{
				Title: "Without a TTL, where embedding ends", Servers: []string{"9.0.0@managed", "9.1.0@managed"}, Beside: []string{"9.0.0", "9.1.0"},
				Sweep: "value=80..110&servers=9.0.0@managed,9.1.0@managed&at=90",
				Play:  &Play{[]string{"9.0.0@managed", "9.1.0@managed", "9.0.0", "9.1.0"}, []string{"SET key:000000000089 ~v*89", "SET key:000000000090 ~v*90"}, "key:000000000090"},
				Rows: []Row{
					{What: "value 89 B, MEMORY USAGE", How: Shape("value=89"), Measure: Usage, Published: []string{"144", "128"}},
					{What: "value 90 B, MEMORY USAGE", How: Shape("value=90"), Measure: Usage, Published: []string{"144", "160"}},
					{What: "value 92 B, MEMORY USAGE", How: Shape("value=92"), Measure: Usage, Published: []string{"144", "160"}},
					{What: "value 90 B, used_memory", How: Shape("value=90"), Published: []string{"161.5", ""}},
				},
			},
			{
				Title: "The longest value kept in its object", Servers: []string{"9.0.0@managed", "9.1.0@managed"}, Beside: []string{"9.0.0", "9.1.0"},
				Rows: []Row{
					{What: "key 8 B", How: Shape("key=8&value=0"), Measure: Moved, Published: []string{"", "72"}},
					{What: "key 16 B", How: Shape("key=16&value=0"), Measure: Moved, Published: []string{"", "72"}},
					{What: "key 32 B", How: Shape("key=32&value=0"), Measure: Moved, Published: []string{"", "72"}},
					{What: "key 64 B", How: Shape("key=64&value=0"), Measure: Longest, Published: []string{none, ""}},
					{What: "what a TTL changes of it", How: Shape("key=16&value=0"), Measure: WithTTL, Published: []string{"", "0"}},
				},
			},
			{
				Title: "What PEXPIRE adds", Servers: []string{"9.0.0@managed", "9.1.0@managed"}, Beside: []string{"9.0.0", "9.1.0"},
				Note: "Lengths were not published; these are some that fit.",
				Play: &Play{[]string{"9.0.0@managed", "9.1.0@managed", "9.0.0", "9.1.0"}, []string{"SET key:000000000000 ~v*90", "PEXPIRE key:000000000000 1000000"}, "key:000000000000"},
				Rows: []Row{
					{What: "value embedded on 9.0, 20 B", Servers: []string{"9.0.0@managed"}, How: History{Commands: []string{"SET key:000000000000 ~v*20"}, Ask: "MEMORY USAGE key:000000000000", Then: []string{"PEXPIRE key:000000000000 1000000"}},
						Measure: Answer, Unit: "B", Published: []string{"0"}},
					{What: "value embedded on 9.1, 90 B", Servers: []string{"9.1.0@managed"}, How: History{Commands: []string{"SET key:000000000000 ~v*90"}, Ask: "MEMORY USAGE key:000000000000", Then: []string{"PEXPIRE key:000000000000 1000000"}},
						Measure: Answer, Unit: "B", Published: []string{"0"}},
					{What: "value raw on both, 100 B", How: History{Commands: []string{"SET key:000000000000 ~v*100"}, Ask: "MEMORY USAGE key:000000000000", Then: []string{"PEXPIRE key:000000000000 1000000"}},
						Measure: Answer, Unit: "B", Published: []string{"8", "8"}},
				},
			},
		},
	},
	{
		ID: "pointer", Number: "P5", Title: "Small strings without a pointer",
		Source:  "Pull request valkey#2516, merged for 9.1, and #3397 on the larger limit",
		Finding: "A value inside its object needs no pointer to itself: 8 bytes less a key, and with the larger limit up to 24 less, as the value's own block goes.",
		Teaches: []string{
			"Memory is not the only axis: reading an embedded value took 3.8 ns in the pull request's benchmark, one with a block of its own 1.9.",
			"An earlier try at a larger limit cost a quarter of the SET throughput at the sizes affected, and was left out until #3397.",
		},
		Chart: "key=16&value=0..130&servers=9.0.6,9.1.2",
		Tables: []Table{
			{
				Title: "What a key takes beyond its key and value", Servers: []string{"9.0.6", "9.1.2"},
				Note:  "Keys and values are left out on both sides; tables for a million keys are in. The sizes affected by the larger limit are not listed: simulated is the mean over all values that 9.1 embeds and 9.0 does not.",
				Sweep: "key=16&value=0..130&servers=9.0.6,9.1.2&at=16",
				Play:  &Play{[]string{"9.0.6", "9.1.2"}, []string{"SET key:000000000001 ~v*16", "SET key:000000000002 ~v*64"}, "key:000000000001"},
				Rows: []Row{
					{What: "key and value 16 B", How: Shape("key=16&value=16"), Measure: Leaner, Published: []string{"", "about 20"}},
					{What: "value 26 to 97 B, key 16 B", How: Shape("key=16&value=26..97"), Measure: Leaner, Published: []string{"", "about 30"}, Rest: []Cause{which}},
				},
			},
			{
				Title: "Time", Servers: []string{"before", "after"}, Rest: []Cause{notMemory},
				Rows: []Row{
					{What: "GET", Unit: "requests/s", Published: []string{"988142", "977517"}},
					{What: "SET at the sizes of the larger limit, an earlier try", Unit: "%", Servers: []string{"after"}, Published: []string{"about -25"}},
					{What: "finding a key", Unit: "ns", Servers: []string{"after"}, Published: []string{"2.9"}},
					{What: "reading an embedded value", Unit: "ns", Servers: []string{"after"}, Published: []string{"3.8"}},
					{What: "reading a value with a block of its own", Unit: "ns", Servers: []string{"after"}, Published: []string{"1.9"}},
				},
			},
		},
	},
}

// The items of P2.
const (
	fieldTTL  = Shape("type=hash&field=5&value=10&ttl=field&keys=20000")
	plainHash = Shape("type=hash&field=5&value=10&keys=20000")
	expiring  = Shape("value=10&ttl=key&history=set%2Bpexpire&keys=20000")
)
