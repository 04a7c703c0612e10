package ui

import (
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/ui/link"
)

func TestTheSweepPageShowsChartPointAndCliffs(t *testing.T) {
	p := open(t, "v=1&sweep=value=0..200%26at=98")
	p.says("What to sweep", "At value 98 B", "embstr", "raw", "1\u202f000\u202f000 keys", "→", "%", "97 | 98", "embedding stops", "9.1.2 against 9.0.6", "bytes per key")
	if !p.sweep.shown || p.sweep.At() != 98 {
		t.Errorf("the crosshair is at %d", p.sweep.At())
	}
}

func TestTheAddressKeepsFormOptionsAndCrosshair(t *testing.T) {
	p := open(t, "")
	p.sweep.show(true)
	p.sweep.set("type", "hash")
	p.sweep.set("fields", "10")
	p.sweep.set("ttl", "field")
	p.sweep.set("history", "set+pexpire")
	p.sweep.Show = "total"
	p.sweep.update()
	p.sweep.Move(33)
	p.sweep.touch()
	p.settle()
	other := p.f.open(p.f.fragment)
	if got, want := other.sweep.Query(), p.sweep.Query(); got != want || !other.sweep.shown {
		t.Errorf("reopened as %s, want %s", got, want)
	}
	for _, part := range []string{"type=hash", "fields=10", "ttl=field", "history=set%2Bpexpire", "show=total", "at=33"} {
		if !strings.Contains(p.sweep.Query(), part) {
			t.Errorf("%s lacks %s", p.sweep.Query(), part)
		}
	}
}

func TestShareCopiesTheSweepWithoutWhatWasTyped(t *testing.T) {
	p := open(t, "")
	p.enter("SET secret 1")
	p.sweep.show(true)
	p.share()
	p.settle()
	_, f, _ := strings.Cut(p.f.copied, "#")
	s, err := link.Parse(f)
	if err != nil || s.Sweep == "" || len(s.Run) > 0 || len(s.Servers) != 2 {
		t.Errorf("copied %s: %+v, %v", p.f.copied, s, err)
	}
	if p.sweep.show(false); !strings.Contains(p.State().String(), "view=play") {
		t.Errorf("the address forgets the sweep: %s", p.State().String())
	}
	p.share()
	if p.settle(); strings.Contains(p.f.copied, "sweep") || !strings.Contains(p.f.copied, "secret") {
		t.Errorf("copied %s", p.f.copied)
	}
}

func TestAPointIsShownByteByByteWithTheSweepsCost(t *testing.T) {
	for _, fragment := range []string{
		"v=1&sweep=value=97", "v=1&sweep=value=98%26ttl=key%26history=set%252Bpexpire", "v=1&sweep=value_kind=int%26at=5",
		"v=1&sweep=type=hash%26fields=10%26field=12%26value=64", "v=1&sweep=type=hash%26fields=5%26ttl=field%26value=3", "v=1&s=7.2.14,8.1.9&sweep=key=0%26value=0",
	} {
		p := open(t, fragment)
		r := p.sweep.Point()[0]
		p.sweep.byByte(&r[0])
		p.says("Back to the sweep")
		if len(p.inspect.seen.Side) != len(r) {
			t.Fatalf("%s: the inspector shows %q on %d servers", fragment, p.inspect.key, len(p.inspect.seen.Side))
		}
		for i, side := range p.inspect.seen.Side {
			if side.Encoding != r[i].Encoding.String() || float64(side.Allocated) != r[i].Allocated.Float() {
				t.Errorf("%s: server %d keeps %s in %d bytes, the sweep says %s, %v", fragment, i, side.Encoding, side.Allocated, r[i].Encoding, r[i].Allocated)
			}
		}
	}
}

func TestWhatWasTypedComesBackAfterAPoint(t *testing.T) {
	p := open(t, "")
	p.enter("SET a 1")
	p.sweep.show(true)
	for range 2 {
		p.sweep.byByte(&p.sweep.Point()[0][0])
		p.settle()
		p.sweep.show(true)
	}
	p.sweep.show(false)
	p.says("Bring back my commands")
	p.sweep.bringBack()
	p.settle()
	if got := p.session.lines(); len(got) != 1 || got[0] != "SET a 1" {
		t.Errorf("%q came back", got)
	}
}

