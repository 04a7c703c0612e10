package command

import (
	"strings"

	"github.com/keyloupe/keyloupe/engine/decimal"
)

// What the filters of CLIENT KILL and CLIENT LIST can tell, by release: release.ClientFilters.
const (
	filtersMaxAge = 1 // MAXAGE
	filtersShared = 2 // several ids, and both commands take the same
	filtersNot    = 3 // all there is to know of a client, and its contrary
)

type clientTest func(*Client) bool

// clientFilter is which clients CLIENT KILL and CLIENT LIST are about.
type clientFilter struct {
	ids, notIDs map[int64]bool
	skipMe      bool
	tests       map[string]clientTest // by the filter's name: the last one of a name counts
}

func (f *clientFilter) add(name string, test clientTest) {
	if f.tests == nil {
		f.tests = map[string]clientTest{}
	}
	f.tests[name] = test
}

func (f *clientFilter) matches(self, x *Client) bool {
	if f.ids != nil && !f.ids[x.ID] || f.notIDs[x.ID] || f.skipMe && x == self {
		return false
	}
	for _, test := range f.tests {
		if !test(x) {
			return false
		}
	}
	return true
}

// clientFilter reads filters; what is wrong is replied.
func (c *Client) clientFilter(args [][]byte, f *clientFilter) bool {
	level := c.S.R.ClientFilters
	for i := 0; i < len(args); {
		name := strings.ToUpper(printable(args[i]))
		more := i+1 < len(args)
		switch {
		case level >= filtersShared && name == "ID", level >= filtersNot && name == "NOT-ID":
			ids := &f.ids
			if name == "NOT-ID" {
				ids = &f.notIDs
			}
			n, ok := c.filterIDs(args[i+1:], ids)
			if !ok {
				return false
			}
			i += 1 + n
			continue
		case !more:
			c.Error(errSyntax)
			return false
		case name == "ID":
			id, ok := decimal.Parse(args[i+1])
			if !ok || id < 1 {
				c.Error(errFilterID)
				return false
			}
			f.ids = map[int64]bool{id: true}
		case !c.filterOption(f, name, args[i+1]):
			return false
		}
		i += 2
	}
	return true
}

const errFilterID = "ERR client-id should be greater than 0"

// filterIDs reads numbers up to the first word that is none.
func (c *Client) filterIDs(args [][]byte, ids *map[int64]bool) (n int, ok bool) {
	if *ids == nil {
		*ids = map[int64]bool{}
	}
	for _, a := range args {
		id, isNumber := decimal.Parse(a)
		if !isNumber {
			break
		}
		if id < 1 {
			c.Error(errFilterID)
			return 0, false
		}
		(*ids)[id] = true
		n++
	}
	return n, true
}

// filterOption reads one filter and its value.
func (c *Client) filterOption(f *clientFilter, name string, value []byte) bool {
	level, text := c.S.R.ClientFilters, printable(value)
	bare, not := strings.CutPrefix(name, "NOT-")
	var test clientTest
	switch {
	case not && level < filtersNot, !not && filterLevel[name] > level:
	case bare == "SKIPME" && !not:
		if !is(value, "YES") && !is(value, "NO") {
			break
		}
		f.skipMe = is(value, "YES")
		return true
	case bare == "MAXAGE" && !not, bare == "IDLE" && !not:
		return c.filterSeconds(f, strings.ToLower(bare), value)
	default:
		var msg string
		if test, msg = c.filterTest(bare, name, text, value); msg != "" {
			c.Error(msg)
			return false
		}
	}
	if test == nil {
		c.Error(errSyntax)
		return false
	}
	if not {
		yes := test
		test = func(x *Client) bool { return !yes(x) }
	}
	f.add(name, test)
	return true
}

// filterLevel is from which level on a filter is known.
var filterLevel = map[string]int{"MAXAGE": filtersMaxAge, "NAME": filtersNot, "IDLE": filtersNot, "FLAGS": filtersNot, "LIB-NAME": filtersNot,
	"LIB-VER": filtersNot, "DB": filtersNot, "CAPA": filtersNot, "IP": filtersNot}

