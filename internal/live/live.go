// Package live is the HTTP side of the page that shows the servers behind a front: keyloupe resp --http.
//
//	page ─ POST /live/call (ui/wire) ─ session ─ ui/lab ─ front.With ─ servers ─ front ─ clients
//
// Each page that is open is a session, with a lab that looks on at the servers. One call after another waits until there is
// something new to see; the page then asks for what it shows. No clients' command does any work for the page but to count
// itself. What a page asks for by itself takes a twentieth of the servers' time at most, the list of keys another.
package live

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/internal/front"
	"github.com/keyloupe/keyloupe/internal/site"
	"github.com/keyloupe/keyloupe/ui/wire"
)

const (
	// maxBody is the longest request, in bytes: a line as long as the prompt takes, and what is around it.
	maxBody = 1<<20 + 64<<10
	// maxSessions bounds how many pages are known. The one that was quiet for the longest time makes room.
	maxSessions = 64
	// idle is how long a page may be out of sight before its connection is closed; it then gets another one.
	idle = 10 * time.Minute
)

// Server answers the pages that look on at a front's servers.
type Server struct {
	front  *front.Front
	listen string
	stop   context.Context
	base   []int64
	feed   feed

	mu       sync.Mutex
	sessions map[string]*session
}

// New makes a server for the page in front of empty servers. Its answers end when ctx does. listen is the address that
// clients talk to.
func New(ctx context.Context, f *front.Front, listen string) *Server {
	s := &Server{front: f, listen: listen, stop: ctx, sessions: map[string]*session{}, feed: feed{allowed: fedALook}}
	f.With(func(servers []*engine.Server) {
		for _, x := range servers {
			s.base = append(s.base, x.Used())
		}
		servers[0].Ran = s.feed.saw
	})
	return s
}

// Handler serves the page at /live, where / leads to, its calls, and the files of the site. at is the address it listens on.
func (s *Server) Handler(at net.Addr, files http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", files)
	mux.Handle("GET /{$}", http.RedirectHandler("live", http.StatusFound))
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, r *http.Request) {
		page := r.Clone(r.Context())
		page.URL.Path = "/"
		files.ServeHTTP(w, page)
	})
	mux.HandleFunc("GET /live/layout.svg", s.picture)
	mux.HandleFunc("POST /live/call", s.call)
	mux.HandleFunc("/live/call", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", "POST")
		refuse(w, http.StatusMethodNotAllowed, "the page's calls are POST requests")
	})
	return named(at, http.NewCrossOriginProtection().Handler(mux))
}

// named lets only requests through that were sent to an address or to localhost, where the server is for this machine alone:
// under a name that somebody else made lead here, a browser would take that somebody's page for ours.
func named(at net.Addr, h http.Handler) http.Handler {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.ToLower(strings.Trim(host, "[]"))
		if net.ParseIP(host) == nil && host != "localhost" && !strings.HasSuffix(host, ".localhost") {
			refuse(w, http.StatusMisdirectedRequest, fmt.Sprintf("this server listens on %s only and is not called %.100q: use http://%s/", tcp.IP, host, at))
			return
		}
		h.ServeHTTP(w, r)
	})
}

func refuse(w http.ResponseWriter, status int, why string) {
	site.SecurityHeaders(w.Header(), false)
	http.Error(w, why, status)
}

// failure is an answer without a response.
type failure struct {
	status int
	why    string
}

func (f failure) Error() string { return f.why }

var (
	errGone     = failure{http.StatusGone, "this page is not known any more: it was away for long, or the server was started again"}
	errStopping = failure{http.StatusServiceUnavailable, "the server is stopping"}
	errLeft     = failure{http.StatusRequestTimeout, "the page went away"}
)

func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	ctx, done := context.WithCancel(r.Context())
	defer done()
	defer context.AfterFunc(s.stop, done)()
	req, err := request(w, r)
	var out wire.Response
	if err == nil {
		out, err = s.answer(ctx, w, r, req)
	}
	if err == nil && s.stop.Err() != nil {
		err = errStopping
	}
	if err != nil {
		var f failure
		if !errors.As(err, &f) {
			f = failure{http.StatusInternalServerError, err.Error()}
		}
		refuse(w, f.status, f.why)
		return
	}
	out.ID = req.ID
	site.SecurityHeaders(w.Header(), false)
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Cache-Control", "no-store")
	w.Write(wire.Marshal(out))
}

const mediaType = "application/octet-stream"

// request reads a call.
func request(w http.ResponseWriter, r *http.Request) (req *wire.Request, err error) {
	switch {
	case r.Header.Get("Content-Type") != mediaType:
		return nil, failure{http.StatusUnsupportedMediaType, "a call's body is " + mediaType}
	case r.URL.Query().Get("v") != wire.Fingerprint():
		return nil, failure{http.StatusConflict, "this page is from another version of the program: reload it"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, failure{http.StatusRequestEntityTooLarge, fmt.Sprintf("a call has at most %d bytes", maxBody)}
	case err != nil:
		return nil, failure{http.StatusBadRequest, err.Error()}
	}
	req = &wire.Request{}
	if err := wire.Unmarshal(body, req); err != nil {
		return nil, failure{http.StatusBadRequest, err.Error()}
	}
	return req, nil
}

// answer gives a request to its page's session. Waiting has no limit, so that those of the connection are lifted.
func (s *Server) answer(ctx context.Context, w http.ResponseWriter, r *http.Request, req *wire.Request) (out wire.Response, err error) {
	if req.Open != nil {
		return s.open(r.RemoteAddr, req), nil
	}
	x := s.find(req.Session)
	if x == nil {
		return out, errGone
	}
	c := http.NewResponseController(w)
	if err := errors.Join(c.SetReadDeadline(time.Time{}), c.SetWriteDeadline(time.Time{})); err != nil {
		return out, err
	}
	switch {
	case req.Watch != nil:
		return x.watch(ctx, req.Watch)
	case req.Run != nil:
		return x.run(ctx, req)
	}
	return x.handle(req), nil
}

// open makes a page known.
func (s *Server) open(addr string, req *wire.Request) wire.Response {
	x := newSession(s, rand.Text(), addr)
	out := x.handle(req)
	if out.Opened != nil {
		out.Opened.Session, out.Opened.Listen = x.id, s.listen
	}
	s.mu.Lock()
	var quiet *session
	if len(s.sessions) >= maxSessions {
		for _, y := range s.sessions {
			if quiet == nil || y.used.Before(quiet.used) {
				quiet = y
			}
		}
	}
	s.sessions[x.id] = x
	s.mu.Unlock()
	if quiet != nil {
		s.drop(quiet)
	}
	return out
}

// find is a page's session, nil where there is none; it counts as used.
func (s *Server) find(id string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.sessions[id]
	if x != nil {
		x.used = time.Now()
		x.expiry.Reset(idle)
	}
	return x
}

// drop forgets a page and closes its connection.
func (s *Server) drop(x *session) {
	s.mu.Lock()
	delete(s.sessions, x.id)
	s.mu.Unlock()
	x.expiry.Stop()
	x.close()
}
