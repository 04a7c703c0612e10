package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/keyloupe/keyloupe/engine/sweep"
)

// Error is an answer that is no result.
type Error struct {
	Status  int
	Code    string // for programs: "too_many_points"
	Message string // for people: what was wrong, and what would be right
	Field   string // of the specification, where one is to blame
}

func (e *Error) Error() string { return e.Message }

func notFound(format string, args ...any) *Error {
	return &Error{http.StatusNotFound, "not_found", fmt.Sprintf(format, args...), ""}
}

func badRequest(code, field, format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, code, fmt.Sprintf(format, args...), field}
}

func unprocessable(code, field, format string, args ...any) *Error {
	return &Error{http.StatusUnprocessableEntity, code, fmt.Sprintf(format, args...), field}
}

func itoa(n int) string { return strconv.Itoa(n) }

// readError is an error of a specification that could not be read.
func readError(err error) error {
	var f *sweep.FieldError
	if errors.As(err, &f) {
		if f.Field == "body" {
			return badRequest("malformed_json", "", "%s", f.Message)
		}
		return badRequest("bad_field", f.Field, "%s", f.Message)
	}
	return err
}

// planError is an error of a specification that could be read but not be done.
func planError(err error) error {
	var f *sweep.FieldError
	var many *sweep.TooManyError
	switch {
	case errors.As(err, &f):
		return unprocessable("bad_field", f.Field, "%s", f.Message)
	case errors.As(err, &many):
		return unprocessable("too_many_points", "", "%s", many.Error())
	}
	return err
}

// AppendError writes an error as the answer's body.
func AppendError(b []byte, e *Error) []byte {
	var field *string
	if e.Field != "" {
		field = &e.Field
	}
	body, err := json.Marshal(map[string]any{"error": map[string]any{"code": e.Code, "message": e.Message, "field": field}})
	if err != nil {
		panic(err) // strings can always be written
	}
	return append(append(b, body...), '\n')
}

// fail answers with an error. Once the answer has begun all that is left is to break it off, so that
// nobody takes a part for the whole.
func (q *request) fail(err error) {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{http.StatusInternalServerError, "internal", "internal error", ""}
		if errors.Is(err, context.DeadlineExceeded) {
			e = unprocessable("too_slow", "", "the work took too long and was stopped: ask for less at once")
		}
	}
	if q.wrote {
		panic(http.ErrAbortHandler)
	}
	h := q.w.Header()
	h.Del("ETag")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/json")
	q.w.WriteHeader(e.Status)
	if q.Method != http.MethodHead {
		q.w.Write(AppendError(nil, e))
	}
}
