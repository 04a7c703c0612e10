package command

import (
	"strconv"
	"strings"

	"github.com/keyloupe/keyloupe/engine/catalog"
)

// Config is the server's directives and their values.
type Config struct {
	values map[string]*setting
}

type setting struct {
	text string
	n    int64 // of a number or a size
}

func newConfig(cat *catalog.Catalog) Config {
	c := Config{values: make(map[string]*setting, len(cat.Configs))}
	for _, d := range cat.Configs {
		c.put(d.Name, d.Default)
	}
	return c
}

func (c *Config) put(name, text string) {
	n, _ := strconv.ParseInt(text, 10, 64)
	c.values[name] = &setting{text, n}
}

// Int is the value of a directive that is a number; 0 where the release has none of that name.
func (c *Config) Int(name string) int64 {
	if s := c.values[name]; s != nil {
		return s.n
	}
	return 0
}

// Text is the value of a directive; "" where the release has none of that name.
func (c *Config) Text(name string) string {
	if s := c.values[name]; s != nil {
		return s.text
	}
	return ""
}

// Yes tells whether a directive is yes.
func (c *Config) Yes(name string) bool { return c.Text(name) == "yes" }

// Known tells whether the release has a directive.
func (c *Config) Known(name string) bool { return c.values[strings.ToLower(name)] != nil }
