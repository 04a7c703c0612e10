// Package browser drives a real Chromium in tests.
//
// Tests that need one skip where none can be found, or fail when KEYLOUPE_REQUIRE_BROWSER=1 says that there must be one.
// CHROMIUM names the browser; otherwise it is looked for under its usual names.
package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// patience is how long a condition may take to come true.
const patience = 30 * time.Second

// names are where a browser is looked for, after CHROMIUM.
var names = []string{"chromium", "chromium-browser", "google-chrome", "chrome"}

// shared is the one browser of a test binary; every tab has a browser context of its own.
var shared struct {
	once  sync.Once
	ctx   context.Context
	close func()
	err   error
}

func find() (string, error) {
	for _, n := range append([]string{os.Getenv("CHROMIUM")}, names...) {
		if n == "" {
			continue
		}
		if p, err := exec.LookPath(n); err == nil {
			return p, nil
		}
	}
	return "", fmt.Errorf("no Chromium found (looked for $CHROMIUM, %s): install chromium or set CHROMIUM", strings.Join(names, ", "))
}

func start() {
	path, err := find()
	if err != nil {
		shared.err = err
		return
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-quic", true))
	alloc, stopAlloc := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, stop := chromedp.NewContext(alloc)
	shared.ctx, shared.close = ctx, func() { stop(); stopAlloc() }
	shared.err = chromedp.Do(ctx)
}

// Close ends the shared browser; TestMain calls it.
func Close() {
	if shared.close != nil {
		shared.close()
	}
}

// Main runs a package's tests and closes the browser after them.
func Main(m *testing.M, after ...func()) {
	code := m.Run()
	Close()
	for _, f := range after {
		f()
	}
	os.Exit(code)
}

// Tab is one page in a browser context of its own: nothing stored in another is seen in it.
type Tab struct {
	t   testing.TB
	ctx context.Context

	mu     sync.Mutex
	errors []string
	allow  []string
}

// New opens an empty tab. The test fails at its end when the page wrote an error to the console or threw one.
func New(t testing.TB) *Tab {
	t.Helper()
	shared.once.Do(start)
	if shared.err != nil {
		if os.Getenv("KEYLOUPE_REQUIRE_BROWSER") == "1" {
			t.Fatal(shared.err)
		}
		t.Skip(shared.err)
	}
	ctx, stop := chromedp.NewContext(shared.ctx, chromedp.WithNewBrowserContext())
	tab := &Tab{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		stop()
		t.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m, err := range messages {
			if err != nil {
				return
			}
			tab.heard(m)
		}
	}()
	t.Cleanup(func() {
		stop()
		<-done
		tab.mu.Lock()
		defer tab.mu.Unlock()
		for _, e := range tab.errors {
			t.Errorf("console: %s", e)
		}
	})
	return tab
}

func (b *Tab) heard(m chromedp.ConsoleMessage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := fmt.Sprintf("%s: %s", m.Type, m.Text)
	if _, bench := b.t.(*testing.B); !bench {
		b.t.Log("console ", text)
	}
	if !m.IsException() && m.Type != "error" && m.Type != "assert" {
		return
	}
	for _, a := range b.allow {
		if strings.Contains(text, a) {
			return
		}
	}
	b.errors = append(b.errors, text)
}

// AllowError tells that console errors which contain text are expected.
func (b *Tab) AllowError(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.allow = append(b.allow, text)
}

// Do performs actions and ends the test when one fails.
func (b *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// Open goes to an address.
func (b *Tab) Open(url string) {
	b.t.Helper()
	b.Do(chromedp.Navigate(url))
}

// Eval evaluates a JavaScript expression; a promise is waited for.
func Eval[T any](b *Tab, expression string) T {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, 2*patience)
	defer stop()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", brief(expression), err)
	}
	return v
}

// Wait waits until a JavaScript expression is true, looking at it again after every frame.
func (b *Tab) Wait(expression string) {
	b.t.Helper()
	script := fmt.Sprintf(`new Promise(done => {
		const end = performance.now() + %d;
		const look = () => { let v = false; try { v = (%s) } catch (e) {} if (v || performance.now() > end) done(!!v); else setTimeout(look, 5) };
		look();
	})`, patience.Milliseconds(), expression)
	if !Eval[bool](b, script) {
		b.t.Fatalf("never true: %s\nthe page says:\n%s", expression, Eval[string](b, `(document.querySelector("main") ?? document.body).innerText.slice(0, 3000)`))
	}
}

// WaitText waits until the element's text contains words.
func (b *Tab) WaitText(selector, words string) {
	b.t.Helper()
	b.Wait(fmt.Sprintf("document.querySelector(%q).textContent.includes(%q)", selector, words))
}

// Type types text into what has the focus.
func (b *Tab) Type(text string) {
	b.t.Helper()
	b.Do(chromedp.KeyEvent(text))
}

// Key presses one key, with modifiers. Keys without a character are those of package kb.
func (b *Tab) Key(key string, modifiers ...chromedp.Modifier) {
	b.t.Helper()
	b.Do(chromedp.KeyEvent(key, chromedp.KeyModifiers(modifiers...)))
}

// Click clicks the middle of an element.
func (b *Tab) Click(selector string) {
	b.t.Helper()
	b.Do(chromedp.Click(chromedp.CSS(selector)))
}

// Size sets the viewport, in CSS pixels.
func (b *Tab) Size(width, height int64) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, height))
}

// BeforeLoad runs a script in every page of the tab before its own.
func (b *Tab) BeforeLoad(script string) {
	b.t.Helper()
	Call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// Shot writes a picture of the viewport to $KEYLOUPE_SHOTS/name.png, for people to look at; without the variable it does nothing.
func (b *Tab) Shot(name string) {
	b.t.Helper()
	b.shoot(name, chromedp.CaptureScreenshot())
}

// ShotAll is Shot of the whole page, beyond the viewport.
func (b *Tab) ShotAll(name string) {
	b.t.Helper()
	b.shoot(name, chromedp.FullScreenshot(100))
}

func (b *Tab) shoot(name string, take chromedp.Action[[]byte]) {
	b.t.Helper()
	dir := os.Getenv("KEYLOUPE_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, take)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// Call sends a DevTools command to the page.
func Call[P, R any](b *Tab, cmd cdp.Command[P, R], params P) R {
	b.t.Helper()
	r, err := chromedp.Call(b.ctx, cmd, params)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func brief(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}
