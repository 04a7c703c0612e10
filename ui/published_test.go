package ui

import (
	"strings"
	"testing"

	"github.com/keyloupe/keyloupe/ui/link"
)

func TestThePublishedPageShowsEveryFigureBesideTheSimulatedOne(t *testing.T) {
	p := open(t, "v=1&view=published")
	p.says("Published measurements", "Memory version by version", "Valkey 9.1's memory saving stops at 97 bytes", "Source: ",
		"133.7 B/key", "133.366 B/key", "−0.334 (−0.25\u202f%)", "−0.334 (−0.30\u202f%)", "a constant of some 70 KB", "not simulated", "232\u202f086 requests/s",
		"Squares: published.", "Shortening a key's prefix")
	p.published.pick("managed")
	p.says("inferred from these figures", "64 B on 9.0.0", "same", "open source")
	if text := p.text(); strings.Contains(text, "133.7") {
		t.Error("the scenario before is still shown")
	}
	p.published.pick("field-ttl")
	p.says("5\u202f226\u202f560 B", "WRONGTYPE Operation", "hashtable")
}

func TestALinkOpensOnePublishedMeasurement(t *testing.T) {
	p := open(t, "")
	p.enter("SET secret 1")
	p.published.show()
	p.published.pick("versions")
	p.settle()
	other := p.f.open(p.f.fragment)
	other.says("102.48")
	if other.view() != viewPublished || other.published.report().ID != "versions" {
		t.Errorf("%s opens %s", p.f.fragment, other.view())
	}
	other.sweep.show(false)
	other.says("SET secret 1") // what was typed is kept
	p.share()
	p.settle()
	if _, f, _ := strings.Cut(p.f.copied, "#"); f != "v=1&view=published&scenario=versions" {
		t.Errorf("copied %s", p.f.copied)
	}
	if p := open(t, "v=1&view=published&scenario=none"); p.published.report().ID != "97-bytes" {
		t.Error("an unknown measurement does not lead to the first")
	}
}

func TestWhatIsPublishedIsTriedInThePlaygroundAndSwept(t *testing.T) {
	p := open(t, "v=1&view=published&scenario=questions")
	pane := &PublishedPane{p.App}
	for _, s := range p.published.report().Tables {
		if s.Play != nil {
			_, f, _ := strings.Cut(pane.playAddress(s.Play), "#")
			p.Navigate(f)
			p.says(s.Play.Run[0][:min(20, len(s.Play.Run[0]))])
			if p.view() != viewPlay || p.problem != "" || p.sides() != len(s.Play.Servers) || s.Play.Key != "" && (p.inspect.seen == nil || p.inspect.seen.Type == "") {
				t.Errorf("%s: %s, %q", s.Title, p.view(), p.problem)
			}
		}
		if s.Sweep != "" {
			_, f, _ := strings.Cut(pane.sweepAddress(s.Sweep), "#")
			p.Navigate(f)
			if p.settle(); p.view() != viewSweep || len(p.sweep.Problems) > 0 || p.sweep.Chart == nil {
				t.Errorf("%s: %s, %v", s.Title, p.view(), p.sweep.Problems)
			}
		}
	}
}

func TestEveryChartOfWhatIsPublishedIsDrawnWithItsDots(t *testing.T) {
	p := open(t, "v=1&view=published")
	for _, r := range p.published.all {
		p.published.pick(r.ID)
		picture := p.published.picture()
		if (picture == nil) != (r.Chart == "") {
			t.Fatalf("%s has no chart", r.ID)
		}
		if picture == nil {
			continue
		}
		dots := 0
		for _, s := range picture.scene.Shapes {
			if strings.HasPrefix(s.Class, "dot ") {
				dots++
			}
		}
		if dots != len(r.Dots) {
			t.Errorf("%s: %d dots of %d", r.ID, dots, len(r.Dots))
		}
	}
}

func TestWhereTheMeasurementsCannotBeLoadedItIsSaidAndTriedAgain(t *testing.T) {
	p := open(t, "")
	p.f.offline = true
	p.published.show()
	p.says("could not be loaded: offline", "Try again")
	p.f.offline = false
	p.published.load()
	p.says("Source: ")
}

func TestAnEmbedOfAMeasurementHasNoListAndOpensElsewhere(t *testing.T) {
	p := open(t, "v=1&view=published&scenario=versions")
	p.embeds.toggle()
	d := &EmbedDialog{p.App}
	texts := d.snippets()
	if len(texts) != 3 || !strings.Contains(texts[0].Text, `/embed#v=1&amp;ro=1&amp;view=published&amp;scenario=versions"`) ||
		!strings.Contains(texts[1].Text, "/api/sweep.svg?value=0..64&keys=632000&servers=7.2.14") || !strings.Contains(texts[0].Text, `title="Memory version by version"`) {
		t.Errorf("%+v", texts)
	}
	e := NewApp(p.f, p.f, Embed)
	p.App = e
	e.Start("v=1&view=published&scenario=versions&ro=1")
	p.says("Memory version by version", "Open in full", "102.48")
	if text := p.text(); strings.Contains(text, "Share\n") || strings.Contains(text, "What others measured") {
		t.Errorf("the embed has chrome:\n%s", text)
	}
	if a := e.fullAddress(); !strings.Contains(a, "view=published&scenario=versions") || strings.Contains(a, "ro=1") {
		t.Errorf("opens in full as %s", a)
	}
	if _, err := link.Parse(strings.SplitN(e.fullAddress(), "#", 2)[1]); err != nil {
		t.Error(err)
	}
}
