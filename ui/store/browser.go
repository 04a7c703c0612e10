//go:build js && wasm

package store

import (
	"context"
	"fmt"
	"syscall/js"

	"github.com/hack-pad/hackpadfs/indexeddb"
)

// OpenBrowser opens the documents of name in the browser's IndexedDB, or in memory where that is refused (private
// windows, blocked storage, a full disk). It must run in a goroutine.
func OpenBrowser(ctx context.Context, name string) *Store {
	s, err := openIndexedDB(ctx, name)
	if err != nil {
		return InMemory(err)
	}
	return s
}

func openIndexedDB(ctx context.Context, name string) (s *Store, err error) {
	defer func() {
		if p := recover(); p != nil { // a browser without indexedDB, or one that throws when it is touched
			s, err = nil, fmt.Errorf("IndexedDB: %v", p)
		}
	}()
	// A getter that throws would end the program through Value.Get; Call turns that into a panic.
	js.Global().Get("Reflect").Call("get", js.Global(), "indexedDB")
	files, err := indexeddb.NewFS(ctx, name, indexeddb.Options{})
	if err != nil {
		return nil, err
	}
	s = New(files)
	const probe = "workspace/probe"
	if err := s.Save(probe, []byte("x")); err != nil {
		return nil, err
	}
	return s, s.Delete(probe)
}
