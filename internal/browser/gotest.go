package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runner is the page that runs a Go test binary and keeps its output and exit code.
const runner = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="mount"></div><script src="wasm_exec.js"></script><script>
let out = '', code = null, text = new TextDecoder();
globalThis.fs.writeSync = (fd, buf) => { out += text.decode(buf, { stream: true }); return buf.length; };
(async () => {
	const go = new Go();
	go.argv = ['test', ...new URLSearchParams(location.search).getAll('arg')];
	go.exit = c => { code = c; };
	const m = await WebAssembly.instantiateStreaming(fetch('test.wasm'), go.importObject);
	await go.run(m.instance);
	if (code === null) code = 0;
})().catch(e => { out += e; code = 99; });
</script>`

// RunGoTests builds a package's js/wasm tests and runs them in the browser.
func RunGoTests(t testing.TB, pkg string) {
	t.Helper()
	t.Log(runGo(t, pkg, "-test.v", "-test.timeout=2m"))
}

func runGo(t testing.TB, pkg string, args ...string) string {
	t.Helper()
	tab := New(t)
	dir := t.TempDir()
	build := exec.Command("go", "test", "-c", "-o", filepath.Join(dir, "test.wasm"), pkg)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the tests of %s: %v\n%s", pkg, err, out)
	}
	exec, err := wasmExec()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("/run", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, runner)
	})
	mux.HandleFunc("/wasm_exec.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, exec) })
	srv := httptest.NewServer(mux)
	defer srv.Close()
	tab.Open(srv.URL + "/run?" + url.Values{"arg": args}.Encode())
	for code := "null"; code == "null"; {
		code = Eval[string](tab, `new Promise(done => { const look = n => code !== null || n === 0 ? done(String(code)) : setTimeout(look, 10, n - 1); look(1000) })`)
	}
	out := Eval[string](tab, "out")
	if Eval[int](tab, "code") != 0 || strings.Contains(out, "--- FAIL") {
		t.Fatalf("tests of %s in the browser failed:\n%s", pkg, out)
	}
	return out
}

// wasmExec is the JavaScript that the Go distribution has for its js/wasm programs.
func wasmExec() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	return filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"), err
}
