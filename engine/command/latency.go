package command

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

var _ = add(map[string]handler{
	"latency|latest": latencyLatestCommand, "latency|history": latencyHistoryCommand, "latency|reset": latencyResetCommand,
	"latency|graph": latencyGraphCommand, "latency|doctor": latencyDoctorCommand, "latency|histogram": latencyHistogramCommand,
})

// spikes are the times at which something took longer than latency-monitor-threshold: the worst of each second, the last
// of them last. Only commands are watched: there is no fork, file or eviction here.
type spikes struct {
	samples       []spike
	max, sum, all int64 // ms, ms, samples seen
}

type spike struct{ second, ms int64 }

const keptSpikes = 160 // LATENCY_TS_LEN

// noteSpike remembers how long a command took, if that was long.
func (s *Server) noteSpike(c *Client, took time.Duration) {
	if s.spikeFrom == 0 || took < s.spikeFrom {
		return
	}
	event := "command"
	if c.Cmd.HasFlag("fast") {
		event = "fast-command"
	}
	if s.spikes == nil {
		s.spikes = map[string]*spikes{}
	}
	x := s.spikes[event]
	if x == nil {
		x = &spikes{}
		s.spikes[event] = x
	}
	x.add(s.options.Clock()/1_000_000, took.Milliseconds())
}

func (x *spikes) add(second, ms int64) {
	x.max, x.sum, x.all = max(x.max, ms), x.sum+ms, x.all+1
	if n := len(x.samples); n > 0 && x.samples[n-1].second == second {
		x.samples[n-1].ms = max(x.samples[n-1].ms, ms)
		return
	}
	if x.samples = append(x.samples, spike{second, ms}); len(x.samples) > keptSpikes {
		x.samples = slices.Delete(x.samples, 0, 1)
	}
}

func latencyLatestCommand(c *Client) {
	c.Array(len(c.S.spikes))
	for _, name := range sortedKeys(c.S.spikes) {
		x := c.S.spikes[name]
		last := x.samples[len(x.samples)-1]
		c.Array(6)
		c.BulkString(name)
		for _, n := range []int64{last.second, last.ms, x.max, x.sum, x.all} {
			c.Int(n)
		}
	}
}

func latencyHistoryCommand(c *Client) {
	x := c.S.spikes[string(c.Args[2])]
	if x == nil {
		c.Array(0)
		return
	}
	c.Array(len(x.samples))
	for _, p := range x.samples {
		c.Array(2)
		c.Int(p.second)
		c.Int(p.ms)
	}
}

func latencyResetCommand(c *Client) {
	n := len(c.S.spikes)
	if len(c.Args) == 2 {
		c.S.spikes = nil
	}
	for _, name := range c.Args[2:] {
		delete(c.S.spikes, string(name))
	}
	c.Int(int64(n - len(c.S.spikes)))
}

func latencyGraphCommand(c *Client) {
	x := c.S.spikes[string(c.Args[2])]
	if x == nil {
		c.Error("ERR No samples available for event '" + printable(c.Args[2]) + "'")
		return
	}
	c.Verbatim("txt", x.graph(string(c.Args[2]), c.S.now/1_000_000))
}

// graph draws the samples as columns of four lines, each with its age written downwards below it (latency.c,
// latencyCommandGenSparkeline).
func (x *spikes) graph(event string, now int64) string {
	const columns, rows, marks = 80, 4, "_o#"
	low, high := x.samples[0].ms, int64(0)
	for _, p := range x.samples {
		low, high = min(low, p.ms), max(high, p.ms)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s - high %d ms, low %d ms (all time high %d ms)\n%s\n", event, high, low, x.max, strings.Repeat("-", columns))
	for i, part := range slices.Collect(slices.Chunk(x.samples, columns)) {
		if i > 0 {
			b.WriteByte('\n')
		}
		lines := make([][]byte, rows+1)
		for i := range lines {
			lines[i] = bytes.Repeat([]byte(" "), len(part))
		}
		for col, p := range part {
			step := min(int((p.ms-low)*rows*int64(len(marks))/max(high-low, 1)), rows*len(marks)-1)
			row := rows - 1 - step/len(marks)
			lines[row][col] = marks[step%len(marks)]
			for r := row + 1; r < rows; r++ {
				lines[r][col] = '|'
			}
			for i, digit := range []byte(age(now - p.second)) {
				if rows+1+i == len(lines) {
					lines = append(lines, bytes.Repeat([]byte(" "), len(part)))
				}
				lines[rows+1+i][col] = digit
			}
		}
		for _, l := range lines {
			b.Write(append(l, '\n'))
		}
	}
	return b.String()
}

// age is a number of seconds in the largest unit that fits.
func age(seconds int64) string {
	for _, unit := range []struct {
		name    string
		seconds int64
	}{{"d", 24 * 3600}, {"h", 3600}, {"m", 60}} {
		if seconds >= unit.seconds {
			return strconv.FormatInt(seconds/unit.seconds, 10) + unit.name
		}
	}
	return strconv.FormatInt(seconds, 10) + "s"
}

// latencyDoctorCommand has no advice: what a process, its disk and its machine do wrong is not simulated.
func latencyDoctorCommand(c *Client) {
	switch {
	case len(c.S.spikes) > 0:
		c.notSimulated()
	case c.S.spikeFrom == 0:
		c.Verbatim("txt", "I'm sorry, Dave, I can't do that. Latency monitoring is disabled in this Valkey instance. You may use \"CONFIG SET latency-monitor-threshold <milliseconds>.\" in order to enable it.\n")
	default:
		c.Verbatim("txt", "Dave, no latency spike was observed during the lifetime of this Valkey instance, not in the slightest bit. I honestly think you ought to sit down calmly, take a stress pill, and think things over.\n")
	}
}

// latencyHistogramCommand tells of the commands named and of their subcommands, or of all, how many calls took how long.
func latencyHistogramCommand(c *Client) {
	var names []string
	add := func(name string) {
		if n := c.S.Stats.Calls[name]; n != nil && n.durations.calls > 0 {
			names = append(names, name)
		}
	}
	if len(c.Args) == 2 {
		for _, name := range c.S.called() {
			add(name)
		}
	}
	for _, a := range c.Args[2:] {
		m := c.S.Cat.LookupBytes(a)
		if m == nil {
			continue
		}
		add(m.FullName)
		for _, sub := range m.Subcommands {
			add(sub.FullName)
		}
	}
	c.Map(len(names))
	for _, name := range names {
		h := &c.S.Stats.Calls[name].durations
		c.BulkString(name)
		c.Map(2)
		c.BulkString("calls")
		c.Int(h.calls)
		c.BulkString("histogram_usec")
		var steps []int64
		h.doubling(func(us, calls int64) { steps = append(steps, us, calls) })
		c.Map(len(steps) / 2)
		for _, n := range steps {
			c.Int(n)
		}
	}
}