func (c *Client) filterSeconds(f *clientFilter, name string, value []byte) bool {
	n, ok := c.intArgOr(value, "ERR "+name+" is not an integer or out of range")
	if !ok {
		return false
	}
	if n <= 0 {
		c.Error("ERR " + name + " should be greater than 0")
		return false
	}
	now := c.S.now / 1_000_000
	f.add(name, func(x *Client) bool {
		if name == "idle" {
			return now-x.info.seen/1_000_000 >= n
		}
		return now-x.info.created/1_000_000 >= n
	})
	return true
}

// filterTest is the test of a filter that has a contrary, or the error; nil where there is no such.
func (c *Client) filterTest(bare, name, text string, value []byte) (test clientTest, msg string) {
	switch bare {
	case "ADDR":
		return func(x *Client) bool { return x.Addr == text }, ""
	case "LADDR":
		return func(x *Client) bool { return x.local() == text }, ""
	case "IP":
		return func(x *Client) bool { return x.Addr[:max(0, strings.LastIndexByte(x.Addr, ':'))] == text }, ""
	case "TYPE":
		kind := clientTypes[strings.ToLower(text)]
		if kind == "" || kind == "primary" && strings.EqualFold(text, "primary") && c.S.R.ClientFilters < filtersMaxAge {
			return nil, "ERR Unknown client type '" + text + "'"
		}
		return func(x *Client) bool { return x.kind() == kind }, ""
	case "USER":
		if string(value) != defaultUser {
			return nil, "ERR No such user '" + text + "'"
		}
		return func(*Client) bool { return true }, ""
	case "NAME":
		return func(x *Client) bool { return x.Name != "" && x.Name == text }, ""
	case "LIB-NAME":
		return func(x *Client) bool { return x.info.libName != "" && x.info.libName == string(value) }, ""
	case "LIB-VER":
		return func(x *Client) bool { return x.info.libVer != "" && x.info.libVer == string(value) }, ""
	case "FLAGS":
		return flagsTest(name, text)
	case "CAPA":
		return capaTest(name, text)
	case "DB":
		return c.databaseTest(name, value)
	}
	return nil, ""
}

// clientTypes are the names of kinds of clients.
var clientTypes = map[string]string{"normal": "normal", "slave": "replica", "replica": "replica", "pubsub": "pubsub", "master": "primary", "primary": "primary"}

func (c *Client) kind() string {
	switch {
	case c.monitor: // a monitor counts as a normal client
		return "normal"
	case c.Subscribed():
		return "pubsub"
	}
	return "normal"
}

// inFilter is how an error names where a wrong letter stands.
func inFilter(name string) string {
	if strings.HasPrefix(name, "NOT-") {
		return "the " + name + " filter"
	}
	return "the provided filter"
}

func flagsTest(name, text string) (clientTest, string) {
	if strings.Trim(text, "OSMPxbtRBdcuAUreTIiEN") != "" {
		return nil, "ERR Unknown flags found in " + inFilter(name) + ": " + text
	}
	return func(x *Client) bool {
		has := x.flags()
		for _, f := range text {
			if !strings.ContainsRune(has, f) {
				return false
			}
		}
		return true
	}, ""
}

func capaTest(name, text string) (clientTest, string) {
	if strings.Trim(text, "r") != "" {
		return nil, "ERR Unknown capa found in " + inFilter(name) + ": " + text
	}
	return func(x *Client) bool { return text == "" || x.info.redirect }, ""
}

func (c *Client) databaseTest(name string, value []byte) (clientTest, string) {
	n, ok := decimal.Parse(value)
	switch {
	case !ok || int64(int32(n)) != n:
		return nil, "ERR " + name + " is not an integer or out of range"
	case n < 0 || n >= int64(c.S.Space.Databases()):
		return nil, "ERR " + name + " number should be between 0 and " + itoa(c.S.Space.Databases()-1)
	}
	return func(x *Client) bool { return x.DB.ID == int(n) }, ""
}
