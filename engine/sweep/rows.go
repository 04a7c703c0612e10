package sweep

// Row is one point of the grid on one server.
type Row struct {
	Server  int // index into Spec.Servers
	Key     int
	Value   int
	Field   int // 0 for strings
	Fields  int // 0 for strings
	TTL     TTL
	History History
	Keys    int
	Cell          // of one key
	Table   Micro // bytes per key of the keyspace's tables for that many keys
	PerKey  Micro // Allocated + Table: growth of used_memory per key
	Delta   Micro // PerKey less that of the first server; 0 for the first server
	Percent int   // Delta of the first server's PerKey, in hundredths of a percent, rounded
}

// First tells whether the row is of the first server, which the others are compared with.
func (r *Row) First() bool { return r.Server == 0 }

// Rows yields every row: the servers of a point after each other, values before the fields' lengths,
// numbers of fields, keys' lengths, populations, histories and TTLs. The row is used again for the
// next one. It keeps nothing: any number of rows takes the same memory.
func (p *Plan) Rows(yield func(*Row) bool) {
	for _, ttl := range p.Spec.TTL {
		for _, h := range p.Spec.History {
			for n := range p.Spec.Keys.All {
				for key := range p.Spec.Key.All {
					if !p.keyRows(Row{TTL: ttl, History: h, Keys: n, Key: key}, yield) {
						return
					}
				}
			}
		}
	}
}

func (p *Plan) keyRows(at Row, yield func(*Row) bool) bool {
	tables := make([]Micro, len(p.models))
	for i, m := range p.models {
		tables[i] = p.tableShare(m, at.Key, at.Keys, at.TTL)
	}
	shapes := make([]shape, len(p.models))
	for fields := range p.Spec.Fields.All {
		for field := range p.Spec.Field.All {
			at.Field, at.Fields = field, fields
			for i, m := range p.models {
				shapes[i] = p.shape(m, &at)
			}
			if !p.valueRows(at, shapes, tables, yield) {
				return false
			}
		}
	}
	return true
}

func (p *Plan) valueRows(r Row, shapes []shape, tables []Micro, yield func(*Row) bool) bool {
	var first Micro
	for value := range p.Spec.Value.All {
		for i, s := range shapes {
			r.Server, r.Value, r.Table = i, value, tables[i]
			r.Cell = s.at(value)
			r.PerKey = r.Allocated + r.Table
			if i == 0 {
				first = r.PerKey
				r.Delta, r.Percent = 0, 0
			} else {
				r.Delta = r.PerKey - first
				r.Percent = percent(r.Delta, first)
			}
			if !yield(&r) {
				return false
			}
		}
	}
	return true
}

// percent is 100 * part / whole in hundredths, rounded half away from zero.
func percent(part, whole Micro) int {
	if whole == 0 {
		return 0
	}
	n := part * 10_000
	if (n < 0) != (whole < 0) {
		return int((n - whole/2) / whole)
	}
	return int((n + whole/2) / whole)
}

// shape prepares a server for a row's shape, all but the value's length.
func (p *Plan) shape(m *model, at *Row) shape {
	ttl := at.TTL == KeyTTL
	switch {
	case p.Spec.Type == Hash:
		return newHashShape(p, m, at.Key, at.Field, at.Fields, at.TTL, at.History)
	case !m.hashtables():
		return newDictStringShape(m, at.Key, ttl, p.Spec.ValueKind == Int)
	case p.Spec.ValueKind == Int:
		return newIntShape(m, at.Key, ttl)
	}
	return newStringShape(m, at.Key, ttl)
}

// tableShare is the cost per key of the tables of the keyspace.
func (p *Plan) tableShare(m *model, key, n int, ttl TTL) Micro {
	children := 0.0
	if m.hashtables() {
		children = p.keyChildren(m, key, n)
	}
	return m.population(n, ttl, children)
}
