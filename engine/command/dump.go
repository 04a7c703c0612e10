package command

import (
	"github.com/keyloupe/keyloupe/engine/hashtype"
	"github.com/keyloupe/keyloupe/engine/intset"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/rdb"
	"github.com/keyloupe/keyloupe/engine/settype"
	"github.com/keyloupe/keyloupe/engine/stream"
)

var _ = add(map[string]handler{"dump": dumpCommand})

// DUMP key
func dumpCommand(c *Client) {
	p := c.lookupRead(c.Args[1])
	if p == 0 {
		c.Null()
		return
	}
	w := c.S.rdbWriter()
	w.B = w.B[:0]
	c.S.saveType(w, p)
	c.S.saveValue(w, p)
	w.Seal(c.S.R.RDBVersion)
	c.Bulk(w.B)
}

// rdbWriter is the server's writer with the directives of the moment.
func (s *Server) rdbWriter() *rdb.Writer {
	s.rdb.writer.Compress = s.Conf.Yes("rdbcompression")
	return &s.rdb.writer
}

// saveType writes the code of an object's value.
func (s *Server) saveType(w *rdb.Writer, p ptr) { w.Type(s.rdbType(p)) }

func (s *Server) rdbType(p ptr) rdb.Type {
	b := s.H.Bytes(p)
	e := object.EncodingOf(b)
	switch object.TypeOf(b) {
	case object.List:
		return rdb.ListQuicklist2
	case object.Set:
		switch e {
		case object.Intset:
			return rdb.SetIntset
		case object.Listpack:
			return rdb.SetListpack
		}
		return rdb.Set
	case object.Zset:
		if e == object.Listpack {
			return rdb.ZsetListpack
		}
		return rdb.Zset2
	case object.Hash:
		if e == object.Listpack {
			return rdb.HashListpack
		}
		if x := s.hashOf(p); x.HasVolatile() {
			return rdb.Hash2
		}
		return rdb.Hash
	case object.Stream:
		return rdb.Stream3
	}
	return rdb.String
}

// saveValue writes the value of an object (rdb.c, rdbSaveObject).
func (s *Server) saveValue(w *rdb.Writer, p ptr) {
	b := s.H.Bytes(p)
	e, v := object.EncodingOf(b), ptr(object.Val(b))
	switch t := object.TypeOf(b); {
	case t == object.String && e == object.Int:
		w.Int(int64(object.Val(b)))
	case t == object.String:
		var num [24]byte
		w.String(object.Text(s.H, p, &num))
	case t == object.List:
		s.saveList(w, e, v)
	case t == object.Stream:
		saveStream(w, stream.Open(s.H, v))
	case e == object.Listpack:
		w.String(packedBytes(listpack.Of(s.H, v)))
	case e == object.Intset:
		w.String(intset.Of(s.H, v))
	case t == object.Set:
		saveSet(w, s.setKind().View(e, v))
	case t == object.Zset:
		s.saveZset(w, e, v)
	case t == object.Hash:
		saveHash(w, s.hashOf(p))
	}
}

// packedBytes is a listpack without what its block has behind it.
func packedBytes(lp []byte) []byte { return lp[:listpack.Bytes(lp)] }

func (s *Server) saveList(w *rdb.Writer, e object.Encoding, v ptr) {
	if e == object.Listpack {
		w.Len(1)
		w.Len(rdb.Packed)
		w.String(packedBytes(listpack.Of(s.H, v)))
		return
	}
	q := s.quicklist(v)
	w.Len(uint64(q.Nodes()))
	q.EachNode(func(plain bool, entry []byte) bool {
		if plain {
			w.Len(rdb.Plain)
		} else {
			w.Len(rdb.Packed)
		}
		w.String(entry)
		return true
	})
}

func saveSet(w *rdb.Writer, x settype.Set) {
	w.Len(uint64(x.Len()))
	x.Each(func(m settype.Member) bool {
		w.String(m.Text)
		return true
	})
}

// saveZset writes a sorted set from its end, so that a load always inserts at the head.
func (s *Server) saveZset(w *rdb.Writer, e object.Encoding, v ptr) {
	x := s.zsets.Open(e, v)
	w.Len(uint64(x.Len()))
	for at := x.Last(); at.OK(); at.Prev() {
		w.String(at.Member())
		w.Double(at.Score())
	}
}

// saveHash writes a table of fields, those included whose time has come.
func saveHash(w *rdb.Writer, x hashtype.Hash) {
	expiries := x.HasVolatile()
	w.Len(uint64(x.Len()))
	x.All(func(field, value []byte, at int64) bool {
		w.String(field)
		w.String(value)
		if expiries {
			w.Millis(at)
		}
		return true
	})
}

func saveID(w *rdb.Writer, id stream.ID) {
	w.Len(id.Ms)
	w.Len(id.Seq)
}

func saveStream(w *rdb.Writer, x stream.Stream) {
	w.Len(uint64(x.Nodes()))
	x.EachNode(func(master stream.ID, lp []byte) bool {
		w.String(master.AppendKey(nil))
		w.String(packedBytes(lp))
		return true
	})
	w.Len(x.Len())
	saveID(w, x.LastID())
	saveID(w, x.FirstID())
	saveID(w, x.MaxDeletedID())
	w.Len(x.Added())
	w.Len(uint64(x.Groups()))
	x.EachGroup(func(name []byte, g stream.Group) bool {
		w.String(name)
		saveID(w, g.LastID())
		w.Len(uint64(g.Read()))
		w.Len(uint64(g.Pending()))
		savePending(w, g.PendingEntries(), true)
		w.Len(uint64(g.Consumers()))
		g.EachConsumer(func(c stream.Consumer) bool {
			w.String(c.Name())
			w.Millis(c.Seen())
			w.Millis(c.Active())
			w.Len(uint64(c.Pending()))
			savePending(w, c.PendingEntries(), false)
			return true
		})
		return true
	})
}

// savePending writes pending entries, those of a group with when and how often they were delivered.
func savePending(w *rdb.Writer, it stream.PendingIter, deliveries bool) {
	for ok := it.Seek(stream.ID{}); ok; ok = it.Next() {
		w.Raw(it.ID().AppendKey(nil))
		if deliveries {
			w.Millis(it.NACK().Time())
			w.Len(it.NACK().Count())
		}
	}
}
