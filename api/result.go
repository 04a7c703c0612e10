package api

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"mime"
	"net/http"
	"strings"
)

// keepFor is the caching of a pure result. The same address gives the same bytes for good; a week
// bounds how long a mistake of an older version of the program is kept.
const keepFor = "public, max-age=604800, immutable"

// pure begins the answer to a request whose result depends on key alone: with an ETag, and for GET
// leave to keep it. It returns false when the client has the result, or asked for the header only.
func (q *request) pure(mediaType, key string) bool { return q.tagged(mediaType, key, keepFor) }

// ofProgram is pure for what describes the program itself: the next version says something else at the same address, so a client
// has to ask each time whether what it has still holds. key is what it depends on besides.
func (q *request) ofProgram(key string) bool { return q.tagged(typeJSON, key, "no-cache") }

func (q *request) tagged(mediaType, key, keep string) bool {
	h := q.w.Header()
	h.Set("Content-Type", mediaType)
	if q.Method == http.MethodPost {
		h.Set("Cache-Control", "no-store")
		return true
	}
	sum := sha256.Sum256([]byte(q.a.options.Version + "\n" + q.URL.Path + "\n" + key))
	etag := `"` + base64.RawURLEncoding.EncodeToString(sum[:15]) + `"`
	h.Set("ETag", etag)
	h.Set("Cache-Control", keep)
	if matches(strings.Join(q.Header.Values("If-None-Match"), ","), etag) {
		h.Del("Content-Type")
		q.w.WriteHeader(http.StatusNotModified)
		return false
	}
	if q.Method == http.MethodHead {
		q.w.WriteHeader(http.StatusOK)
		return false
	}
	return true
}

// matches compares weakly, as If-None-Match does.
func matches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/"); tag == etag || tag == "*" {
			return true
		}
	}
	return false
}

// Write sends a part of the answer.
func (q *request) Write(b []byte) (int, error) {
	q.wrote = true
	return q.w.Write(b)
}

// body reads the body of a POST, which has to be JSON.
func (q *request) body() ([]byte, error) {
	t, _, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
	if err != nil || t != "application/json" {
		return nil, &Error{http.StatusUnsupportedMediaType, "unsupported_media_type", "the body has to be JSON: send it with Content-Type: application/json", ""}
	}
	if q.ContentLength > MaxBody {
		return nil, tooLarge
	}
	text, err := io.ReadAll(io.LimitReader(q.Body, MaxBody+1))
	if err != nil {
		return nil, badRequest("bad_body", "", "the body could not be read")
	}
	if len(text) > MaxBody {
		return nil, tooLarge
	}
	return text, nil
}

var tooLarge = &Error{http.StatusRequestEntityTooLarge, "body_too_large", "the body is larger than the limit of " + itoa(MaxBody) + " bytes", ""}

// text answers with text that is not kept.
func (q *request) text(mediaType, text string) error {
	q.w.Header().Set("Content-Type", mediaType)
	q.w.Header().Set("Cache-Control", "no-store")
	if q.Method != http.MethodHead {
		io.WriteString(q, text)
	}
	return nil
}
