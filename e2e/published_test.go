package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/keyloupe/keyloupe/internal/browser"
)

// openPublished opens the built page with what is published and waits for its figures.
func openPublished(t *testing.T, path string, width, height int64) (tab *browser.Tab, url string) {
	t.Helper()
	url = serve(t)
	tab = browser.New(t)
	tab.Size(width, height)
	tab.Open(url + path)
	tab.Wait(`document.querySelector('.ptable td') !== null`)
	return tab, url
}

func TestFromAPublishedFigureToItsBytesAndBack(t *testing.T) {
	tab, _ := openPage(t, "")
	enter(tab, "SET mine 1")
	tab.Click(".top nav button:nth-child(3)")
	tab.WaitText(".story h3", "97 bytes")
	tab.WaitText(".ptable", "133.366")
	tab.Wait(`document.querySelectorAll('.story .chart .dot').length === 10`)
	tab.Wait(`location.hash.includes('view=published')`)
	tab.Shot("published")
	tab.Click(".ph a")
	tab.Wait(ready)
	tab.WaitText(".insp h3", "key:000000000098")
	tab.WaitText(".log", "SET key:000000000097")
	browser.Eval[bool](tab, `history.back(), true`)
	tab.WaitText(".story h3", "97 bytes")
	tab.Click(".top nav button:nth-child(1)")
	tab.WaitText(".log", "SET mine 1") // what was typed before is back
	tab.Click(".top nav button:nth-child(3)")
	tab.Click(".ph a:nth-of-type(2)")
	tab.WaitText(".at h2", "At value 97 B")
}

func TestThePublishedPageWorksByKeyboardInTheDarkAndOnAPhone(t *testing.T) {
	tab, _ := openPublished(t, "#v=1&theme=dark&view=published&scenario=managed", 1500, 1100)
	tab.Wait(`document.documentElement.dataset.theme === 'dark'`)
	tab.Shot("published-dark")
	for range 60 {
		if browser.Eval[bool](tab, `document.activeElement.matches('.pl li:nth-child(2) button')`) {
			break
		}
		tab.Key(kb.Tab)
	}
	tab.Key(kb.Enter)
	tab.WaitText(".story h3", "A TTL on fields")
	tab.Wait(`document.querySelector('.pl [aria-current=true]').matches('.pl li:nth-child(2) button') && location.hash.includes('scenario=field-ttl')`)
	tab.ShotAll("published-fields")
	for _, id := range []string{"97-bytes", "managed", "questions"} {
		tab, _ := openPublished(t, "#v=1&view=published&scenario="+id, 360, 740)
		if over := browser.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: %d pixels stick out", id, over)
		}
		tab.ShotAll("published-phone-" + id)
	}
}

func TestAnEmbedOfAPublishedMeasurementFits(t *testing.T) {
	tab, url := openPublished(t, "embed#v=1&view=published&scenario=versions&ro=1", 600, 640)
	tab.WaitText("footer a", "Open in full")
	if browser.Eval[bool](tab, `document.querySelector('.top, .pl') !== null`) {
		t.Error("there is chrome")
	}
	if over := browser.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("%d pixels stick out", over)
	}
	if a := browser.Eval[string](tab, `document.querySelector('.ph a').href + ' ' + document.querySelector('.ph a').target`); !strings.HasPrefix(a, url+"#v=1&s=7.2.14,") || !strings.HasSuffix(a, " _blank") {
		t.Errorf("the playground opens as %s", a)
	}
	tab.Shot("published-embed")
}
