package catalog

// Docs writes one command's map of COMMAND DOCS, without the name before it.
func Docs(s Sink, cmd *Command) {
	n := 1 // group is always there
	for _, has := range []bool{cmd.Summary != "", cmd.Since != "", cmd.Complexity != "", len(cmd.DocFlags) > 0, cmd.DeprecatedSince != "",
		cmd.ReplacedBy != "", len(cmd.History) > 0, len(cmd.Arguments) > 0, len(cmd.Subcommands) > 0} {
		if has {
			n++
		}
	}
	s.Map(n)
	text(s, "summary", cmd.Summary)
	text(s, "since", cmd.Since)
	s.BulkString("group")
	s.BulkString(cmd.Group)
	text(s, "complexity", cmd.Complexity)
	if len(cmd.DocFlags) > 0 {
		s.BulkString("doc_flags")
		statuses(s, cmd.DocFlags)
	}
	text(s, "deprecated_since", cmd.DeprecatedSince)
	text(s, "replaced_by", cmd.ReplacedBy)
	if len(cmd.History) > 0 {
		s.BulkString("history")
		s.Set(len(cmd.History))
		for _, h := range cmd.History {
			s.Array(2)
			s.BulkString(h.Since)
			s.BulkString(h.Text)
		}
	}
	if len(cmd.Arguments) > 0 {
		s.BulkString("arguments")
		arguments(s, cmd.Arguments)
	}
	if len(cmd.Subcommands) > 0 {
		s.BulkString("subcommands")
		s.Map(len(cmd.Subcommands))
		for _, sub := range cmd.Subcommands {
			s.BulkString(sub.FullName)
			Docs(s, sub)
		}
	}
}

// text writes a pair whose value may be missing.
func text(s Sink, name, value string) {
	if value != "" {
		s.BulkString(name)
		s.BulkString(value)
	}
}

func arguments(s Sink, args []Argument) {
	s.Array(len(args))
	for i := range args {
		argument(s, &args[i])
	}
}

func argument(s Sink, a *Argument) {
	flags := a.flags()
	n := 3 // name, type, and display_text or arguments
	for _, has := range []bool{a.KeySpec >= 0, a.HasToken, a.Summary != "", a.Since != "", a.DeprecatedSince != "", len(flags) > 0} {
		if has {
			n++
		}
	}
	s.Map(n)
	s.BulkString("name")
	s.BulkString(a.Name)
	s.BulkString("type")
	s.BulkString(a.Type.String())
	nested := a.Type == ArgOneOf || a.Type == ArgBlock
	if !nested {
		s.BulkString("display_text")
		s.BulkString(a.DisplayText)
	}
	if a.KeySpec >= 0 {
		s.BulkString("key_spec_index")
		s.Int(int64(a.KeySpec))
	}
	if a.HasToken {
		s.BulkString("token")
		s.BulkString(a.Token)
	}
	text(s, "summary", a.Summary)
	text(s, "since", a.Since)
	text(s, "deprecated_since", a.DeprecatedSince)
	if len(flags) > 0 {
		s.BulkString("flags")
		statuses(s, flags)
	}
	if nested {
		s.BulkString("arguments")
		arguments(s, a.Arguments)
	}
}

func (a *Argument) flags() (flags []string) {
	if a.Optional {
		flags = append(flags, "optional")
	}
	if a.Multiple {
		flags = append(flags, "multiple")
	}
	if a.MultipleToken {
		flags = append(flags, "multiple_token")
	}
	return flags
}
