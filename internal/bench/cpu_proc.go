package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ticks is the unit of /proc/PID/stat: USER_HZ, 100 a second on every Linux.
const ticks = 100

// cpuOf is the processor time another process has used in its own code and in the system, in
// seconds; zero where there is no /proc.
func cpuOf(pid int) (user, system float64) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0
	}
	_, rest, _ := strings.Cut(string(b), ") ") // the name may hold spaces
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0, 0
	}
	u, err1 := strconv.Atoi(f[11])
	s, err2 := strconv.Atoi(f[12])
	if err1 != nil || err2 != nil {
		return 0, 0
	}
	return float64(u) / ticks, float64(s) / ticks
}
