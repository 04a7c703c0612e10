package api

import (
	"github.com/keyloupe/keyloupe/engine/release"
)

func (a *API) otherRoutes() []*route {
	return []*route{
		{path: "/api/servers", get: (*request).servers, pure: true, types: []string{typeJSON},
			summary: "The releases and builds that are known, and the rules in which they differ"},
		{path: "/api/openapi.json", get: (*request).openapi, pure: true, types: []string{typeJSON}, summary: "This description"},
		{path: "/healthz", get: func(q *request) error { return q.text(typeText, "ok\n") }, types: []string{typeText}, summary: "Whether the server answers"},
	}
}

type (
	serversAnswer struct {
		Lines  []lineAnswer  `json:"lines"`
		Builds []buildAnswer `json:"builds"`
		Rules  []ruleAnswer  `json:"rules"`
	}
	lineAnswer struct {
		Line   string `json:"line"`
		Newest string `json:"newest"`
	}
	buildAnswer struct {
		Name string `json:"name"`
		What string `json:"what"`
	}
	ruleAnswer struct {
		ID     string       `json:"id"`
		What   string       `json:"what"`
		Source string       `json:"source"`
		Steps  []stepAnswer `json:"steps"`
	}
	stepAnswer struct {
		From     string `json:"from"`
		Value    int    `json:"value"`
		Evidence string `json:"evidence"`
		PR       string `json:"pr,omitempty"`
		Note     string `json:"note,omitempty"`
	}
)

func (q *request) servers() error {
	a := serversAnswer{}
	for l, name := range release.Lines() {
		a.Lines = append(a.Lines, lineAnswer{name, release.Newest(release.Line(l))})
	}
	for _, b := range release.Builds() {
		a.Builds = append(a.Builds, buildAnswer{b.Name, b.What})
	}
	for _, u := range release.Rules() {
		r := ruleAnswer{ID: u.ID, What: u.What, Source: u.Source}
		for _, s := range u.Steps {
			r.Steps = append(r.Steps, stepAnswer{s.From, s.Value, string(s.Evidence), s.PR, s.Note})
		}
		a.Rules = append(a.Rules, r)
	}
	if !q.ofProgram("") {
		return nil
	}
	return q.json(a)
}
