package sweep

import "strconv"

// Micro is a number of bytes in millionths. Rows count in it so that a share of a table is exact
// to the byte for a million keys, and the same on every platform.
type Micro int64

// Bytes is n whole bytes.
func Bytes(n int) Micro { return Micro(n) * microByte }

const microByte = 1_000_000

// Float is the number of bytes.
func (m Micro) Float() float64 { return float64(m) / microByte }

// String writes the number of bytes without zeros at the end: "128", "13.365".
func (m Micro) String() string { return string(m.append(nil)) }

func (m Micro) append(b []byte) []byte {
	if m < 0 {
		b = append(b, '-')
		m = -m
	}
	b = strconv.AppendInt(b, int64(m/microByte), 10)
	return appendFraction(b, int(m%microByte), microByte/10)
}

// appendFraction writes frac, of which unit is the first decimal's worth, without zeros at the end.
func appendFraction(b []byte, frac, unit int) []byte {
	if frac == 0 {
		return b
	}
	b = append(b, '.')
	for ; frac > 0; unit /= 10 {
		b = append(b, '0'+byte(frac/unit))
		frac %= unit
	}
	return b
}

// Round is the number of bytes with so many decimals, as text: rounded half away from zero.
func (m Micro) Round(decimals int) string { return string(m.appendRound(nil, decimals)) }

func (m Micro) appendRound(b []byte, decimals int) []byte {
	unit := Micro(microByte)
	for range decimals {
		unit /= 10
	}
	negative := m < 0
	if negative {
		m = -m
	}
	m = (m + unit/2) / unit
	if negative && m > 0 {
		b = append(b, '-')
	}
	whole := Micro(microByte) / unit // units of the last decimal in a byte
	b = strconv.AppendInt(b, int64(m/whole), 10)
	if decimals == 0 {
		return b
	}
	b = append(b, '.')
	for m %= whole; whole > 1; m %= whole {
		whole /= 10
		b = append(b, '0'+byte(m/whole))
	}
	return b
}
