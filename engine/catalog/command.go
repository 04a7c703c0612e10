package catalog

// A Command is what a release says about one command or subcommand in COMMAND INFO and COMMAND DOCS.
// Commands are shared between lines and must not be changed.
type Command struct {
	FullName    string // "set", "config|get"
	Arity       int    // arguments with the name; negative: at least that many
	Flags       []string
	FirstKey    int // position of the first key, 0: none
	LastKey     int // negative: counted from the end
	KeyStep     int
	Categories  []string   // ACL categories, with @
	Tips        []string   // hints for clients, as "request_policy:all_shards"
	KeySpecs    []KeySpec  // where the keys are
	Subcommands []*Command // in order of name; the server's own order is that of a hash table

	Summary         string
	Since           string
	Group           string
	Complexity      string
	DocFlags        []string // deprecated, syscmd
	DeprecatedSince string
	ReplacedBy      string
	History         []Change
	Arguments       []Argument
	Help            []string // of a container: the lines its HELP subcommand prints; none for CLUSTER, which is disabled
}

// Name is the command's or subcommand's own name: "get" of "config|get".
func (c *Command) Name() string {
	for i := len(c.FullName) - 1; i >= 0; i-- {
		if c.FullName[i] == '|' {
			return c.FullName[i+1:]
		}
	}
	return c.FullName
}

// HasFlag reports whether COMMAND INFO lists the flag, as "write" or "readonly".
func (c *Command) HasFlag(flag string) bool { return contains(c.Flags, flag) }

// ArityOK reports whether a command of argc arguments, name included (and container's name, for a subcommand), may run.
func (c *Command) ArityOK(argc int) bool {
	if c.Arity >= 0 {
		return argc == c.Arity
	}
	return argc >= -c.Arity
}

// Subcommand finds a subcommand by its own name in any case, or returns nil.
func (c *Command) Subcommand(name string) *Command {
	for _, sub := range c.Subcommands {
		if equalFold(sub.Name(), name) {
			return sub
		}
	}
	return nil
}

// A Change is one entry of a command's history.
type Change struct{ Since, Text string }

// A KeySpec says how to find keys among the arguments: where to begin, then which.
type KeySpec struct {
	Notes string
	Flags []string // RO, RW, OW, RM, access, update, insert, delete, not_key, incomplete, variable_flags
	Begin BeginSearch
	Find  FindKeys
}

// BeginSearch is where a key spec's arguments begin.
type BeginSearch struct {
	Type      string // index, keyword, unknown
	Index     int    // index: position
	Keyword   string // keyword: the argument after this word
	StartFrom int    // keyword: search from here; negative: backwards from the end
}

// FindKeys is which of the arguments from there on are keys.
type FindKeys struct {
	Type      string // range, keynum, unknown
	LastKey   int    // range: relative to the first; negative: from the end
	Limit     int    // range: with LastKey -1, only 1/Limit of the rest
	KeyStep   int    // range, keynum
	KeyNumIdx int    // keynum: where the number of keys stands
	FirstKey  int    // keynum: where the first key stands
}

// ArgType says what stands for an argument.
type ArgType int

// The argument types, in the server's order.
const (
	ArgString ArgType = iota
	ArgInteger
	ArgDouble
	ArgKey
	ArgPattern
	ArgUnixTime
	ArgPureToken // the token alone
	ArgOneOf     // one of Arguments
	ArgBlock     // all of Arguments
)

var argTypes = [...]string{"string", "integer", "double", "key", "pattern", "unix-time", "pure-token", "oneof", "block"}

func (t ArgType) String() string { return argTypes[t] }

// ParseArgType finds a type by the name COMMAND DOCS gives it.
func ParseArgType(name string) (ArgType, bool) {
	for i, s := range argTypes {
		if s == name {
			return ArgType(i), true
		}
	}
	return 0, false
}

// An Argument is one argument as COMMAND DOCS describes it.
type Argument struct {
	Name            string
	Type            ArgType
	DisplayText     string // not of oneof and block
	KeySpec         int    // index into the command's KeySpecs, -1: none
	HasToken        bool
	Token           string // the word before the value, or the word itself; may be empty (MIGRATE's "")
	Summary         string
	Since           string
	DeprecatedSince string
	Optional        bool
	Multiple        bool // may repeat
	MultipleToken   bool // repeats with its token
	Arguments       []Argument
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// equalFold compares ASCII without regard to case, as the server does.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := 0; i < len(a); i++ {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
