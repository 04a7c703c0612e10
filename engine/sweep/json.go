package sweep

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// ParseQuery makes a specification of the parameters of a query, "value=0..200&servers=9.0.6".
// A parameter may be repeated, which is a list.
func ParseQuery(query map[string][]string) (*Spec, error) {
	s := Default()
	for _, f := range fields {
		if v, ok := query[f.Name]; ok {
			if err := s.Set(f.Name, strings.Join(v, ",")); err != nil {
				return nil, err
			}
		}
	}
	for name := range query {
		if !isField(name) {
			return nil, unknownField(smallest(query))
		}
	}
	return s, nil
}

// smallest is the unknown name that sorts first, so that the same query gives the same error.
func smallest(query map[string][]string) (least string) {
	found := false
	for name := range query {
		if !isField(name) && (!found || name < least) {
			least, found = name, true
		}
	}
	return least
}

func isField(name string) bool {
	for _, f := range fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

// ParseJSON makes a specification of a JSON object. A field's value is text as in a flag, a number,
// or an array of those: {"value":"0..200","key":[8,16],"servers":["9.0.6","9.1.2"]}.
func ParseJSON(text []byte) (*Spec, error) {
	s := Default()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, notObject(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, malformed(err)
		}
		field := name.(string) // keys of an object are always strings
		value, err := jsonText(d, field)
		if err != nil {
			return nil, err
		}
		if err := s.Set(field, value); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, malformed(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fieldErrorf("body", "there is more behind the JSON object")
	}
	return s, nil
}

func notObject(err error) error {
	if err != nil && err != io.EOF {
		return malformed(err)
	}
	return fieldErrorf("body", `not a JSON object: write for example {"value":"0..200","servers":["9.0.6","9.1.2"]}`)
}

func malformed(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fieldErrorf("body", "the JSON ends too early")
	}
	return fieldErrorf("body", "malformed JSON: %v", err)
}

// jsonText reads one value as text.
func jsonText(d *json.Decoder, field string) (string, error) {
	t, err := d.Token()
	if err != nil {
		return "", malformed(err)
	}
	if t != json.Delim('[') {
		return scalar(t, field)
	}
	var items []string
	for d.More() {
		if t, err = d.Token(); err != nil {
			return "", malformed(err)
		}
		item, err := scalar(t, field)
		if err != nil {
			return "", err
		}
		items = append(items, item)
	}
	if _, err := d.Token(); err != nil {
		return "", malformed(err)
	}
	if len(items) == 0 {
		return "", fieldErrorf(quoteName(field), "an empty list: name at least one value, or leave the field out")
	}
	return strings.Join(items, ","), nil
}

func scalar(t json.Token, field string) (string, error) {
	switch v := t.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	}
	return "", fieldErrorf(quoteName(field), "neither text nor a number nor a list of them")
}

// AppendJSON writes the specification as ParseJSON reads it, in one canonical way.
func (s *Spec) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	first := true
	for name, value := range s.Each {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, '"')
		b = append(b, name...)
		b = append(b, '"', ':')
		b = appendQuoted(b, value)
	}
	return append(b, '}')
}

// Query is the specification as ParseQuery reads it, in one canonical way.
func (s *Spec) Query() string {
	var b []byte
	for name, value := range s.Each {
		if len(b) > 0 {
			b = append(b, '&')
		}
		b = append(b, name...)
		b = append(b, '=')
		b = appendEscaped(b, value)
	}
	return string(b)
}

// appendEscaped writes text of a query; what specifications are made of stays readable.
func appendEscaped(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~,/@:", c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}

// appendQuoted writes text as JSON. Bytes that are no UTF-8 become the replacement character, as
// encoding/json has it.
func appendQuoted(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ' || r == '<' || r == '>' || r == '&' || r == 0x7f: // safe inside of HTML too
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		case r == 0x2028 || r == 0x2029:
			b = append(b, '\\', 'u', '2', '0', '2', hex[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}
