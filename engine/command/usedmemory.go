package command

// UsedMemory is used_memory: what the server takes at start and for its clients, and the data. What a
// real server takes for a while beyond that (buffers of replies, histograms of latency) is not in it.
func (s *Server) UsedMemory() int64 { return s.startup() + s.Used() }

func (s *Server) startup() int64 { return 0 }
