package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestRespShowsAPageBesideAndStopsWithIt(t *testing.T) {
	for what, stop := range map[string]func(pid *os.Process, addr string){
		"SIGTERM": func(p *os.Process, _ string) { p.Signal(syscall.SIGTERM) },
		"SHUTDOWN": func(_ *os.Process, addr string) {
			if c, err := net.Dial("tcp", addr); err == nil {
				fmt.Fprint(c, "SHUTDOWN NOSAVE\r\n")
				io.Copy(io.Discard, c)
				c.Close()
			}
		},
	} {
		cmd := process(t, "resp", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--public", sitedir(t), "--server", "9.0.6,9.1.2")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Process.Kill()
		lines := bufio.NewReader(out)
		addr, _ := lines.ReadString('\n')
		page, err := lines.ReadString('\n')
		addr, page = strings.TrimSpace(addr), strings.TrimSpace(page)
		if err != nil || !strings.HasPrefix(page, "http://127.0.0.1:") || strings.HasSuffix(page, ":0/") || !strings.HasPrefix(addr, "127.0.0.1:") {
			t.Fatalf("it prints %q and %q, %v", addr, page, err)
		}
		r, err := http.Get(page)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(r.Body)
		r.Body.Close()
		if string(text) != "<p>page" || r.Request.URL.Path != "/live" || !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'self'") {
			t.Errorf("the page at %s is %q", r.Request.URL, text)
		}
		stop(cmd.Process, addr)
		awaitEnd(t, cmd, what)
	}
}

func TestAPageThatCannotBeServedIsSaidBeforeAnythingIsPrinted(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []struct{ http, public, words string }{
		{l.Addr().String(), sitedir(t), "--http " + l.Addr().String()},
		{"nonsense", sitedir(t), "--http nonsense"},
		{"127.0.0.1:0", t.TempDir(), "make build"},
	} {
		out, _, err := runProgram(t.Context(), "", "resp", "--listen", "127.0.0.1:0", "--http", c.http, "--public", c.public)
		if err == nil || !strings.Contains(err.Error(), c.words) || out != "" {
			t.Errorf("--http %s --public %s: %q, printed %q", c.http, c.public, err, out)
		}
	}
}
