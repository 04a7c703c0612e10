package command

// Stats counts what INFO tells of stats, commandstats and errorstats.
type Stats struct {
	Commands, Connections, Errors int64
	Reads                         int64 // commands sent, each in a read of its own
	NetIn, NetOut                 int64 // bytes of clients that left
	ErrorCodes                    map[string]int64
	Calls                         map[string]*Calls // by full name
}

// Calls counts one command.
type Calls struct{ Done, Rejected, Failed int64 }

func (t *Stats) reset() {
	*t = Stats{ErrorCodes: map[string]int64{}, Calls: map[string]*Calls{}}
}

func (t *Stats) of(name string) *Calls {
	n := t.Calls[name]
	if n == nil {
		n = &Calls{}
		t.Calls[name] = n
	}
	return n
}
