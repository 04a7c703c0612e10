package keyloupe

import (
	"embed"
	"io/fs"
)

//go:embed public
var public embed.FS

// Public is the static site as it was when this program was built. Without `make build` before it lacks app.wasm.
func Public() fs.FS {
	sub, err := fs.Sub(public, "public")
	if err != nil {
		panic(err) // the name above is a constant
	}
	return sub
}
