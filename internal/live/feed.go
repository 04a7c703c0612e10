package live

import (
	"github.com/keyloupe/keyloupe/engine/command"
	"github.com/keyloupe/keyloupe/ui/wire"
)

// feed is the last commands that clients sent. Of many it has the first ones after each look: the rest cost no more than
// to be counted. All of it is used within front.With.
type feed struct {
	last    [fedKept]wire.Fed
	count   uint64 // ever noted
	allowed int    // how many more are noted before the next look
}

const (
	fedKept  = 32
	fedALook = 16
	fedBytes = 160 // of a command
)

// saw notes a command that ran.
func (f *feed) saw(c *command.Client) {
	if f.allowed == 0 || !c.Monitored() {
		return
	}
	f.allowed--
	f.last[f.count%fedKept] = wire.Fed{DB: c.DB.ID, Addr: c.Addr, Line: c.Shown(fedBytes)}
	f.count++
}

// since is what was noted after the first n, as far as it is kept, and how many were noted ever.
func (f *feed) since(n uint64) (out []wire.Fed, count uint64) {
	f.allowed = fedALook
	for n = max(n, f.count-min(f.count, fedKept)); n < f.count; n++ {
		out = append(out, f.last[n%fedKept])
	}
	return out, f.count
}
