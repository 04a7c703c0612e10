//go:build !js

package realserver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ReadMemory reads n bytes at an address of the running server, as DEBUG OBJECT and pointers name them.
// Where the system forbids it the error says so and wraps fs.ErrPermission.
func (s *Server) ReadMemory(addr uint64, n int) ([]byte, error) {
	path := fmt.Sprintf("/proc/%d/mem", s.PID)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("reading another process's memory is not allowed here (ptrace scope or missing CAP_SYS_PTRACE): %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the server's memory: %w", err)
	}
	defer f.Close()
	b := make([]byte, n)
	if _, err := f.ReadAt(b, int64(addr)); err != nil {
		return nil, fmt.Errorf("reading %d bytes at %#x of the server's memory: %w", n, addr, err)
	}
	return b, nil
}
