package sweep

import (
	"io"
	"slices"
	"strconv"
	"strings"
)

// Formats are the formats that Write knows.
var Formats = []string{"text", "csv", "json", "ndjson"}

// columns of a row, in every format.
var columns = []string{"server", "type", "key", "value", "field", "fields", "ttl", "history", "keys",
	"encoding", "memory_usage", "allocated", "table", "bytes_per_key", "delta", "delta_percent"}

// flushAt is how much is gathered before it is written; a little more may be.
const flushAt = 32 << 10

// every is after how many rows Write asks whether to go on.
const every = 4096

// encoder writes rows one after another to a buffer.
type encoder interface {
	begin(b []byte) []byte
	row(b []byte, r *Row) []byte
	end(b []byte, rows int) []byte
}

// Write writes every row in a format, the same bytes for the same specification on every platform,
// holding 32 KB of them at a time. goOn, if not nil, is called now and then with the number of rows
// so far; its error ends the work and is returned.
func (p *Plan) Write(w io.Writer, format string, goOn func(rows int) error) error {
	e, err := p.encoder(format)
	if err != nil {
		return err
	}
	b := e.begin(make([]byte, 0, flushAt+4096))
	rows := 0
	for r := range p.Rows {
		b = e.row(b, r)
		rows++
		if len(b) >= flushAt {
			if _, err = w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
		if goOn != nil && rows%every == 0 {
			if err = goOn(rows); err != nil {
				return err
			}
		}
	}
	_, err = w.Write(e.end(b, rows))
	return err
}

func (p *Plan) encoder(format string) (encoder, error) {
	switch format {
	case "csv":
		return newCSV(p), nil
	case "json":
		return &jsonRows{p: p, line: newJSONLine(p)}, nil
	case "ndjson":
		return &ndjsonRows{newJSONLine(p)}, nil
	case "text":
		return newText(p), nil
	}
	return nil, fieldErrorf("format", "%s is none of %s", quote(format), strings.Join(Formats, ", "))
}

// csvRows writes comma-separated rows. Nothing in them needs quotes.
type csvRows struct{ server, how [][]byte }

func newCSV(p *Plan) *csvRows {
	e := &csvRows{}
	for _, r := range p.Releases {
		e.server = append(e.server, []byte(r.Name()+","+p.Spec.Type.String()+","))
	}
	e.how = perTTLAndHistory(func(t TTL, h History) string { return "," + t.String() + "," + h.String() + "," })
	return e
}

// perTTLAndHistory makes the texts that howAt finds.
func perTTLAndHistory(text func(TTL, History) string) (out [][]byte) {
	for t := range ttlNames {
		for h := range historyNames {
			out = append(out, []byte(text(TTL(t), History(h))))
		}
	}
	return out
}

func howAt(how [][]byte, r *Row) []byte { return how[int(r.TTL)*len(historyNames)+int(r.History)] }

func (e *csvRows) begin(b []byte) []byte {
	b = append(b, strings.Join(columns, ",")...)
	return append(b, '\n')
}

func (e *csvRows) row(b []byte, r *Row) []byte {
	b = append(b, e.server[r.Server]...)
	b = appendInt(b, r.Key)
	b = appendInt(append(b, ','), r.Value)
	b = appendInt(append(b, ','), r.Field)
	b = appendInt(append(b, ','), r.Fields)
	b = append(b, howAt(e.how, r)...)
	b = appendInt(b, r.Keys)
	b = append(b, ',')
	b = append(b, encodingNames[r.Encoding]...)
	b = r.Usage.append(append(b, ','))
	b = r.Allocated.append(append(b, ','))
	b = r.Table.append(append(b, ','))
	b = r.PerKey.append(append(b, ','))
	if r.First() {
		return append(b, ",,\n"...)
	}
	b = r.Delta.append(append(b, ','))
	b = appendPercent(append(b, ','), r.Percent)
	return append(b, '\n')
}

func (e *csvRows) end(b []byte, _ int) []byte { return b }

// appendInt writes a number that is not negative; most are short.
func appendInt(b []byte, n int) []byte {
	switch {
	case n < 10:
		return append(b, '0'+byte(n))
	case n < 100:
		return append(b, '0'+byte(n/10), '0'+byte(n%10))
	}
	return strconv.AppendInt(b, int64(n), 10)
}

// appendPercent writes hundredths of a percent without zeros at the end.
func appendPercent(b []byte, hundredths int) []byte {
	if hundredths < 0 {
		b = append(b, '-')
		hundredths = -hundredths
	}
	return appendFraction(appendInt(b, hundredths/100), hundredths%100, 10)
}

// jsonLine writes one row as an object.
type jsonLine struct{ server, how [][]byte }

func newJSONLine(p *Plan) *jsonLine {
	e := &jsonLine{}
	for _, r := range p.Releases {
		e.server = append(e.server, []byte(`{"server":"`+r.Name()+`","type":"`+p.Spec.Type.String()+`","key":`))
	}
	e.how = perTTLAndHistory(func(t TTL, h History) string {
		return `,"ttl":"` + t.String() + `","history":"` + h.String() + `","keys":`
	})
	return e
}

func (e *jsonLine) append(b []byte, r *Row) []byte {
	b = appendInt(append(b, e.server[r.Server]...), r.Key)
	b = appendInt(append(b, `,"value":`...), r.Value)
	b = appendInt(append(b, `,"field":`...), r.Field)
	b = appendInt(append(b, `,"fields":`...), r.Fields)
	b = appendInt(append(b, howAt(e.how, r)...), r.Keys)
	b = append(append(b, `,"encoding":"`...), encodingNames[r.Encoding]...)
	b = r.Usage.append(append(b, `","memory_usage":`...))
	b = r.Allocated.append(append(b, `,"allocated":`...))
	b = r.Table.append(append(b, `,"table":`...))
	b = r.PerKey.append(append(b, `,"bytes_per_key":`...))
	if !r.First() {
		b = r.Delta.append(append(b, `,"delta":`...))
		b = appendPercent(append(b, `,"delta_percent":`...), r.Percent)
	}
	return append(b, '}')
}

// jsonRows writes one object: the specification, notes, the rows.
type jsonRows struct {
	p    *Plan
	line *jsonLine
	rows int
}

func (e *jsonRows) begin(b []byte) []byte {
	b = e.p.Spec.AppendJSON(append(b, `{"spec":`...))
	b = append(b, `,"notes":[`...)
	for i, n := range e.p.Notes() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendQuoted(b, n)
	}
	b = append(b, `],"count":`...)
	b = strconv.AppendInt(b, int64(e.p.points), 10)
	return append(b, `,"rows":[`...)
}

