//go:build !linux && !js

package realserver

import "syscall"

// dieWithParent has no counterpart elsewhere; Stop ends the server.
func dieWithParent() *syscall.SysProcAttr { return nil }
