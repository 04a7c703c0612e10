package command

// UsedMemory is used_memory: what the server takes at start and for clients at rest, and the data.
// What a real server takes for a while beyond that (buffers, histograms of latency) is not in it.
func (s *Server) UsedMemory() int64 { return s.baseline() + s.Used() }

// baseline is used_memory without data, in bytes.
func (s *Server) baseline() int64 {
	b := s.R.Baseline()
	return int64(b.Startup + b.Running + b.Client*len(s.Clients))
}