func (e *jsonRows) row(b []byte, r *Row) []byte {
	if e.rows > 0 {
		b = append(b, ',')
	}
	e.rows++
	return e.line.append(append(b, '\n'), r)
}

func (e *jsonRows) end(b []byte, _ int) []byte { return append(b, "\n]}\n"...) }

// ndjsonRows writes an object a line; the last tells that all came.
type ndjsonRows struct{ line *jsonLine }

func (e *ndjsonRows) begin(b []byte) []byte { return b }

func (e *ndjsonRows) row(b []byte, r *Row) []byte { return append(e.line.append(b, r), '\n') }

func (e *ndjsonRows) end(b []byte, rows int) []byte {
	b = append(b, `{"done":true,"rows":`...)
	b = strconv.AppendInt(b, int64(rows), 10)
	return append(b, "}\n"...)
}

// textRows writes a table for people: only the columns that vary, and the costs.
type textRows struct {
	p     *Plan
	cols  []textColumn
	cells []byte
}

type textColumn struct {
	name  string
	width int
	left  bool
	cell  func(b []byte, r *Row) []byte
}

func newText(p *Plan) *textRows {
	e := &textRows{p: p}
	s := &p.Spec
	axis := func(name string, a Axis, get func(*Row) int) {
		if a.Len() > 1 {
			_, high := a.Bounds()
			e.add(name, len(strconv.Itoa(high)), func(b []byte, r *Row) []byte { return appendInt(b, get(r)) })
		}
	}
	if len(s.TTL) > 1 {
		e.add("ttl", longest(ttlNames), func(b []byte, r *Row) []byte { return append(b, r.TTL.String()...) }).left = true
	}
	if len(s.History) > 1 {
		e.add("history", longest(historyNames), func(b []byte, r *Row) []byte { return append(b, r.History.String()...) }).left = true
	}
	axis("keys", s.Keys, func(r *Row) int { return r.Keys })
	axis("key", s.Key, func(r *Row) int { return r.Key })
	axis("fields", s.Fields, func(r *Row) int { return r.Fields })
	axis("field", s.Field, func(r *Row) int { return r.Field })
	axis("value", s.Value, func(r *Row) int { return r.Value })
	e.add("server", longest(s.Servers), func(b []byte, r *Row) []byte { return append(b, s.Servers[r.Server]...) }).left = true
	e.add("encoding", len("hashtable"), func(b []byte, r *Row) []byte { return append(b, r.Encoding.String()...) }).left = true
	e.costs()
	return e
}

