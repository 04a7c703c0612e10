package catalog

// A Config is one directive of CONFIG GET.
type Config struct {
	Name    string
	Default string // as CONFIG GET prints it
}

func (c *codec) config(g *Config) {
	c.string(&g.Name)
	c.string(&g.Default)
}
