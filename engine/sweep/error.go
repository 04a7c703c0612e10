package sweep

import (
	"fmt"
	"strconv"
)

// FieldError says what is wrong with one field of a specification, and what would be right.
type FieldError struct {
	Field   string // as users write it: "value"
	Message string
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Message }

func fieldErrorf(field, format string, args ...any) *FieldError {
	return &FieldError{field, fmt.Sprintf(format, args...)}
}

// TooManyError says that a specification asks for more than is allowed at once.
type TooManyError struct {
	Points, Limit int // Points is math.MaxInt where the number can't be told
}

func (e *TooManyError) Error() string {
	points := strconv.Itoa(e.Points)
	if e.Points == tooMany {
		points = "more than 10^18"
	}
	return fmt.Sprintf("the specification has %s points and the limit is %d: shorten a range, give it a step (0..100000/64), or name fewer servers", points, e.Limit)
}

// quoted text of errors is cut here: a hostile field must not make a long message.
const maxQuoted = 40

func quote(s string) string {
	if len(s) > maxQuoted {
		return strconv.QuoteToASCII(s[:maxQuoted]) + "..."
	}
	return strconv.QuoteToASCII(s)
}
