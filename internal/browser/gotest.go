package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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
	go.argv = ['test', '-test.v', '-test.timeout=2m'];
	go.exit = c => { code = c; };
	const m = await WebAssembly.instantiateStreaming(fetch('test.wasm'), go.importObject);
	await go.run(m.instance);
	if (code === null) code = 0;
})().catch(e => { out += e; code = 99; });
</script>`

// RunGoTests builds a package's js/wasm tests and runs them in the browser.
func RunGoTests(t *testing.T, pkg string) {
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
	tab.Open(srv.URL + "/run")
	tab.Wait("code !== null")
	out, code := Eval[string](tab, "out"), Eval[int](tab, "code")
	t.Log(out)
	if code != 0 || strings.Contains(out, "--- FAIL") {
		t.Fatalf("tests of %s in the browser: exit code %d", pkg, code)
	}
}

// wasmExec is the JavaScript that the Go distribution has for its js/wasm programs.
func wasmExec() (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	return filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"), err
}
