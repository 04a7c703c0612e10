package command

import "slices"

// cycle is where the server's background work goes on.
type cycle struct {
	off     bool // DEBUG SET-ACTIVE-EXPIRE 0
	cursors map[int]uint64
	fields  map[int]uint64
	more    []func() // background work of the families
}

// rehashSteps is how many buckets one Tick moves in each table.
const rehashSteps = 100

// Tick does what the server's cron does between commands, at the server's clock: clients whose
// time is up are served, expired keys go, tables that are moving go on. The caller decides when.
func (s *Server) Tick() {
	s.Timeouts()
	s.sampleRates()
	s.dropIdle()
	s.limitTracked()
	if s.cycle.cursors == nil {
		s.cycle.cursors = map[int]uint64{}
	}
	for i := range s.Space.Databases() {
		db := s.Space.Existing(i)
		if db == nil {
			continue
		}
		if s.expires() {
			s.cycle.cursors[i] = db.ActiveExpire(s.cycle.cursors[i])
		}
		db.Fit()
		if s.Conf.Yes("activerehashing") {
			db.RehashSteps(rehashSteps)
		}
	}
	if s.expires() {
		for _, f := range s.cycle.more {
			f()
		}
	}
	s.afterCommand()
	s.Broadcast()
}

// dropIdle disconnects clients that were silent for longer than the directive timeout allows (timeout.c,
// clientsCronHandleTimeout).
func (s *Server) dropIdle() {
	longest := s.Conf.Int("timeout")
	if longest == 0 {
		return
	}
	for _, c := range slices.Clone(s.Clients) {
		idle := s.now/1_000_000 - c.info.seen/1_000_000
		if idle > longest && !c.monitor && !c.Subscribed() && !c.Blocked() {
			c.kill()
		}
	}
}

// expires tells whether the cron looks for what has expired.
func (s *Server) expires() bool { return !s.cycle.off && !s.Space.Frozen && !s.Space.Import }

// Timeouts is the part of Tick that cannot wait for it: it serves blocked clients whose time is up,
// and ends a pause that is over.
func (s *Server) Timeouts() {
	s.tick()
	s.timeouts()
	if s.pause.until != 0 && !s.pausing() {
		s.unpause()
	}
	s.afterCommand()
}
