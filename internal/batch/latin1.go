package batch

// The batch formats keep bytes in JSON strings, each byte as the character of that number
// (Latin-1), so that any key or value can be told in them.

// Text makes a JSON string of bytes.
func Text(b string) string {
	ascii := true
	for i := range len(b) {
		if b[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		return b
	}
	r := make([]rune, len(b))
	for i := range len(b) {
		r[i] = rune(b[i])
	}
	return string(r)
}

// bytesOf is the bytes that a JSON string tells; ok is false where a character is above 255.
func bytesOf(s string) (b []byte, ok bool) {
	b = make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return nil, false
		}
		b = append(b, byte(r))
	}
	return b, true
}
