package catalog

// Info writes the reply of COMMAND INFO for one command, or null for nil.
func (c *Catalog) Info(s Sink, cmd *Command) {
	if cmd == nil {
		s.Null()
		return
	}
	s.Array(10)
	s.BulkString(cmd.FullName)
	s.Int(int64(cmd.Arity))
	statuses(s, cmd.Flags)
	s.Int(int64(cmd.FirstKey))
	s.Int(int64(cmd.LastKey))
	s.Int(int64(cmd.KeyStep))
	statuses(s, cmd.Categories)
	s.Set(len(cmd.Tips))
	for _, t := range cmd.Tips {
		s.BulkString(t)
	}
	s.Set(len(cmd.KeySpecs))
	for i := range cmd.KeySpecs {
		keySpec(s, &cmd.KeySpecs[i])
	}
	if len(cmd.Subcommands) == 0 && c.NoneIsSet {
		s.Set(0)
		return
	}
	s.Array(len(cmd.Subcommands))
	for _, sub := range cmd.Subcommands {
		c.Info(s, sub)
	}
}

func statuses(s Sink, list []string) {
	s.Set(len(list))
	for _, x := range list {
		s.Status(x)
	}
}

func keySpec(s Sink, k *KeySpec) {
	if k.Notes == "" {
		s.Map(3)
	} else {
		s.Map(4)
		s.BulkString("notes")
		s.BulkString(k.Notes)
	}
	s.BulkString("flags")
	statuses(s, k.Flags)
	s.BulkString("begin_search")
	switch b := k.Begin; b.Type {
	case "index":
		spec(s, b.Type, field{"index", b.Index})
	case "keyword":
		s.Map(2)
		s.BulkString("type")
		s.BulkString(b.Type)
		s.BulkString("spec")
		s.Map(2)
		s.BulkString("keyword")
		s.BulkString(b.Keyword)
		s.BulkString("startfrom")
		s.Int(int64(b.StartFrom))
	default:
		spec(s, b.Type)
	}
	s.BulkString("find_keys")
	switch f := k.Find; f.Type {
	case "range":
		spec(s, f.Type, field{"lastkey", f.LastKey}, field{"keystep", f.KeyStep}, field{"limit", f.Limit})
	case "keynum":
		spec(s, f.Type, field{"keynumidx", f.KeyNumIdx}, field{"firstkey", f.FirstKey}, field{"keystep", f.KeyStep})
	default:
		spec(s, f.Type)
	}
}

type field struct {
	name  string
	value int
}

// spec writes {type, spec: {fields}}.
func spec(s Sink, kind string, fields ...field) {
	s.Map(2)
	s.BulkString("type")
	s.BulkString(kind)
	s.BulkString("spec")
	s.Map(len(fields))
	for _, f := range fields {
		s.BulkString(f.name)
		s.Int(int64(f.value))
	}
}
