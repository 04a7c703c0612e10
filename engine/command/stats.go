package command

import "time"

// Stats counts what INFO tells of stats, commandstats and errorstats.
type Stats struct {
	Commands, Connections, Errors int64
	Reads                         int64 // commands sent, each in a read of its own
	Refused                       int64 // connections beyond maxclients
	SlowReaders, LongRequests     int64 // clients disconnected for their output and query buffers
	WrongPasswords                int64
	Cycles                        int64 // turns that connections had
	took                          time.Duration
	EvictedClients                int64 // clients disconnected as all together took too much
	NetIn, NetOut                 int64 // bytes of clients that left
	ErrorCodes                    map[string]int64
	Calls                         map[string]*Calls // by full name
	resets                        int               // how often it was made anew
}

// Calls counts one command.
type Calls struct {
	Done, Rejected, Failed int64
	took                   time.Duration
	durations              histogram // while latency-tracking is on
}

// perCall is the mean time of a call, µs.
func (n *Calls) perCall() float64 {
	if n.Done == 0 {
		return 0
	}
	return float64(n.took.Microseconds()) / float64(n.Done)
}

func (t *Stats) reset() {
	*t = Stats{ErrorCodes: map[string]int64{}, Calls: map[string]*Calls{}, resets: t.resets + 1}
}

func (t *Stats) of(name string) *Calls {
	n := t.Calls[name]
	if n == nil {
		n = &Calls{}
		t.Calls[name] = n
	}
	return n
}
