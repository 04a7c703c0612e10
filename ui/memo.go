package ui

import "github.com/vugu/vugu"

// memo shows a component as it was built last, until its revision changes. The renderer then skips it altogether.
type memo struct {
	of    vugu.Builder
	rev   *int
	built int
	out   *vugu.BuildOut
}

func (m *memo) Build(in *vugu.BuildIn) *vugu.BuildOut {
	if m.out == nil || m.built != *m.rev {
		m.out, m.built = m.of.Build(in), *m.rev
	}
	return m.out
}
