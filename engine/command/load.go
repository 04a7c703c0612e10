package command

import (
	"math"

	"github.com/keyloupe/keyloupe/engine/hashtype"
	"github.com/keyloupe/keyloupe/engine/intset"
	"github.com/keyloupe/keyloupe/engine/keyspace"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
	"github.com/keyloupe/keyloupe/engine/quicklist"
	"github.com/keyloupe/keyloupe/engine/rdb"
	"github.com/keyloupe/keyloupe/engine/sds"
	"github.com/keyloupe/keyloupe/engine/stream"
)

// A value of a dump is built anew by the limits of the moment (rdb.c, rdbLoadObject): a text becomes
// an integer or embstr where it can, what is over a limit becomes a table, whose size is that for all
// elements at once.

// rdbRules are the rules by which the server reads a dump. deep says whether texts of encodings are
// looked into where sanitize-dump-payload is "clients".
func (s *Server) rdbRules(deep bool) *rdb.Rules {
	how := s.Conf.Text("sanitize-dump-payload")
	return &rdb.Rules{Release: s.R, Deep: s.R.LoadsStrictly || how == "yes" || how == "clients" && deep}
}

// loadValue builds a value that was decoded.
func (s *Server) loadValue(v *rdb.Value) keyspace.Value {
	switch v.Type {
	case rdb.String:
		return s.loadString(v.Text)
	case rdb.List, rdb.ListZiplist, rdb.ListQuicklist, rdb.ListQuicklist2:
		return s.loadList(v)
	case rdb.Set, rdb.SetIntset, rdb.SetListpack:
		return s.loadSet(v)
	case rdb.Zset, rdb.Zset2, rdb.ZsetListpack, rdb.ZsetZiplist:
		return s.loadZset(v)
	case rdb.Hash, rdb.Hash2, rdb.HashListpack, rdb.HashZiplist, rdb.HashZipmap:
		return s.loadHash(v)
	}
	return keyspace.Structure(object.Stream, object.StreamRax, s.loadStream(v.Stream))
}

func (s *Server) loadString(text []byte) keyspace.Value {
	v := s.Space.Encoded(text)
	if v.Enc == object.Raw {
		v.Ptr = sds.New(s.H, text)
	}
	return v
}

func (s *Server) loadList(v *rdb.Value) keyspace.Value {
	q := s.newQuicklist()
	for _, e := range v.Items {
		q.Push(e, false)
	}
	for _, n := range v.Nodes {
		s.loadNode(q, &n)
	}
	if v.Type != rdb.ListZiplist {
		if p, ok := s.fitted(q, false); ok {
			return keyspace.Structure(object.List, object.Listpack, p)
		}
	}
	return keyspace.Structure(object.List, object.Quicklist, q.P)
}

func (s *Server) loadNode(q quicklist.List, n *rdb.Node) {
	switch {
	case n.Plain:
		q.AppendPlain(n.Data)
	case n.Items != nil:
		q.AppendListpack(listpack.Shrink(s.H, s.packed(n.Items, n.Room)))
	default:
		q.AppendListpack(listpack.FromBytes(s.H, n.Data))
	}
}

// packed makes a listpack of texts with room for that many bytes.
func (s *Server) packed(items [][]byte, room int) ptr {
	p := listpack.New(s.H, room)
	for _, e := range items {
		p = listpack.Append(s.H, p, e)
	}
	return p
}

func (s *Server) loadSet(v *rdb.Value) keyspace.Value {
	k := s.setKind()
	switch v.Type {
	case rdb.Set:
		return setValue(k.Load(v.Items))
	case rdb.SetIntset:
		x := k.View(object.Intset, intset.FromBytes(s.H, v.Text))
		if x.Len() > k.MaxIntset {
			x.ToTable()
		}
		return setValue(x)
	}
	x := k.View(object.Listpack, listpack.FromBytes(s.H, v.Text))
	if x.Len() > k.MaxListpack {
		x.ToTable()
	}
	return setValue(x)
}

func (s *Server) loadZset(v *rdb.Value) keyspace.Value {
	x := s.zsets.Open(object.Listpack, 0)
	switch v.Type {
	case rdb.ZsetListpack:
		x.P = listpack.FromBytes(s.H, v.Text)
	case rdb.ZsetZiplist:
		x.P = s.packed(v.Items, v.Room)
	default:
		x = s.zsets.NewLoaded(len(v.Pairs))
		longest, total := 0, 0
		for _, p := range v.Pairs {
			x.Insert(p.Score, p.Member)
			longest, total = max(longest, len(p.Member)), total+len(p.Member)
		}
		x.ToListpackIfFits(longest, total)
		return keyspace.Structure(object.Zset, x.Enc, x.P)
	}
	if x.Len() > x.T.MaxEntries() {
		x.ToSkiplist()
	} else if v.Type == rdb.ZsetZiplist {
		x.P = listpack.Shrink(s.H, x.P)
	}
	return keyspace.Structure(object.Zset, x.Enc, x.P)
}

