package scenario

// questions are what people ask in public. A table is a question; what was published of the answer stands beside what the servers say.
var questions = Scenario{
	ID: "questions", Number: "Q", Title: "Questions people ask in public",
	Source:  "Issues and discussions of valkey and redis, and others named with each question",
	Finding: "One click puts each into the playground, where the bytes give the answer.",
	Tables: []Table{
		{
			Title: "Why is this string raw, when its value has three bytes? (valkey#2026)", Servers: []string{"8.1.1", "9.1.2"},
			Note: "The key is in the object too: with 41 bytes of it the sum is over 64 on 8.1, and well below 128 on 9.1.",
			Play: &Play{[]string{"8.1.1", "9.1.2"}, []string{"SET ~k*41 bar", "OBJECT ENCODING ~k*41"}, "~k*41"},
			Rows: []Row{
				{What: "key of 41 bytes, value bar", How: History{Commands: []string{"SET ~k*41 bar"}, Ask: "OBJECT ENCODING ~k*41"}, Measure: Answer, Published: []string{"raw", ""}},
			},
		},
		{
			Title: "Why is a value of 40 bytes raw, when the limit is said to be 44? (redis#14438)", Servers: []string{"7.2.14", "9.0.6", "9.1.2"},
			Note: "44 was the limit while the key had a block of its own. Asked of a redis that keeps the key inside as 8.1 and 9.0 do.",
			Play: &Play{[]string{"7.2.14", "9.0.6", "9.1.2"}, []string{"SET k1 ~v*39", "OBJECT ENCODING k1", "SET k1 ~v*40", "OBJECT ENCODING k1"}, "k1"},
			Rows: []Row{
				{What: "key k1, value of 39 bytes", How: History{Commands: []string{"SET k1 ~v*39"}, Ask: "OBJECT ENCODING k1"}, Measure: Answer, Published: []string{"", "embstr", ""}},
				{What: "key k1, value of 40 bytes", How: History{Commands: []string{"SET k1 ~v*40"}, Ask: "OBJECT ENCODING k1"}, Measure: Answer, Published: []string{"", "raw", ""}},
			},
		},
		{
			Title: "What does one field cost? (the blog post on the secret life of data)", Servers: []string{"9.0.6", "9.1.2"},
			Note:  "At 64 bytes the string's length takes a second byte, and the listpack the next size class. At 65 the hash becomes a table.",
			Sweep: "type=hash&key=4&field=5&value=50..80&servers=9.0.6,9.1.2&at=65&show=memory_usage",
			Play:  &Play{[]string{"9.0.6", "9.1.2"}, []string{"HSET h:63 field ~v*63", "HSET h:64 field ~v*64", "HSET h:65 field ~v*65"}, "h:65"},
			Rows: []Row{
				{What: "value of 63 bytes", How: History{Commands: []string{"HSET h:63 field ~v*63"}, Ask: "MEMORY USAGE h:63"}, Measure: Answer, Unit: "B", Published: []string{"104", ""}},
				{What: "value of 64 bytes", How: History{Commands: []string{"HSET h:64 field ~v*64"}, Ask: "MEMORY USAGE h:64"}, Measure: Answer, Unit: "B", Published: []string{"120", ""}},
				{What: "value of 65 bytes", How: History{Commands: []string{"HSET h:65 field ~v*65"}, Ask: "MEMORY USAGE h:65"}, Measure: Answer, Unit: "B"},
			},
		},
		{
			Title: "How much does hset key foo bar take?", Servers: []string{"7.2.14", "9.1.2"},
			Play: &Play{[]string{"7.2.14", "9.1.2"}, []string{"HSET key foo bar", "MEMORY USAGE key"}, "key"},
			Rows: []Row{
				{What: "MEMORY USAGE", How: History{Commands: []string{"HSET key foo bar"}, Ask: "MEMORY USAGE key"}, Measure: Answer, Unit: "B"},
			},
		},
		{
			Title: "Why did memory jump by one key? (redis#7473)", Servers: []string{"7.2.14", "9.1.2"},
			Note:  "A table doubles when it is full: on 7.2 with the key after the 1,048,576th, on 9.1 at 917,504. With activerehashing the old half goes soon after.",
			Sweep: "value=16&keys=500000..1500000/5000&servers=7.2.14,9.1.2&show=total",
			Rows: []Row{
				{What: "917,503 keys, used_memory", How: Shape("value=16&keys=917503"), Measure: Mebibytes},
				{What: "917,504 keys, used_memory", How: Shape("value=16&keys=917504"), Measure: Mebibytes},
				{What: "1,048,576 keys, used_memory", How: Shape("value=16&keys=1048576"), Measure: Mebibytes},
				{What: "1,048,577 keys, used_memory", How: Shape("value=16&keys=1048577"), Measure: Mebibytes},
			},
		},
		{
			Title: "Why do 100 strings of 1 MB take 200 MB after APPEND? (redis#548)", Servers: []string{"7.2.14", "9.1.2"},
			Note: "APPEND and SETRANGE leave room for the next one: as much again, or 1 MB where the string is longer than that.",
			Play: &Play{[]string{"7.2.14", "9.1.2"}, []string{"SETRANGE k 1048575 x", "MEMORY USAGE k", "DEL k", "SETRANGE k 524287 x", "SETRANGE k 1048574 x", "APPEND k x", "STRLEN k", "MEMORY USAGE k"}, "k"},
			Rows: []Row{
				{What: "1 MB written at once", How: History{Commands: []string{"SETRANGE k 1048575 x"}, Ask: "MEMORY USAGE k"}, Measure: Answer, Unit: "B"},
				{What: "1 MB that was half of it before", How: History{Commands: []string{"SETRANGE k 524287 x", "SETRANGE k 1048574 x", "APPEND k x"}, Ask: "MEMORY USAGE k"}, Measure: Answer, Unit: "B"},
			},
		},
		{
			Title: "What does a list of five strings of ten characters take? (redis#11156)", Servers: []string{"7.2.14", "9.1.2"},
			Play: &Play{[]string{"7.2.14", "9.1.2"}, []string{"RPUSH list aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee", "OBJECT ENCODING list", "MEMORY USAGE list"}, "list"},
			Rows: []Row{
				{What: "MEMORY USAGE", How: History{Commands: []string{"RPUSH list aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee"}, Ask: "MEMORY USAGE list"}, Measure: Answer, Unit: "B"},
				{What: "encoding", How: History{Commands: []string{"RPUSH list aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd eeeeeeeeee"}, Ask: "OBJECT ENCODING list"}, Measure: Answer},
			},
		},
		{
			Title: "What does a TTL cost? (redis#9480)", Servers: []string{"7.2.14", "8.1.9", "9.1.2"},
			Note:  "On 7.2 and 8.0 an entry of a second table, which MEMORY USAGE does not count; since 8.1 eight bytes in the object, and the second table.",
			Sweep: "value=64&ttl=none,key&keys=100000..2000000/20000&servers=7.2.14,8.1.9,9.1.2",
			Play:  &Play{[]string{"7.2.14", "8.1.9", "9.1.2"}, []string{"SET key:000000000001 ~v*64", "PEXPIRE key:000000000001 1000000"}, "key:000000000001"},
			Rows: []Row{
				{What: "a million keys of 16 + 64 bytes", How: Shape("value=64")},
				{What: "the same with a TTL", How: Shape("value=64&ttl=key")},
			},
		},
		{
			Title: "Why do MEMORY USAGE's samples change the answer? (tiny-rdm#432)", Servers: []string{"7.2.14", "9.1.2"},
			Note: "It takes five elements for all of them. SAMPLES 0 looks at each, which takes as long as the key is large.",
			Play: &Play{[]string{"7.2.14", "9.1.2"}, []string{"HSET h a ~v*100 b ~v*100 c ~v*100 d ~v*100 e ~v*100", "HSET h f 1 g 1 h 1 i 1 j 1 k 1 l 1", "MEMORY USAGE h", "MEMORY USAGE h SAMPLES 0"}, "h"},
			Rows: []Row{
				{What: "twelve unequal fields, SAMPLES 5", How: History{Commands: []string{"HSET h a ~v*100 b ~v*100 c ~v*100 d ~v*100 e ~v*100", "HSET h f 1 g 1 h 1 i 1 j 1 k 1 l 1"}, Ask: "MEMORY USAGE h SAMPLES 5"}, Measure: Answer, Unit: "B"},
				{What: "the same, SAMPLES 0", How: History{Commands: []string{"HSET h a ~v*100 b ~v*100 c ~v*100 d ~v*100 e ~v*100", "HSET h f 1 g 1 h 1 i 1 j 1 k 1 l 1"}, Ask: "MEMORY USAGE h SAMPLES 0"}, Measure: Answer, Unit: "B"},
			},
		},
		{
			Title: "How are the limits of a listpack set? (valkey#3299)", Servers: []string{"9.1.2"},
			Note: "hash-max-listpack-entries and hash-max-listpack-value, and their like for sets and sorted sets. A table does not turn back when a limit is raised: write the key anew.",
			Play: &Play{[]string{"9.1.2"}, []string{"HSET h field ~v*65", "OBJECT ENCODING h", "CONFIG SET hash-max-listpack-value 128", "OBJECT ENCODING h", "DEL h", "HSET h field ~v*65", "OBJECT ENCODING h"}, "h"},
			Rows: []Row{
				{What: "value of 65 bytes", How: History{Commands: []string{"HSET h field ~v*65"}, Ask: "OBJECT ENCODING h"}, Measure: Answer},
				{What: "with hash-max-listpack-value 128", How: History{Commands: []string{"CONFIG SET hash-max-listpack-value 128", "HSET h field ~v*65"}, Ask: "OBJECT ENCODING h"}, Measure: Answer},
				{What: "the limit raised afterwards", How: History{Commands: []string{"HSET h field ~v*65", "CONFIG SET hash-max-listpack-value 128"}, Ask: "OBJECT ENCODING h"}, Measure: Answer},
			},
		},
		{
			Title: "Can the size of a database be foretold? (valkey#940)", Servers: []string{"9.0.6", "9.1.2"},
			Note:  "From lengths and the number of keys: yes, but for the child buckets, which depend on the hash seed.",
			Sweep: "key=24&value=120&ttl=key&keys=1000000..20000000/200000&servers=9.0.6,9.1.2&show=total",
			Rows: []Row{
				{What: "10,000,000 keys of 24 + 120 bytes with a TTL", How: Shape("key=24&value=120&ttl=key&keys=10000000"), Measure: Megabytes},
			},
		},
	},
}
