package api

import (
	"encoding/json"
	"strings"
)

type object = map[string]any

// openapi makes the OpenAPI 3.1 document from the routes, so that it can't tell of others.
func (a *API) openapi() []byte {
	paths := object{}
	for _, r := range a.list {
		p := r.path
		if strings.HasSuffix(p, "/") {
			p += "{id}"
		}
		item := object{}
		if r.get != nil {
			item["get"] = r.operation(false)
			item["head"] = r.operation(false)
		}
		if r.post != nil {
			item["post"] = r.operation(true)
		}
		paths[p] = item
	}
	doc := object{
		"openapi": "3.1.0",
		"info": object{"title": "Keyloupe", "version": "1",
			"description": "What Valkey keeps in memory, byte by byte, for every release. Results depend on nothing but the request, carry a strong ETag and may be kept."},
		"servers":    []object{{"url": "/"}},
		"paths":      paths,
		"components": object{"schemas": schemas()},
	}
	b, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		panic(err) // a document of maps and texts can always be written
	}
	return append(b, '\n')
}

func (r *route) operation(post bool) object {
	op := object{"summary": r.summary, "responses": r.responses(post)}
	var params []object
	if strings.HasSuffix(r.path, "/") {
		params = append(params, object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string", "pattern": r.id}})
	}
	if !post {
		for _, p := range r.params {
			params = append(params, object{"name": p.name, "in": "query", "description": p.what, "schema": object{"type": "string"}})
		}
	}
	if params != nil {
		op["parameters"] = params
	}
	if post {
		op["requestBody"] = object{"required": true, "content": object{typeJSON: object{"schema": r.bodySchema()}}}
	}
	return op
}

// bodySchema is the object a POST takes: the query's parameters, as text or lists.
func (r *route) bodySchema() object {
	if r.path == "/api/links" {
		return object{"$ref": "#/components/schemas/Link"}
	}
	fields := object{}
	for _, p := range r.params {
		fields[p.name] = object{"description": p.what, "oneOf": []object{{"type": "string"}, {"type": "integer"},
			{"type": "array", "items": object{"type": []string{"string", "integer"}}}}}
	}
	return object{"type": "object", "properties": fields, "additionalProperties": false}
}

func (r *route) responses(post bool) object {
	problem := object{"description": "What was wrong, and what would be right", "content": object{typeJSON: object{"schema": object{"$ref": "#/components/schemas/Error"}}}}
	out := object{"405": problem, "414": problem, "429": problem}
	content := object{}
	for _, t := range r.types {
		t, _, _ = strings.Cut(t, ";")
		schema := object{"type": "string"}
		if t == typeJSON {
			schema = object{"type": "object"}
		}
		content[t] = object{"schema": schema}
	}
	switch r.path {
	case "/s/":
		out["302"] = object{"description": "Leads to the page"}
	case "/api/links":
		out["201"] = object{"description": "Kept", "content": content}
		out["503"] = problem
	default:
		out["200"] = object{"description": "The result", "content": content}
	}
	if strings.HasSuffix(r.path, "/") {
		out["404"] = problem
	}
	if r.pure && !post {
		out["304"] = object{"description": "The client has it"}
	}
	if len(r.params) > 0 || post {
		out["400"], out["422"] = problem, problem
	}
	if post {
		out["413"], out["415"] = problem, problem
	}
	return out
}

func schemas() object {
	text := object{"type": "string"}
	return object{
		"Error": object{"type": "object", "required": []string{"error"}, "properties": object{"error": object{"type": "object",
			"required": []string{"code", "message", "field"}, "properties": object{"code": text, "message": text, "field": object{"type": []string{"string", "null"}}}}}},
		"Link": object{"oneOf": []object{
			{"type": "object", "required": []string{"state"}, "additionalProperties": false, "properties": object{"state": object{"type": "string", "description": "the page's fragment without #"}}},
			{"type": "object", "required": []string{"sweep"}, "additionalProperties": false, "properties": object{"sweep": object{"type": "object", "description": "a specification of /api/sweep"}}},
			{"type": "object", "description": "a specification of /api/sweep"}}},
	}
}

func (q *request) openapi() error {
	if !q.ofProgram("") {
		return nil
	}
	_, err := q.Write(q.a.doc)
	return err
}
