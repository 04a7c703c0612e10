package command

import "github.com/keyloupe/keyloupe/engine/skiplist"

// SetHeights makes the nodes of sorted sets take their heights from a test's source.
func (s *Server) SetHeights(src skiplist.Source) { s.zsets.Random = src }
