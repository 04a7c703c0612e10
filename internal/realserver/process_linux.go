package realserver

import "syscall"

// dieWithParent ends the server when the thread that started it ends, so a killed test leaves none behind.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
