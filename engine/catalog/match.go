package catalog

import "strconv"

// A node is an argument with what the typed words have filled of it.
type node struct {
	arg    *Argument
	sub    []node
	token  bool // its token was typed
	value  bool // its value was typed
	begun  bool // some words are its; for a repeating argument: of the repetition not yet completed
	full   bool // nothing is left of it, or of that repetition
	done   int  // repetitions completed
	limit  int  // how many there must be, where a count before says so; -1: any number
	closed bool // nothing more comes of it
	last   bool // of options side by side the one typed last
}

func nodes(args []Argument) []node {
	list := make([]node, len(args))
	for i := range args {
		list[i] = node{arg: &args[i], sub: nodes(args[i].Arguments), limit: -1}
	}
	return list
}

// again readies the node for another repetition, or for another try.
func (n *node) again() {
	*n = node{arg: n.arg, sub: nodes(n.arg.Arguments), done: n.done, limit: n.limit, closed: n.closed}
}

// started reports whether any word is the node's.
func (n *node) started() bool { return n.begun || n.done > 0 }

// matchAll gives words to arguments in order and returns how many it used: 0 if one that is required does not fit.
func matchAll(words [][]byte, list []node) (used int) {
	for i := 0; i < len(list) && used < len(words); i++ {
		if list[i].arg.Optional {
			end := optionalEnd(list, i)
			used += matchOptional(words[used:], list[i:end])
			i = end - 1
			continue
		}
		if list[i].closed { // counted, and the count is 0
			continue
		}
		k := list[i].match(words[used:])
		if k == 0 {
			return 0
		}
		setLimit(list, i, words[used])
		used += k
	}
	return used
}

// optionalEnd is the end of the optional arguments from i on: among them any order is allowed.
func optionalEnd(list []node, i int) int {
	for i < len(list) && list[i].arg.Optional {
		i++
	}
	return i
}

func matchOptional(words [][]byte, list []node) (used int) {
	last := -1
	defer func() {
		if last >= 0 {
			list[last].last = true
		}
	}()
	for used < len(words) {
		k, i := 0, 0
		for ; i < len(list); i++ {
			if list[i].closed || list[i].started() && !list[i].arg.Multiple {
				continue
			}
			if k = list[i].match(words[used:]); k > 0 {
				break
			}
		}
		if k == 0 {
			return used
		}
		if last >= 0 && last != i && !list[last].arg.Multiple {
			list[last].closed = true // another option has begun: the rest of this one is not wanted
		}
		last = i
		used += k
	}
	return used
}

// setLimit hands a typed count on to the argument it counts: numkeys to keys, numfields to fields.
func setLimit(list []node, i int, word []byte) {
	if name := list[i].arg.Name; name != "numkeys" && name != "numfields" {
		return
	}
	n, err := strconv.Atoi(string(word))
	if err != nil || n < 0 {
		return
	}
	for j := i + 1; j < len(list); j++ {
		if list[j].arg.Multiple && !list[j].arg.HasToken {
			list[j].limit, list[j].closed = n, n == 0
			return
		}
	}
}

// match gives words to one argument, to as many repetitions as it may have, and returns how many it used.
func (n *node) match(words [][]byte) (used int) {
	for used < len(words) {
		k := n.matchOnce(words[used:])
		if k == 0 {
			n.again()
			break
		}
		used += k
		if !n.full {
			break
		}
		if !n.arg.Multiple {
			n.closed = true
			break
		}
		n.done++
		n.again()
		if n.done == n.limit {
			n.closed = true
			break
		}
	}
	return used
}

// matchOnce matches the argument, or one repetition of it.
func (n *node) matchOnce(words [][]byte) (used int) {
	if n.needsToken() {
		if !isWord(words[0], n.arg.Token) {
			return 0
		}
		n.token, n.begun, used = true, true, 1
		if n.arg.Type == ArgPureToken {
			n.full = true
			return used
		}
		if len(words) == 1 {
			return used
		}
	}
	k := n.matchValue(words[used:])
	if k == 0 {
		return 0
	}
	n.begun = true
	return used + k
}

// needsToken reports whether the token is still to be typed: before each repetition or only before the first.
func (n *node) needsToken() bool {
	return n.arg.HasToken && !n.token && (n.done == 0 || n.arg.MultipleToken)
}

func (n *node) matchValue(words [][]byte) (used int) {
	switch n.arg.Type {
	case ArgBlock:
		used = matchAll(words, n.sub)
		n.full = true
		for i := range n.sub {
			n.full = n.full && n.sub[i].closed
		}
		return used
	case ArgOneOf:
		for i := range n.sub {
			if used = n.sub[i].match(words); used > 0 {
				n.full = n.sub[i].closed
				return used
			}
		}
		return 0
	case ArgInteger, ArgUnixTime:
		if !beginsInteger(words[0]) {
			return 0
		}
	case ArgDouble:
		if !beginsDouble(words[0]) {
			return 0
		}
	}
	n.value, n.full = true, true
	return 1
}

// enough reports whether the line may go on with what comes after the argument.
func (n *node) enough() bool {
	switch {
	case n.closed:
		return true
	case n.limit >= 0:
		return false
	case !n.begun:
		return n.done > 0
	}
	switch n.arg.Type {
	case ArgBlock:
		for i := range n.sub {
			if !n.sub[i].arg.Optional && !n.sub[i].enough() {
				return false
			}
		}
		return true
	case ArgOneOf:
		for i := range n.sub {
			if n.sub[i].started() {
				return n.sub[i].enough()
			}
		}
		return false
	}
	return n.value
}

// beginsInteger is what valkey-cli takes for an integer: a number, whatever follows it.
func beginsInteger(b []byte) bool {
	b = afterSign(b)
	return len(b) > 0 && isDigit(b[0])
}

func beginsDouble(b []byte) bool {
	b = afterSign(b)
	if len(b) >= 3 && (isWord(b[:3], "inf") || isWord(b[:3], "nan")) {
		return true
	}
	if len(b) > 1 && b[0] == '.' {
		b = b[1:]
	}
	return len(b) > 0 && isDigit(b[0])
}

func afterSign(b []byte) []byte {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		return b[1:]
	}
	return b
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
