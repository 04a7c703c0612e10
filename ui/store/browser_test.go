//go:build js && wasm

package store

import (
	"context"
	"slices"
	"testing"
)

func TestDocumentsAreKeptInIndexedDB(t *testing.T) {
	s := OpenBrowser(context.Background(), "keyloupe-test")
	if s.Refused != nil {
		t.Fatalf("IndexedDB was refused: %v", s.Refused)
	}
	checkStore(t, s)
}

func TestASecondOpenSeesWhatTheFirstWrote(t *testing.T) {
	ctx := context.Background()
	if err := OpenBrowser(ctx, "keyloupe-test-2").AddHistory("SET a 1"); err != nil {
		t.Fatal(err)
	}
	h, err := OpenBrowser(ctx, "keyloupe-test-2").History()
	if err != nil || !slices.Equal(h, []string{"SET a 1"}) {
		t.Fatalf("%q, %v", h, err)
	}
}
