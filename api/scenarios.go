package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/keyloupe/keyloupe/engine/scenario"
)

func (a *API) scenarioRoutes() []*route {
	return []*route{
		{path: "/api/scenarios", get: (*request).scenarios, pure: true, types: []string{typeJSON},
			summary: "Published measurements that the simulator reproduces"},
		{path: "/api/scenarios/", get: (*request).scenario, pure: true, types: []string{typeJSON}, id: "^[A-Za-z0-9-]+$",
			params:  []param{{"servers", "servers in place of those that were measured, a list of VERSION[@BUILD]"}},
			summary: "One of them: every published figure beside the simulated one, the difference and its cause"},
	}
}

type scenariosAnswer struct {
	Scenarios []scenarioAnswer `json:"scenarios"`
}

// scenarioAnswer is what the list tells of a scenario.
type scenarioAnswer struct {
	ID      string `json:"id"`
	Number  string `json:"number"`
	Title   string `json:"title"`
	Source  string `json:"source"`
	Finding string `json:"finding"`
}

func (q *request) scenarios() error {
	if !q.ofProgram("") {
		return nil
	}
	var a scenariosAnswer
	for _, s := range scenario.All() {
		a.Scenarios = append(a.Scenarios, scenarioAnswer{s.ID, s.Number, s.Title, s.Source, s.Finding})
	}
	return q.json(a)
}

func (q *request) scenario() error {
	s, err := scenario.Find(strings.TrimPrefix(q.URL.Path, q.route.path))
	if err != nil {
		return &Error{http.StatusNotFound, "not_found", err.Error(), ""}
	}
	v, err := q.query()
	if err != nil {
		return err
	}
	var o scenario.Options
	for name, values := range v {
		if name != "servers" {
			return badRequest("bad_query", "", "parameter %.40q: a scenario takes servers", name)
		}
		o.Servers = strings.Split(strings.Join(values, ","), ",")
	}
	if err := o.Check(); err != nil {
		return badRequest("bad_field", "servers", "%s", err.Error())
	}
	if !q.ofProgram(strings.Join(o.Servers, ",")) {
		return nil
	}
	r, err := s.Run(o)
	if err != nil {
		return err
	}
	return q.json(r)
}

// json answers with a value.
func (q *request) json(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = q.Write(append(b, '\n'))
	return err
}
