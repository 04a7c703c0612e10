package catalog

import (
	"strconv"
	"strings"
)

// special are the directives with rules of their own. Each gets a value its kind accepts and returns it as CONFIG GET
// will print it, or the server's words for what is wrong. What depends on the machine (addresses that can be bound,
// locales, certificates, limits of open files) is taken as on one that has the usual: any address, the locale C, no
// certificates, no limit.
var special map[string]func(s *Settings, v string) (string, string)

func init() { // the checks read the table through Settings
	special = map[string]func(s *Settings, v string) (string, string){
		"hz":                                clampHz,
		"repl-backlog-size":                 clampBacklog,
		"activedefrag":                      checkDefrag,
		"shutdown-on-sigint":                checkShutdown,
		"shutdown-on-sigterm":               checkShutdown,
		"dbfilename":                        baseName("dbfilename", "filename"),
		"appendfilename":                    baseName("appendfilename", "filename"),
		"appenddirname":                     baseName("appenddirname", "dirname"),
		"cluster-config-file":               notEmpty("cluster-config-file"),
		"dir":                               notEmpty("dir"),
		"cluster-announce-human-nodename":   checkNodeName,
		"cluster-announce-ip":               checkClusterIP,
		"cluster-announce-hostname":         checkHostname,
		"cluster-announce-client-ipv4":      checkIPv4,
		"cluster-announce-client-ipv6":      checkIPv6,
		"proc-title-template":               checkProcTitle,
		"locale-collate":                    checkLocale,
		"rdma-port":                         unlessDefault("0", "No RDMA building support."),
		"rdma-bind":                         unlessDefault("\x00", "No RDMA building support."),
		"port":                              checkPort,
		"tls-port":                          unlessDefault("0", "Unable to update TLS configuration. Check server logs."),
		"tls-cluster":                       unlessDefault("no", "Unable to update TLS configuration. Check server logs."),
		"tls-replication":                   unlessDefault("no", "Unable to update TLS configuration. Check server logs."),
		"save":                              parseSave,
		"client-output-buffer-limit":        parseBufferLimits,
		"oom-score-adj-values":              parseOOMValues,
		"notify-keyspace-events":            parseEvents,
		"latency-tracking-info-percentiles": parsePercentiles,
		"bind":                              parseBind,
		"replicaof":                         parseReplicaOf,
		"slaveof":                           parseReplicaOf,
		"hash-seed":                         checkHashSeed,
	}
}

func clampHz(_ *Settings, v string) (string, string) {
	n, _ := strconv.Atoi(v)
	return strconv.Itoa(max(1, min(n, 500))), ""
}

// smallestBacklog is what the server makes of less (server.h, CONFIG_REPL_BACKLOG_MIN_SIZE).
const smallestBacklog = 16 << 10

func clampBacklog(_ *Settings, v string) (string, string) {
	n, _ := strconv.ParseInt(v, 10, 64)
	return strconv.FormatInt(max(n, smallestBacklog), 10), ""
}

func checkDefrag(s *Settings, v string) (string, string) {
	if v == "yes" && !s.Defrag {
		return "", "Active defragmentation cannot be enabled: it requires a server compiled with a modified Jemalloc like the one shipped by default with the source distribution"
	}
	return v, ""
}

func checkShutdown(_ *Settings, v string) (string, string) {
	words := " " + v + " "
	if strings.Contains(words, " save ") && strings.Contains(words, " nosave ") {
		return "", "shutdown options SAVE and NOSAVE can't be used simultaneously"
	}
	return v, ""
}

func notEmpty(name string) func(*Settings, string) (string, string) {
	return func(_ *Settings, v string) (string, string) {
		if v == "" {
			return "", name + " can't be empty"
		}
		return v, ""
	}
}

