package ui

import (
	"html"
	"strings"

	"github.com/keyloupe/keyloupe/ui/link"
	"github.com/vugu/vugu"
)

// embedDialog is how to show what is on the page in another one.
type embedDialog struct {
	app      *App
	shown    bool
	editable bool // readers can type, or change the form
}

// EmbedDialog shows it.
type EmbedDialog struct{ *App }

func (d *embedDialog) toggle() {
	d.shown = !d.shown
	if d.shown {
		d.app.platform.Focus("embed-html")
	} else {
		d.app.platform.Focus("embed")
	}
}

func (d *embedDialog) key(e vugu.DOMEvent) {
	if e.PropString("key") == "Escape" {
		d.toggle()
	}
}

// snippet is a text to copy.
type snippet struct{ ID, Name, Text string }

// pictureLimit is the longest address of a picture that servers take, in bytes.
const pictureLimit = 8000

// Site is the address that the files of the page at an address are under.
func Site(address string) string {
	base, _, _ := strings.Cut(address, "#")
	return base[:strings.LastIndexByte(base, '/')+1]
}

// snippets are the ways to show it elsewhere; a picture's address has its limits.
func (c *EmbedDialog) snippets() []snippet {
	s := c.shared()
	full := c.address(s)
	s.ReadOnly = !c.embeds.editable
	site := Site(full)
	title := c.embedTitle()
	frame := `<iframe src="` + html.EscapeString(site+"embed#"+s.String()) + `" title="` + html.EscapeString(title) +
		`" width="100%" height="` + c.embedHeight() + `" style="border:0" loading="lazy" allow="clipboard-write"></iframe>`
	out := []snippet{{"embed-html", "HTML", frame}}
	if p := c.pictureAddress(site, &s); p != "" {
		if e := c.element(site, title, p, &s); e != "" {
			out = append(out, snippet{"embed-js", "HTML with a script, the picture where no frame may be", e})
		}
		out = append(out, snippet{"embed-md", "Markdown, a picture", "[![" + markdown(title) + "](" + p + ")](" + full + ")"})
	}
	return append(out, snippet{"embed-link", "Link", full})
}

// element is one of embed.js; empty where it can't say all that the link does.
func (c *EmbedDialog) element(site, title, picture string, s *link.State) string {
	tag, attrs := "keyloupe-sweep", c.sweep.Attributes()
	switch c.view() {
	case viewPublished:
		return ""
	case viewPlay:
		tag, attrs = "keyloupe-demo", [][2]string{{"servers", strings.Join(s.Servers, ",")}, {"run", strings.Join(s.Run, "\n")}, {"key", s.Key}}
		if len(s.Config) > 0 || s.HashSeed != "" {
			return ""
		}
	}
	if attrs == nil || c.embeds.editable {
		return ""
	}
	out := `<script src="` + site + `embed.js" async></script>` + "\n<" + tag
	for _, a := range attrs {
		out += " " + a[0] + `="` + html.EscapeString(a[1]) + `"`
	}
	return out + `><img src="` + html.EscapeString(picture) + `" alt="` + html.EscapeString(title) + `"></` + tag + ">"
}

// markdown leaves out what ends a title.
func markdown(s string) string { return strings.NewReplacer("[", "(", "]", ")", "\n", " ").Replace(s) }

func (c *EmbedDialog) pictureAddress(site string, s *link.State) string {
	p := site + "api/sweep.svg?" + c.sweep.Picture()
	switch c.view() {
	case viewPublished:
		r := c.published.report()
		if r == nil || r.Chart == "" {
			return ""
		}
		p = site + "api/sweep.svg?" + r.Chart
	case viewPlay:
		if len(s.Run) == 0 {
			return ""
		}
		only := link.State{Servers: s.Servers, Config: s.Config, HashSeed: s.HashSeed, Run: s.Run, Key: s.Key}
		p = site + "api/layout.svg?" + only.Fields()
	}
	if len(p) > pictureLimit {
		return ""
	}
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(p)
}

func (c *EmbedDialog) embedTitle() string {
	if r := c.published.report(); c.published.shown && r != nil {
		return r.Title
	}
	if c.sweep.shown && c.sweep.Chart != nil {
		return c.sweep.Chart.Title
	}
	return "Valkey's memory, byte by byte: " + strings.Join(c.wanted, ", ")
}

func (c *EmbedDialog) embedHeight() string {
	if c.view() != viewPlay {
		return "640"
	}
	return "720"
}

func (c *EmbedDialog) copySnippet(s snippet) {
	c.copy(s.Text, "Select the text and copy it.", s.Name+" copied.")
}
