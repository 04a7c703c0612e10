package command

var _ = add(map[string]handler{
	"save":         func(c *Client) { c.S.noteSave(); c.S.rdb.saved = c.S.SaveRDB(); c.OK() },
	"bgsave":       bgsaveCommand,
	"bgrewriteaof": func(c *Client) { c.Status("Background append only file rewriting started") },
	"lastsave":     func(c *Client) { c.Int(c.S.lastSave) },
	"shutdown":     shutdownCommand,
})

// noteSave is all that is left of a save where there is no disk: it is done at once.
func (s *Server) noteSave() {
	s.lastSave, s.saved = s.now/1_000_000, s.Dirty
	s.saves++
}

func bgsaveCommand(c *Client) {
	switch {
	case len(c.Args) == 1, len(c.Args) == 2 && is(c.Args[1], "SCHEDULE"):
		c.S.noteSave()
		c.Status("Background saving started")
	case len(c.Args) == 2 && is(c.Args[1], "CANCEL") && c.S.R.BgsaveCancel:
		c.Error("ERR Background saving is currently not in progress or scheduled")
	default:
		c.Error(errSyntax)
	}
}

func shutdownCommand(c *Client) {
	var save, noSave, abort, other bool
	for _, a := range c.Args[1:] {
		switch {
		case is(a, "NOSAVE"):
			noSave = true
		case is(a, "SAVE"):
			save = true
		case is(a, "NOW"), is(a, "FORCE"), is(a, "SAFE") && c.S.R.ShutdownSafe:
			other = true
		case is(a, "ABORT"):
			abort = true
		default:
			c.Error(errSyntax)
			return
		}
	}
	switch {
	case save && noSave, abort && (save || noSave || other):
		c.Error(errSyntax)
	case abort:
		c.Error("ERR No shutdown in progress.")
	case c.S.Shutdown == nil:
		c.Error("ERR 'shutdown' is not simulated here: there is no process that could end")
	default:
		c.closing = true
		c.S.Shutdown()
	}
}
