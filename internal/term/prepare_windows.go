package term

import (
	"os"

	"golang.org/x/sys/windows"
)

// prepare has a console obey escape sequences; it is false for one that can't.
func prepare(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	h, mode := windows.Handle(f.Fd()), uint32(0)
	if windows.GetConsoleMode(h, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
