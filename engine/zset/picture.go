package zset

import (
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/engine/listpack"
	"github.com/keyloupe/keyloupe/engine/object"
)

// Picture adds the blocks of the value; name is the first one's.
func (s *Set) Picture(pic *layout.Picture, name string) {
	if s.Enc == object.Listpack {
		listpack.Picture(pic, s.T.H, s.P, name, []string{"member", "score"}, []layout.Role{layout.Value, layout.Value})
		return
	}
}
