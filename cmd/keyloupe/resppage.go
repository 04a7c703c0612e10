package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/keyloupe/keyloupe/internal/front"
	"github.com/keyloupe/keyloupe/internal/live"
	"github.com/keyloupe/keyloupe/internal/site"
)

// serveFront answers clients on l until ctx ends, and beside it the page on web, where that is not nil.
func serveFront(ctx context.Context, out io.Writer, f *front.Front, l net.Listener, web *webPage) error {
	if _, err := fmt.Fprintln(out, l.Addr()); err != nil {
		return err
	}
	if web == nil {
		return f.Serve(ctx, l)
	}
	if _, err := fmt.Fprintf(out, "http://%s/\n", web.l.Addr()); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h := live.New(ctx, f, l.Addr().String()).Handler(web.l.Addr(), web.site) // while the servers are empty
	ended := make(chan error)
	go func() {
		err := serveUntilDone(ctx, web.l, h)
		stop()
		ended <- err
	}()
	err := f.Serve(ctx, l)
	stop() // SHUTDOWN is for the page, too
	return errors.Join(err, <-ended)
}

// webPage is where the page of a front is served, and its files.
type webPage struct {
	l    net.Listener
	site *site.Handler
}

// openWebPage listens on addr; it is nil where that is empty.
func openWebPage(addr, public string) (*webPage, error) {
	if addr == "" {
		return nil, nil
	}
	files, err := pageFiles(public)
	if err != nil {
		return nil, fmt.Errorf("--http: %w", err)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--http %s: %w", addr, err)
	}
	return &webPage{l, site.New(files)}, nil
}
