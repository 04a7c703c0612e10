//go:build !unix

package lineedit

import "time"

// watch tells when the terminal may have got another size: where no signal tells, it asks now and then.
type watch struct {
	ticker *time.Ticker
	end    chan struct{}
}

func watchSize(changed func()) *watch {
	w := &watch{time.NewTicker(time.Second), make(chan struct{})}
	go func() {
		for {
			select {
			case <-w.ticker.C:
				changed()
			case <-w.end:
				return
			}
		}
	}()
	return w
}

func (w *watch) stop() {
	w.ticker.Stop()
	close(w.end)
}
