package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/api"
	"github.com/keyloupe/keyloupe/internal/browser"
	"github.com/keyloupe/keyloupe/internal/linkstore"
	"github.com/keyloupe/keyloupe/internal/site"
	"github.com/keyloupe/keyloupe/ui/link"
)

// serveAll answers with the page and the interface, as `keyloupe serve` does.
func serveAll(t testing.TB) string {
	t.Helper()
	public, err := built()
	if err != nil {
		t.Fatalf("make: %v\n%s", err, public)
	}
	links, err := linkstore.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	page, service := site.New(os.DirFS(public)), api.New(api.Options{Links: links})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if api.Serves(r.URL.Path) {
			service.ServeHTTP(w, r)
			return
		}
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// foreignPage is a page of somebody else with the elements in it, under a strict policy. frames tells
// whether that allows Keyloupe's frames.
func foreignPage(t *testing.T, keyloupe, elements string, frames bool) string {
	t.Helper()
	policy := fmt.Sprintf("default-src 'none'; script-src %s; img-src %s", keyloupe, keyloupe)
	if frames {
		policy += "; frame-src " + keyloupe
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>an article</title><p>text</p>%s<script src=\"%s/embed.js\"></script>", elements, keyloupe)
	}))
	t.Cleanup(srv.Close)
	return strings.Replace(srv.URL, "127.0.0.1", "localhost", 1) // another origin by name too
}

const twoElements = `<keyloupe-demo servers="9.0.6,9.1.2" run="SET user:1 Alice
SET user:2 &quot;Bob &amp; Eve&quot;" key="user:1" height="300"><img id="f1" alt="inside"></keyloupe-demo>
<keyloupe-sweep type="string" key="16" value="0..200" ttl="none,key" servers="9.0.6,9.1.2" history="set+pexpire" theme="dark"><b id="f2">inside</b></keyloupe-sweep>`

func TestElementsInAForeignPageShowTheLivePage(t *testing.T) {
	base := serveAll(t)
	tab := browser.New(t)
	tab.Open(foreignPage(t, base, twoElements, true))
	tab.Wait(`document.querySelectorAll('iframe').length === 2`)
	demo := browser.Eval[string](tab, `document.querySelector('keyloupe-demo iframe').src`)
	u, err := url.Parse(demo)
	if err != nil || !strings.HasPrefix(demo, base+"/embed#") {
		t.Fatal(demo, err)
	}
	state, err := link.Parse(u.EscapedFragment())
	if err != nil || len(state.Run) != 2 || state.Run[1] != `SET user:2 "Bob & Eve"` || state.Key != "user:1" || !state.ReadOnly || len(state.Servers) != 2 {
		t.Errorf("%+v %v", state, err)
	}
	u, err = url.Parse(browser.Eval[string](tab, `document.querySelector('keyloupe-sweep iframe').src`))
	if err != nil {
		t.Fatal(err)
	}
	if state, err = link.Parse(u.EscapedFragment()); err != nil || state.Theme != "dark" {
		t.Errorf("%+v %v", state, err)
	}
	q, err := url.ParseQuery(state.Sweep)
	if err != nil || q.Get("history") != "set+pexpire" || q.Get("value") != "0..200" || q.Get("ttl") != "none,key" {
		t.Errorf("%q %v", state.Sweep, err)
	}
	if h := browser.Eval[float64](tab, `document.querySelector('keyloupe-demo iframe').getBoundingClientRect().height`); h != 300 {
		t.Error(h)
	}
	tab.Wait(`document.querySelector('keyloupe-demo img').hidden`) // the frame has loaded
}

func TestWhereNoFrameIsAllowedThePictureStays(t *testing.T) {
	base := serveAll(t)
	tab := browser.New(t)
	tab.AllowError("Content Security Policy")
	tab.AllowError("Refused to frame")
	tab.Open(foreignPage(t, base, twoElements, false))
	tab.Wait(`document.querySelectorAll('iframe').length === 0 && [...document.images].length === 2 && [...document.images].every(i => i.complete && i.naturalWidth > 100 && !i.hidden)`)
	for i, want := range []string{"/api/layout.svg?s=9.0.6%2C9.1.2&run=SET", "/api/sweep.svg?type=string&key=16"} {
		if src := browser.Eval[string](tab, fmt.Sprintf(`document.images[%d].src`, i)); !strings.HasPrefix(src, base+want) {
			t.Error(src)
		}
	}
}

func TestAPictureThatCannotBeMadeLeavesWhatTheAuthorPutInside(t *testing.T) {
	base := serveAll(t)
	tab := browser.New(t)
	tab.AllowError("Failed to load resource")
	tab.Open(foreignPage(t, base, `<keyloupe-sweep picture servers="1.2.3"><b id="inside">a table</b></keyloupe-sweep>`, true))
	tab.Wait(`document.querySelector('keyloupe-sweep #inside') !== null && document.images.length === 0`)
	tab.Open(foreignPage(t, base, `<keyloupe-sweep picture value="0..100"></keyloupe-sweep>`, true))
	tab.Wait(`document.images.length === 1 && document.images[0].naturalWidth > 100 && document.querySelectorAll('iframe').length === 0`)
	browser.Eval[string](tab, `document.querySelector('keyloupe-sweep').setAttribute('value', '0..64'), ''`)
	tab.Wait(`document.images[0].src.includes('value=0..64')`)
}
