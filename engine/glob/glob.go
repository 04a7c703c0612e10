// Package glob matches names against the server's patterns: KEYS, SCAN MATCH, CONFIG GET, COMMAND LIST.
//
//   - any bytes, none too
//     ?       one byte
//     [abc]   one of these; [^abc] none of these; [a-z] a range, either way round; a missing ] ends with the pattern
//     \x      x itself
//
// Facts of util.c, stringmatchlen (7.2 to 9.1 alike), among them: an empty name matches no pattern but the empty one, a
// byte of a range counts as signed, and an escaped byte in brackets is compared with its case.
package glob

// deepest is how many stars are followed into each other (util.c: protection against abusive patterns).
const deepest = 1000

// Match reports whether the name matches the pattern; fold ignores the case of ASCII letters.
func Match[P, N ~string | ~[]byte](pattern P, name N, fold bool) bool {
	var hopeless bool
	return match(string(pattern), string(name), fold, &hopeless, 0)
}

// match sets hopeless when the rest of the pattern matches nowhere in the rest of the name: then an earlier star need
// not try longer pieces either.
func match(p, n string, fold bool, hopeless *bool, depth int) bool {
	if depth > deepest {
		return false
	}
	for len(p) > 0 && len(n) > 0 {
		switch p[0] {
		case '*':
			return star(p, n, fold, hopeless, depth)
		case '?':
		case '[':
			ok, last := bracket(p, n[0], fold)
			if !ok {
				return false
			}
			p = p[last:]
		case '\\':
			if len(p) >= 2 {
				p = p[1:]
			}
			fallthrough
		default:
			if !same(p[0], n[0], fold) {
				return false
			}
		}
		p, n = p[1:], n[1:]
		if len(n) == 0 {
			for len(p) > 0 && p[0] == '*' {
				p = p[1:]
			}
		}
	}
	return len(p) == 0 && len(n) == 0
}

func star(p, n string, fold bool, hopeless *bool, depth int) bool {
	for len(p) > 1 && p[1] == '*' {
		p = p[1:]
	}
	if len(p) == 1 {
		return true
	}
	for ; len(n) > 0; n = n[1:] {
		if match(p[1:], n, fold, hopeless, depth+1) {
			return true
		}
		if *hopeless {
			return false
		}
	}
	*hopeless = true
	return false
}

// bracket tests one byte against the set p begins with; last is the place of the set's last byte in p.
func bracket(p string, c byte, fold bool) (ok bool, last int) {
	i := 1
	not := i < len(p) && p[i] == '^'
	if not {
		i++
	}
	for ; ; i++ {
		left := len(p) - i
		switch {
		case left >= 2 && p[i] == '\\':
			i++
			ok = ok || p[i] == c
		case left <= 0:
			return ok != not, len(p) - 1
		case p[i] == ']':
			return ok != not, i
		case left >= 3 && p[i+1] == '-':
			ok = ok || inRange(p[i], p[i+2], c, fold)
			i += 2
		default:
			ok = ok || same(p[i], c, fold)
		}
	}
}

// inRange puts the ends in order before it folds them, and takes bytes as signed.
func inRange(from, to, c byte, fold bool) bool {
	if int8(from) > int8(to) {
		from, to = to, from
	}
	if fold {
		from, to, c = lower(from), lower(to), lower(c)
	}
	return int8(from) <= int8(c) && int8(c) <= int8(to)
}

func same(a, b byte, fold bool) bool { return a == b || fold && lower(a) == lower(b) }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
