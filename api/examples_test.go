package api

import (
	"html"
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	example = regexp.MustCompile(`(?s)<pre>(.*?)</pre>`)
	curl    = regexp.MustCompile(`^curl (?:-H 'Content-Type: application/json' -d '([^']*)' )?'HOST([^']*)'(?: > \S+)?$`)
	image   = regexp.MustCompile(`<img src="HOST([^"]*)"`)
)

func TestEveryExampleOfThePageWorks(t *testing.T) {
	page, err := os.ReadFile("../public/curl.html")
	if err != nil {
		t.Fatal(err)
	}
	a, _ := newAPI()
	asked := 0
	for _, m := range example.FindAllStringSubmatch(string(page), -1) {
		text := html.UnescapeString(m[1])
		if c := curl.FindStringSubmatch(text); c != nil {
			method := "GET"
			if c[1] != "" {
				method = "POST"
			}
			if w := do(a, method, c[2], c[1]); w.Code != 200 && w.Code != 201 {
				t.Errorf("%s\n%d %.300s", text, w.Code, w.Body)
			}
			asked++
			continue
		}
		if !strings.HasPrefix(text, "<script") {
			t.Errorf("no example of a known form: %s", text)
		}
		for _, c := range image.FindAllStringSubmatch(text, -1) {
			if w := do(a, "GET", c[1], ""); w.Code != 200 {
				t.Errorf("%s: %d %.300s", c[1], w.Code, w.Body)
			}
			asked++
		}
	}
	if asked < 15 {
		t.Errorf("only %d examples", asked)
	}
}