func baseName(name, what string) func(*Settings, string) (string, string) {
	empty := notEmpty(name)
	return func(s *Settings, v string) (string, string) {
		if _, bad := empty(s, v); bad != "" {
			return "", bad
		}
		if strings.ContainsAny(v, `/\`) {
			return "", name + " can't be a path, just a " + what
		}
		return v, ""
	}
}

func unlessDefault(value, words string) func(*Settings, string) (string, string) {
	return func(_ *Settings, v string) (string, string) {
		if v != value {
			return "", words
		}
		return v, ""
	}
}

func checkNodeName(s *Settings, v string) (string, string) {
	if hasAnyByte(v, "\x00"+s.cat.BadNodeName) {
		return "", "Announced human node name contained invalid character"
	}
	return v, ""
}

// longestAddress is the room for an address, its zero byte included (INET6_ADDRSTRLEN).
const longestAddress = 46

func checkClusterIP(s *Settings, v string) (string, string) {
	switch {
	case !s.cat.ChecksClusterIP:
	case len(v) >= longestAddress:
		return "", "cluster-announce-ip is too long"
	case hasAnyByte(v, "\x00"+s.cat.BadNodeName):
		return "", "cluster-announce-ip contains invalid character"
	}
	return clipTo([]byte(v), len(v)), ""
}

func hasAnyByte(s, bad string) bool {
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(bad, s[i]) >= 0 {
			return true
		}
	}
	return false
}

func checkHostname(_ *Settings, v string) (string, string) {
	const most = 256
	if len(v) >= most {
		return "", "Hostnames must be less than 256 characters"
	}
	for i := 0; i < len(v); i++ {
		if c := lower(v[i]); !isDigit(c) && (c < 'a' || c > 'z') && c != '-' && c != '.' {
			return "", "Hostnames may only contain alphanumeric characters, hyphens or dots"
		}
	}
	return v, ""
}

func checkProcTitle(_ *Settings, v string) (string, string) {
	const bad = "template format is invalid or contains unknown variables"
	shown := ""
	for rest := v; rest != ""; {
		text, after, found := strings.Cut(rest, "{")
		shown += text
		if !found {
			break
		}
		if strings.HasPrefix(after, "{") {
			shown += "{"
			rest = after[1:]
			continue
		}
		name, next, closed := strings.Cut(after, "}")
		if !closed {
			return "", bad
		}
		switch name {
		case "listen-addr", "port", "tls-port", "config-file":
			shown += "x"
		case "title", "server-mode", "unixsocket":
		default:
			return "", bad
		}
		rest = next
	}
	if strings.Trim(shown, " ") == "" {
		return "", bad
	}
	return v, ""
}

func checkLocale(_ *Settings, v string) (string, string) {
	switch v {
	case "", "C", "POSIX", "C.UTF-8", "C.utf8":
		return v, ""
	}
	return "", "Invalid locale name"
}

func parseSave(_ *Settings, v string) (string, string) {
	words := splitWords([]byte(v))
	if len(words) == 1 && len(words[0]) == 0 {
		words = nil
	}
	if len(words)%2 != 0 {
		return "", "Invalid save parameters"
	}
	var out []string
	for i, w := range words {
		n, full, _ := leadingNumber(w, 10)
		if !full || i%2 == 0 && n < 1 || n < 0 {
			return "", "Invalid save parameters"
		}
		if i%2 == 1 {
			n = int64(int32(n)) // kept as an int
		}
		out = append(out, strconv.FormatInt(n, 10))
	}
	return strings.Join(out, " "), ""
}

// bufferClasses are the classes of client-output-buffer-limit in the order they are printed.
var bufferClasses = []string{"normal", "slave", "pubsub"}

func parseBufferLimits(s *Settings, v string) (string, string) {
	words := splitWords([]byte(v))
	if len(words)%4 != 0 {
		return "", "Wrong number of arguments in buffer limit configuration."
	}
	limits := strings.Fields(s.Text("client-output-buffer-limit"))
	for i := 0; i < len(words); i += 4 {
		class := -1
		for j, name := range bufferClasses {
			if isWord(words[i], name) || j == 1 && isWord(words[i], "replica") {
				class = j
			}
		}
		if class < 0 {
			return "", "Invalid client class specified in buffer limit configuration."
		}
		hard, ok1 := parseMemory(words[i+1], s.cat.LooseNumbers)
		soft, ok2 := parseMemory(words[i+2], s.cat.LooseNumbers)
		seconds, full, _ := leadingNumber(words[i+3], 10)
		seconds = int64(int32(seconds)) // kept as an int
		if !ok1 || !ok2 || !full || seconds < 0 {
			return "", "Error in hard, soft or soft_seconds setting in buffer limit configuration."
		}
		limits[4*class+1] = strconv.FormatUint(hard, 10)
		limits[4*class+2] = strconv.FormatUint(soft, 10)
		limits[4*class+3] = strconv.FormatInt(seconds, 10)
	}
	return strings.Join(limits, " "), ""
}

func parseOOMValues(_ *Settings, v string) (string, string) {
	words := splitWords([]byte(v))
	if len(words) != 3 {
		return "", "wrong number of arguments"
	}
	var out []string
	for _, w := range words {
		n, full, _ := leadingNumber(w, 10)
		if !full || n < -2000 || n > 2000 {
			return "", "Invalid oom-score-adj-values, elements must be between -2000 and 2000."
		}
		out = append(out, strconv.FormatInt(n, 10))
	}
	return strings.Join(out, " "), ""
}

// Events in the order CONFIG GET prints them: first those of A, then the others, K, E and m last.
const (
	eventsOfA   = "g$lshzxetd"
	eventsOther = "nKEm"
)

func parseEvents(_ *Settings, v string) (string, string) {
	var set [256]bool
	for _, c := range []byte(v) {
		switch {
		case c == 'A':
			for _, a := range []byte(eventsOfA) {
				set[a] = true
			}
		case strings.IndexByte(eventsOfA+eventsOther, c) >= 0:
			set[c] = true
		default:
			return "", "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."
		}
	}
	shown := make([]byte, 0, len(eventsOfA)+len(eventsOther))
	for _, c := range []byte(eventsOfA) {
		if set[c] {
			shown = append(shown, c)
		}
	}
	if string(shown) == eventsOfA {
		// With all of A the server prints A alone and forgets to print n.
		shown, set['n'] = []byte("A"), false
	}
	for _, c := range []byte(eventsOther) {
		if set[c] {
			shown = append(shown, c)
		}
	}
	return string(shown), ""
}

func parsePercentiles(s *Settings, v string) (string, string) {
	words := splitWords([]byte(v))
	if len(words) == 1 && len(words[0]) == 0 {
		words = nil
	}
	var out []string
	for _, w := range words {
		n, ok := parseDouble(string(w), s.cat.LooseNumbers)
		if !ok {
			return "", "Invalid latency-tracking-info-percentiles parameters"
		}
		if n > 100 || n < 0 {
			return "", "latency-tracking-info-percentiles parameters should sit between [0.0,100.0]"
		}
		text := strconv.FormatFloat(n, 'f', 6, 64)
		out = append(out, strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
	}
	return strings.Join(out, " "), ""
}

// parseDouble reads what the server reads as a double: no blanks, not NaN, hex only if loose.
func parseDouble(s string, loose bool) (float64, bool) {
	if strings.Contains(s, "_") {
		return 0, false
	}
	if hex := strings.ContainsAny(s, "xX"); hex && !loose {
		return 0, false
	} else if hex && !strings.ContainsAny(s, "pP") {
		s += "p0"
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && n == n
}

func parseBind(_ *Settings, v string) (string, string) {
	const most = 16
	if len(splitWords([]byte(v))) > most {
		return "", "Too many bind addresses specified."
	}
	return v, ""
}

// checkPort refuses another port than the one that is listened on.
func checkPort(s *Settings, v string) (string, string) {
	if s.Listening != "" && v != s.Listening {
		return "", "Unable to listen on this port. Check server logs."
	}
	return v, ""
}

func parseReplicaOf(_ *Settings, v string) (string, string) {
	words := splitWords([]byte(v))
	if len(words) != 2 {
		return "", "wrong number of arguments"
	}
	if isWord(words[0], "no") && isWord(words[1], "one") {
		return "", ""
	}
	port, full, _ := leadingNumber(words[1], 10)
	if !full || port < 0 || port > 65535 {
		return "", "Invalid primary port"
	}
	return string(words[0]) + " " + strconv.FormatInt(port, 10), ""
}

func checkHashSeed(_ *Settings, v string) (string, string) {
	const most = 256
	if len(v) > most {
		return "", "hash-seed must be less than or equal to 256 characters"
	}
	return v, ""
}
