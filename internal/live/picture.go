package live

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/keyloupe/keyloupe/engine"
	"github.com/keyloupe/keyloupe/engine/draw"
	"github.com/keyloupe/keyloupe/engine/layout"
	"github.com/keyloupe/keyloupe/internal/site"
)

// Bounds on the picture of a key, in bytes and blocks: what is larger makes none that anybody could look at.
const (
	maxPictured = 16 << 10
	maxBlocks   = 64
)

// picture answers with the bytes of a key as they are now, as an SVG file.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	db, err := strconv.Atoi(q.Get("db"))
	if err != nil {
		refuse(w, http.StatusBadRequest, fmt.Sprintf("db is %.40q, which is no number", q.Get("db")))
		return
	}
	key := []byte(q.Get("key"))
	columns, err := s.columns(db, key)
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	h := w.Header()
	site.SecurityHeaders(h, false)
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	w.Write(draw.Layout(layout.Quote(key), columns).AppendSVG(nil, draw.Auto))
}

// columns is the blocks behind a key on every server that has it.
func (s *Server) columns(db int, key []byte) (out []draw.Column, err error) {
	s.front.With(func(servers []*engine.Server) {
		for _, x := range servers {
			var c draw.Column
			if c, err = column(x, db, key); err != nil {
				return
			}
			if c.Title != "" {
				out = append(out, c)
			}
		}
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("there is no key %.200s in database %d", layout.Quote(key), db)
	}
	return out, err
}

// column is the blocks behind a key on one server, without a title where it has none.
func column(s *engine.Server, db int, key []byte) (c draw.Column, err error) {
	if db < 0 || db >= s.Space.Databases() {
		return c, fmt.Errorf("there is no database %d", db)
	}
	info, ok := s.KeyInfo(db, key)
	if !ok {
		return c, nil
	}
	if info.Usage > maxPictured {
		return c, fmt.Errorf("the key has %d bytes, too many for one picture: %d at most", info.Usage, maxPictured)
	}
	pic := layout.Picture{Limit: maxBlocks}
	s.Picture(&pic, s.Space.Existing(db), key)
	c = draw.Column{Title: s.Release.Label(), Sub: fmt.Sprintf("%s · MEMORY USAGE %d", info.Encoding, info.Usage), Blocks: pic.Blocks}
	if pic.Skipped > 0 {
		c.Sub += fmt.Sprintf(" · %d more blocks", pic.Skipped)
	}
	return c, nil
}
