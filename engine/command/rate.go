package command

import "time"

// rate is how fast a counter grew lately: the mean of its last samples, each of 100 ms (server.c, trackInstantaneousMetric).
type rate struct {
	last    int64
	at      int64 // µs
	samples [16]int64
	next    int
}

const (
	rateEvery = 100 * time.Millisecond
	oneSecond = int64(time.Second / time.Microsecond)
)

// sample notes the counter's value at a time, µs, if the last sample is old enough.
func (r *rate) sample(value, now int64) {
	passed := now - r.at
	if r.at == 0 || passed < 0 || value < r.last { // the beginning, another clock, CONFIG RESETSTAT
		r.last, r.at = value, now
		return
	}
	if passed < rateEvery.Microseconds() {
		return
	}
	r.samples[r.next%len(r.samples)] = (value - r.last) * oneSecond / passed
	r.next++
	r.last, r.at = value, now
}

// perSecond is the mean growth.
func (r *rate) perSecond() int64 {
	var sum int64
	for _, n := range r.samples {
		sum += n
	}
	return sum / int64(len(r.samples))
}

// rates are those that INFO tells.
type rates struct{ commands, input, output, cycles rate }

func (s *Server) sampleRates() {
	in, out := s.netTotals()
	s.rates.commands.sample(s.Stats.Commands, s.now)
	s.rates.input.sample(in, s.now)
	s.rates.output.sample(out, s.now)
	s.rates.cycles.sample(s.Stats.Cycles, s.now)
}

// netTotals are the bytes that all clients sent and got, also those that left.
func (s *Server) netTotals() (in, out int64) {
	in, out = s.Stats.NetIn, s.Stats.NetOut
	for _, c := range s.Clients {
		in, out = in+c.info.netIn, out+c.info.netOut
	}
	return in, out
}