func (e *textRows) add(name string, width int, cell func([]byte, *Row) []byte) *textColumn {
	e.cols = append(e.cols, textColumn{name: name, width: max(width, len(name)), cell: cell})
	return &e.cols[len(e.cols)-1]
}

func longest(names []string) (n int) {
	for _, s := range names {
		n = max(n, len(s))
	}
	return n
}

func (e *textRows) costs() {
	size := func(name string, get func(*Row) Micro, decimals int) {
		e.add(name, 9, func(b []byte, r *Row) []byte { return get(r).appendRound(b, decimals) })
	}
	whole := 0
	if e.p.Spec.Type == Hash { // the tables of hashes have child buckets
		_, most := e.p.Spec.Fields.Bounds()
		if most > positions {
			whole = 1
		}
	}
	size("memory_usage", func(r *Row) Micro { return r.Usage }, whole)
	size("allocated", func(r *Row) Micro { return r.Allocated }, whole)
	size("table", func(r *Row) Micro { return r.Table }, 2)
	size("bytes_per_key", func(r *Row) Micro { return r.PerKey }, 2)
	e.add("delta", 9, func(b []byte, r *Row) []byte {
		if r.First() {
			return b
		}
		return r.Delta.appendRound(b, 2)
	})
	e.add("delta_percent", 9, func(b []byte, r *Row) []byte {
		if r.First() {
			return b
		}
		return append(strconv.AppendFloat(b, float64(r.Percent)/100, 'f', 2, 64), " %"...)
	})
}

func (e *textRows) begin(b []byte) []byte {
	b = append(append(b, e.p.Summary()...), '\n')
	for _, n := range e.p.Notes() {
		b = append(append(append(b, "note: "...), n...), '\n')
	}
	b = append(b, '\n')
	for i := range e.cols {
		b = e.pad(b, i, []byte(e.cols[i].name))
	}
	return append(trimRight(b), '\n')
}

func (e *textRows) row(b []byte, r *Row) []byte {
	for i := range e.cols {
		e.cells = e.cols[i].cell(e.cells[:0], r)
		b = e.pad(b, i, e.cells)
	}
	return append(trimRight(b), '\n')
}

func (e *textRows) pad(b []byte, i int, cell []byte) []byte {
	c := &e.cols[i]
	if i > 0 {
		b = append(b, "  "...)
	}
	if c.left {
		b = append(b, cell...)
	}
	for range c.width - len(cell) {
		b = append(b, ' ')
	}
	if !c.left {
		b = append(b, cell...)
	}
	return b
}

func trimRight(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] == ' ' {
		b = b[:len(b)-1]
	}
	return b
}

func (e *textRows) end(b []byte, _ int) []byte { return b }

// Notes are sentences that readers of the numbers need.
func (p *Plan) Notes() []string {
	var out []string
	if p.keySeedsMissing() {
		out = append(out, "table is the expectation over random hash seeds, once no table is being rehashed")
	}
	for _, r := range p.Releases {
		if r.As != "" {
			out = append(out, r.Name()+" is not known here and is taken for "+r.As)
		}
		if r.Build.ObjectExtra != 0 {
			out = append(out, r.Name()+" is inferred from published figures of a managed service, not measured")
		}
	}
	return out
}

func (p *Plan) keySeedsMissing() bool {
	return slices.ContainsFunc(p.models, func(m *model) bool { return m.hashtables() && p.keySeed(m.rel) == nil })
}
