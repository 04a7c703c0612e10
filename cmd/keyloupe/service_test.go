package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// startService serves the interface beside a page, as `keyloupe serve` does.
func startService(t *testing.T, args ...string) (string, *bytes.Buffer) {
	t.Helper()
	var f serviceFlags
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.register(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	h, err := f.handler(&log, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "the page") }))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL, &log
}

func fetch(t *testing.T, method, url, body string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text), res.Header
}

func TestTheInterfaceIsServedBesideThePage(t *testing.T) {
	data := t.TempDir()
	base, _ := startService(t, "--data", data)
	if _, text, _ := fetch(t, "GET", base+"/", ""); text != "the page" {
		t.Error(text)
	}
	if _, text, _ := fetch(t, "GET", base+"/healthz", ""); text != "ok\n" {
		t.Error(text)
	}
	cli, _, err := runProgram(t.Context(), "", "sweep", "--value", "0..300", "--ttl", "none,key", "--format", "csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, text, _ := fetch(t, "GET", base+"/api/sweep.csv?value=0..300&ttl=none,key", ""); text != cli {
		t.Error("the command line and the interface differ")
	}
	status, text, _ := fetch(t, "POST", base+"/api/links", `{"value":"0..20"}`)
	var got struct{ ID, URL string }
	if err := json.Unmarshal([]byte(text), &got); err != nil || status != 201 || got.URL != base+"/s/"+got.ID {
		t.Fatal(status, text, err)
	}
	again, _ := startService(t, "--data", data) // another process with the same folder
	if status, _, h := fetch(t, "GET", again+"/s/"+got.ID, ""); status != 302 || !strings.HasPrefix(h.Get("Location"), "/#v=1&sweep=") {
		t.Error(status, h)
	}
}

func TestAFolderForLinksThatWasAskedForHasToDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var f serviceFlags
	flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.register(flags)
	flags.Parse([]string{"--data", file})
	if _, err := f.handler(io.Discard, http.NotFoundHandler()); err == nil || !strings.Contains(err.Error(), "--data") {
		t.Error(err)
	}
	t.Setenv("XDG_STATE_HOME", file)
	f = serviceFlags{}
	flags = pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.register(flags)
	var log bytes.Buffer
	if _, err := f.handler(&log, http.NotFoundHandler()); err != nil || !strings.Contains(log.String(), "name a folder with --data") {
		t.Error(err, log.String())
	}
}

func TestARateIsKeptForEveryAddress(t *testing.T) {
	base, _ := startService(t, "--data", t.TempDir(), "--rate", "0.5", "-q")
	limited := 0
	for range 4 {
		status, text, h := fetch(t, "GET", base+"/api/sweep?value=5", "")
		if status == 429 {
			limited++
			if h.Get("Retry-After") == "" || !strings.Contains(text, "too_many_requests") {
				t.Error(h, text)
			}
		}
	}
	if limited != 2 {
		t.Errorf("%d of 4 requests were refused", limited)
	}
	if status, _, _ := fetch(t, "GET", base+"/", ""); status != 200 {
		t.Error("the page has no rate:", status)
	}
}

func TestFiftyClientsLoseNoLinkAndSeeNoFailure(t *testing.T) {
	base, _ := startService(t, "--data", t.TempDir(), "-q")
	until := time.Now().Add(2 * time.Second)
	if testing.Short() {
		until = time.Now().Add(300 * time.Millisecond)
	}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for n := 0; time.Now().Before(until); n++ {
				mixed(t, base, i, n)
			}
		})
	}
	wg.Wait()
}

// mixed is one request of many kinds.
func mixed(t *testing.T, base string, i, n int) {
	switch n % 5 {
	case 0:
		status, text, _ := fetch(t, "POST", base+"/api/links", fmt.Sprintf(`{"value":"%d","key":%d}`, n, i))
		var got struct{ ID string }
		json.Unmarshal([]byte(text), &got)
		if status != 201 {
			t.Errorf("link: %d %s", status, text)
		} else if status, _, _ = fetch(t, "GET", base+"/s/"+got.ID, ""); status != 302 {
			t.Errorf("lost link: %d", status)
		}
	case 1:
		if status, text, _ := fetch(t, "GET", base+fmt.Sprintf("/api/sweep?key=%d&value=0..400", n%100), ""); status != 200 || !strings.HasSuffix(text, "]}\n") {
			t.Errorf("sweep: %d %.100s", status, text)
		}
	case 2:
		if status, text, _ := fetch(t, "GET", base+"/api/sweep.ndjson?value=0..2000", ""); status != 200 || !strings.HasSuffix(text, "{\"done\":true,\"rows\":4002}\n") {
			t.Errorf("stream: %d", status)
		}
	case 3:
		if status, _, _ := fetch(t, "GET", base+"/api/layout.svg?run=SET+a+b", ""); status != 200 {
			t.Errorf("layout: %d", status)
		}
	default:
		if status, _, _ := fetch(t, "GET", base+"/api/sweep?value=x", ""); status != 400 {
			t.Errorf("error: %d", status)
		}
	}
}
