package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/keyloupe/keyloupe"
	"github.com/keyloupe/keyloupe/internal/site"
	"github.com/spf13/cobra"
)

func init() { subcommands = append(subcommands, newServe) }

// drain is how long requests in flight may take after a signal to stop.
const drain = 5 * time.Second

func newServe() *cobra.Command {
	var listen, public string
	var service serviceFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page and the HTTP interface",
		Long: `Serve the page over HTTP, and beside it the interface at /api/ (described by /api/openapi.json) and short links at /s/.

The first line on standard output is the page's address, printed once connections are accepted. SIGINT and SIGTERM stop
the server after the requests in flight.`,
		Example: "  keyloupe serve\n  keyloupe serve --listen 127.0.0.1:0",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := service.check(); err != nil {
				return err
			}
			files, err := pageFiles(public)
			if err != nil {
				return err
			}
			handler, err := service.handler(cmd.ErrOrStderr(), site.New(files))
			if err != nil {
				return err
			}
			ln, err := net.Listen("tcp", listen)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(cmd.OutOrStdout(), "http://%s/\n", ln.Addr()); err != nil {
				return err
			}
			return serveUntilDone(cmd.Context(), ln, handler)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 takes any free port")
	cmd.Flags().StringVar(&public, "public", "", "serve the page from this directory (default: the page built into this program)")
	service.register(cmd.Flags())
	complete(cmd, map[string]completions{"public": aDir, "data": aDir})
	return cmd
}

// pageFiles is the site in dir, or the one built in; either must have been built.
func pageFiles(dir string) (fs.FS, error) {
	where, files := "this program", keyloupe.Public()
	if dir != "" {
		where, files = dir, os.DirFS(dir)
	}
	if _, err := fs.Stat(files, "app.wasm"); err != nil {
		return nil, fmt.Errorf("the page is not in %s (no app.wasm): run `make build` in a checkout, then `keyloupe serve` from its bin or with --public public", where)
	}
	return files, nil
}

// serveUntilDone answers on ln until ctx ends, then lets requests in flight finish.
func serveUntilDone(ctx context.Context, ln net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 2 * time.Minute, IdleTimeout: 2 * time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	if err := srv.Shutdown(stop); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return srv.Close()
}
