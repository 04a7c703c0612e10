//go:build unix

package lineedit

import (
	"os"
	"os/signal"
	"syscall"
)

// watch tells when the terminal gets another size.
type watch struct{ c chan os.Signal }

func watchSize(changed func()) *watch {
	w := &watch{make(chan os.Signal, 1)}
	signal.Notify(w.c, syscall.SIGWINCH)
	go func() {
		for range w.c {
			changed()
		}
	}()
	return w
}

func (w *watch) stop() {
	signal.Stop(w.c)
	close(w.c)
}
