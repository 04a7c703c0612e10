package sweep

import (
	"io"
	"strconv"
	"strings"
)

// maxCliffs bounds how many cliffs are written: beyond, nobody reads them.
const maxCliffs = 10_000

// WriteCliffs writes the cliffs, and in JSON and text the lengths at which a later server costs
// more. Formats and goOn are those of Write.
func (p *Plan) WriteCliffs(w io.Writer, format string, goOn func(cliffs int) error) error {
	e, err := p.cliffEncoder(format)
	if err != nil {
		return err
	}
	b := e.begin(nil)
	n := 0
	for c := range p.Cliffs {
		b = e.cliff(b, c)
		if len(b) >= flushAt {
			if _, err = w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
		if n++; goOn != nil {
			if err = goOn(n); err != nil {
				return err
			}
		}
		if n == maxCliffs {
			break
		}
	}
	_, err = w.Write(e.end(b, n))
	return err
}

type cliffEncoder interface {
	begin(b []byte) []byte
	cliff(b []byte, c *Cliff) []byte
	end(b []byte, n int) []byte
}

func (p *Plan) cliffEncoder(format string) (cliffEncoder, error) {
	switch format {
	case "text":
		return &cliffText{p: p}, nil
	case "csv":
		return &cliffCSV{p}, nil
	case "json":
		return &cliffJSON{p: p}, nil
	case "ndjson":
		return &cliffLines{cliffJSON{p: p}}, nil
	}
	return nil, fieldErrorf("format", "%s is none of %s", quote(format), strings.Join(Formats, ", "))
}

// Sentence is all that is said of a cliff.
func (c *Cliff) Sentence() string { return strings.Join(c.Sentences, " ") }

// cliffText writes a cliff in two or three lines.
type cliffText struct {
	p    *Plan
	last string
}

func (e *cliffText) begin(b []byte) []byte {
	from, to := e.p.CliffRange()
	b = append(append(b, e.p.Summary()...), "\nevery value length from "...)
	b = append(strconv.AppendInt(b, int64(from), 10), " to "...)
	return append(strconv.AppendInt(b, int64(to), 10), " bytes\n"...)
}

func (e *cliffText) cliff(b []byte, c *Cliff) []byte {
	if h := e.p.heading(&c.Row, c.A, c.B); h != e.last {
		e.last = h
		b = append(append(append(b, '\n'), h...), '\n')
	}
	b = append(b, "  "...)
	arrow := strconv.Itoa(c.From) + " -> " + strconv.Itoa(c.To)
	b = append(b, arrow...)
	for range 16 - len(arrow) {
		b = append(b, ' ')
	}
	change := show(c.DeltaIs - c.DeltaWas)
	if c.DeltaIs > c.DeltaWas {
		change = "+" + change
	}
	for range 7 - len(change) {
		b = append(b, ' ')
	}
	b = append(append(append(b, change...), "  "...), c.Sentence()...)
	for i, server := range []int{c.A, c.B} {
		if c.Longer[i] >= 0 {
			b = append(b, " (On "+e.p.Spec.Servers[server]+" a longer value of "+strconv.Itoa(c.Longer[i])+" bytes costs less.)"...)
		}
	}
	return append(b, '\n')
}

func (e *cliffText) end(b []byte, n int) []byte {
	if n == 0 {
		b = append(b, "\nno cliffs: neither an encoding nor the difference between two servers changes\n"...)
	}
	if n == maxCliffs {
		b = append(b, "\nthere are more: name fewer lengths or servers\n"...)
	}
	e.last = ""
	for x := range e.p.Excesses {
		if h := e.p.heading(&x.Row, x.A, x.B); h != e.last {
			e.last = h
			b = append(append(append(b, "\ncosts more: "...), h...), '\n')
		}
		b = append(append(append(b, "  "...), lengths(x)...), "  +"...)
		b = append(append(b, show(x.Delta)...), '\n')
	}
	return b
}

func lengths(x *Excess) string {
	if x.From == x.To {
		return strconv.Itoa(x.From)
	}
	return strconv.Itoa(x.From) + ".." + strconv.Itoa(x.To)
}

// heading names a pair of servers and a shape.
func (p *Plan) heading(r *Row, a, b int) string {
	s := p.Spec.Servers[b] + " against " + p.Spec.Servers[a] + ", key " + strconv.Itoa(r.Key) + " B"
	if p.Spec.Type == Hash {
		fields := " fields of "
		if r.Fields == 1 {
			fields = " field of "
		}
		s += ", " + strconv.Itoa(r.Fields) + fields + strconv.Itoa(r.Field) + " B"
	}
	return s + ", ttl " + r.TTL.String() + ", history " + r.History.String() + ", " + strconv.Itoa(r.Keys) + " keys"
}

// cliffJSON writes one object with the specification, the cliffs and the excesses.
type cliffJSON struct {
	p    *Plan
	seen int
}

func (e *cliffJSON) begin(b []byte) []byte {
	b = e.p.Spec.AppendJSON(append(b, `{"spec":`...))
	from, to := e.p.CliffRange()
	b = strconv.AppendInt(append(b, `,"from":`...), int64(from), 10)
	b = strconv.AppendInt(append(b, `,"to":`...), int64(to), 10)
	return append(b, `,"cliffs":[`...)
}

func (e *cliffJSON) cliff(b []byte, c *Cliff) []byte {
	if e.seen > 0 {
		b = append(b, ',')
	}
	e.seen++
	return e.object(append(b, '\n'), c)
}

func (e *cliffJSON) object(b []byte, c *Cliff) []byte {
	b = e.shape(append(b, '{'), &c.Row, c.A, c.B)
	b = strconv.AppendInt(append(b, `,"from":`...), int64(c.From), 10)
	b = strconv.AppendInt(append(b, `,"to":`...), int64(c.To), 10)
	b = append(append(b, `,"kind":"`...), c.Kind.String()...)
	b = strconv.AppendBool(append(b, `","last":`...), c.Last)
	b = cells(append(b, `,"before":`...), c.Before)
	b = cells(append(b, `,"after":`...), c.After)
	b = c.DeltaWas.append(append(b, `,"delta_before":`...))
	b = c.DeltaIs.append(append(b, `,"delta_after":`...))
	b = (c.DeltaIs - c.DeltaWas).append(append(b, `,"change":`...))
	b = pairOf(append(b, `,"shorter":`...), c.Shorter)
	b = pairOf(append(b, `,"longer":`...), c.Longer)
	b = appendQuoted(append(b, `,"sentence":`...), c.Sentence())
	return append(b, '}')
}

func (e *cliffJSON) shape(b []byte, r *Row, x, y int) []byte {
	b = append(b, `"servers":["`+e.p.Spec.Servers[x]+`","`+e.p.Spec.Servers[y]+`"],"key":`...)
	b = appendInt(b, r.Key)
	b = appendInt(append(b, `,"field":`...), r.Field)
	b = appendInt(append(b, `,"fields":`...), r.Fields)
	b = append(b, `,"ttl":"`+r.TTL.String()+`","history":"`+r.History.String()+`","keys":`...)
	return appendInt(b, r.Keys)
}

// cells writes encoding and bytes of both servers.
func cells(b []byte, c [2]Cell) []byte {
	for i, cell := range c {
		b = append(b, "[,"[i])
		b = append(append(append(b, `{"encoding":"`...), cell.Encoding.String()...), `","allocated":`...)
		b = append(cell.Allocated.append(b), '}')
	}
	return append(b, ']')
}

// pairOf writes a length for each server, null for none.
func pairOf(b []byte, n [2]int) []byte {
	for i, v := range n {
		b = append(b, "[,"[i])
		if v < 0 {
			b = append(b, "null"...)
		} else {
			b = appendInt(b, v)
		}
	}
	return append(b, ']')
}

func (e *cliffJSON) end(b []byte, n int) []byte {
	b = append(b, "\n],\"costs_more\":["...)
	first := true
	for x := range e.p.Excesses {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = e.shape(append(b, "\n{"...), &x.Row, x.A, x.B)
		b = strconv.AppendInt(append(b, `,"from":`...), int64(x.From), 10)
		b = strconv.AppendInt(append(b, `,"to":`...), int64(x.To), 10)
		b = append(x.Delta.append(append(b, `,"delta":`...)), '}')
	}
	b = strconv.AppendInt(append(b, "\n],\"count\":"...), int64(n), 10)
	b = strconv.AppendBool(append(b, `,"complete":`...), n < maxCliffs)
	return append(b, "}\n"...)
}

// cliffLines writes an object a line; the last tells that all came.
type cliffLines struct{ cliffJSON }

func (e *cliffLines) begin(b []byte) []byte { return b }

func (e *cliffLines) cliff(b []byte, c *Cliff) []byte { return append(e.object(b, c), '\n') }

func (e *cliffLines) end(b []byte, n int) []byte {
	b = strconv.AppendInt(append(b, `{"done":true,"rows":`...), int64(n), 10)
	b = strconv.AppendBool(append(b, `,"complete":`...), n < maxCliffs)
	return append(b, "}\n"...)
}

// cliffCSV writes a line a cliff.
type cliffCSV struct{ p *Plan }

func (e *cliffCSV) begin(b []byte) []byte {
	return append(b, "server_a,server_b,type,key,field,fields,ttl,history,keys,from,to,kind,last,"+
		"encoding_a_before,encoding_b_before,encoding_a_after,encoding_b_after,"+
		"allocated_a_before,allocated_b_before,allocated_a_after,allocated_b_after,"+
		"delta_before,delta_after,change,shorter_a,shorter_b,longer_a,longer_b,sentence\n"...)
}

func (e *cliffCSV) cliff(b []byte, c *Cliff) []byte {
	cell := func(s string) { b = append(append(b, s...), ',') }
	number := func(n int) {
		if n >= 0 {
			b = appendInt(b, n)
		}
		b = append(b, ',')
	}
	cell(e.p.Spec.Servers[c.A])
	cell(e.p.Spec.Servers[c.B])
	cell(e.p.Spec.Type.String())
	number(c.Key)
	number(c.Field)
	number(c.Fields)
	cell(c.TTL.String())
	cell(c.History.String())
	number(c.Keys)
	number(c.From)
	number(c.To)
	cell(c.Kind.String())
	cell(strconv.FormatBool(c.Last))
	for _, x := range [][2]Cell{c.Before, c.After} {
		cell(x[0].Encoding.String())
		cell(x[1].Encoding.String())
	}
	for _, x := range [][2]Cell{c.Before, c.After} {
		cell(x[0].Allocated.String())
		cell(x[1].Allocated.String())
	}
	for _, m := range []Micro{c.DeltaWas, c.DeltaIs, c.DeltaIs - c.DeltaWas} {
		cell(m.String())
	}
	for _, n := range []int{c.Shorter[0], c.Shorter[1], c.Longer[0], c.Longer[1]} {
		number(n)
	}
	return append(append(append(b, '"'), c.Sentence()...), "\"\n"...) // no quotes are in a sentence
}

func (e *cliffCSV) end(b []byte, _ int) []byte { return b }
