package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/keyloupe/keyloupe/api"
	"github.com/keyloupe/keyloupe/internal/linkstore"
	"github.com/keyloupe/keyloupe/internal/state"
	"github.com/keyloupe/keyloupe/internal/web"
	"github.com/spf13/pflag"
)

// Bounds on what the interface does at once.
const (
	workTime = 20 * time.Second // on one request
	patience = 10 * time.Second // of a request that waits for its turn
	atOnce   = 64               // requests: many, since slow readers hold a place too
)

// serviceFlags say how the HTTP interface is served beside the page.
type serviceFlags struct {
	data  string
	rate  float64
	quiet bool
}

func (f *serviceFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.data, "data", "", "folder that links are kept in (default: keyloupe in $XDG_STATE_HOME or ~/.local/state)")
	flags.Float64Var(&f.rate, "rate", 0, "requests a second to /api/ and /s/ that one address may make; 0 = any number")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no access log on standard error")
}

func (f *serviceFlags) check() error {
	if f.rate < 0 {
		return usagef("--rate: %g is negative", f.rate)
	}
	return nil
}

// handler gives /api/, /s/ and /healthz to the interface and everything else to the page.
func (f *serviceFlags) handler(log io.Writer, page http.Handler) (http.Handler, error) {
	links, err := f.links(log)
	if err != nil {
		return nil, err
	}
	all := web.Compress(api.New(api.Options{Links: links, Version: resultVersion(), Timeout: workTime}))
	service := web.Gate(max(atOnce, 4*runtime.GOMAXPROCS(0)), patience, all)
	if f.rate > 0 {
		service = web.Rate(f.rate, max(1, int(4*f.rate)), service)
	}
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/healthz": // however busy the server is
			all.ServeHTTP(w, r)
		case api.Serves(r.URL.Path):
			service.ServeHTTP(w, r)
		default:
			page.ServeHTTP(w, r)
		}
	})
	if f.quiet {
		return h, nil
	}
	return web.Log(log, h), nil
}

// links is the store. A folder that was asked for must do; without one that can be written the rest
// is served all the same.
func (f *serviceFlags) links(log io.Writer) (api.Store, error) {
	dir, err := f.data, error(nil)
	if dir == "" {
		dir, err = state.Dir()
	}
	if err == nil {
		var folder *linkstore.Folder
		if folder, err = linkstore.Open(dir); err == nil {
			return folder, nil
		}
	}
	if f.data != "" {
		return nil, fmt.Errorf("--data: links can't be kept: %w", err)
	}
	fmt.Fprintf(log, "links can't be kept, name a folder with --data: %v\n", err)
	return nil, nil
}

// resultVersion tells apart programs that may give other results: releases by their name, and builds
// from a checkout with changes by the program file.
func resultVersion() string {
	b := thisBuild()
	v := b.version + b.commit + runtime.Version()
	if b.modified || b.commit == "" && strings.HasPrefix(b.version, "(") {
		if path, err := os.Executable(); err == nil {
			if info, err := os.Stat(path); err == nil {
				v += fmt.Sprint(info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return v
}
