package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/keyloupe/keyloupe/internal/browser"
)

// openPage opens the built page and waits until the servers run.
func openPage(t *testing.T, fragment string) *browser.Tab {
	t.Helper()
	tab := browser.New(t)
	tab.Size(1500, 1000)
	tab.Open(serve(t) + fragment)
	tab.Wait(`document.querySelector('#prompt') !== null && document.querySelector('.who').textContent.includes('›') && document.querySelector('.who').textContent.length > 1`)
	return tab
}

// enter types a line and waits until it was run.
func enter(tab *browser.Tab, line string) {
	tab.Do(focusPrompt)
	tab.Type(line)
	tab.Key(kb.Enter)
	tab.Wait(`document.querySelector('.pending') === null && document.querySelector('.entry:last-child .line') !== null`)
}

func TestThePageStartsAndItsEngineAnswers(t *testing.T) {
	tab := openPage(t, "")
	enter(tab, "SET user:1:session:7 eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9")
	tab.WaitText("#log", "OK")
	tab.WaitText(".insp h3", "user:1:session:7")
	enter(tab, "EXPIRE user:1:session:7 900")
	enter(tab, "HSET user:123 name Alice")
	enter(tab, "SMEMBER tags")
	tab.Type("MEMORY USAGE user:12")
	tab.Wait(`document.querySelector('#prompt').value === 'MEMORY USAGE user:12'`)
	tab.Shot("start")
}

var focusPrompt = chromedp.Focus(chromedp.CSS("#prompt"))