func TestAWrongFieldIsToldBesideItAndTheChartStays(t *testing.T) {
	p := open(t, "v=1&sweep=value=0..50")
	for field, text := range map[string]string{"value": "200..1", "key": "x", "keys": "0", "hash_seed_hex": "zz"} {
		p.sweep.set(field, text)
		if w := p.sweep.Problem(field); w == "" {
			t.Errorf("%s %q is not refused", field, text)
		} else {
			p.says(w, "At value")
		}
	}
}

func TestHostileSweepsOfLinksAreRefusedWithAMessage(t *testing.T) {
	for q, words := range map[string]string{
		"value=0..99999999": "points", "value=NaN": "not a whole number", "value=-1": "not a whole number", "evil=1": "no such field",
		"%25zz": "damaged", "show=x%26x=y%26log=q%26at=-5": "At value", "ttl=field": "strings have no fields", "value=1%26servers=9.1.2": "9.1.2",
	} {
		p := open(t, "v=1&sweep="+q)
		p.says("What to sweep", words)
	}
}

func TestServersOfThePickersAreSwept(t *testing.T) {
	p := open(t, "v=1&s=8.1.9,9.1.2&sweep=value=0..200")
	p.says("9.1.2 against 8.1.9")
	p.setServers([]string{"7.2.14", "9.0.6", "9.1.2@libc"})
	p.says("9.1.2@libc against 7.2.14")
}

func TestAnEmbedShowsTheChartWithoutChromeAndLeavesItsAddress(t *testing.T) {
	p := open(t, "")
	e := NewApp(p.f, p.f, Embed)
	p.App, p.f.fragment = e, "as it was"
	e.Start("v=1&s=9.0.6,9.1.2&ro=1&sweep=value=0..200")
	p.says("At value", "Open in full")
	text := p.text()
	for _, no := range []string{"What to sweep", "Share", "Cliffs", "Change it", "See these bytes"} {
		if strings.Contains(text, no+"\n") {
			t.Errorf("the embed has %q", no)
		}
	}
	e.sweep.Move(7)
	e.sweep.touch()
	p.settle()
	if p.f.fragment != "as it was" {
		t.Errorf("the embed wrote its address: %s", p.f.fragment)
	}
	if a := e.fullAddress(); !strings.Contains(a, "sweep=") || strings.Contains(a, "ro=1") {
		t.Errorf("opens in full as %s", a)
	}
}

func TestTheEmbedDialogGivesHTMLMarkdownAndALink(t *testing.T) {
	p := open(t, "v=1&s=9.0.6,9.1.2&sweep=value=0..200")
	p.embeds.toggle()
	p.says("readers can change it")
	d := &EmbedDialog{p.App}
	texts := d.snippets()
	if len(texts) != 4 {
		t.Fatalf("%d snippets", len(texts))
	}
	for i, want := range []string{`<iframe src="http://host/embed#v=1&amp;s=9.0.6,9.1.2&amp;ro=1&amp;sweep=`, `<keyloupe-sweep type="string" key="16" value="0..200" `, "](http://host/api/sweep.svg?type=string&key=16&value=0..200", "http://host/#v=1&s=9.0.6,9.1.2&sweep=type=string"} {
		if !strings.Contains(texts[i].Text, want) {
			t.Errorf("%s lacks %s", texts[i].Text, want)
		}
	}
	p.sweep.show(false)
	p.enter("SET a (b)")
	texts = d.snippets()
	if len(texts) != 4 || !strings.Contains(texts[2].Text, "http://host/api/layout.svg?s=9.0.6,9.1.2&run=SET+a+%28b%29&key=a)") || !strings.Contains(texts[1].Text, `run="SET a (b)"`) {
		t.Errorf("%+v", texts)
	}
}