func (s *Server) loadHash(v *rdb.Value) keyspace.Value {
	k := s.hashes
	var x hashtype.Hash
	switch v.Type {
	case rdb.Hash, rdb.Hash2:
		x = s.loadFields(k, v)
	case rdb.HashListpack:
		x = k.View(object.Listpack, listpack.FromBytes(s.H, v.Text))
	default:
		x = k.View(object.Listpack, s.packed(v.Items, v.Room))
	}
	if x.Enc == object.Listpack {
		switch {
		case x.Len() > k.MaxEntries || v.Type == rdb.HashZipmap && longest(v.Items) > k.MaxValue:
			x.Convert()
		case v.Type == rdb.HashZiplist:
			x.P = listpack.Shrink(s.H, x.P)
		}
	}
	return keyspace.Structure(object.Hash, x.Enc, x.P)
}

func longest(items [][]byte) (n int) {
	for _, e := range items {
		n = max(n, len(e))
	}
	return n
}

// loadFields builds a hash field by field: in a listpack as long as that may be, then in a table
// sized for those that are left.
func (s *Server) loadFields(k *hashtype.Kind, v *rdb.Value) hashtype.Hash {
	left := v.Count
	x, rest := hashtype.Hash{}, v.Fields
	if v.Type == rdb.Hash2 || left > k.MaxEntries {
		x = k.NewTable(0)
	} else {
		x = k.New()
		for len(rest) > 0 && x.Enc == object.Listpack {
			f := rest[0]
			x.Prepare([][]byte{f.Name, f.Value})
			x.Set(f.Name, f.Value, hashtype.NoExpire, false)
			rest, left = rest[1:], left-1
		}
		if x.Enc == object.Listpack {
			return x
		}
	}
	x.Reserve(left)
	for _, f := range rest {
		x.Add(f.Name, f.Value, f.At)
	}
	return x
}

func streamID(id rdb.ID) stream.ID { return stream.ID{Ms: id.Ms, Seq: id.Seq} }

func (s *Server) loadStream(v *rdb.Stream) ptr {
	x := stream.Open(s.H, stream.New(s.H))
	for _, n := range v.Nodes {
		x.AddNode(streamID(n.Master), n.Listpack)
	}
	x.SetLen(v.Len)
	x.SetLastID(streamID(v.Last))
	x.SetFirstID(streamID(v.First))
	x.SetMaxDeletedID(streamID(v.MaxDeleted))
	x.SetAdded(v.Added)
	if v.Old {
		x.SetFirstID(firstEntry(x))
	}
	for i := range v.Groups {
		s.loadGroup(x, &v.Groups[i], v.Old)
	}
	return x.Ptr()
}

// firstEntry is the id of the first entry; without any the server takes the greatest id there is.
func firstEntry(x stream.Stream) stream.ID {
	end := stream.ID{Ms: math.MaxUint64, Seq: math.MaxUint64}
	if it := x.Range(stream.ID{}, end, false); it.Next() {
		return it.ID()
	}
	return end
}

func (s *Server) loadGroup(x stream.Stream, v *rdb.Group, old bool) {
	last, read := streamID(v.Last), int64(v.Read)
	if old {
		read = x.Distance(last)
	}
	g, _ := x.CreateGroup(v.Name, last, read)
	for _, n := range v.Pending {
		g.LoadPending(streamID(n.ID), n.Time, n.Count)
	}
	for _, c := range v.Consumers {
		y, _ := g.CreateConsumer(c.Name, s.NowMS())
		y.SetSeen(c.Seen)
		y.SetActive(c.Active)
		for _, id := range c.Pending {
			g.LoadOwner(streamID(id), y)
		}
	}
}

// setUsed sets how an object was used: seconds since then, or how often, where the eviction policy
// takes them; negative ones are not known (object.c, objectSetLRUOrLFU).
func (s *Server) setUsed(p ptr, idle, freq int64) {
	b := s.H.Bytes(p)
	switch {
	case object.IsShared(s.R, b):
	case s.lfu():
		if freq >= 0 {
			minutes := uint32(s.NowMS()/60000) & 0xffff
			object.SetLRU(b, minutes<<8|uint32(freq&0xff))
		}
	case idle >= 0:
		object.SetLRU(b, uint32(int64(s.Space.LRUClock())-idle)&(1<<24-1))
	}
}
