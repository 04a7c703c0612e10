package command

// UsedMemory is used_memory: what the server takes at start and for clients at rest, and the data.
// What a real server takes for a while beyond that (buffers, histograms of latency) is not in it.
func (s *Server) UsedMemory() int64 { return s.baseline() + s.Used() }

// noteEmpty is called when the server is set up: what its empty tables take is in the baseline.
func (s *Server) noteEmpty() { s.empty = s.Used() }

// baseline is used_memory without data, in bytes.
func (s *Server) baseline() int64 {
	b := s.R.Baseline()
	return int64(b.Startup+b.Running+b.Client*len(s.Clients)) - s.empty
}
