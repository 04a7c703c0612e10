// Package e2e tests the whole product from outside: the built page in a real browser, the built program.
package e2e

import (
	"testing"

	"github.com/keyloupe/keyloupe/internal/browser"
	"github.com/keyloupe/keyloupe/internal/worker"
)

func TestMain(m *testing.M) { browser.Main(m, worker.Cleanup) }

func TestTheRendererPassesItsTestsInABrowser(t *testing.T) {
	browser.RunGoTests(t, "github.com/keyloupe/keyloupe/ui/dom")
}

func TestTheStorePassesItsTestsInABrowser(t *testing.T) {
	browser.RunGoTests(t, "github.com/keyloupe/keyloupe/ui/store")
}
